"""Reads from course folders what students wrote, and what they were given, for a comparison."""

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import Refused, read_regular_file
from softlookup_coursework.grading.reading import Reader
from softlookup_coursework.intake.code_files import code_beside
from softlookup_coursework.intake.notebook import StudentCell, parse
from softlookup_coursework.likeness.compare import Submission, without_frame
from softlookup_coursework.likeness.normal_form import Parts, parts, prose

SOLUTION = "the course's solution"


def submissions(course: Course, name: str) -> list[Submission]:
    """What each student of a course wrote for an assignment, less what they were given.

    What could not be read, when it was handed in, is left out.

    Raises:
        UsageError: if the assignment was not released in the course.
    """
    whole = _cells(course.assignment(name) / f"{name}.ipynb")
    locked = _locked(course.assignment(name) / f"{name}.ipynb")
    given = _submission("", _cells(course.folder / "release" / name / f"{name}.ipynb")).parts
    found, names = [], course.names(name)
    for folder in course.collected(name):
        try:
            own = [*_own(_cells(folder / "notebook.ipynb"), locked), *_beside(folder / "files")]
        except Refused:
            continue
        known = names.get(folder.name)
        student = f"{folder.name} ({known})" if known else folder.name
        found.append(without_frame(_submission(student, own), given))
    solution = replace(_submission(SOLUTION, _own(whole, locked)), graded=False, published=True)
    return [*found, without_frame(solution, given)]


def earlier(course: Course, name: str) -> list[Submission]:
    """The submissions of another course folder, which are compared with, and not looked at."""
    return [
        replace(one, name=f"{course.folder.name}: {one.name}", graded=False)
        for one in submissions(course, name)
        if one.graded
    ]


def _cells(path: Path) -> list[StudentCell]:
    limits = IntakeLimits()
    return parse(read_regular_file(path, limits.notebook_bytes), limits)


def _locked(path: Path) -> set[str]:
    """The names of the cells that students do not write."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    graded = [cell["metadata"].get("nbgrader", {}) for cell in stored["cells"]]
    return {one["grade_id"] for one in graded if one and not one.get("solution")}


def _own(cells: Iterable[StudentCell], locked: set[str]) -> list[StudentCell]:
    return [cell for cell in cells if cell.claims not in locked]


def _beside(files: Path) -> list[StudentCell]:
    """The code beside a notebook, a file as a cell."""
    return [StudentCell("code", source) for source in code_beside(files).values()]


def _submission(name: str, cells: Iterable[StudentCell]) -> Submission:
    """The parts of code cells, and the texts, each of which is one.

    Of what cannot be read, or not in time, nothing is compared, and it counts as cut.
    """
    reader, unread, cells = Reader(), Parts([], cut=True), list(cells)
    code = [cell.source for cell in cells if cell.kind == "code"]
    texts = [cell.source for cell in cells if cell.kind == "markdown"]
    read = [reader.read(partial(parts, code), unread), reader.read(partial(prose, texts), unread)]
    return Submission(name, tuple(chain(*read)), cut=any(one.cut for one in read))
