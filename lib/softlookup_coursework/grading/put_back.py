"""What a teacher should know of given cells that a student changed, and that were put back.

What a student added to such a cell is not there when answers are tested, and nothing in their own
notebook tells them. Where several cells read as the assignment's do but for some words, as those of
a term do that drew other values, the notebook is another term's.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable
from functools import partial

from softlookup.course.student_code.cell_sources import parsed

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.display_text import one_line
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.grading.overwrite import PUT_BACK
from softlookup_coursework.grading.reading import Reader
from softlookup_coursework.grading.untouched import named_cells

CHANGED = re.compile(rf"the cell (.+) {re.escape(PUT_BACK)}")
WORD = re.compile(r"\w+")
# One cell whose words were exchanged may be a student's trial, and so may several of code.
CELLS_OF_A_TERM = 2
# Of the cells and of the names that a sentence lists.
MOST = 5
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
INNER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def put_back(course: Course, name: str, student: str, notes: Iterable[str], lost: bool) -> str:
    """What should be known of the given cells that a student changed; otherwise nothing.

    Args:
        course: the course.
        name: the assignment.
        student: whose notebook it is.
        notes: of the run, which name the cells that were put back.
        lost: whether points are lost.
    """
    cells = [found[1] for note in notes if (found := CHANGED.fullmatch(note))]
    if not cells:
        return ""
    try:
        given = named_cells(course.assignment(name) / f"{name}.ipynb")
        theirs = named_cells(course.folder / "collected" / name / student / "notebook.ipynb")
    except (OSError, Refused):
        return ""
    pairs = {
        cell: (given[cell].source, theirs[cell].source)
        for cell in cells
        if cell in given and cell in theirs
    }
    exchanged = [cell for cell, texts in pairs.items() if _words_exchanged(*texts)]
    asked = any(given[cell].kind == "markdown" for cell in exchanged)
    if asked and len(exchanged) >= CELLS_OF_A_TERM:
        return (
            "its questions are another term's, or an older release's: other words stand in "
            f"{_listed(exchanged)}"
        )
    if not lost:
        return ""
    reader, nothing = Reader(), frozenset[str]()
    bound = {
        name
        for ours, own in pairs.values()
        for name in reader.read(partial(_bound, own), nothing) - _bound(ours)
    }
    told = f"; what the student wrote there bound {_listed(sorted(bound))}" if bound else ""
    many = "cell {} was" if len(cells) == 1 else "cells {} were"
    return f"points are lost, and the {many.format(_listed(cells))} changed and put back{told}"


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
    return ", ".join([*(one_line(name, 60) for name in names[:MOST]), *more])


def _words_exchanged(given: str, theirs: str) -> bool:
    """Whether some of a text's words were exchanged, and most of them kept.

    Who only adds something keeps all words, and who writes something else keeps few.
    """
    ours, own = Counter(WORD.findall(given)), Counter(WORD.findall(theirs))
    kept = (ours & own).total()
    return kept < ours.total() <= 2 * kept and kept < own.total() <= 2 * kept


def _bound(source: str) -> frozenset[str]:
    """The names that a cell binds where other cells see them."""
    found = set[str]()
    left: list[ast.AST] = [*parsed(source)]
    while left:
        node = left.pop()
        if isinstance(node, SCOPES):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, SCOPES + INNER):
            left += ast.iter_child_nodes(node)
    return frozenset(found)
