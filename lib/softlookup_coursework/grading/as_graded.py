"""Writes the notebook as it was graded: the rebuilt cells, their outputs and the tests' messages.

It is a new notebook, in nbformat 4, made of the assignment's cells and the outputs that passed the
channel. Of the student's file, only the cells' sources are copied. JupyterLab would render their
Markdown, and fetch what it names, so it is stored as text. No kernel is named: a notebook that is
opened to be read should not start one.
"""

import base64
import json
from pathlib import Path
from typing import Any

from softlookup_coursework.assignments.assignment import Given
from softlookup_coursework.common.atomic_files import BY_UMASK, write_atomically
from softlookup_coursework.common.display_text import readable
from softlookup_coursework.grading.overwrite import Notebook, Rebuilt

Outputs = list[tuple[str, bytes]]
# Of one output's characters, and of all outputs as they are stored, in bytes. The worker sends the
# notebook as a whole, and a larger one would lose the marks with it.
LONGEST_OUTPUT, STORED_BYTES = 1 << 20, 32 << 20
LEFT_OUT = "(what follows was left out: the notebook printed and drew too much to be kept)"


def write(path: Path, notebook: Notebook, outputs: dict[int, Outputs]) -> None:
    """Write a graded notebook atomically.

    Args:
        path: the file.
        notebook: the rebuilt notebook.
        outputs: by the cell's number, from 1, the outputs of those that have any: kind (``stdout``,
            ``stderr``, ``text/plain``, ``image/png``) and content.
    """
    cells, left = [], STORED_BYTES
    for number, cell in enumerate(notebook.cells, start=1):
        as_text = cell.kind == "markdown" and not _is_assignments(cell)
        stored: dict[str, Any] = {
            "cell_type": "raw" if as_text else cell.kind,
            "id": f"cell-{number}",
            "metadata": _metadata(cell.given) if cell.given else {},
            "source": cell.source,
        }
        if as_text:
            stored["metadata"] |= {"format": "text/plain", "softlookup": {"kind": "markdown"}}
        if cell.kind == "code":
            shown = []
            for kind, content in outputs.get(number, []):
                output = _output(kind, content)
                left -= len(_text(output).encode())
                shown.append(output if left >= 0 else _output("stderr", LEFT_OUT.encode()))
                if left < 0:
                    break
            stored |= {"execution_count": None, "outputs": shown}
        cells.append(stored)
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": LANGUAGE, "cells": cells}
    write_atomically(path, _text(whole), mode=BY_UMASK)


def _text(stored: object) -> str:
    """The JSON of a notebook or a part of one, in which a letter takes no more than it must."""
    return json.dumps(stored, indent=1, ensure_ascii=False)


LANGUAGE = {"language_info": {"name": "python"}}


def _is_assignments(cell: Rebuilt) -> bool:
    """Whether a cell's source is the assignment's own."""
    return cell.given is not None and cell.given.role in ("given", "tests")


def _metadata(given: Given) -> dict[str, Any]:
    """Nbgrader's metadata of a cell, from the assignment alone."""
    graded = given.role in ("tests", "by hand")
    known: dict[str, Any] = {
        "schema_version": 3,
        "grade_id": given.name,
        "cell_type": given.kind,
        "grade": graded,
        "locked": given.role in ("given", "tests"),
        "solution": given.role in ("answer", "by hand"),
        "task": False,
    }
    return {"nbgrader": known | ({"points": given.points} if graded else {})}


def _output(kind: str, content: bytes) -> dict[str, Any]:
    if kind == "image/png":
        data = base64.b64encode(content).decode()
        return {"output_type": "display_data", "metadata": {}, "data": {kind: data}}
    # A control character would take six bytes; escape codes are for terminals.
    text = readable(content.decode("utf-8", "replace"), LONGEST_OUTPUT)
    if kind in ("stdout", "stderr"):
        return {"output_type": "stream", "name": kind, "text": text}
    return {"output_type": "display_data", "metadata": {}, "data": {kind: text}}
