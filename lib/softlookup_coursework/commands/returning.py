"""The commands ``feedback`` and ``export``: pages for students, and marks for other systems."""

from pathlib import Path
from typing import Annotated

import typer

from softlookup_coursework.commands.options import NEEDS_A_HUMAN, CourseFolder, Name, Names, short
from softlookup_coursework.commands.tables import say, table, who
from softlookup_coursework.common.usage_error import UsageError


def feedback(
    names: Names = None,
    course: CourseFolder = Path(),
    moodle: Annotated[
        bool, typer.Option("--moodle", help="Pack the pages into a zip for Moodle.")
    ] = False,
) -> None:
    """Make each student's page: what was graded, what the tests said, what a person wrote.

    Example: softlookup-coursework feedback attention_and_masks --course autumn
    """
    from softlookup_coursework.assignments.course import Course
    from softlookup_coursework.exports import returned
    from softlookup_coursework.feedback.feedback import publish
    from softlookup_coursework.grading.gradebook import marks

    found = Course.open(course)
    rows, odd = [], []
    for name in names or found.released:
        found.assignment(name)
        pages = publish(found.folder, name, marks(found.folder, [name]))
        final = sum(page.final for page in pages)
        made = sum(page.path is not None for page in pages)
        rows.append((name, made, final, made - final, len(pages) - made))
        odd += [
            (who(page.student, page.name), name, "not final" if page.path else "no page", page.why)
            for page in sorted(pages, key=lambda page: page.path is not None)
            if not page.final and not page.unread
        ]
        if unread := sum(page.unread for page in pages):
            odd.append(
                (
                    _many(unread),
                    name,
                    "not final",
                    "a written answer, or a test in doubt, waits for a person",
                )
            )
        if moodle:
            packed = returned.pack(found.folder, name)
            say(f"{short(packed.path)} ({packed.written} pages): {'; '.join(packed.notes)}")
            odd += [(left.student, name, "not in the zip", left.why) for left in packed.left]
    table("Feedback", ["assignment", "pages", "final", "not final", "failed"], rows)
    if odd:
        table("These wait for a person", ["student", "assignment", "", "why"], odd)
        raise typer.Exit(NEEDS_A_HUMAN)


def export(
    form: Annotated[str, typer.Argument(help="canvas, moodle, gradescope or plain.")],
    name: Name,
    course: CourseFolder = Path(),
    roster: Annotated[
        Path | None,
        typer.Option(
            exists=True, dir_okay=False, help="The file of Canvas or Moodle, to be filled."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="The file or folder to write, if not in exports/.")
    ] = None,
    column: Annotated[str | None, typer.Option(help="The assignment's column in Canvas.")] = None,
    provisional: Annotated[
        bool,
        typer.Option("--provisional", help="Include marks whose written answers nobody has read."),
    ] = False,
) -> None:
    """Write the marks as Canvas, Moodle or Gradescope take them, or as a plain table.

    Example: softlookup-coursework export canvas own_gpt --course autumn --roster grades.csv
    """
    from softlookup_coursework import exports
    from softlookup_coursework.assignments.course import Course
    from softlookup_coursework.grading.gradebook import marks

    found = Course.open(course)
    found.assignment(name)
    found_marks = marks(found.folder, [name])
    try:
        report = exports.write(
            form, found.folder, name, found_marks, roster, output, column, provisional
        )
    except exports.Unfit as error:
        raise UsageError(str(error)) from error
    rows = [(name, form, report.written, short(report.path))]
    table("Exported", ["assignment", "form", "marks", "written to"], rows)
    for note in report.notes:
        say(f"Note: {note}.")
    refused = [exports.Left(student, why) for student, why, _ in found.refused(name)]
    left = sorted([*report.left, *refused], key=lambda one: not one.lost)
    if left:
        known = {mark.student: mark.full_name for mark in found_marks}
        listed = [
            (who(one.student, known.get(one.student, "")), one.why)
            for one in left
            if one.why != exports.WAITS
        ]
        if unread := sum(one.why == exports.WAITS for one in left):
            listed.append((_many(unread), exports.WAITS))
        table("Look at these", ["student", "why"], listed)
    if any(one.lost for one in left):
        raise typer.Exit(NEEDS_A_HUMAN)


def _many(students: int) -> str:
    return f"{students} student{'' if students == 1 else 's'}"
