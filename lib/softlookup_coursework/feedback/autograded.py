"""Writes what nbgrader's formgrader shows a teacher: ``autograded/<student>/<name>/<name>.ipynb``.

Formgrader renders a notebook in the teacher's own browser, with the teacher's rights, and renders
Markdown with the HTML that stands in it. So a student's Markdown is written anew as words that
do nothing; what is left of outputs is text and pictures; raw cells become text; of metadata only
nbgrader's own names remain, taken from the assignment. The assignment's own cells stay as they
are. The rubric stands locked before the answer that it judges.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from softlookup_coursework.assignments.assignment import Assignment, Given
from softlookup_coursework.common.readable import readable
from softlookup_coursework.common.verdicts import Result
from softlookup_coursework.common.words import in_short
from softlookup_coursework.common.written import write
from softlookup_coursework.feedback import shown_notebook
from softlookup_coursework.feedback.markup import to_markdown
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
        course: the course's folder.
        assignment: the assignment.

    Returns:
        The notebooks, by student. A submission that could not be read has one too, with empty
        answers, so that its verdict is seen where marks are given.
    """
    name = assignment.name
    written = []
    for path in sorted((course / "results" / name).glob("*/result.json")):
        shown = shown_notebook.read(path.with_name("graded.ipynb"))
        notebook = make(assignment, Result.read(path), shown)
        target = course / "autograded" / path.parent.name / name / f"{name}.ipynb"
        written.append(write(target, json.dumps(notebook, indent=1, ensure_ascii=False)))
    return written


def make(assignment: Assignment, result: Result, shown: tuple[Shown, ...]) -> dict[str, Any]:
    """One submission's notebook.

    Args:
        assignment: the assignment.
        result: what came of the submission.
        shown: its cells as they were graded; if there are none, the assignment's stand there,
            unanswered.

    Returns:
        The notebook, in nbformat 4.5.
    """
    if not shown:
        shown = tuple(
            Shown(given.kind, given.source if given.role == "given" else "", given.name)
            for given in assignment.cells
        )
    cells = [_markdown(to_markdown(f"**How it was graded:** {in_short(result)}"), LOCKED)]
    known = {given.name: given for given in assignment.cells}
    for cell in shown:
        # A name is taken once; formgrader finds its fields by it.
        given = known.pop(cell.name, None)
        if given and given.role == "by hand" and assignment.rubric:
            cells.append(_markdown(assignment.rubric, LOCKED))
        cells.append(_cell(cell, given))
    for number, made in enumerate(cells, start=1):
        made["id"] = f"cell-{number}"
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": LANGUAGE, "cells": cells}


def _cell(cell: Shown, given: Given | None) -> Cell:
    metadata = _metadata(given) if given else {}
    own = given is None or given.role in ("answer", "by hand")
    if given and not own and given.kind == "markdown":
        return _markdown(given.source, metadata)
    if cell.kind != "code":
        # A raw cell is put into the page as it is: its text goes into a fence instead.
        text = cell.source if cell.kind == "markdown" else _fenced(cell.source)
        return _markdown(to_markdown(text), metadata)
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "source": readable(cell.source, 200_000),
        "outputs": list(_outputs(cell.outputs)),
    }


def _fenced(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _markdown(source: str, metadata: Cell) -> Cell:
    return {"cell_type": "markdown", "metadata": {**metadata}, "source": source}


def _metadata(given: Given) -> Cell:
    """What nbgrader knows of a cell; its name is the gradebook's."""
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
