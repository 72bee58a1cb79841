"""Collects submissions into a course; refused ones are stored too, so that each gets a verdict."""

import json
from dataclasses import replace
from pathlib import Path

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.locks import locked
from softlookup_coursework.grading import job, untouched
from softlookup_coursework.intake.collect import Row, Taken, collect
from softlookup_coursework.intake.names import can_be_kept
from softlookup_coursework.intake.stored import bring_back, store


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
    return [_with_doubt(course, name, row) for row in rows]


def _with_doubt(course: Course, name: str, row: Row) -> Row:
    """A row that says also whether nothing was written in what was taken."""
    if row.taken != Taken.TAKEN or not untouched.untouched(course, name, row.student):
        return row
    return replace(row, why="; ".join(filter(None, [row.why, untouched.WHY])))
