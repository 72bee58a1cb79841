"""What a chapter defines, taken from its notebook, so that no script writes it twice."""

import ast
import contextlib
import io
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
LEFT_OUT = ("exercise:", "solution:")


def defined_in(
    notebook: str, whole: Collection[str], only: Collection[str] | None = None
) -> dict[str, Any]:
    """The functions and classes of a chapter, by name.

    Args:
        notebook: the file's name.
        whole: the ids of the cells that run as they stand, such as that of the imports; of all
            others the functions and classes are taken.
        only: the ids of the others that are taken; those of all but the exercises, if None.
    """
    names: dict[str, Any] = {}
    for cell in json.loads((NOTEBOOKS / notebook).read_text(encoding="utf-8"))["cells"]:
        tags = cell["metadata"].get("tags", [])
        if cell["cell_type"] != "code" or any(tag.startswith(LEFT_OUT) for tag in tags):
            continue
        if only is not None and cell["id"] not in {*whole, *only}:
            continue
        tree = ast.parse("".join(cell["source"]))
        if cell["id"] not in whole:
            tree.body = [x for x in tree.body if isinstance(x, ast.FunctionDef | ast.ClassDef)]
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(tree, cell["id"], "exec"), names)
    return names
