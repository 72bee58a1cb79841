"""The chapters as the tests read them: cells by what they are, sources that can be run."""

import ast
import functools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"


@dataclass(frozen=True, eq=False)
class Chapter:
    """A chapter: its id is its file's name without ending, as in ``02_attention``."""

    id: str
    notebook: NotebookNode = field(repr=False)

    @property
    def number(self) -> int:
        return int(self.id.partition("_")[0])

    @property
    def key(self) -> str:
        """What the library calls the chapter by."""
        return self.id.partition("_")[2]

    @property
    def metadata(self) -> dict[str, Any]:
        return self.notebook.metadata.get("softlookup", {})

    @property
    def cells(self) -> list[NotebookNode]:
        return self.notebook.cells

    @property
    def code(self) -> list[NotebookNode]:
        return [cell for cell in self.cells if cell.cell_type == "code"]

    @property
    def markdown(self) -> list[NotebookNode]:
        return [cell for cell in self.cells if cell.cell_type == "markdown"]

    @property
    def setup(self) -> str:
        """The source of the cell tagged ``setup``."""
        return next(cell.source for cell in self.code if "setup" in tags(cell))

    def tagged(self, kind: str) -> dict[str, NotebookNode]:
        """The cells tagged ``kind:2.1``, by what follows the colon."""
        return {
            tag.removeprefix(f"{kind}:"): cell
            for cell in self.code
            for tag in tags(cell)
            if tag.startswith(f"{kind}:")
        }


@functools.cache
def all_chapters() -> tuple[Chapter, ...]:
    """Every chapter of the book, in order."""
    paths = sorted(NOTEBOOKS.glob("*.ipynb"))
    return tuple(Chapter(path.stem, nbformat.read(path, as_version=4)) for path in paths)


def tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def printed(cell: NotebookNode) -> str:
    """What a code cell printed or showed as text."""
    return "\n".join(
        output.get("text", "") or output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    )


def prose(source: str) -> str:
    """Markdown without its blocks of code, in which a ``#`` is no heading."""
    return re.sub(r"^(`{3,})(?!\{).*?^\1\s*$", "", source, flags=re.M | re.S)


def run(source: str, namespace: dict[str, Any]) -> Any:
    """Run a cell's source; return the value of its last line, as a notebook would show it."""
    tree = ast.parse(source)
    value = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
        exec(compile(tree, "<cell>", "exec"), namespace)
        value = eval(compile(last, "<cell>", "eval"), namespace)
    else:
        exec(compile(tree, "<cell>", "exec"), namespace)
    return value
