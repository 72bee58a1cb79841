"""Marks for Moodle: an assignment's grading worksheet, with grades and comments filled in.

Moodle reads three columns, ``Identifier``, ``Grade`` and ``Last modified (grade)``, and the
``Feedback comments``; it identifies students by the number in ``Participant 123``. It silently
skips grades that are out of range, locked, or newer in Moodle than the worksheet.

Source: Moodle, ``mod/assign/gradingtable.php`` and ``mod/assign/feedback/offline/locallib.php``
and ``importgradeslib.php``.
"""

import html
import re
import unicodedata
from collections.abc import Collection, Sequence
from pathlib import Path

from softlookup_coursework.common.display_text import number, one_line
from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.exports.matching import match
from softlookup_coursework.exports.report import Left, Report
from softlookup_coursework.exports.table import Table, Unfit, escape_formula, read, save

HEADER = (
    "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade",
    "Grade can be changed", "Last modified (submission)", "Last modified (grade)",
    "Feedback comments",
)  # fmt: skip
# What Moodle reads again, or has written itself: its own signs are no formulas. All else, such as a
# name or a text that was handed in online, a student may have written.
KEPT = (
    "Identifier", "Status", "Grade", "Maximum Grade", "Grade can be changed",
    "Last modified (submission)", "Last modified (grade)", "Feedback comments",
)  # fmt: skip
PARTICIPANT = re.compile(r"\D*(\d+)")
# What Moodle leaves out of the names of folders.
CLEANED = re.compile(r"[&<>\"`|':\\/]")
ADVICE = (
    "in Moodle, with English as your language, switch on the feedback type “Offline grading "
    "worksheet” and choose “Download grading worksheet”"
)


def make(path: Path, marks: Sequence[Mark]) -> Report:
    """Write a worksheet from the marks alone, for students identified by Moodle's number.

    Args:
        path: the file to write.
        marks: of the students.
    """
    rows: list[list[str | float | None]] = [list(HEADER)]
    left = []
    for mark in marks:
        if not mark.student.isdecimal():
            left.append(Left(mark.student, "has no Moodle number; give Moodle's worksheet"))
            continue
        known = (f"Participant {mark.student}", one_line(mark.full_name), mark.email)
        graded = (round(mark.earned, 2), mark.points, "Yes", "-", "-", comment(mark))
        rows.append([*known, "Submitted for grading", *graded])
    note = "grades that are in Moodle already are replaced only if you allow it at the upload"
    return Report(save(path, rows), len(rows) - 1, tuple(left), (note,))


def fill(path: Path, roster: Path, marks: Sequence[Mark], held: Collection[str] = ()) -> Report:
    """Fill the worksheet that Moodle exported.

    Args:
        path: the file to write.
        roster: Moodle's worksheet.
        marks: of the students.
        held: students whose marks are not exported; their rows are left as they are.

    Returns:
        What was filled, and who was left out: students not in Moodle, and students without a mark.

    Raises:
        Unfit: if the file is not such a worksheet.
    """
    table = read(roster)
    who, grade = table.column("Identifier"), table.column("Grade")
    if who is None or grade is None or table.column("Last modified (grade)") is None:
        raise Unfit(f"{roster.name} is not a grading worksheet from Moodle; {ADVICE}")
    locked, most = table.column("Grade can be changed"), table.column("Maximum Grade")
    feedback, name = table.column("Feedback comments"), table.column("Full name")
    team = table.column("Group")
    groups = [] if team is None else [_words(row[team]) for row in table.rows]
    kept = {*map(table.column, KEPT)}
    found, left = _match(table, who, marks)
    rows, scales, written = [table.header], set(), 0
    for number_of_row, given in enumerate(table.rows):
        row = [cell if place in kept else escape_formula(cell) for place, cell in enumerate(given)]
        mark = found.get(number_of_row)
        limit = _float(row[most]) if most is not None else None
        shown = one_line(" ".join(row[p] for p in (who, name) if p is not None))
        if mark is None:
            left.append(Left(shown, "is in Moodle and has no mark here", lost=False))
        elif name is not None and (why := _of_another(mark, row[who], given[name], groups)):
            left.append(Left(mark.student, why))
        elif mark.student in held:
            pass
        elif locked is not None and row[locked].strip().casefold() == "no":
            left.append(Left(mark.student, "Moodle has locked the grade; left as it was"))
        elif limit is not None and mark.earned > limit:
            why = f"{number(mark.earned)} points are more than Moodle's maximum of {number(limit)}"
            left.append(Left(mark.student, why))
        else:
            written += 1
            row[grade] = _grade(mark, table.separator)
            if feedback is not None and not row[feedback].strip():
                row[feedback] = comment(mark)
            if limit is not None and limit != mark.points:
                scales.add((limit, mark.points))
        rows.append(row)
    notes = [f"Moodle has a maximum of {number(theirs)} points, the assignment of {number(ours)}; "
             "marks are not scaled" for theirs, ours in sorted(scales)]  # fmt: skip
    save(path, rows, table.separator, table.mark, as_given=True)
    return Report(path, written, tuple(left), tuple(notes))


