"""Finds the students of some marks in a table that names each in several ways.

A student may bear a user name that is another's number. So the column in which most of them are
found comes first: by that they were collected.
"""

from collections.abc import Sequence

from softlookup_coursework.common.marks import Mark
from softlookup_coursework.exports.report import Left


def match(
    marks: Sequence[Mark], columns: Sequence[Sequence[str]], table: str
) -> tuple[dict[int, Mark], list[Left]]:
    """The marks by the row that they belong to, and those that match no row.

    Args:
        marks: of the students.
        columns: by which a student can be known, each with a text for each row.
        table: its name, for the report.
    """
    wanted = [{text.casefold() for text in (mark.student, mark.email) if text} for mark in marks]
    places = [[_only(column, texts) for texts in wanted] for column in map(_plain, columns)]
    places.sort(key=lambda rows: rows.count(None))
    found: dict[int, Mark] = {}
    left = []
    for mark, rows in zip(marks, zip(*places, strict=True), strict=True):
        place = next((row for row in rows if row is not None), None)
        if place is None:
            left.append(Left(mark.student, f"is not in {table}"))
        elif place in found:
            left.append(Left(mark.student, f"is in {table} as {found[place].student} is"))
        else:
            found[place] = mark
    return found, left


def _plain(column: Sequence[str]) -> list[str]:
    return [text.strip().casefold() for text in column]


def _only(column: Sequence[str], texts: set[str]) -> int | None:
    """The row in which one of some texts stands; ``None`` if it is none or several."""
    fitting = [row for row, text in enumerate(column) if text in texts]
    return fitting[0] if len(fitting) == 1 else None
