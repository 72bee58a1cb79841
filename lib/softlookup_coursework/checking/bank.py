"""A bank of answers to an assignment, right and wrong, one file each, with the marks they must get.

A file lies in ``right``, ``wrong`` or ``own`` (the library's own functions, handed in as they are).
It opens with what the answers must get::

    # earns: 7
    # fails: pattern_is_right | transposed

``earns`` is a number, or ``all``; there is one ``fails`` for each test that fails, with the test's
name and words that its message contains. Then come the cells: ``# %% pattern`` answers the cell of
that name, ``# %% essay markdown`` a written one, ``# %% +`` is a further cell of the student's at
that place (``# %% + markdown`` if it is a text). What is not named is answered as the assignment's
own solution does; ``# %% pattern differs`` answers as it does, too, but that what follows a ``-``
is exchanged for what follows a ``+``. The files are templates, like the assignment, for the values
of the term.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from softlookup_coursework.assignments import source

KINDS = ("right", "wrong", "own")
MARK = re.compile(r"^# %%[ ]*(\S+)(?:[ ]+(markdown|differs))?[ ]*$", re.M)
EMPTY: dict[str, Any] = {"outputs": [], "execution_count": None}
# Name (``+`` for a further cell), kind and source.
Cells = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Answers:
    """A submission of a bank, and the marks that it must get.

    Attributes:
        earns: the points from tests; ``None`` for all of them.
        fails: the words that each failing test says, by the test's name without its file's.
        cells: those that differ from the assignment's solution.
    """

    earns: float | None
    fails: dict[str, str]
    cells: Cells


def files(folder: Path) -> list[Path]:
    """The files of a bank, sorted."""
    return sorted(path for kind in KINDS for path in folder.glob(f"{kind}/*.py"))


def read(path: Path, parameters: dict[str, Any]) -> Answers:
    """Read a file of a bank, with the term's values filled in.

    Raises:
        ValueError: if it is malformed, saying how.
    """
    text = source.fill(path.read_text(encoding="utf-8"), parameters, str(path))
    head, *parts = MARK.split(text)
    earns = re.findall(r"^# earns: (\S+)$", head, re.M)
    fails = dict(re.findall(r"^# fails: (\w+) \| (.+)$", head, re.M))
    if len(earns) != 1 or len(fails) != head.count("# fails:"):
        raise ValueError(
            f"{path}: expected one line `# earns: 3` or `# earns: all`, and for each test that "
            "fails a line `# fails: test | words of its message`"
        )
    cells = tuple(
        (name, kind or "code", body.strip("\n"))
        for name, kind, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )
    return Answers(None if earns[0] == "all" else float(earns[0]), fails, cells)


def notebook(assignment: Path) -> dict[str, Any]:
    """The notebook of a rendered assignment."""
    stored: dict[str, Any] = json.loads(next(assignment.glob("*.ipynb")).read_text("utf-8"))
    return stored


def grade_id(cell: dict[str, Any]) -> str:
    """The name of a cell; empty for one of the student's own."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def exchanged(solution: str, differences: str) -> str:
    """A solution with each text after ``-`` exchanged for the one after the ``+`` that follows.

    Several lines of a sign are one text of several lines; an empty line ends a difference.

    Raises:
        ValueError: if a text does not occur exactly once in the solution.
    """
    for difference in re.split(r"\n(?:[ ]*\n)+", differences.strip()):
        old, new = (
            "\n".join(line[1:] for line in difference.splitlines() if line.startswith(sign))
            for sign in "-+"
        )
        if solution.count(old) != 1:
            raise ValueError(f"{old!r} occurs {solution.count(old)} times in it; expected once")
        solution = solution.replace(old, new)
    return solution


def hand_in(stored: dict[str, Any], cells: Iterable[tuple[str, str, str]], folder: Path) -> Path:
    """Write a submission as intake leaves it: a notebook with these cells in the place of its own.

    Args:
        stored: the notebook, such as that of a rendered assignment, with its solutions.
        cells: as in ``Answers``.
        folder: where the submission goes.

    Returns:
        The folder.

    Raises:
        ValueError: if a cell is unknown, occurs twice, or is of another kind.
    """
    listed, cells = list(stored["cells"]), list(cells)
    names = [name for name, _, _ in cells if name != "+"]
    unknown = set(names) - {grade_id(cell) for cell in listed}
    if unknown or len(names) != len(set(names)):
        raise ValueError(f"expected cells of the assignment, each once; got {names}")
    at = next(n for n, cell in enumerate(listed) if not names or grade_id(cell) == names[0])
    for name, kind, text in cells:
        if name == "+":
            own = {"cell_type": kind, "metadata": {}, "source": text}
            listed.insert(at, own if kind == "markdown" else {**own, **EMPTY})
            at += 1
            continue
        place = next(n for n, cell in enumerate(listed) if grade_id(cell) == name)
        if kind == "differs":
            kind, text = "code", exchanged("".join(listed[place]["source"]), text)
        if listed[place]["cell_type"] != kind:
            raise ValueError(f"{name} is a {listed[place]['cell_type']} cell, and no {kind} cell")
        listed[place] = {**listed[place], "source": text}
        at = place + 1
    folder.mkdir(parents=True)
    handed_in = json.dumps({**stored, "cells": listed})
    (folder / "notebook.ipynb").write_text(handed_in, encoding="utf-8")
    return folder
