"""The part of a notebook that answers need: a program slice (Weiser 1981).

Statements are written down again from their trees, so that what runs is what was read.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from softlookup.course.exercises.cell_sources import PARSE_ERRORS, rewritten
from softlookup.course.exercises.student_statements import Step


@dataclass(frozen=True)
class Slice:
    """What has to run of a student's code so that answers can be asked.

    Attributes:
        cells: the sources of cells, by where they stand, as in ``Step``.
        files: the sources of the files of code beside the notebook, by their paths.
    """

    cells: Mapping[str, str]
    files: Mapping[str, str]


def slice_of(steps: Iterable[Step], beside: Iterable[str]) -> Slice:
    """Statements as sources again.

    Args:
        steps: the statements, in their order.
        beside: the paths of the files of code beside the notebook; each can be imported, though
            nothing of it may be needed.
    """
    cells = defaultdict[str, list[str]](list)
    files = {path: dict[tuple[int, str], None]() for path in beside if path.endswith(".py")}
    for step in steps:
        text = _written_again(step.tree)
        if text is None:
            continue
        if not step.module:
            cells[step.place].append(text)
            continue
        # A file in a folder is read under several names, and stands there once. What a cell writes
        # into a file stands under the cell's name.
        path = step.place if step.place in files else f"{step.module}.py"
        if path in files or step.module.isidentifier():
            files.setdefault(path, {})[getattr(step.tree, "lineno", 0), text] = None
    return Slice(
        {place: "\n".join(texts) for place, texts in cells.items()},
        {path: "\n".join(text for _, text in lines) for path, lines in files.items()},
    )


def _written_again(tree: ast.stmt) -> str | None:
    """A statement as source; None, if that cannot be had, or would mean something to IPython."""
    try:
        text = ast.unparse(tree)
        read = ast.dump(ast.Module([tree], []))
        same = all(ast.dump(ast.parse(each)) == read for each in (text, rewritten(text)))
        return text if same and text.encode() else None
    except (*PARSE_ERRORS, UnicodeEncodeError):
        return None