def _match(table: Table, who: int, marks: Sequence[Mark]) -> tuple[dict[int, Mark], list[Left]]:
    """The marks by the row that they belong to, and those that match no row.

    Moodle's number is preferred, where as many students are found by another column.
    """
    numbers = [PARTICIPANT.fullmatch(row[who].strip()) for row in table.rows]
    columns = [[number[1] if number else "" for number in numbers]]
    for name in ("Email address", "Username", "ID number"):
        if (place := table.column(name)) is not None:
            columns.append([row[place] for row in table.rows])
    return match(marks, columns, "Moodle's worksheet")


def _of_another(mark: Mark, participant: str, name: str, groups: Collection[set[str]]) -> str:
    """Why a row is not the mark's although it has its number; empty, if their names agree.

    Moodle names a team's folder by its group's number, which a participant may have, too. Of a
    student's name the words may stand in another order, and some may differ: Moodle has several
    forms of it.
    """
    own = mark.known_name
    number_of_row = PARTICIPANT.fullmatch(participant.strip())
    ours, theirs = _words(own), _words(name)
    if not (ours and theirs and number_of_row and number_of_row[1] == mark.student):
        return ""
    alike = 2 * len(ours & theirs) >= min(len(ours), len(theirs))
    if ours == theirs or (alike and ours not in groups):
        return ""
    return (
        f"its mark was not written: in Moodle this is the number of {one_line(name)}; a team's "
        "folder has the number of its group"
    )


def _words(name: str) -> set[str]:
    """The words of a name, without the signs that Moodle leaves out of a folder's name."""
    return {
        *re.findall(r"[^\W_]+", CLEANED.sub("", unicodedata.normalize("NFKC", name)).casefold())
    }


def comment(mark: Mark) -> str:
    """The comment that the student reads in Moodle, which renders it as HTML."""
    points = f"{number(mark.earned)} of {number(mark.points)} points"
    if mark.waits:
        points += f" so far, {number(mark.to_come) if mark.to_come else 'more'} by hand to come"
    why = f" ({one_line(mark.why, 300)})" if mark.why else ""
    said = f"{_said(mark).capitalize()}{why}".strip()
    words = f"{points}. {f'{said}. ' if said else ''}The feedback file says more."
    return escape_formula(html.escape(words))


def _said(mark: Mark) -> str:
    """How the grading ended, in a word or two for the student."""
    if mark.waits and mark.verdict == Verdict.GRADED:
        return ""  # what waits for a person is not graded yet
    if not mark.waits and mark.verdict == Verdict.NEEDS_A_HUMAN:
        return "a person has looked at it"
    return str(mark.verdict)


def _grade(mark: Mark, separator: str) -> str:
    text = number(mark.earned)
    return text.replace(".", ",") if separator == ";" else text


def _float(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
