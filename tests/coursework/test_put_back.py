"""A teacher is told of given cells that a student changed, and of another term's notebook."""

import json
from collections import Counter

import course_bank
import pytest
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.commands import batches
from softlookup_coursework.grading import gradebook
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.grading.overwrite import rebuild
from softlookup_coursework.grading.put_back import put_back
from softlookup_coursework.intake.notebook import StudentCell

NEEDS_NUMPY = "def reduce(values):\n    return torch.tensor(np.sum(values.numpy(), -1))\n"


@pytest.fixture
def course(tmp_path):
    return course_bank.make_course(tmp_path, {"ada": {}})


def change(course, student, **sources):
    """Write other sources into the named cells of a collected notebook."""
    path = course.folder / "collected/scales" / student / "notebook.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = json.loads(path.read_text() if path.exists() else course_bank.hand_in(course.folder))
    for one in stored["cells"]:
        name = one["metadata"].get("nbgrader", {}).get("grade_id")
        one["source"] = sources.get(name, one["source"])
    path.write_text(json.dumps(stored))
    return [StudentCell(c["cell_type"], "".join(c["source"]), c["metadata"]["nbgrader"]["grade_id"])
            for c in stored["cells"] if "nbgrader" in c["metadata"]]  # fmt: skip


def told(course, lost=True, **sources):
    """What is said of a notebook with changed cells."""
    cells = change(course, "ada", **sources)
    notes = rebuild(cells, Assignment.load(course.assignment("scales"))).notes
    return put_back(course, "scales", "ada", notes, lost)


def test_grade_names_what_a_cell_bound_that_was_put_back(course, capsys):
    change(course, "ada", setup="import numpy as np\nimport torch", reduce=NEEDS_NUMPY)
    folder = course.folder / "collected/scales/ada"
    result = grade(Assignment.load(course.assignment("scales")), folder)
    assert result.earned == 1.0
    course.results("scales", "ada").mkdir(parents=True)
    result.write(course.results("scales", "ada") / "result.json")
    waiting = {"scales": gradebook.record(course, "scales")}
    batches.report(course, {"scales": {"ada": result}}, Counter(), waiting)
    said = capsys.readouterr().out.partition("Look at these")[2]
    words = " ".join(said.replace("│", " ").split())
    assert "points are lost, and the cell setup was changed and put back;" in words
    assert "what the student wrote there bound np" in words


@pytest.mark.parametrize(
    ("source", "bound"),
    [
        ("import torch\nWIDTH = 5", "WIDTH"),
        ("import torch\nimport os.path\nfrom math import tau as turn", "os, turn"),
        ("import torch\n%matplotlib inline\ndef own(inner):\n    local = 1", "own"),
        ("import torch\nfor row in range(3):\n    last = [k for k in (1,)]", "last, row"),
        ("import torch\nprint(1)", ""),
        ("this is no Python", ""),
        ('x = %"""', ""),
    ],
)
def test_the_names_that_a_changed_cell_bound(source, bound, course):
    ending = f"; what the student wrote there bound {bound}" if bound else ""
    said = "points are lost, and the cell setup was changed and put back"
    assert told(course, setup=source) == said + ending


def test_nothing_is_said_where_no_points_are_lost_or_no_cell_was_changed(course):
    assert not told(course)
    assert not told(course, lost=False, setup="import torch\nWIDTH = 5")


@pytest.mark.parametrize("lost", [True, False])
def test_a_notebook_of_another_term_is_named(lost, tmp_path, course):
    other = Course.make(tmp_path / "spring", "second")
    wheel = tmp_path / "softlookup-0.1.0-py3-none-any.whl"
    other.release(str(tmp_path / "sources" / "scales"), wheel)
    path = course.folder / "collected/scales/ada/notebook.ipynb"
    path.write_text(course_bank.hand_in(other.folder))
    said = told(course, lost=lost)
    assert said.startswith("its questions are another term's, or an older release's: ")
    assert said.endswith("other words stand in title, test_scale")


def test_who_adds_to_questions_or_tries_other_numbers_has_this_terms_notebook(course):
    given = {c.name: c.source for c in Assignment.load(course.assignment("scales")).cells}
    factor = json.loads((course.assignment("scales") / "term.json").read_text())["parameters"]
    tried = given["test_scale"].replace(str(factor["factor"]), "2")
    own = {
        "title": given["title"] + "\n\nMy notes: twice as much.",
        "question": "I think it cancels.",
        "setup": "import torch as t",
        "test_scale": tried,
    }
    assert "another term" not in told(course, **own)
