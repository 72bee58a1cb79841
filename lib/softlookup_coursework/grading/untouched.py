"""Whether a submission is what was handed out: somebody may have saved their work elsewhere."""

import json
from pathlib import Path

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import Refused, read_regular_file
from softlookup_coursework.intake.notebook import StudentCell, parse

WHY = "no answer differs from what was handed out; perhaps another file was meant"


def untouched(course: Course, name: str, student: str) -> bool:
    """Whether every answer of a collected notebook is still as it was handed out.

    Args:
        course: the course.
        name: the assignment.
        student: whose notebook it is; one that cannot be read has been touched.
    """
    try:
        given = _sources(course.folder / "release" / name / f"{name}.ipynb")
        theirs = _sources(course.folder / "collected" / name / student / "notebook.ipynb")
        answers = _answers(course.assignment(name) / f"{name}.ipynb")
    except (OSError, ValueError, KeyError, Refused):
        return False
    return bool(answers) and all(theirs.get(one) == given.get(one, "") for one in answers)


def named_cells(path: Path) -> dict[str, StudentCell]:
    """The named cells of a notebook, of several with one name the first.

    Raises:
        Refused: if it cannot be read as a notebook.
    """
    limits = IntakeLimits()
    cells = parse(read_regular_file(path, limits.notebook_bytes), limits)
    return {cell.claims: cell for cell in reversed(cells) if cell.claims}


def _sources(path: Path) -> dict[str, str]:
    """The sources of the named cells."""
    return {name: cell.source.strip() for name, cell in named_cells(path).items()}


def _answers(path: Path) -> list[str]:
    """The names of the cells that students fill in."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    graded = [cell["metadata"].get("nbgrader") or {} for cell in stored["cells"]]
    return [one["grade_id"] for one in graded if one.get("solution")]
