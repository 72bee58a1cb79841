"""``softlookup-coursework``: from a release to the marks, a command for each step.

Each prints a short table of what it did. It ends with 0 if all is well, with 1 if something needs
a person, which it lists, and with 2 if it was used wrongly.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from softlookup_coursework.limits import MEBIBYTE, RunLimits
from softlookup_coursework.misuse import Misuse
from softlookup_coursework.sandbox import NoSandbox
from softlookup_coursework.tables import complain, say, table

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Hand out, collect and grade the assignments of the course, and return the marks.",
)
CourseFolder = Annotated[Path, typer.Option("--course", help="The course folder.")]
Names = Annotated[list[str] | None, typer.Argument(help="Assignments; all of them if none.")]
NEEDS_A_HUMAN = 1
STANDARD = RunLimits()


def main() -> None:
    """Run the command that was asked for."""
    try:
        app()
    except Misuse as error:
        complain(str(error))
        sys.exit(2)
    except NoSandbox as error:
        complain(f"nothing more was graded: {error}")
        say("`softlookup-coursework doctor` says what this machine lacks.")
        sys.exit(NEEDS_A_HUMAN)


@app.command()
def release(
    names: Names = None,
    course: CourseFolder = Path(),
    seed: Annotated[
        str | None, typer.Option(help="The term's secret, kept in term.json; drawn if not given.")
    ] = None,
    another_term: Annotated[
        bool, typer.Option("--another-term", help="Replace what was released for another term.")
    ] = False,
) -> None:
    """Draw the term's assignments and write what students receive.

    Example: softlookup-coursework release attention_and_masks --course autumn
    """
    import tempfile

    from softlookup_coursework import source
    from softlookup_coursework.course import Course
    from softlookup_coursework.student_version import build_wheel

    found = Course.make(course, seed, another_term)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder))
        for name in names or source.names():
            notebook = found.release(name, wheel, another_term)
            told = source.describe(notebook)
            rows.append((notebook.stem, told.points, told.hours, _short(notebook.parent)))
    table("Released", ["assignment", "points", "hours", "hand out this folder"], rows)
    say("The term's secret stands in term.json. Keep it, and keep it from students.")


@app.command()
def collect(
    name: Annotated[str, typer.Argument(help="The assignment.")],
    handed_in: Annotated[
        Path,
        typer.Argument(exists=True, help="A folder or a zip: Canvas, Moodle, nbgrader, plain."),
    ],
    course: CourseFolder = Path(),
) -> None:
    """Take in what students handed in.

    Example: softlookup-coursework collect attention_and_masks submissions.zip --course autumn
    """
    from softlookup_coursework.course import Course
    from softlookup_coursework.receive import receive

    rows = receive(Course.open(course), name, handed_in)
    kinds = [row.taken for row in rows]
    table(
        "Collected", ["what was done", "items"], [(k, kinds.count(k)) for k in dict.fromkeys(kinds)]
    )
    odd = [row for row in rows if row.why and row.taken != "superseded"]
    if odd:
        told = [(row.student or "?", row.taken, row.why, row.source) for row in odd]
        table("Look at these", ["student", "", "why", "where it lay"], told)
    if not rows:
        say(f"Nothing in {handed_in} belongs to {name}.")
    if odd or not rows:
        raise typer.Exit(NEEDS_A_HUMAN)


@app.command()
def grade(
    names: Names = None,
    course: CourseFolder = Path(),
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes of this machine; one a core if not given.")
    ] = None,
    scheduler: Annotated[
        str, typer.Option(help="A dask scheduler's address, to grade on its workers instead.")
    ] = "",
    again: Annotated[
        bool, typer.Option("--again", help="Grade anew what has a result that still holds.")
    ] = False,
    wall_seconds: Annotated[
        float, typer.Option(min=1, help="For one submission.")
    ] = STANDARD.wall_seconds,
    cell_seconds: Annotated[
        float, typer.Option(min=1, help="For one of its cells.")
    ] = STANDARD.cell_seconds,
    call_seconds: Annotated[
        float, typer.Option(min=1, help="For one call by a test.")
    ] = STANDARD.call_seconds,
    memory_mebibytes: Annotated[
        int, typer.Option(min=256, help="For all of a submission's processes.")
    ] = STANDARD.memory_bytes // MEBIBYTE,
) -> None:
    """Grade what was collected, in sandboxes, side by side; what is done is not done again.

    Ended at any moment and started again, it goes on where it was. A cluster's workers need the
    same version of this package and no shared disk.

    Example: softlookup-coursework grade attention_and_masks --course autumn --workers 4
    """
    from softlookup_coursework.course import Course
    from softlookup_coursework.grading import grade_all

    limits = _limits(wall_seconds, cell_seconds, call_seconds, memory_mebibytes)
    if not grade_all(Course.open(course), names or [], limits, workers, scheduler, again):
        raise typer.Exit(NEEDS_A_HUMAN)


@app.command()
def one(
    assignment: Annotated[Path, typer.Argument(exists=True, file_okay=False)],
    submission: Annotated[Path, typer.Argument(exists=True, file_okay=False)],
    result: Annotated[Path, typer.Argument(dir_okay=False, help="result.json, to be written.")],
    wall_seconds: Annotated[float, typer.Option(min=1)] = STANDARD.wall_seconds,
    cell_seconds: Annotated[float, typer.Option(min=1)] = STANDARD.cell_seconds,
    call_seconds: Annotated[float, typer.Option(min=1)] = STANDARD.call_seconds,
    memory_mebibytes: Annotated[int, typer.Option(min=256)] = STANDARD.memory_bytes // MEBIBYTE,
) -> None:
    """Grade one submission: folders in, result.json and graded.ipynb out.

    For a cluster's own queue. Where the result is written into a course's results folder, `grade`
    with the same limits takes it over.

    Example: softlookup-coursework one assignments/own_gpt collected/own_gpt/ada
    results/own_gpt/ada/result.json
    """
    from softlookup_coursework.grading import grade_one_folder

    limits = _limits(wall_seconds, cell_seconds, call_seconds, memory_mebibytes)
    if not grade_one_folder(assignment, submission, result, limits):
        raise typer.Exit(NEEDS_A_HUMAN)


@app.command()
def doctor() -> None:
    """Say what this machine has and lacks to grade safely.

    Example: softlookup-coursework doctor
    """
    from softlookup_coursework.machine import facts

    found = facts()
    rows = [(fact.name, "yes" if fact.fine else "NO", fact.found, fact.remedy) for fact in found]
    table("This machine", ["what", "fine", "found", "what to do"], rows)
    say(
        "To grade on a cluster, its workers need all this too, and the same version of this "
        "package; they need no shared disk."
    )
    if not all(fact.fine for fact in found):
        raise typer.Exit(NEEDS_A_HUMAN)


def _limits(wall: float, cell: float, call: float, memory: int) -> RunLimits:
    return RunLimits(
        wall_seconds=wall, cell_seconds=cell, call_seconds=call, memory_bytes=memory * MEBIBYTE
    )


def _short(path: Path) -> str:
    """A path as one would type it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


if __name__ == "__main__":
    main()
