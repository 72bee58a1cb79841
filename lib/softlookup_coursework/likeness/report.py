"""Writes which submissions are alike: a page with the passages side by side, and a table.

The page needs nothing but a browser. It has no script and asks for nothing, and what students
wrote is escaped.
"""

import math
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.display_text import one_line, readable
from softlookup_coursework.exports.table import save
from softlookup_coursework.likeness.compare import DEVIATIONS, LEAST, Compared

# More is not read by anybody, and a page must open.
MOST_PAIRS, MOST_PASSAGES, LONGEST_PASSAGE = 60, 12, 6000
COLUMNS = ("student", "is like", "likeness", "alike passages", "median of the class")


def percent(share: float) -> str:
    """A share in whole per cent, rounded down: 100% is said of what is wholly alike."""
    return f"{math.floor(100 * share + 1e-4)}%"


def write(folder: Path, name: str, title: str, compared: Compared, submissions: int) -> list[Path]:
    """Write the page and the table.

    Args:
        folder: where they go.
        name: of the assignment.
        title: of the assignment.
        compared: what was found.
        submissions: how many were compared.

    Returns:
        The page and the table.
    """
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["percent"] = percent
    environment.filters["line"] = one_line
    environment.filters["passage"] = lambda text: readable(text, LONGEST_PASSAGE)
    page = environment.get_template("likeness.html.j2").render(
        title=title,
        compared=compared,
        submissions=submissions,
        pairs=compared.pairs[:MOST_PAIRS],
        most_passages=MOST_PASSAGES,
        deviations=DEVIATIONS,
        least=LEAST,
    )
    rows: list[tuple[str | float | None, ...]] = [COLUMNS]
    for pair in compared.pairs:
        rows.append(
            (
                one_line(pair.left),
                one_line(pair.right),
                round(pair.likeness, 2),
                float(len(pair.passages)),
                None if compared.baseline is None else round(compared.baseline, 2),
            )
        )
    folder.mkdir(mode=0o700, exist_ok=True)
    return [
        write_atomically(folder / f"{name}.html", page),
        save(folder / f"{name}.csv", rows, mark=True),
    ]
