"""Collects what students hand in, and reports in a row for each item what was done with it.

Every item gets a row, and none raises an exception: a broken or hostile item must not prevent the
collection of the others. Accepted submissions are stored in one folder per student::

    <destination>/<student>/notebook.ipynb
    <destination>/<student>/files/…           what was handed in beside it
"""

import shutil
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.intake import archive, folder
from softlookup_coursework.intake.archive import Member
from softlookup_coursework.intake.layouts import Place, place
from softlookup_coursework.intake.names import LONGEST_BYTES, can_be_kept, canonical
from softlookup_coursework.intake.notebook import parse


class Taken(StrEnum):
    """What was done with an item."""

    TAKEN = "taken"
    REFUSED = "refused"
    SUPERSEDED = "superseded"


@dataclass(frozen=True)
class Row:
    """One line of the report.

    Attributes:
        student: their identifier in the layout; empty where it is unknown.
        taken: what was done with it.
        why: in a sentence; for what was taken, which of its files were left out.
        source: its path in what was handed in.
    """

    student: str
    taken: Taken
    why: str
    source: str


@dataclass(frozen=True)
class Offered:
    """A file with its place."""

    member: Member
    place: Place


def collect(
    source: Path, assignment: str, destination: Path, limits: IntakeLimits | None = None
) -> list[Row]:
    """Collect an assignment's submissions.

    Args:
        source: a folder or a zip file in the layout of Canvas, Moodle or nbgrader, or with one
            folder or one notebook per student.
        assignment: its name, which is also its notebook's.
        destination: a folder for the students' folders; existing ones are replaced.
        limits: how large a submission may be.

    Returns:
        A row for each submission and for each item that belongs to none, sorted by student.
    """
    limits = limits or IntakeLimits()
    rows: list[Row] = []
    students: dict[str, list[Offered]] = defaultdict(list)
    try:
        with (folder if source.is_dir() else archive).members(source, limits) as members:
            for member in members:
                found = place(member.parts, assignment) if member.parts else None
                if found:
                    students[canonical(found.student).casefold()].append(Offered(member, found))
                elif not member.parts:
                    why = "its path leads out of the archive"
                    rows.append(Row("", Taken.REFUSED, why, _shown(member.name)))
            for offered in students.values():
                rows += _take(offered, assignment, destination, limits)
    except Refused as refusal:
        rows.append(Row("", Taken.REFUSED, str(refusal), _shown(source.name)))
    return sorted(rows, key=lambda row: (row.student, row.source))


def _shown(name: str) -> str:
    """An untrusted name, fit for a table."""
    return "".join(c if c.isprintable() else "�" for c in name)[:200]


def _take(
    offered: list[Offered], assignment: str, destination: Path, limits: IntakeLimits
) -> list[Row]:
    """Store one student's newest attempt; return its row and those of older attempts."""
    newest = max(offer.place.attempt for offer in offered)
    student = canonical(offered[0].place.student)
    older = {o.place.attempt: o.member.name for o in offered if o.place.attempt != newest}
    rows = [
        Row(_shown(student), Taken.SUPERSEDED, "a newer attempt was taken", _shown(name))
        for name in older.values()
    ]
    current = [offer for offer in offered if offer.place.attempt == newest]
    source = _shown(current[0].member.name)
    try:
        if not can_be_kept(student):
            raise Refused(
                "the student's name has characters that a folder's name may not have, or more than "
                f"{LONGEST_BYTES} bytes"
            )
        if len(spellings := sorted({offer.place.student for offer in offered})) > 1:
            named = " and ".join(_shown(spelling) for spelling in spellings)
            raise Refused(f"two students' names differ only in their spelling: {named}")
        chosen = _choose_notebook(current, assignment)
        content = chosen.member.read(limits.notebook_bytes)
        parse(content, limits)
        files, left_out = _read_files([o for o in current if o is not chosen], limits)
        _store(destination, student, content, files)
    except (Refused, OSError) as refusal:
        return [*rows, Row(_shown(student), Taken.REFUSED, str(refusal), source)]
    return [*rows, Row(student, Taken.TAKEN, "; ".join(left_out), _shown(chosen.member.name))]


def _choose_notebook(offered: list[Offered], assignment: str) -> Offered:
    """The notebook of the assignment: the one with its name, or the only one."""
    notebooks = [offer for offer in offered if offer.place.file[-1].lower().endswith(".ipynb")]
    named = [offer for offer in notebooks if offer.place.file == (f"{assignment}.ipynb",)]
    if not notebooks:
        raise Refused("no notebook was handed in")
    if len(named or notebooks) > 1:
        raise Refused(
            f"{len(named or notebooks)} notebooks were handed in, and none of them "
            f"alone is {assignment}.ipynb"
        )
    return (named or notebooks)[0]


def _read_files(offered: list[Offered], limits: IntakeLimits) -> tuple[dict[str, bytes], list[str]]:
    """The files beside the notebook, and which were left out and why."""
    files: dict[str, bytes] = {}
    left_out, left = [], limits.extra_bytes
    for offer in offered:
        name = offer.place.file[-1]
        try:
            if len(offer.place.file) > 1 or not can_be_kept(name) or name in files:
                raise Refused("its name cannot be kept")
            if len(files) >= limits.extra_files:
                raise Refused(f"only {limits.extra_files} files are taken")
            files[name] = offer.member.read(left)
            left -= len(files[name])
        except Refused as refusal:
            left_out.append(f"{_shown(name)} was left out: {refusal}")
    return files, left_out


def _store(destination: Path, student: str, notebook: bytes, files: dict[str, bytes]) -> None:
    """Write a student's folder under another name, and rename it when it is complete."""
    partial = destination / f".{student}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    (partial / "files").mkdir(parents=True)
    (partial / "notebook.ipynb").write_bytes(notebook)
    for name, content in files.items():
        (partial / "files" / name).write_bytes(content)
    final = destination / student
    shutil.rmtree(final, ignore_errors=True)
    partial.replace(final)
