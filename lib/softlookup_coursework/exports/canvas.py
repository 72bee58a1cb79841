"""Marks for Canvas: the gradebook's own CSV, with one assignment's column filled.

Canvas imports the format that it exports: names, ``ID``, perhaps ``SIS User ID`` and
``SIS Login ID``, ``Section``, a column for each assignment, ``title (number)``, and above the
students a row ``Points Possible``. It identifies students by ``ID`` first, then by the SIS columns.
A column without a number becomes a new assignment.

Source: Canvas, ``lib/gradebook_exporter.rb`` and ``lib/gradebook_importer.rb``; Instructor Guide,
"How do I import grades in the Gradebook?".
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from softlookup_coursework.common.display_text import number, one_line
from softlookup_coursework.common.marks import Mark
from softlookup_coursework.exports.matching import match
from softlookup_coursework.exports.report import Left, Report
from softlookup_coursework.exports.table import Table, Unfit, escape_formula, read, save

NUMBERED = re.compile(r"(?P<title>.*) \((?P<number>\d+)\)", re.S)
NAMES = ("student", "lastname", "firstname")
# What is preferred, where as many students are found by one as by another.
KEYS = ("ID", "SIS Login ID", "SIS User ID", "Integration ID")
ADVICE = "take the CSV that Canvas exports (Gradebook, Export, Export Entire Gradebook) as it is"


def make(path: Path, title: str, marks: Sequence[Mark]) -> Report:
    """Write a CSV for a course that has no column for the assignment yet.

    Args:
        path: the file to write.
        title: of the assignment.
        marks: of the students.
    """
    rows: list[list[str | float | None]] = [
        ["Student", "ID", "SIS Login ID", "Section", title],
        ["    Points Possible", "", "", "", max((mark.points for mark in marks), default=0)],
    ]
    for mark in marks:
        name = ", ".join(part for part in (mark.last_name, mark.first_name) if part)
        known = ("", mark.student) if not mark.student.isdecimal() else (mark.student, "")
        rows.append([one_line(name or mark.student), *known, "", round(mark.earned, 2)])
    notes = [
        "Canvas will make a new assignment of the column; to fill an existing one, give its CSV"
    ]
    if any(mark.student.isdecimal() for mark in marks):
        notes.append("identifiers that are numbers are taken for Canvas's IDs")
    return Report(save(path, rows), len(marks), (), tuple(notes))


def fill(
    path: Path,
    roster: Path,
    titles: Sequence[str],
    marks: Sequence[Mark],
    held: Collection[str] = (),
) -> Report:
    """Fill one column of the CSV that Canvas exported, and keep the others as they are.

    Args:
        path: the file to write.
        roster: the file that Canvas exported.
        titles: possible names of the column, or its number; the first that exists is used.
        marks: of the students.
        held: students whose marks are not exported; their cells are left as they are.

    Returns:
        What was filled, and who was left out: students who are not in Canvas, and students in
        Canvas who have no mark.

    Raises:
        Unfit: if the file is not from Canvas, or has no such column.
    """
    table = read(roster)
    if not _is_canvas(table):
        raise Unfit(f"{roster.name} does not begin like Canvas's gradebook; {ADVICE}")
    place = _place(table, roster, titles)
    found, left = _match(table, marks)
    notes, rows, written = [], [table.header], 0
    comma = table.separator == ";"
    for number_of_row, row in enumerate(table.rows):
        row = [escape_formula(cell) if name.strip().casefold() in NAMES else cell
               for name, cell in zip(table.header, row, strict=True)]  # fmt: skip
        mark = found.get(number_of_row)
        if _points_possible(row):
            notes += _compare(row[place], marks)
        elif _is_student(row) and mark is None:
            left.append(Left(one_line(row[0]), "is in Canvas and has no mark here", lost=False))
        elif mark and mark.student in held:
            pass
        elif mark and row[place].strip().upper() in ("EX", "N/A"):
            left.append(Left(mark.student, f"Canvas says {row[place].strip()}; left as it was"))
        elif mark:
            # A spreadsheet that separates by semicolons writes decimals with a comma.
            points = number(mark.earned)
            row[place] = points.replace(".", ",") if comma else points
            written += 1
        rows.append(row)
    save(path, rows, table.separator, table.mark, as_given=True)
    return Report(path, written, tuple(left), tuple(notes))


def _is_canvas(table: Table) -> bool:
    head = [name.strip() for name in table.header]
    named = "Student" in head[0] and head[1:2] == ["ID"] and len(head) > 3
    split = head[:3] == ["LastName", "FirstName", "ID"]
    return (named or split) and "Section" in head


def _points_possible(row: Sequence[str]) -> bool:
    # A student may bear that name; Canvas's own row has no number behind it.
    return "Points Possible" in row[0] and not any(cell.strip().isdecimal() for cell in row[1:3])


def _is_student(row: Sequence[str]) -> bool:
    """Whether a row is a student's, and not one of Canvas's rows about the columns."""
    filled = [cell.strip() for cell in row if cell.strip()]
    posting = all(cell.startswith(("Manual Posting", "Muted")) for cell in filled)
    return not _points_possible(row) and not posting


def _place(table: Table, roster: Path, titles: Sequence[str]) -> int:
    """The number of the column to fill."""
    columns: list[tuple[int, str, str]] = []
    limits = next((row for row in table.rows if _points_possible(row)), [""] * len(table.header))
    for place in range(table.header.index("Section") + 1, len(table.header)):
        header = table.header[place]
        numbered = NUMBERED.fullmatch(header)
        if numbered and "read only" not in limits[place]:
            columns.append((place, numbered["title"], numbered["number"]))
    for wanted in titles:
        fitting = [p for p, title, id_ in columns if wanted.casefold() == title.casefold()
                   or wanted in (id_, f"{title} ({id_})")]  # fmt: skip
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise Unfit(
                f"{roster.name} has {len(fitting)} columns “{wanted}”; name it by its number"
            )
    there = "; ".join(f"{title} ({id_})" for _, title, id_ in columns) or "none"
    raise Unfit(f"{roster.name} has no column “{titles[0]}”; name one of those it has: {there}")


def _match(table: Table, marks: Sequence[Mark]) -> tuple[dict[int, Mark], list[Left]]:
    """The marks by the row that they belong to, and those that match no row."""
    columns = [
        [row[place] if _is_student(row) else "" for row in table.rows]
        for name in KEYS
        if (place := table.column(name)) is not None
    ]
    return match(marks, columns, "Canvas's CSV")


def _compare(points: str, marks: Sequence[Mark]) -> list[str]:
    """A note if Canvas has another maximum than the assignment."""
    ours = Counter(mark.points for mark in marks).most_common(1)
    try:
        theirs = float(points.replace(",", "."))
    except ValueError:
        return []
    if not ours or theirs == ours[0][0]:
        return []
    return [f"Canvas has a maximum of {number(theirs)} points, the assignment of "
            f"{number(ours[0][0])}; marks are not scaled"]  # fmt: skip
