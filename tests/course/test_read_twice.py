"""The stored runs of the GPT that learns to copy are those of the script that made them."""

import json
import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import read_twice

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "read_twice.py"
CHAPTER = ROOT / "notebooks" / "14_looking_inside.ipynb"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_both_ways_of_reading_are_stored_under_the_scripts_terms(script):
    stored = read_twice.load()
    assert [*stored] == ["once", "twice"]
    rows = []
    for runs in stored.values():
        assert runs.steps == [*script["STEPS"]]
        for table in (runs.again, runs.after_another, runs.score):
            assert [len(row) for row in table] == [len(runs.steps)] * len(script["SEEDS"])
            # All begin as the same GPT.
            assert len({row[0] for row in table}) == 1
            rows += [tuple(row[1:]) for row in table]
    # Whoever copies one run into two places will be noticed.
    assert len({*rows}) == len(rows)


def test_the_first_judgement_is_of_the_gpt_that_ships(script):
    model = script["load_small_gpt"]().model
    found = script["judged"](model, script["read_again"](script["new_text"](), script["LENGTH"]))
    for runs in read_twice.load().values():
        stored = [table[0][0] for table in (runs.again, runs.after_another, runs.score)]
        assert found == pytest.approx(stored, abs=1e-3)


def test_the_passages_are_those_of_the_chapter(script):
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    source = next(text for cell in cells if "def read_again(" in (text := "".join(cell["source"])))
    chapter = {"torch": torch}
    exec(source[source.index("def read_again(") :].split("\n\n\n")[0], chapter)
    text = torch.arange(500)
    for one, other in zip(
        script["read_again"](text, 8), chapter["read_again"](text, 8), strict=True
    ):
        assert torch.equal(one, other)


def test_the_best_score_is_that_of_a_head_that_looks_one_past(script, monkeypatch):
    """Four places, read twice: from the fifth on, each asks three places back."""
    weights = torch.zeros(1, 2, 7, 7)
    for place in range(4, 7):
        weights[0, 1, place, place - 3] = 0.75
        weights[0, 0, place, place - 4] = 1.0
    names = script["main"].__globals__
    monkeypatch.setitem(names, "attention_maps", lambda *_: {"layer": weights})
    assert script["best_induction_score"](None, torch.zeros(1, 8)) == 0.75


def test_the_script_runs_with_next_to_no_steps(script, monkeypatch, tmp_path):
    names = script["main"].__globals__
    monkeypatch.setitem(names, "STEPS", (0, 2))
    monkeypatch.setitem(names, "SEEDS", (0, 3))
    monkeypatch.setitem(names, "PASSAGES", 4)
    monkeypatch.setitem(names, "ROLLED_BY", 1)
    monkeypatch.setitem(names, "TRAINING", names["TRAINING"] | {"batch_size": 2, "warmup": 1})
    monkeypatch.setattr(read_twice, "STORE", tmp_path / "read_twice.json")
    script["main"](["twice"])
    runs = read_twice.load()
    assert [*runs] == ["twice"]
    for row in runs["twice"].after_another:
        assert row[0] != row[1]
