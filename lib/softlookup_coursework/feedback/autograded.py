"""Writes what nbgrader's formgrader shows a teacher: ``autograded/<student>/<name>/<name>.ipynb``.

Formgrader renders a notebook in the teacher's browser, with the teacher's permissions, including
the HTML in its Markdown. So a student's Markdown is sanitized; of outputs only text and pictures
are kept; raw cells become text; metadata is only nbgrader's, taken from the assignment. The
assignment's own cells are not changed. The rubric is inserted, locked, before the answer that it
judges.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from softlookup_coursework.assignments.assignment import Assignment, Given
from softlookup_coursework.common import result_files
from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.display_text import readable
from softlookup_coursework.common.explanations import summary
from softlookup_coursework.common.verdicts import Result
from softlookup_coursework.feedback import shown_notebook
from softlookup_coursework.feedback.rendering import Renderer
from softlookup_coursework.feedback.shown_notebook import Output, Shown

LANGUAGE = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}
LOCKED = {"editable": False, "deletable": False}
Cell = dict[str, Any]


def publish(course: Path, assignment: Assignment) -> list[Path]:
    """Write the notebook of each submission of an assignment that has a result.

    Args:
        course: the course folder.
        assignment: the assignment.

    Returns:
        The notebooks, sorted by student. A submission that could not be read has one too, with
        empty answers, so that the teacher sees its verdict in the formgrader.
    """
    name = assignment.name
    written = []
    with Renderer() as render:
        for path in sorted((course / "results" / name).glob(f"*/{result_files.RESULT}")):
            shown = shown_notebook.read(path.with_name(result_files.NOTEBOOK))
            notebook = make(assignment, Result.read(path), shown, render)
            target = course / "autograded" / path.parent.name / name / f"{name}.ipynb"
            text = json.dumps(notebook, indent=1, ensure_ascii=False)
            written.append(write_atomically(target, text))
    return written


def make(
    assignment: Assignment, result: Result, shown: tuple[Shown, ...], render: Renderer
) -> dict[str, Any]:
    """One submission's notebook.

    Args:
        assignment: the assignment.
        result: of the submission.
        shown: its cells as they were graded; if there are none, the assignment's are used, with
            empty answers.
        render: renders what the student wrote.

    Returns:
        The notebook, in nbformat 4.5.
    """
    render.begin()
    if not shown:
        shown = tuple(
            Shown(given.kind, given.source if given.role == "given" else "", given.name)
            for given in assignment.cells
        )
    graded = render("markdown", f"**How it was graded:** {summary(result)}")
    cells = [_markdown(graded, LOCKED)]
    known = {given.name: given for given in assignment.cells}
    for cell in shown:
        # Only the first cell of a name gets it: formgrader identifies its input fields by the name.
        given = known.pop(cell.name, None)
        if given and given.role == "by hand" and assignment.rubric:
            cells.append(_markdown(assignment.rubric, LOCKED))
        cells.append(_cell(cell, given, render))
    for number, made in enumerate(cells, start=1):
        made["id"] = f"cell-{number}"
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": LANGUAGE, "cells": cells}


def _cell(cell: Shown, given: Given | None, render: Renderer) -> Cell:
    metadata = _metadata(given) if given else {}
    own = given is None or given.role in ("answer", "by hand")
    if given and not own and given.kind == "markdown":
        return _markdown(given.source, metadata)
    if cell.kind != "code":
        # Formgrader would insert a raw cell's HTML into the page: make it a Markdown code block.
        text = cell.source if cell.kind == "markdown" else _code_block(cell.source)
        return _markdown(render("markdown", text), metadata)
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "source": readable(cell.source, 200_000),
        "outputs": list(_outputs(cell.outputs)),
    }


def _code_block(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _markdown(source: str, metadata: Cell) -> Cell:
    return {"cell_type": "markdown", "metadata": {**metadata}, "source": str(source)}


def _metadata(given: Given) -> Cell:
    """Nbgrader's metadata of a cell; its ``grade_id`` is its name in the gradebook."""
    locked = given.role in ("given", "tests")
    graded = given.role in ("tests", "by hand")
    known: Cell = {
        "schema_version": 3,
        "grade_id": given.name,
        "cell_type": given.kind,
        "grade": graded,
        "locked": locked,
        "solution": not locked,
        "task": False,
    }
    points = {"points": given.points} if graded else {}
    return {**(LOCKED if locked else {}), "nbgrader": known | points}


def _outputs(outputs: tuple[Output, ...]) -> Iterator[Cell]:
    for output in outputs:
        if output.kind == "picture":
            data = {"image/png": output.content, "text/plain": "a picture"}
            yield {"output_type": "display_data", "metadata": {}, "data": data}
        else:
            text = readable(output.content)
            yield {"output_type": "stream", "name": "stdout", "text": text}
