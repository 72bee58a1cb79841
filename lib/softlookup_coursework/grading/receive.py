"""Takes submissions into a course, so that each of them, refused ones too, gets a verdict."""

import shutil
from pathlib import Path

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.grading import job
from softlookup_coursework.intake.collect import STUDENT, Row, Taken, collect


def receive(course: Course, name: str, handed_in: Path) -> list[Row]:
    """Collect an assignment's submissions into a course.

    A student whose newest attempt was refused keeps no older one: their folder then holds the
    reason alone, and ``grade`` makes a verdict and a page of feedback of it.

    Args:
        course: the course.
        name: the assignment.
        handed_in: a folder or an archive.

    Returns:
        The rows of the report.

    Raises:
        Misuse: if the assignment was not released.
    """
    course.assignment(name)
    destination = course.folder / "collected" / name
    destination.mkdir(parents=True, exist_ok=True)
    rows = collect(handed_in, name, destination)
    taken = {row.student for row in rows if row.taken == Taken.TAKEN}
    for row in rows:
        known = row.taken == Taken.REFUSED and STUDENT.fullmatch(row.student)
        if known and row.student not in taken:
            folder = destination / row.student
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / job.REFUSED).write_text(row.why + "\n", encoding="utf-8")
    return rows
