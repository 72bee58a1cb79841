"""The commands ``release`` and ``collect``: assignments out to students, submissions in."""

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from softlookup_coursework.commands.options import (
    NEEDS_A_HUMAN,
    CourseFolder,
    Name,
    Names,
    PrivatePart,
    short,
)
from softlookup_coursework.commands.tables import complain, say, table, who
from softlookup_coursework.common.locks import locked
from softlookup_coursework.common.usage_error import UsageError


def release(
    names: Names = None,
    course: CourseFolder = Path(),
    seed: Annotated[
        str | None,
        typer.Option(
            help="Words, or the seed of a term.json, that give the same term again elsewhere; "
            "drawn if not given."
        ),
    ] = None,
    another_term: Annotated[
        bool, typer.Option("--another-term", help="Replace what was released for another term.")
    ] = False,
    private_part: PrivatePart = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace also what you changed since the release.")
    ] = False,
) -> None:
    """Draw the term's assignments and write what students receive.

    Example: softlookup-coursework release attention_and_masks --course autumn
    """
    from softlookup_coursework.assignments import private, source
    from softlookup_coursework.assignments.course import Course
    from softlookup_coursework.assignments.student_version import build_wheel
    from softlookup_coursework.sandbox import enclosure

    try:
        part = private.find(private_part) if private_part else None
        own = private.names(part) if part else []
        chosen = names or sorted({*source.names(), *own})
        laid = {*own} & {Path(name).name for name in chosen}
        if part and not laid:
            raise UsageError(
                f"{private_part} has no folder for {', '.join(chosen)}; name the folder in which "
                "the assignments' own folders lie"
            )
        for name in chosen:
            with private.whole(name, part):
                pass
    except ValueError as error:
        raise UsageError(str(error)) from error
    for place in (course, *([part] if part else ())):
        if seen := enclosure.shown_with(place):
            raise UsageError(
                f"{place} lies in {seen}, where every submission can read it; take a folder "
                "elsewhere, and install a package of your own with `pip install --editable`"
            )
    rows, failed = [], False
    with ExitStack() as stack:
        if (course / "term.json").is_file():
            stack.enter_context(locked(course))
        found = Course.make(course, seed, another_term)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        try:
            wheel = build_wheel(Path(folder))
        except RuntimeError as error:
            raise UsageError(str(error)) from error
        for name in chosen:
            try:
                notebook = found.release(name, wheel, another_term, part, overwrite)
            except (ValueError, RuntimeError) as error:
                complain(f"{name} was not released: {error}")
                failed = True
                continue
            described = source.describe(notebook)
            rows.append((notebook.stem, described.points, described.hours, short(notebook.parent)))
    if rows:
        table("Released", ["assignment", "points", "hours", "hand out this folder"], rows)
        if private_names := sorted(laid):
            say(f"With a private part of yours: {', '.join(private_names)}.")
        say("The term's secret is in term.json. Keep it, and keep it from students.")
    if failed:
        raise typer.Exit(NEEDS_A_HUMAN)


def collect(
    name: Name,
    handed_in: Annotated[
        Path,
        typer.Argument(exists=True, help="A folder or a zip: Canvas, Moodle, nbgrader, plain."),
    ],
    course: CourseFolder = Path(),
) -> None:
    """Collect what students handed in.

    Example: softlookup-coursework collect attention_and_masks submissions.zip --course autumn
    """
    from softlookup_coursework.assignments.course import Course
    from softlookup_coursework.grading.receive import receive

    rows = receive(Course.open(course), name, handed_in)
    kinds = [row.taken for row in rows]
    table(
        "Collected", ["what was done", "items"], [(k, kinds.count(k)) for k in dict.fromkeys(kinds)]
    )
    odd = [row for row in rows if row.why and row.taken != "superseded"]
    if odd:
        listed = [
            (who(row.student or "?", row.name), row.taken, row.why, row.source) for row in odd
        ]
        table("Look at these", ["student", "", "why", "where it lay"], listed)
    if not rows:
        say(f"Nothing in {handed_in} belongs to {name}.")
    if odd or not rows:
        raise typer.Exit(NEEDS_A_HUMAN)
