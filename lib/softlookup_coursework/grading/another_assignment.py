"""Whether a collected notebook answers another assignment, which was released beside this one."""

import json

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.grading.untouched import named_cells


def answers_another(course: Course, name: str, student: str) -> str:
    """Say which assignment a notebook answers, if its cells are mostly another's; else nothing.

    Args:
        course: the course.
        name: the assignment as which it was collected.
        student: whose notebook it is.
    """
    try:
        theirs = {*named_cells(course.folder / "collected" / name / student / "notebook.ipynb")}
        shared = {other: len(theirs & _names(course, other)) for other in course.released}
    except (OSError, ValueError, KeyError, Refused):
        return ""
    other = max(shared, key=lambda one: (shared[one], one == name))
    return "" if other == name else f"it answers {other}"


def _names(course: Course, name: str) -> set[str]:
    """The names of an assignment's cells."""
    path = course.assignment(name) / f"{name}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    graded = [cell["metadata"].get("nbgrader") or {} for cell in cells]
    return {one["grade_id"] for one in graded if "grade_id" in one}
