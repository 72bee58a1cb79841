"""Collects what students hand in, and reports in a row for each item what was done with it.

Every item gets a row, and none raises an exception: a broken or hostile item must not prevent the
collection of the others. What is accepted is kept as ``stored`` says.
"""

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from softlookup_coursework.common.explanations import NO_NOTEBOOK
from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.common.usage_error import disk_fault
from softlookup_coursework.intake import archive, canvas_names, folder
from softlookup_coursework.intake.choose import choose
from softlookup_coursework.intake.extras import files_beside
from softlookup_coursework.intake.layouts import is_hidden_student, is_litter, place
from softlookup_coursework.intake.names import (
    LONGEST_BYTES,
    can_be_kept,
    canonical,
    names_assignment,
    shown,
    unfit,
    with_plain_ending,
)
from softlookup_coursework.intake.notebook import oddities, parse
from softlookup_coursework.intake.outputs import without_outputs
from softlookup_coursework.intake.owners import Offered, foreign, tell_students
from softlookup_coursework.intake.stored import store
from softlookup_coursework.intake.wrappers import downloads, wrappers

MISREAD = "the zip does not say how its names are written; look whether this one is right"
HIDDEN = "its folder's name begins with a dot, as hidden folders' do; rename it, and collect again"
UNSEEN = (
    "several folders have this name, and differ only in what is not seen, such as a space at the "
    "end; keep one of them, and collect again"
)
WHOLE = "it is no student, but holds a whole download; collect it by itself"


class Taken(StrEnum):
    """What was done with an item."""

    TAKEN = "taken"
    REFUSED = "refused"
    SUPERSEDED = "superseded"
    SET_ASIDE = "set aside"


@dataclass(frozen=True)
class Row:
    """One line of the report.

    Attributes:
        student: their identifier in the layout; empty where it is unknown.
        taken: what was done with it.
        why: in a sentence; for what was taken, which of its files were left out.
        source: its path in what was handed in.
        name: the student's, where the layout tells it beside their number.
        unread: whether it was refused before any notebook of it was read: there is none, it
            cannot be told which one is meant, or its file cannot be read.
    """

    student: str
    taken: Taken
    why: str
    source: str
    name: str = ""
    unread: bool = False


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
            paths = [_path(member) for member in members]
            depth = wrappers((parts for parts in paths if parts), assignment)
            flat = {parts[-1] for parts in paths if len(parts) == depth + 1}
            canvas = canvas_names.possible(flat)
            whole = downloads(parts[depth:] for parts in paths)
            rows += [Row("", Taken.REFUSED, WHOLE, shown(name)) for name in sorted(whole)]
            for member, parts in zip(members, paths, strict=True):
                if parts[depth:] and parts[depth] in whole:
                    continue
                # In a folder, a file's name does not say whose it is.
                named = canvas.get(parts[-1]) if len(parts) == depth + 1 else None
                found = place(parts[depth:], assignment, named) if parts else None
                if found:
                    students[canonical(found.student).casefold()].append(Offered(member, found))
                elif _is_hidden(parts[depth:], assignment):
                    whose, lay = shown(parts[depth]), shown(member.name)
                    rows.append(Row(whose, Taken.REFUSED, HIDDEN, lay, unread=True))
                elif why := _nobodys(parts[depth:], named):
                    rows.append(Row("", Taken.REFUSED, why, shown(member.name)))
            if students:
                known = {*students, *(canonical(one).casefold() for one in whole)}
                rows += _empty(source, depth, assignment, limits, known)
            told = tell_students(offer for offered in students.values() for offer in offered)
            for offered in students.values():
                theirs, others = _set_aside(offered) if told else (offered, [])
                found_rows = [*others, *_take(theirs, assignment, destination, limits, told)]
                name = shown(canonical(offered[0].place.name))
                rows += [replace(row, name=name) for row in found_rows]
    except Refused as refusal:
        rows.append(Row("", Taken.REFUSED, str(refusal), shown(source.name)))
    return sorted(rows, key=lambda row: (row.student, row.source))


def _path(member: archive.Member) -> tuple[str, ...]:
    """The parts of a member's path, in which a notebook ends as notebooks do."""
    return (*member.parts[:-1], *map(with_plain_ending, member.parts[-1:]))


def _is_hidden(parts: tuple[str, ...], assignment: str) -> bool:
    """Whether a member is an assignment's notebook in a hidden folder that may be a student's."""
    return bool(parts) and is_hidden_student(parts) and names_assignment(parts[-1], assignment)


def _nobodys(parts: tuple[str, ...], named: Sequence[canvas_names.Reading] | None) -> str:
    """Why a member belongs to no student; empty if that was to be expected."""
    if not parts:
        return "its path leads out of the archive"
    if named and not is_litter(parts):
        return canvas_names.doubt(named)
    if len(parts) == 1 and not is_litter(parts):
        return "it is no notebook, and lies in no student's folder; whose is it?"
    return ""


