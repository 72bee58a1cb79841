"""What several commands share: options, exit codes, and how a path is shown."""

from pathlib import Path
from typing import Annotated

import typer

# With 0 all is well; wrong use ends with 2, as is usual.
NEEDS_A_HUMAN, WRONG_USE = 1, 2
CourseFolder = Annotated[Path, typer.Option("--course", help="The course folder.")]
Names = Annotated[list[str] | None, typer.Argument(help="Assignments; all of them if none.")]
Name = Annotated[str, typer.Argument(help="The assignment.")]


def short(path: Path) -> str:
    """A path as one would type it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
