"""The commands ``grade`` and ``one``."""

import math
from pathlib import Path
from typing import Annotated

import typer

from softlookup_coursework.commands.options import NEEDS_A_HUMAN, CourseFolder, Names
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits

STANDARD = RunLimits()
MEMORY = STANDARD.memory_bytes // MEBIBYTE
Wall = Annotated[float, typer.Option("--wall-seconds", min=1, help="For one submission.")]
Cell = Annotated[float, typer.Option("--cell-seconds", min=1, help="For one of its cells.")]
Call = Annotated[float, typer.Option("--call-seconds", min=1, help="For one call by a test.")]
Memory = Annotated[
    int, typer.Option("--memory-mebibytes", min=256, help="For all of a submission's processes.")
]
Trusting = Annotated[
    bool,
    typer.Option(
        "--without-a-sandbox",
        help="Run what was handed in with your own permissions: it could read and change "
        "your files, the other submissions and the marks. For your own notebooks.",
    ),
]


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
        bool, typer.Option("--again", help="Grade again what has a result that is still valid.")
    ] = False,
    wall_seconds: Wall = STANDARD.wall_seconds,
    cell_seconds: Cell = STANDARD.cell_seconds,
    call_seconds: Call = STANDARD.call_seconds,
    memory_mebibytes: Memory = MEMORY,
    without_a_sandbox: Trusting = False,
) -> None:
    """Grade what was collected, in sandboxes, in parallel; what has a valid result is skipped.

    If it is killed at any moment and started again, it continues where it stopped. A cluster's
    workers need the same version of this package and no shared disk.

    Example: softlookup-coursework grade attention_and_masks --course autumn --workers 4
    """
    from softlookup_coursework.assignments.course import Course
    from softlookup_coursework.commands.batches import run_batches

    limits = _limits(wall_seconds, cell_seconds, call_seconds, memory_mebibytes, without_a_sandbox)
    if not run_batches(Course.open(course), names or [], limits, workers, scheduler, again):
        raise typer.Exit(NEEDS_A_HUMAN)


def one(
    assignment: Annotated[Path, typer.Argument(exists=True, file_okay=False)],
    submission: Annotated[Path, typer.Argument(exists=True, file_okay=False)],
    result: Annotated[Path, typer.Argument(dir_okay=False, help="result.json, to be written.")],
    wall_seconds: Wall = STANDARD.wall_seconds,
    cell_seconds: Cell = STANDARD.cell_seconds,
    call_seconds: Call = STANDARD.call_seconds,
    memory_mebibytes: Memory = MEMORY,
    without_a_sandbox: Trusting = False,
) -> None:
    """Grade one submission: reads two folders, writes result.json and graded.ipynb.

    For a cluster's own queue. Where the result is written into a course's results folder, `grade`
    with the same limits takes it over.

    Example: softlookup-coursework one assignments/own_gpt collected/own_gpt/ada
    results/own_gpt/ada/result.json
    """
    from softlookup_coursework.commands.batches import run_single

    limits = _limits(wall_seconds, cell_seconds, call_seconds, memory_mebibytes, without_a_sandbox)
    if not run_single(assignment, submission, result, limits):
        raise typer.Exit(NEEDS_A_HUMAN)


def _limits(wall: float, cell: float, call: float, memory: int, trusting: bool) -> RunLimits:
    return RunLimits(
        wall_seconds=wall,
        cell_seconds=cell,
        call_seconds=call,
        processor_seconds=math.ceil(wall),
        memory_bytes=memory * MEBIBYTE,
        enclosed=not trusting,
    )