def _empty(
    source: Path, depth: int, assignment: str, limits: IntakeLimits, students: Container[str]
) -> list[Row]:
    """A row for each student in whose folders nothing lies, so that nobody is lost."""
    rows, level = {}, depth + 1
    listed = (
        folder.folders(source, level, limits) if source.is_dir() else archive.folders(source, level)
    )
    for parts in listed:
        if is_litter(parts):
            continue
        found = place((parts[-1], f"{assignment}.ipynb"), assignment)
        if found and canonical(found.student).casefold() not in students:
            student = shown(canonical(found.student))
            lay = shown("/".join(parts))
            rows[student] = Row(student, Taken.REFUSED, NO_NOTEBOOK, lay, unread=True)
    return [*rows.values()]


def _set_aside(offered: list[Offered]) -> tuple[list[Offered], list[Row]]:
    """A student's own attempts, and a row for each that somebody else made in their name.

    Where none is their own, all are kept: the name that they work under may be another.
    """
    attempts: dict[tuple[int, str], list[Offered]] = defaultdict(list)
    for offer in offered:
        attempts[offer.place.attempt].append(offer)
    whose = {attempt: foreign(files) for attempt, files in attempts.items()}
    if all(whose.values()):
        return offered, []
    rows = [
        Row(
            shown(files[0].place.student),
            Taken.SET_ASIDE,
            f"its folder belongs to {shown(whose[attempt])}, who is not this student",
            shown(files[0].member.name),
        )
        for attempt, files in attempts.items()
        if whose[attempt]
    ]
    return [offer for offer in offered if not whose[offer.place.attempt]], rows


def _take(
    offered: list[Offered],
    assignment: str,
    destination: Path,
    limits: IntakeLimits,
    told: bool,
) -> list[Row]:
    """Store one student's newest attempt; return its row and those of older attempts.

    ``told`` says whether files belong to those who handed them in, so that owners can be compared.
    """
    newest = max(offer.place.attempt for offer in offered)
    student = canonical(offered[0].place.student)
    older = {o.place.attempt: o.member.name for o in offered if o.place.attempt != newest}
    rows = [
        Row(shown(student), Taken.SUPERSEDED, "there is a newer attempt", shown(name))
        for name in older.values()
    ]
    if twins := _twins(offered):
        return twins
    current = [offer for offer in offered if offer.place.attempt == newest]
    source, content = shown(current[0].member.name), None
    try:
        if not can_be_kept(student):
            wrong = shown(" ".join(unfit(student)))
            raise Refused(
                f"the student's name has characters that a folder's name may not have ({wrong}); "
                "rename it, and collect again"
                if wrong
                else f"the student's name is empty or has more than {LONGEST_BYTES} bytes; rename "
                "it, and collect again"
            )
        chosen, others, choice = choose(current, assignment)
        content = chosen.member.read(limits.handed_in_bytes)
        if len(content) > limits.notebook_bytes:
            content = without_outputs(content)
        odd = oddities(parse(content, limits))
        files, left_out = files_beside(
            [one for one in current if one is not chosen and one not in others], chosen, limits
        )
        beside = {f"files/{name}": held for name, held in files.items()}
        store(destination, student, {"notebook.ipynb": content, **beside})
    except (Refused, OSError) as refusal:
        # A full disk is no fault of a student's, and what they handed in before is kept.
        if disk_fault(refusal):
            raise
        why = f"{refusal}; of {shown(student)}'s older attempts none was taken" if older else ""
        unread = content is None
        return [
            *rows,
            Row(shown(student), Taken.REFUSED, why or str(refusal), source, unread=unread),
        ]
    notes = [choice] if choice else []
    if not student.isascii() and any(offer.member.guessed for offer in current):
        notes.append(MISREAD)
    notes += [*_doubts(current, bool(older), told), *odd, *left_out]
    return [*rows, Row(student, Taken.TAKEN, "; ".join(notes), shown(chosen.member.name))]


def _twins(offered: list[Offered]) -> list[Row]:
    """A row for each name, where names are alike but for their spelling; none, if one is written.

    On some systems one folder would take the other's place.
    """
    if len({offer.place.student for offer in offered}) == 1:
        return []
    lay = {canonical(offer.place.student): offer.member.name for offer in reversed(offered)}
    named = " and ".join(map(shown, sorted(lay)))
    why = f"students' names differ only in their spelling: {named}; rename one, and collect again"
    return [
        Row(shown(name), Taken.REFUSED, why if len(lay) > 1 else UNSEEN, shown(where), unread=True)
        for name, where in sorted(lay.items())
    ]


def _doubts(current: list[Offered], supersedes: bool, told: bool) -> list[str]:
    """What a person should know of an attempt in nbgrader's exchange, which anybody could name."""
    if not current[0].place.exchange:
        return []
    if told and (other := foreign(current)):
        return [f"its folder belongs to {shown(other)}, who is not this student: ask them"]
    if supersedes and not told:
        return ["it supersedes an older attempt, and whose the folders are cannot be told here"]
    return []
