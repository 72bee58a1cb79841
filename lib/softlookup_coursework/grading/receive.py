"""Collects submissions into a course; refused ones are stored too, so that each gets a verdict."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.locks import locked
from softlookup_coursework.grading import job, untouched
from softlookup_coursework.grading.another_assignment import answers_another
from softlookup_coursework.intake.collect import Row, Taken, collect
from softlookup_coursework.intake.names import can_be_kept, look
from softlookup_coursework.intake.stored import bring_back, store

TWIN = "somebody else's name looks the same and is another; who handed in which?"
KEPT = "the notebook that was taken before is kept, and will be graded"
REPLACED = "it replaces the notebook that was taken before, which will not be graded"

ANOTHER = (
    "it replaces another notebook, which was collected at {}; the one that is collected last "
    "counts, so if that one was newer, collect it again"
)


def receive(course: Course, name: str, handed_in: Path) -> list[Row]:
    """Collect an assignment's submissions into a course.

    If the notebook of a student's newest attempt was read and refused, no older one is kept: their
    folder then holds only the reason, from which ``grade`` and ``feedback`` make a verdict and a
    page. If the attempt came to no notebook that could be read, an older one is kept. The row says
    which of the two it was. It also says where a notebook takes the place of another one: whether
    an older download is collected after a newer one cannot be told here.

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
    before = {path.name: held for path in destination.iterdir() if (held := _held(path))}
    rows = collect(handed_in, name, destination)
    taken = {row.student for row in rows if row.taken == Taken.TAKEN}
    for place, row in enumerate(rows):
        if row.taken != Taken.REFUSED or not can_be_kept(row.student) or row.student in taken:
            continue
        accepted = (destination / row.student / "notebook.ipynb").exists()
        if not (accepted and row.unread):
            store(destination, row.student, {job.REFUSED: f"{row.why}\n".encode()})
        if accepted:
            rows[place] = replace(row, why=f"{row.why}; {KEPT if row.unread else REPLACED}")
    rows = [_with_what_it_replaces(row, destination, before) for row in rows]
    named = {row.student: row.name for row in rows if row.name and can_be_kept(row.student)}
    if named:
        names = json.dumps(course.names(name) | named, ensure_ascii=False, indent=1)
        write_atomically(course.names_file(name), names)
    _remember_refused(course, name, handed_in, rows)
    students = {path.name for path in destination.iterdir()}
    by_look = Counter(map(look, students))
    return [_with_doubts(course, name, row, by_look) for row in rows]


def _remember_refused(course: Course, name: str, handed_in: Path, rows: list[Row]) -> None:
    """Keep what was refused and can be kept under no name, so that later tables show it, too.

    What is collected again from the same place takes the place of what is known of it.
    """
    path = course.refused_file(name)
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        stored = {}
    stored[str(handed_in.resolve())] = [
        (row.student, row.why, row.source)
        for row in rows
        if row.taken == Taken.REFUSED and row.student and not can_be_kept(row.student)
    ]
    kept = {lay: refused for lay, refused in stored.items() if refused}
    if kept or path.exists():
        write_atomically(path, json.dumps(kept, ensure_ascii=False, indent=1))


def _held(folder: Path) -> tuple[bytes, str] | None:
    """A digest of a student's collected notebook, and when it was collected."""
    try:
        digest = hashlib.sha256((folder / "notebook.ipynb").read_bytes()).digest()
    except OSError:
        return None
    return digest, f"{datetime.fromtimestamp(folder.stat().st_mtime):%Y-%m-%d %H:%M:%S}"


def _with_what_it_replaces(
    row: Row, destination: Path, before: Mapping[str, tuple[bytes, str]]
) -> Row:
    """A row that says whether another notebook of the student's was there before."""
    if row.taken != Taken.TAKEN or row.student not in before:
        return row
    digest, moment = before[row.student]
    now = _held(destination / row.student)
    if now is None or now[0] == digest:
        return row
    return replace(row, why="; ".join(filter(None, [row.why, ANOTHER.format(moment)])))


def _with_doubts(course: Course, name: str, row: Row, by_look: Mapping[str, int]) -> Row:
    """A row that says also what a person should look at in what was taken."""
    if row.taken != Taken.TAKEN:
        return row
    doubts = [row.why, answers_another(course, name, row.student)]
    if untouched.untouched(course, name, row.student):
        doubts.append(untouched.WHY)
    if by_look[look(row.student)] > 1:
        doubts.append(TWIN)
    return replace(row, why="; ".join(filter(None, doubts)))
