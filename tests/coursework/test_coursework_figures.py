"""The figures on the page on scale come from benchmarks, which still run and find mistakes."""

import importlib
import json
import math
import shutil
from pathlib import Path

import hostile_archives
import hostile_bank
import hostile_files
import hostile_malformed
import hostile_notebooks
import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "book" / "teaching" / "scale.md"


@pytest.fixture(autouse=True)
def _scripts_are_found(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")


@pytest.fixture
def against_nbgrader():
    return importlib.import_module("coursework_against_nbgrader")


@pytest.fixture
def thousand():
    return importlib.import_module("coursework_thousand")


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """The figures of a small crowd, and its results."""
    results = tmp_path_factory.mktemp("crowd") / "results"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        thousand = importlib.import_module("coursework_thousand")
        graded = thousand.run_batches

        def keep_results(course, *given):
            graded(course, *given)
            shutil.copytree(course.folder / "results", results)

        patch.setattr(thousand, "run_batches", keep_results)
        return thousand.main(14), results


def kept():
    return json.loads((ROOT / "benchmarks" / "coursework_figures.json").read_text())


def test_the_page_gives_the_figures_of_the_full_runs():
    page = PAGE.read_text(encoding="utf-8")
    ours = kept()["against nbgrader"]
    assert (ours["submissions"], ours["workers"]) == (100, 2)
    assert f"graded {ours['ratio']:.1f} times as fast as by plain `nbgrader autograde`" in page
    assert f"takes about {round(ours['MiB a worker'], -1)} MiB" in page
    many = kept()["a thousand"]
    assert (many["submissions"], many["hostile"], many["workers"]) == (1000, 50, 2)
    assert sum(many["verdicts"].values()) == many["right"] == 1000
    assert f"All {many['right']:,} marks and verdicts were right" in page
    assert f"drawn from {many['kinds to draw from']} kinds of attack" in page
    assert f"at most {10 * math.ceil(many['MiB in all'] / 10):,} MiB" in page


def test_the_page_counts_the_attacks_that_stand_in_the_bank():
    by_notebook = len(hostile_notebooks.MADE) + len(hostile_malformed.MADE)
    assert (
        f"The bank holds {len(hostile_bank.by_code())} kinds of attack by code, {by_notebook} by "
        f"the notebook, {len(hostile_files.MADE)} by files and {len(hostile_archives.MADE)} by the "
        "archive"
    ) in PAGE.read_text(encoding="utf-8")


def test_both_graders_give_a_small_class_the_same_marks(against_nbgrader):
    assert against_nbgrader.main(1).keys() == kept()["against nbgrader"].keys()


def test_the_ratio_is_nbgraders_time_to_ours_with_equal_marks(against_nbgrader, monkeypatch):
    class_module = importlib.import_module("coursework_class")
    marks = {"theirs": 16.0, "ours": 16.0}

    def graded(whose, seconds, mebibytes):
        ran = class_module.Ran(0, seconds, mebibytes << 20, "")
        return lambda given, number, *folder: (ran, [marks[whose]] * number)

    monkeypatch.setattr(against_nbgrader, "by_nbgrader", graded("theirs", 30.0, 500))
    monkeypatch.setattr(against_nbgrader, "by_us", graded("ours", 12.0, 1400))
    assert against_nbgrader.main(3) == {
        "submissions": 3, "workers": 2, "ratio": 2.5, "MiB a worker": 700
    }  # fmt: skip
    for whose in marks:
        monkeypatch.setitem(marks, whose, 15.0)
        with pytest.raises(RuntimeError, match="marks differ"):
            against_nbgrader.main(3)
        monkeypatch.setitem(marks, whose, 16.0)


def test_a_small_crowd_has_every_mark_right(crowd):
    figures, _ = crowd
    assert figures.keys() == kept()["a thousand"].keys()
    assert (figures["submissions"], figures["hostile"], figures["right"]) == (14, 1, 14)


def test_an_unexpected_mark_is_counted(thousand, crowd, monkeypatch, capsys):
    """The same results, where other marks are expected of all honest answers."""
    _, results = crowd

    def copy_results(course, *_):
        shutil.copytree(results, course.folder / "results", dirs_exist_ok=True)

    others = {answer: (rows + 1, scale) for answer, (rows, scale) in thousand.ATTENTION.items()}
    monkeypatch.setattr(thousand, "run_batches", copy_results)
    monkeypatch.setattr(thousand, "ATTENTION", others)
    figures = thousand.main(14)
    assert figures["right"] == figures["hostile"] == 1
    assert capsys.readouterr().out.count("WRONG: student_") == 13


def test_only_a_full_run_replaces_the_stored_figures(tmp_path, monkeypatch):
    class_module = importlib.import_module("coursework_class")
    monkeypatch.setattr(class_module, "FIGURES", tmp_path / "figures.json")
    class_module.keep("one", {"ratio": 1.5})
    class_module.keep("other", {"right": 3})
    class_module.keep("one", {"ratio": 2.5})
    assert json.loads((tmp_path / "figures.json").read_text()) == {
        "one": {"ratio": 2.5}, "other": {"right": 3}
    }  # fmt: skip
