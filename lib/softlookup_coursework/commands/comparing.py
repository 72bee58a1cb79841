"""The command ``likeness``: which submissions are alike, for a person's eyes."""

from pathlib import Path
from typing import Annotated

import typer

from softlookup_coursework.commands.options import CourseFolder, Name, short
from softlookup_coursework.commands.tables import say, table
from softlookup_coursework.common.explanations import assignment_title
from softlookup_coursework.common.usage_error import UsageError


def likeness(
    name: Name,
    course: CourseFolder = Path(),
    earlier: Annotated[
        list[Path] | None,
        typer.Option(help="The course folder of an earlier term; may be given several times."),
    ] = None,
) -> None:
    """Show which submissions are alike, to each other, to earlier ones and to the solution.

    It judges nobody: a page shows the passages side by side, to be read by a person.

    Example: softlookup-coursework likeness multi_head --course autumn --earlier spring
    """
    from softlookup_coursework.assignments.course import Course
    from softlookup_coursework.likeness import gather, report
    from softlookup_coursework.likeness.compare import compare

    found = Course.open(course)
    listed = gather.submissions(found, name)
    number = sum(one.graded for one in listed)
    if not number:
        raise UsageError(f"nothing was collected for {name}")
    for folder in earlier or []:
        before = Course.open(folder)
        if before == found:
            raise UsageError(f"{folder} is the course itself; give the folder of an earlier term")
        listed += gather.earlier(before, name)
    compared = compare(listed)
    title = assignment_title(found.folder, name)
    page, _ = report.write(found.folder / "likeness", name, title, compared, number)
    rows = [(pair.left, pair.right, report.percent(pair.likeness)) for pair in compared.pairs]
    table("Alike", ["student", "is like", "shares"], rows)
    usual = "too few to say" if compared.baseline is None else report.percent(compared.baseline)
    say(f"Usual in this class: {usual}. Listed from {report.percent(compared.bound)} on.")
    if compared.common >= 0.01:
        say(
            f"Left out between classmates: {report.percent(compared.common)} of what the class "
            "wrote, since a quarter of it wrote that alike. It counts against the solution."
        )
    if compared.tells_little:
        say("So little is left that it does not tell who worked together.")
    for student in compared.cut:
        say(f"Not compared as a whole, since it is too long: {student}. Look at it yourself.")
    say(f"The passages stand in {short(page)}. They are a lead for a person, and no verdict.")
