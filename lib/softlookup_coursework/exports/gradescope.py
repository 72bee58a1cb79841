"""Marks for Gradescope: a ``results.json`` for each submission, as its autograders write it.

All text is declared as plain text, so that nothing in it is rendered as HTML or Markdown. Visible
tests are shown at once, hidden ones when the teacher publishes the grades.

Source: Gradescope Autograder Documentation, "Autograder Specifications", "Output format".
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.display_text import readable
from softlookup_coursework.common.explanations import explain, test_label
from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import CellResult, Result
from softlookup_coursework.exports.report import Left, Report, undecided

AS_TEXT = {"output_format": "text", "test_output_format": "text", "test_name_format": "text"}


def save(folder: Path, marks: Sequence[tuple[Mark, Result]]) -> Report:
    """Write ``<folder>/<student>/results.json`` for each student.

    Args:
        folder: the folder to write.
        marks: each with its result.
    """
    left = []
    for mark, result in marks:
        text = json.dumps(results(mark, result), indent=1, ensure_ascii=False)
        write_atomically(folder / mark.student / "results.json", text)
        if mark.waits:
            written = "the written answer waits for a person; not in the score"
            left.append(Left(mark.student, undecided(mark, result, "not in the score") or written))
    note = "in Gradescope, run_autograder copies the file to /autograder/results/results.json"
    return Report(folder, len(marks), tuple(left), (note,))


def results(mark: Mark, result: Result) -> dict[str, Any]:
    """One submission's ``results.json``."""
    headline, what, do = explain(result)
    notes = [f"- {readable(note, 500)}" for note in result.notes]
    remarks = {remark.cell: remark for remark in mark.remarks}
    tests = []
    for place, cell in enumerate(result.cells, start=1):
        tests += _tests(place, cell)
        remark = remarks.get(cell.cell)
        if remark and remark.score is not None:
            # An entry of its own: the difference between the person's points and the tests'.
            given = remark.score - (cell.earned or 0.0)
            tests.append(_entry(
                f"{place}.0", f"{cell.cell.replace('_', ' ')}: graded by hand", given,
                cell.points if cell.earned is None else 0.0, remark.comment, "visible",
            ))  # fmt: skip
    return {
        "score": round(mark.earned, 6),
        "output": "\n".join(filter(None, [f"{headline}. {what}", do, *notes])),
        **AS_TEXT,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def _tests(place: int, cell: CellResult) -> list[dict[str, Any]]:
    entries = []
    for number, test in enumerate(cell.tests, start=1):
        name, hidden = test_label(test.name)
        shown = "after_published" if hidden else "visible"
        label = f"{cell.cell.replace('_', ' ')}: {name}"
        entries.append(
            _entry(f"{place}.{number}", label, test.earned, test.points, test.message, shown)
        )
    return entries


def _entry(
    number: str, name: str, score: float, most: float, output: str, visibility: str
) -> dict[str, Any]:
    return {
        "number": number,
        "name": name,
        "name_format": "text",
        "score": round(score, 6),
        "max_score": round(most, 6),
        "status": "passed" if score >= most else "failed",
        "output": readable(output),
        "output_format": "text",
        "visibility": visibility,
    }
