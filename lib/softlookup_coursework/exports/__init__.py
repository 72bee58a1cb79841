"""Exports marks to Canvas, Moodle, Gradescope, or a plain table.

Every student who handed something in and whose mark is not exported is named in the report, with
the reason. A mark whose written answer nobody has read yet, or of which a person has to decide
whether a test counts, is not exported, unless provisional marks are asked for.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from softlookup_coursework.common import result_files
from softlookup_coursework.common.explanations import assignment_title
from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.exports import canvas, gradescope, moodle, plain
from softlookup_coursework.exports.report import Left, Report, undecided
from softlookup_coursework.exports.table import Unfit

FORMATS = ("canvas", "moodle", "gradescope", "plain")
WAITS = "the written answer waits for a person; the mark is not exported"
__all__ = ["FORMATS", "WAITS", "Left", "Report", "Unfit", "write"]


def write(
    form: str,
    course: Path,
    name: str,
    marks: Sequence[Mark],
    roster: Path | None = None,
    destination: Path | None = None,
    column: str | None = None,
    provisional: bool = False,
) -> Report:
    """Write an assignment's marks in one form.

    Args:
        form: one of ``FORMATS``.
        course: the course's folder.
        name: the assignment.
        marks: from the gradebook.
        roster: for Canvas and Moodle, the file that they exported, to be filled.
        destination: the file or folder to write; by default in the course's ``exports/``.
        column: the assignment's name in Canvas, if not its title or name.
        provisional: whether to export marks whose written answers nobody has read yet.

    Returns:
        What was written, and whose marks were left out.

    Raises:
        Unfit: if the form is unknown, or the roster cannot be filled.
    """
    if form not in FORMATS:
        raise Unfit(f"the form {form!r} is unknown; expected one of {', '.join(FORMATS)}")
    ours = [mark for mark in marks if mark.name == name]
    graded, left = _graded(course, name, ours)
    whole = form == "gradescope" or provisional
    held = [] if whole else [mark for mark, _ in graded if mark.waits]
    final = [mark for mark, _ in graded if mark not in held]
    left += [
        Left(mark.student, undecided(mark, result, "the mark is not exported") or WAITS)
        for mark, result in graded
        if mark in held
    ]
    left += [
        Left(mark.student, f"a person has to look at it, but the mark was exported: {mark.why}")
        for mark, result in graded
        if mark in final and mark.verdict == Verdict.NEEDS_A_HUMAN and result.asks(mark.decided)
    ]
    left += [
        Left(mark.student, f"its zero was exported: {mark.why}", lost=False)
        for mark in final
        if mark.verdict == Verdict.UNREADABLE
    ]
    ending = "" if form == "gradescope" else ".csv"
    path = destination or course / "exports" / f"{name}_{form}{ending}"
    everybody = [mark for mark, _ in graded]
    names = {mark.student for mark in held}
    title = assignment_title(course, name)
    if form == "gradescope":
        report = gradescope.save(path, graded)
    elif form == "plain":
        report = plain.write(path, graded, names)
    elif form == "moodle" and roster:
        report = moodle.fill(path, roster, everybody, names)
    elif form == "moodle":
        report = moodle.make(path, final)
    elif roster:
        wanted = [column] if column else [title, name]
        report = canvas.fill(path, roster, wanted, everybody, names)
    else:
        report = canvas.make(path, column or title, final)
    return replace(report, left=(*left, *report.left))


def _graded(
    course: Path, name: str, marks: Sequence[Mark]
) -> tuple[list[tuple[Mark, Result]], list[Left]]:
    """The marks with their results, and the students who handed in and have no mark."""
    graded, left = [], []
    for mark in marks:
        try:
            path = course / "results" / name / mark.student / result_files.RESULT
            graded.append((mark, Result.read(path)))
        except (OSError, ValueError) as error:
            left.append(Left(mark.student, f"the result cannot be read: {error}"))
    known = {mark.student for mark in marks}
    for place in ("collected", "results"):
        there = {path.name for path in (course / place / name).glob("[!.]*/") if path.is_dir()}
        missing = sorted(there - known)
        left += [
            Left(student, "handed in, and has no mark in the gradebook") for student in missing
        ]
        known |= there
    return graded, left
