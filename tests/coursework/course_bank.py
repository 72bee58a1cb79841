"""A small assignment's source, and courses made from it."""

import json

from hostile_bank import cell, notebook
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.verdicts import CellResult, Result, TestResult, Verdict
from softlookup_coursework.grading import gradebook

PARAMETERS = '''"""What the term draws."""


def draw(random):
    return {"factor": random.choice(range(2, 10**6)), "kind": random.choice(["sum", "mean"])}
'''
VISIBLE = '''"""What a student can run."""

import torch
from softlookup.course.exercises.verdict import Mistake


def scales(scale, *, factor):
    drawn = torch.randn(5)
    if not torch.allclose(scale(drawn), factor * drawn):
        raise Mistake("your scale: the factor is another")
'''
HIDDEN = '''"""What stays with the teacher."""

import torch
from softlookup.course.exercises.verdict import Mistake


def reduces(reduce, *, kind):
    drawn = torch.randn(3, 5)
    expected = drawn.sum(-1) if kind == "sum" else drawn.mean(-1)
    if not torch.allclose(reduce(drawn), expected):
        raise Mistake("your reduce: it reduces in another way or along another axis")
'''
RUBRIC = "# Rubric\n\nFull marks: says that the factor « factor » cancels in the quotient.\n"
SCALE = """def scale(values):
    ### BEGIN SOLUTION
    return « factor » * values
    ### END SOLUTION
"""
REDUCE = """def reduce(values):
    ### BEGIN SOLUTION
    return values.« kind »(-1)
    ### END SOLUTION
"""
ESSAY = """### BEGIN SOLUTION
It cancels, since it multiplies both sides.
### END SOLUTION
"""


def graded(grade, solution, points=0):
    """nbgrader's metadata, as its own tools write them."""
    return {"grade": grade, "solution": solution, "locked": not solution, "task": False,
            "points": points}  # fmt: skip


def tested(**tests):
    """The course's own metadata of a cell that gives points."""
    return {"softlookup": {"tests": {name.replace("__", "."): n for name, n in tests.items()}}}


def cells():
    """The source's cells."""
    listed = [
        cell("# Scales\n\nMultiply by « factor ».", "markdown", claims="title",
             **graded(False, False)),
        cell("import torch", claims="setup", **graded(False, False)),
        cell("", claims="checks", **graded(False, False)),
        cell(SCALE, claims="scale", metadata={"softlookup": {"forbids": ["mul"]}},
             **graded(False, True)),
        cell(REDUCE, claims="reduce", **graded(False, True)),
        cell("", claims="test_scale", metadata=tested(visible__scales=1),
             **graded(True, False, 1)),
        cell("", claims="test_reduce", metadata=tested(hidden__reduces=2),
             **graded(True, False, 2)),
        cell("Why does the factor not matter to a quotient?", "markdown", claims="question",
             **graded(False, False)),
        cell(ESSAY, "markdown", claims="essay", **graded(True, True, 3)),
    ]  # fmt: skip
    for number, one in enumerate(listed):
        one["id"] = f"cell-{number}"
        one["metadata"]["nbgrader"]["cell_type"] = one["cell_type"]
        if one["cell_type"] == "markdown":
            del one["outputs"], one["execution_count"]
    return listed


def write_source(folder, name="scales"):
    """Write the source of an assignment into ``folder/name``."""
    source = folder / name
    (source / "tests").mkdir(parents=True)
    stored = json.loads(notebook(cells()))
    stored["metadata"] = {
        "softlookup": {"title": "Scales", "hours": 1, "forbids": ["einsum"]},
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    }
    (source / f"{name}.ipynb").write_text(json.dumps(stored, ensure_ascii=False))
    (source / "parameters.py").write_text(PARAMETERS)
    (source / "tests" / "visible.py").write_text(VISIBLE)
    (source / "tests" / "hidden.py").write_text(HIDDEN)
    (source / "rubric.md").write_text(RUBRIC)
    return source


ANSWERS = {
    "scale": "def scale(values):\n    return {factor} * values\n",
    "reduce": "def reduce(values):\n    return values.{kind}(-1)\n",
    "essay": "Because it cancels.",
}


def hand_in(course, name="scales", **answers):
    """A student's notebook: the release with right answers, or with the given ones."""
    drawn = json.loads((course / "assignments" / name / "term.json").read_text())["parameters"]
    stored = json.loads((course / "release" / name / f"{name}.ipynb").read_text())
    for one in stored["cells"]:
        claimed = one["metadata"].get("nbgrader", {}).get("grade_id")
        if claimed in answers:
            one["source"] = answers[claimed]
        elif claimed in ANSWERS:
            one["source"] = ANSWERS[claimed].format(**drawn)
    return json.dumps(stored)


def make_course(folder, students=()):
    """A course with one assignment; students' answers are right, except those given."""
    source = write_source(folder / "sources")
    course = Course.make(folder / "autumn", "first")
    wheel = folder / "softlookup-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    course.release(str(source), wheel)
    for student, answers in dict(students).items():
        place = course.folder / "collected" / "scales" / student
        (place / "files").mkdir(parents=True)
        (place / "notebook.ipynb").write_text(hand_in(course.folder, **answers))
    return course


def put(course, student, scale=1.0, reduce=2.0, verdict=Verdict.GRADED, handed_in="mine", doubt=""):
    """Write a submission with a result, without grading it."""
    reduces = TestResult("hidden.reduces", 2.0, reduce, doubt, doubt)
    collected = course.folder / "collected" / "scales" / student
    collected.mkdir(parents=True, exist_ok=True)
    (collected / "notebook.ipynb").write_text(handed_in)
    results = course.results("scales", student)
    results.mkdir(parents=True, exist_ok=True)
    cells = (
        CellResult("test_scale", 1.0, scale, (TestResult("visible.scales", 1.0, scale, ""),)),
        CellResult("test_reduce", 2.0, reduce, (reduces,)),
        CellResult("essay", 3.0, None),
    )
    Result(verdict, "", cells).write(results / "result.json")


def by_hand(course, student, score=None, comment=None, cell="essay"):
    """Write what formgrader writes when a person grades."""
    with gradebook.opened(course.folder) as book:
        grade = book.find_grade(cell, "scales", "scales", student)
        grade.manual_score, grade.needs_manual_grade = score, False
        if comment:
            book.find_comment(cell, "scales", "scales", student).manual_comment = comment
        book.db.commit()
