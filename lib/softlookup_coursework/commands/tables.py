"""What the commands print: a short table, then what a person has to look at, then what to do next.

Names and messages are untrusted: markup in them is not interpreted, and escape codes are removed.
"""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from softlookup_coursework.common.display_text import one_line

console = Console(highlight=False, soft_wrap=False)
errors = Console(stderr=True, highlight=False)
# Each row may be a student whom nobody must lose; a longer table is cut, and says by how much.
MOST_ROWS = 1_000


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table, with columns of numbers right-aligned."""
    rows = [list(row) for row in rows]
    drawn = Table(title=Text(title), title_justify="left", title_style="bold")
    for number, name in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[number], int | float) for row in rows)
        drawn.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in rows[:MOST_ROWS]:
        drawn.add_row(*(Text(_shown(value)) for value in row))
    console.print(drawn)
    if len(rows) > MOST_ROWS:
        say(f"… and {len(rows) - MOST_ROWS:,} more")


def who(student: str, name: str = "") -> str:
    """A student in a table: their identifier, and their name where it is known."""
    return f"{student} ({name})" if name and name != student else student


def say(text: str) -> None:
    """Print a line."""
    console.print(Text(text), soft_wrap=True)


def complain(text: str) -> None:
    """Print a line to stderr."""
    errors.print(Text(text, style="bold red"), soft_wrap=True)


def progress() -> Progress:
    """A progress bar that counts submissions and estimates the remaining time."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
    )


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else one_line(str(value), 300)
