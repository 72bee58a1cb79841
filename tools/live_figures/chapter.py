"""A chapter's own cells, run in order up to a named one, and held to what the notebook stored."""

import contextlib
import io
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
# A chapter runs without its exercises; a prediction is one line, and the comparison needs it.
LEFT_OUT = ("exercise:", "solution:")
NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


@dataclass(frozen=True)
class Ran:
    """What a chapter's cells have left.

    Attributes:
        names: their namespace.
        printed: what each cell printed, by its id.
        stored: what each had printed when the notebook was stored.
    """

    names: dict[str, Any]
    printed: dict[str, str]
    stored: dict[str, str]

    def agree(self, cell: str, rtol: float = 1e-3) -> None:
        """Hold what a cell printed to what is stored: the same words, and nearly the same numbers.

        Raises:
            ValueError: if they differ.
        """
        printed, stored = self.printed[cell], self.stored[cell]
        same_words = NUMBER.sub("#", printed).split() == NUMBER.sub("#", stored).split()
        pairs = zip(numbers(printed), numbers(stored), strict=False)
        if not same_words or not all(math.isclose(a, b, rel_tol=rtol) for a, b in pairs):
            raise ValueError(f"cell {cell} printed\n{printed}\nand the notebook has\n{stored}")


def numbers(text: str) -> list[float]:
    """The numbers in a text."""
    return [float(each.replace(",", "").replace("−", "-")) for each in NUMBER.findall(text)]


def run(chapter: str, until: str, skip: tuple[str, ...] = ()) -> Ran:
    """Run a chapter's cells up to and with the one named by its id.

    Args:
        chapter: the notebook's name, as ``02_attention``.
        until: the id of the last cell.
        skip: ids of cells that what is wanted does not depend on, and that take long.

    Raises:
        ValueError: if there is no such cell.
    """
    notebook = json.loads((NOTEBOOKS / f"{chapter}.ipynb").read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if until not in [cell["id"] for cell in cells]:
        raise ValueError(f"{chapter} has no code cell {until}")
    matplotlib.use("Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    printed, stored = {}, {}
    for cell in cells:
        tags = cell["metadata"].get("tags", [])
        if any(tag.startswith(LEFT_OUT) for tag in tags) or cell["id"] in skip:
            continue
        source, said = "".join(cell["source"]), io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(source, f"{chapter}:{cell['id']}", "exec"), names)
        matplotlib.pyplot.close("all")
        printed[cell["id"]] = said.getvalue()
        streams = [each for each in cell["outputs"] if each["output_type"] == "stream"]
        stored[cell["id"]] = "".join("".join(each["text"]) for each in streams)
        if cell["id"] == until:
            break
    return Ran(names, printed, stored)
