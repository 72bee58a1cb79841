"""What several commands share: options, exit statuses, and how a path is displayed."""

from pathlib import Path
from typing import Annotated

import typer

# Exit statuses; 2 is the usual one for a usage error.
NEEDS_A_HUMAN, USAGE_ERROR = 1, 2
CourseFolder = Annotated[Path, typer.Option("--course", help="The course folder.")]
Names = Annotated[list[str] | None, typer.Argument(help="Assignments; all of them if none.")]
PrivatePart = Annotated[
    str | None,
    typer.Option("--private", help="Your own folder or package, which lies over the course's."),
]
Name = Annotated[str, typer.Argument(help="The assignment.")]


def short(path: Path) -> str:
    """A path relative to the working folder, if it is inside."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
