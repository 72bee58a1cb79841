"""The table of peers on the page is that of the kept run, and the script measures what it says."""

import importlib
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "book" / "reference" / "index.md"


@pytest.fixture
def script(monkeypatch, tmp_path):
    """The script with next to nothing of everything, and a store of its own."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    script = importlib.import_module("against_peers")
    small = {"D_MODEL": 8, "N_HEADS": 2, "N_LAYERS": 1, "BATCH": 2, "LENGTH": 7, "LONG": 128}
    small |= {"VOCAB_SIZE": 11, "ROUNDS": 2, "KEPT": tmp_path / "peers.json"}
    sizes = {name: (3, script.GPTConfig(11, 7, 8, 2, 1)) for name in script.GENERATED}
    for name, value in {**small, "GENERATED": sizes}.items():
        monkeypatch.setattr(script, name, value)
    graded = {"ratio": 2.5}
    monkeypatch.setattr(script.coursework_against_nbgrader, "main", lambda number: graded)
    return script


@pytest.fixture
def kept():
    return json.loads((ROOT / "benchmarks" / "peers.json").read_text("utf-8"))


def test_the_page_shows_the_table_of_the_kept_run(script, kept):
    rows = [script.table_row(*row) for row in kept["ratios"].items()]
    assert "\n".join([script.HEAD, *rows]) in PAGE.read_text("utf-8")


def test_the_kept_run_has_the_rows_of_the_script_in_which_no_ratio_is_odd(script, kept):
    script.main([])
    found = json.loads(script.KEPT.read_text("utf-8"))
    rows = [row.replace("128", "4,096") for row in found["ratios"]]
    assert rows == [*kept["ratios"]]
    for ratio, least, most in kept["ratios"].values():
        assert 0 < least <= ratio <= most


def test_a_part_of_the_table_is_not_kept(script):
    script.main(["exact_attention"])
    assert not script.KEPT.exists()


def test_both_sides_of_a_row_do_the_same_work(script):
    """The other GPTs have our parameters; and the floor multiplies by all of a model's weights."""
    config = script.GPTConfig(11, 7, 8, 2, 1)
    ours = script.GPT(config)
    assert count(script.FlatGPT()) == count(ours) == count(script.hugging_face_gpt(config))
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script.F, "linear", lambda x, weight, bias=None: seen.append(weight))
        script.products(ours, batch=2, new_tokens=3)()
    matrices = {id(weight) for weight in ours.parameters() if weight.ndim == 2}
    places = {id(w) for name, w in ours.named_parameters() if "position" in name}
    assert {id(weight) for weight in seen} == matrices - places
    assert len(seen) == 3 * len({*map(id, seen)})


def test_the_ratio_is_of_ours_to_theirs(script, monkeypatch):
    took = {"ours": iter([2.0, 3.0]), "theirs": iter([4.0, 4.0])}
    monkeypatch.setattr(script, "seconds", lambda call: next(took[call()]))
    assert script.compare(lambda: "ours", theirs=lambda: "theirs") == {"theirs": [0.62, 0.5, 0.75]}


def count(model):
    return sum(parameter.numel() for parameter in model.parameters())
