"""Marks as a plain table: a row per student, a column for each cell and each test."""

from collections.abc import Collection, Sequence
from pathlib import Path

from softlookup_coursework.common.display_text import one_line
from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import Result
from softlookup_coursework.exports.report import Report
from softlookup_coursework.exports.table import save

COLUMNS = (
    "student", "name", "email", "assignment", "verdict", "why",
    "points", "earned", "by tests", "by hand",
)  # fmt: skip


def write(path: Path, marks: Sequence[tuple[Mark, Result]], held: Collection[str] = ()) -> Report:
    """Write the table; it begins with a byte-order mark, from which Excel recognizes UTF-8.

    Args:
        path: the file to write.
        marks: each with its result. While a written answer waits to be read, ``by hand`` is
            empty and ``earned`` is the sum so far.
        held: students whose marks are not exported; of theirs ``earned`` is empty.
    """
    columns: dict[str, None] = {}
    points = [_points(mark, result) for mark, result in marks]
    for one in points:
        columns |= dict.fromkeys(one)
    rows: list[Sequence[str | float | None]] = [[*COLUMNS, *columns]]
    for (mark, _), one in zip(marks, points, strict=True):
        earned = None if mark.student in held else mark.earned
        values = (
            mark.student, one_line(mark.known_name), one_line(mark.email), mark.name,
            str(mark.verdict), one_line(mark.why, 500), mark.points, earned, mark.tests_earned,
            mark.by_hand,
        )  # fmt: skip
        rows.append([*values, *(one.get(column) for column in columns)])
    written = sum(mark.student not in held for mark, _ in marks)
    return Report(save(path, rows, mark=True), written)


def _points(mark: Mark, result: Result) -> dict[str, float | None]:
    """The points of each cell and of each of its tests."""
    corrected = {r.cell: r.score for r in mark.remarks if r.score is not None}
    points: dict[str, float | None] = {}
    for cell in result.cells:
        points[cell.cell] = corrected.get(cell.cell, cell.earned)
        points |= {f"{cell.cell}: {test.name}": test.earned for test in cell.tests}
    return points
