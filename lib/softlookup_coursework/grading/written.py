"""What of a notebook the student wrote, and what the assignment did.

A student's own cell may define a name anew that the assignment gives and a test takes, such as the
model that an answer trains. So what is given is defined again before it is tested.
"""

import ast
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from softlookup.course.student_code.cell_sources import parsed

from softlookup_coursework.assignments.assignment import Given
from softlookup_coursework.grading.overwrite import Rebuilt
from softlookup_coursework.grading.reading import ReadCode, Reader
from softlookup_coursework.intake.code_files import code_beside
from softlookup_coursework.sandbox.channel import CellRun


def student_code(
    reader: Reader, cells: Sequence[Rebuilt], files: Path, with_solution: bool = False
) -> ReadCode:
    """The code that a student wrote, in the first cells of a notebook and the files beside it.

    Args:
        reader: who reads all code of the submission.
        cells: of the notebook, in order.
        files: the folder that was handed in with it.
        with_solution: whether the solution's answers may stand beside theirs, and bind names.
    """
    theirs = [
        (number, cell.source) for number, cell in enumerate(cells, start=1) if cell.students_code
    ]
    given = [
        cell.given.source if cell.given.role == "answer" else cell.source
        for cell in cells
        if cell.kind == "code"
        and cell.given
        and (cell.given.role == "given" or (with_solution and cell.given.role == "answer"))
    ]
    return reader.code(theirs, code_beside(files), given)


def given_definitions(cells: Sequence[Rebuilt]) -> dict[str, str]:
    """What the assignment's own cells define and a test takes, by name, as source."""
    tests = [test for cell in cells if cell.given for test in cell.given.tests]
    taken = {name for test in tests for name in test.takes}
    # To read a cell as Python takes longer than some answers; most define nothing of it.
    begins = re.compile(rf"^(?:def|class)\s+(?:{'|'.join(taken)})\b", re.MULTILINE)
    return {
        tree.name: ast.unparse(tree)
        for cell in cells
        if cell.kind == "code" and cell.given and cell.given.role == "given"
        if taken and begins.search(cell.source)
        for tree in parsed(cell.source)
        if isinstance(tree, ast.FunctionDef | ast.ClassDef) and tree.name in taken
    }


def define_again(given: Given, definitions: dict[str, str], run: Callable[[str], CellRun]) -> None:
    """Run the definitions of what a cell's tests take of the assignment."""
    for name in sorted({name for test in given.tests for name in test.takes} & {*definitions}):
        run(definitions[name])
