"""Collects submissions into a course; refused ones are stored too, so that each gets a verdict."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.locks import locked
from softlookup_coursework.grading import job, untouched
from softlookup_coursework.intake.collect import Row, Taken, collect
from softlookup_coursework.intake.names import can_be_kept, look
from softlookup_coursework.intake.stored import bring_back, store

TWIN = "somebody else's name looks the same and is another; who handed in which?"


def receive(course: Course, name: str, handed_in: Path) -> list[Row]:
    """Collect an assignment's submissions into a course.

    If a student's newest attempt was refused, no older one is kept: their folder then holds only
    the reason, from which ``grade`` and ``feedback`` make a verdict and a page.

    Args:
        course: the course.
        name: the assignment.
        handed_in: a folder or an archive.

    Returns:
        The rows of the report.

    Raises:
        UsageError: if the assignment was not released, or another command is at work.
    """
    course.assignment(name)
    with locked(course.folder):
        return _receive(course, name, handed_in)


def bring_all_back(course: Course) -> None:
    """Bring back whom a command that ended half-way had put aside, of all assignments."""
    for collected in (course.folder / "collected").glob("*"):
        bring_back(collected)


def _receive(course: Course, name: str, handed_in: Path) -> list[Row]:
    destination = course.folder / "collected" / name
    destination.mkdir(parents=True, exist_ok=True)
    bring_back(destination)
    rows = collect(handed_in, name, destination)
    taken = {row.student for row in rows if row.taken == Taken.TAKEN}
    for row in rows:
        known = row.taken == Taken.REFUSED and can_be_kept(row.student)
        if known and row.student not in taken:
            store(destination, row.student, {job.REFUSED: f"{row.why}\n".encode()})
    named = {row.student: row.name for row in rows if row.name and can_be_kept(row.student)}
    if named:
        names = json.dumps(course.names(name) | named, ensure_ascii=False, indent=1)
        write_atomically(course.names_file(name), names)
    students = {path.name for path in destination.iterdir()}
    by_look = Counter(map(look, students))
    return [_with_doubts(course, name, row, by_look) for row in rows]


def _with_doubts(course: Course, name: str, row: Row, by_look: Mapping[str, int]) -> Row:
    """A row that says also what a person should look at in what was taken."""
    if row.taken != Taken.TAKEN:
        return row
    doubts = [row.why]
    if untouched.untouched(course, name, row.student):
        doubts.append(untouched.WHY)
    if by_look[look(row.student)] > 1:
        doubts.append(TWIN)
    return replace(row, why="; ".join(filter(None, doubts)))
