"""Collects submissions into a course; refused ones are stored too, so that each gets a verdict."""

import shutil
from pathlib import Path

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.grading import job
from softlookup_coursework.intake.collect import Row, Taken, collect
from softlookup_coursework.intake.names import can_be_kept


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
        UsageError: if the assignment was not released.
    """
    course.assignment(name)
    destination = course.folder / "collected" / name
    destination.mkdir(parents=True, exist_ok=True)
    rows = collect(handed_in, name, destination)
    taken = {row.student for row in rows if row.taken == Taken.TAKEN}
    for row in rows:
        known = row.taken == Taken.REFUSED and can_be_kept(row.student)
        if known and row.student not in taken:
            folder = destination / row.student
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / job.REFUSED).write_text(row.why + "\n", encoding="utf-8")
    return rows
