"""Renders an assignment's source for a term: draws the parameters and fills them in.

A source is a folder as in ``notebooks/coursework``: ``<name>.ipynb``, ``parameters.py``, ``tests/``
and ``rubric.md``. The cells and the rubric are Jinja templates with ``« base »`` for a value and
``«% if … %»`` for a choice. Two kinds of cells are empty in the source and are filled here:
``checks`` with the visible tests, and cells that give points with the calls of these tests.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from softlookup.course.student_code.source_checks import StudentCode

from softlookup_coursework.assignments.assignment import Assignment, Given, run_file
from softlookup_coursework.assignments.term import Term

SOURCES = Path(__file__).parents[3] / "notebooks" / "coursework"
# What a teacher's own assignment begins as.
TEMPLATE = SOURCES.with_name("coursework_template") / "soft_choice"
CHECKS = "from softlookup.course.exercises.coursework import check"
FORBIDDING = "from softlookup.course.exercises.forbidding import Checks"


def names(sources: Path = SOURCES) -> list[str]:
    """The names of the course's assignments."""
    return sorted(path.parent.name for path in sources.glob("*/parameters.py"))


def find(name: str, sources: Path = SOURCES) -> Path:
    """The source of an assignment.

    Args:
        name: one of ``names()``, or the path of a folder of the teacher's own.
        sources: the folder of the course's assignments.

    Raises:
        ValueError: if there is none of that name.
    """
    for folder in (sources / name, Path(name)):
        if (folder / f"{folder.name}.ipynb").is_file() and (folder / "parameters.py").is_file():
            return folder
    found = ", ".join(names(sources)) or f"none in {sources}; work in a clone of the course"
    raise ValueError(f"{name}: no such assignment; expected one of: {found}")


@dataclass(frozen=True)
class Described:
    """A notebook's title, points and expected hours."""

    title: str
    points: float
    hours: float


def describe(notebook: Path) -> Described:
    """Read the description of a notebook, a student's version or a teacher's."""
    stored = json.loads(notebook.read_text(encoding="utf-8"))
    metadata = stored["metadata"].get("softlookup", {})
    graded = [cell["metadata"].get("nbgrader", {}) for cell in stored["cells"]]
    points = sum(float(one.get("points", 0)) for one in graded if one.get("grade"))
    return Described(metadata.get("title", notebook.stem), points, float(metadata.get("hours", 0)))


def render(source: Path, destination: Path, term: Term) -> None:
    """Write the term's assignment, with its solutions.

    Args:
        source: the folder of the source.
        destination: a folder that is created; only teachers may read it.
        term: the term.

    Raises:
        ValueError: if the source is malformed, saying where.
    """
    name = source.name
    parameters = run_file(source / "parameters.py").draw(term.random(name, "parameters"))
    drawn = {"parameters": parameters, "seed": term.seed(name, "tests")}
    destination.mkdir(parents=True)
    tests = destination / "tests"
    shutil.copytree(source / "tests", tests, ignore=shutil.ignore_patterns("__pycache__"))
    (destination / "term.json").write_text(json.dumps(drawn, indent=1), encoding="utf-8")
    rubric = source / "rubric.md"
    if rubric.is_file():
        text = fill(rubric.read_text(encoding="utf-8"), parameters, "rubric.md")
        (destination / "rubric.md").write_text(text, encoding="utf-8")
    path = destination / f"{name}.ipynb"
    notebook = json.loads((source / path.name).read_text(encoding="utf-8"))
    for number, cell in enumerate(notebook["cells"], start=1):
        filled = fill("".join(cell["source"]), parameters, f"{path.name}, cell {number}")
        cell["source"] = filled
    _write(path, notebook)
    # The assignment can be loaded, and its tests be known, only when the notebook is written.
    assignment = Assignment.load(destination)
    given = {cell.name: cell for cell in assignment.cells}
    visible = (tests / "visible.py").read_text(encoding="utf-8").strip()
    for cell in notebook["cells"]:
        own = given.get(cell["metadata"].get("nbgrader", {}).get("grade_id"))
        if own and own.name == "checks":
            cell["source"] = f"{checks(assignment)}\n\n{visible}"
        elif own and own.role == "tests":
            cell["source"] = calls(own)
    _write(path, notebook)


def checks(assignment: Assignment) -> str:
    """The source that brings ``check``; it refuses what grading refuses."""
    if not assignment.forbids:
        return CHECKS
    given = [c for c in assignment.cells if c.kind == "code" and c.role == "given"]
    code = StudentCode(enumerate(cell.source for cell in given if cell.name != "checks"))
    names = ", ".join(map(repr, sorted(code.own)))
    forbids = "\n".join(f"        {name!r}," for name in assignment.forbids)
    return (
        f"{FORBIDDING}\n\n# What these do for you is what you are asked to write.\n"
        f"check = Checks(\n    forbids=[\n{forbids}\n    ],\n    given=[{names}],\n)"
    )


def calls(given: Given) -> str:
    """The source of a cell that gives points: what it is worth, and calls of the visible tests."""
    lines = [f"# This cell is worth {_points(given.points)}."]
    hidden = sum(test.points for test in given.tests if test.hidden)
    if hidden:
        lines.append(f"# Tests that are not shown give {_points(hidden)} of it.")
    for test in given.tests:
        file, _, function = test.name.partition(".")
        if file == "visible":
            keywords = [
                f"points={test.points:g}",
                *(f"{key}={test.term[key]!r}" for key in test.term),
            ]
            lines.append(f"check({', '.join([function, *test.takes, *keywords])})")
    return "\n".join(lines)


def _points(points: float) -> str:
    return f"{points:g} point{'' if points == 1 else 's'}"


def fill(text: str, parameters: dict[str, Any], where: str) -> str:
    """Fill a template with what the term drew.

    Args:
        text: the template.
        parameters: the term's values.
        where: it lies, for the message.

    Raises:
        ValueError: if it is malformed, or asks for what the term has not drawn.
    """
    environment = jinja2.Environment(
        variable_start_string="«",
        variable_end_string="»",
        block_start_string="«%",
        block_end_string="%»",
        comment_start_string="«#",
        comment_end_string="#»",
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    environment.filters["literal"] = repr
    try:
        return environment.from_string(text).render(parameters)
    except jinja2.TemplateError as error:
        raise ValueError(f"{where}: {error}") from error


def _write(path: Path, notebook: dict[str, Any]) -> None:
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
