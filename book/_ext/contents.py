"""What the other extensions need to know of a chapter, read from its notebook as it is stored."""

import functools
import json
from dataclasses import dataclass
from pathlib import Path

from softlookup.course.claims import Claim, parse
from sphinx.application import Sphinx


@dataclass(frozen=True)
class Chapter:
    """A chapter of the book.

    Attributes:
        id: the notebook's name without its suffix, by which prerequisites name it.
        number: its place in the book, from 1.
        docname: its name for Sphinx, a path without suffix.
        title: its title, without number.
        prerequisites: the ids of the chapters that it builds on.
        teaches: the names of its concepts.
        minutes_to_read: how long it takes to read.
        claims: the claims that it checked, in their order.
        predictions: how many predictions it asks for.
    """

    id: str
    number: int
    docname: str
    title: str
    prerequisites: tuple[str, ...]
    teaches: tuple[str, ...]
    minutes_to_read: int
    claims: tuple[Claim, ...]
    predictions: int


def read_chapter(path: Path, number: int, docname: str) -> Chapter:
    """Read a chapter from its notebook.

    Raises:
        ValueError: if the notebook lacks metadata that the contract asks for.
    """
    notebook = json.loads(path.read_text(encoding="utf-8"))
    metadata = notebook["metadata"].get("softlookup", {})
    wanted = ("title", "prerequisites", "teaches", "minutes_to_read")
    missing = [name for name in wanted if name not in metadata]
    if missing:
        raise ValueError(f"{path.name} lacks {missing} in its metadata under 'softlookup'")
    claims = [parse(line) for line in _printed_lines(notebook)]
    return Chapter(
        id=path.stem,
        number=number,
        docname=docname,
        title=metadata["title"],
        prerequisites=tuple(metadata["prerequisites"]),
        teaches=tuple(metadata["teaches"]),
        minutes_to_read=metadata["minutes_to_read"],
        claims=tuple(claim for claim in claims if claim is not None),
        predictions=sum("predict" in c["metadata"].get("tags", []) for c in notebook["cells"]),
    )


def book_chapters(app: Sphinx) -> list[Chapter]:
    """All chapters in the order of the table of contents."""
    docnames = [name for name in app.config.external_site_map if name.startswith("notebooks/")]
    return [
        _as_it_stands(path, path.stat().st_mtime_ns, number, docname)
        for number, docname in enumerate(sorted(docnames), start=1)
        for path in [Path(app.srcdir, f"{docname}.ipynb")]
    ]


def claims_by_id(app: Sphinx) -> dict[str, tuple[Chapter, Claim]]:
    """Every claim of the book with its chapter."""
    return {
        claim.id: (chapter, claim) for chapter in book_chapters(app) for claim in chapter.claims
    }


@functools.lru_cache
def _as_it_stands(path: Path, modified: int, number: int, docname: str) -> Chapter:
    """A chapter, read once for each time that its file was written."""
    return read_chapter(path, number, docname)


def _printed_lines(notebook: dict) -> list[str]:
    """The lines that the notebook's cells printed."""
    texts = [
        output["text"]
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if output["output_type"] == "stream"
    ]
    return "".join("".join(text) + "\n" for text in texts).splitlines()
