"""The stored runs of one layer are those of the script that says how they were made."""

import json
import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import one_layer

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks" / "one_layer.py"
CHAPTER = ROOT / "notebooks" / "14_looking_inside.ipynb"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_rate_of_the_script_is_stored_under_its_terms(script):
    stored = one_layer.load()
    assert [*stored] == [*script["RATES"]]
    for runs in stored.values():
        assert runs.steps == [*script["STEPS"]]
        for rows in (runs.right, runs.loss):
            assert [len(row) for row in rows] == [len(script["STEPS"])] * len(script["SEEDS"])
        assert all(first > last for first, *_, last in runs.loss)
    # Whoever copies one run into two places will be noticed.
    rows = [tuple(row) for runs in stored.values() for row in runs.right]
    assert len({*rows}) == len(rows)


def test_the_task_is_that_of_the_chapter(script):
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    source = next(text for cell in cells if "def sequences(" in (text := "".join(cell["source"])))
    chapter = {"torch": torch}
    exec(source, chapter)
    for name in ("HALF", "SYMBOLS", "WIDTH", "HEADS"):
        assert chapter[name] == script[name]
    ours, theirs = (
        each["sequences"](5, torch.Generator().manual_seed(3)) for each in (script, chapter)
    )
    for one, other in zip(ours, theirs, strict=True):
        assert torch.equal(one, other)


def test_the_script_learns_with_next_to_no_steps(script, monkeypatch, tmp_path):
    names = script["main"].__globals__
    monkeypatch.setitem(names, "STEPS", (2, 30))
    monkeypatch.setitem(names, "SEEDS", (0, 3))
    monkeypatch.setattr(one_layer, "STORE", tmp_path / "one_layer.json")
    script["main"](["0.01"])
    runs = one_layer.load()
    assert [*runs] == [0.01]
    assert runs[0.01].steps == [2, 30]
    for early, late in runs[0.01].loss:
        assert late < early
    assert all(0 <= share <= 1 for row in runs[0.01].right for share in row)
