"""Writes the notebook as it was graded: the rebuilt cells, their outputs and the tests' messages.

It is a new notebook, in nbformat 4, made of the assignment's cells and the outputs that passed the
channel. Of the student's file, only the cells' sources are copied.
"""

import base64
import json
from pathlib import Path
from typing import Any

from softlookup_coursework.assignments.assignment import Given
from softlookup_coursework.common.atomic_files import BY_UMASK, write_atomically
from softlookup_coursework.grading.overwrite import Notebook

Outputs = list[tuple[str, bytes]]


def write(path: Path, notebook: Notebook, outputs: dict[int, Outputs]) -> None:
    """Write a graded notebook atomically.

    Args:
        path: the file.
        notebook: the rebuilt notebook.
        outputs: by the cell's number, from 1, the outputs of those that have any: kind (``stdout``,
            ``stderr``, ``text/plain``, ``image/png``) and content.
    """
    cells = []
    for number, cell in enumerate(notebook.cells, start=1):
        stored: dict[str, Any] = {
            "cell_type": cell.kind,
            "id": f"cell-{number}",
            "metadata": _metadata(cell.given) if cell.given else {},
            "source": cell.source,
        }
        if cell.kind == "code":
            shown = [_output(kind, content) for kind, content in outputs.get(number, [])]
            stored |= {"execution_count": None, "outputs": shown}
        cells.append(stored)
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": LANGUAGE, "cells": cells}
    write_atomically(path, json.dumps(whole, indent=1), mode=BY_UMASK)


LANGUAGE = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


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
    if kind in ("stdout", "stderr"):
        text = content.decode("utf-8", "replace")
        return {"output_type": "stream", "name": kind, "text": text}
    picture = kind == "image/png"
    data = base64.b64encode(content).decode() if picture else content.decode("utf-8", "replace")
    return {"output_type": "display_data", "metadata": {}, "data": {kind: data}}
