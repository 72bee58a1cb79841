"""The exporters: what they write is what is stored; a chapter that says otherwise is refused."""

import json
import re
import sys

import pytest
import torch
from chapters import ROOT
from softlookup.parallel import schedules
from torch import nn

sys.path.append(str(ROOT / "tools"))

import export_live  # isort: skip
from live_figures import chapter, files, past_one_machine  # isort: skip


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Exporters that write where nothing is kept."""
    monkeypatch.setattr(files, "WEIGHTS", tmp_path / "weights")
    monkeypatch.setattr(files, "EXPECTED", tmp_path / "expected")
    return tmp_path


def test_the_dictionary_is_exported_to_the_same_bytes(elsewhere):
    weights, expected = export_live.export("soft-dictionary")
    kept = ROOT / "book/_static/live/weights/soft-dictionary.js"
    assert weights.read_bytes() == kept.read_bytes()
    known = json.loads((ROOT / "tests/live/expected/soft-dictionary.json").read_text("utf-8"))
    made = json.loads(expected.read_text("utf-8"))
    assert made["stored"] == known["stored"]
    assert [each["answer"] for each in made["lookups"]] == pytest.approx(
        [each["answer"] for each in known["lookups"]], rel=1e-6
    )


def test_a_chapter_that_prints_another_number_is_refused():
    words = {"a": "weight 0.73 of 5,895 m"}
    chapter.Ran({}, {"a": "weight 0.7301 of 5,895 m"}, words).agree("a")
    for other in ("weight 0.74 of 5,895 m", "weigh 0.73 of 5,895 m", "weight 0.73 of 5,895 m, 2"):
        with pytest.raises(ValueError, match="and the notebook has"):
            chapter.Ran({}, {"a": other}, words).agree("a")


def test_a_cell_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="has no code cell nowhere"):
        chapter.run("02_attention", until="nowhere")


def test_weights_are_rounded_as_they_travel():
    model = nn.Linear(3, 2)
    rounded = files.rounded(model)
    assert torch.equal(rounded.weight, model.weight.half().float())
    assert not torch.equal(rounded.weight, model.weight)


def test_weights_that_half_precision_cannot_hold_are_refused():
    with pytest.raises(ValueError, match="huge has numbers that half precision does not hold"):
        files.weights_script("big", {}, {"huge": torch.tensor([1e6])})


def test_expected_values_have_eight_digits():
    assert files.plain({"a": (torch.tensor([1 / 3]), 2, 1 / 7)}) == {
        "a": [[0.33333334], 2, 0.14285714]
    }


def test_an_unknown_figure_is_refused(capsys):
    assert export_live.main(["nobody"]) == 2
    assert re.search(r"There is no figure \['nobody'\]; expected some of", capsys.readouterr().err)


def test_the_models_past_one_machine_are_counted_to_the_same_bytes(elsewhere, monkeypatch):
    """Without the four workers, who would take half a minute."""
    monkeypatch.setattr(past_one_machine, "small_runs", lambda: ({}, []))
    monkeypatch.setattr(past_one_machine, "WORKERS", (1, 4))
    weights, _ = past_one_machine.export()
    kept = ROOT / "book/_static/live/weights/past-one-machine.js"
    stored = kept.read_text("utf-8").replace("[1,2,4,8,16,32,48,64]", "[1,4]", 1)
    assert weights.read_text("utf-8") == stored


@pytest.mark.parametrize(("n_stages", "micro_batches"), [(2, 4), (4, 4), (3, 7)])
def test_the_exporters_order_waits_as_the_formula_says(n_stages, micro_batches):
    for schedule in past_one_machine.SCHEDULES:
        orders = [
            past_one_machine.order(schedule, stage, n_stages, micro_batches)
            for stage in range(n_stages)
        ]
        waits = schedules.idle_share(schedules.timetable(orders))
        assert waits == schedules.idle_formula(n_stages, micro_batches)
