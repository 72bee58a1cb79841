"""Runs a teacher's own notebook in this process, where many terms can be tried in a short time.

Nothing that a student wrote comes here: it would do to the teacher's files what it likes.
"""

import contextlib
import io
from functools import cache
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from softlookup_coursework.assignments.assignment import Assignment, Test
from softlookup_coursework.checking.bank import grade_id

Names = dict[str, Any]


class Shell:
    """A stand-in for the notebook's shell, whose magics do nothing here."""

    def run_line_magic(self, *_: object) -> None:
        """Do nothing."""


def failed_tests(assignment: Assignment, cells: list[dict[str, Any]]) -> dict[str, str]:
    """Run a notebook's cells, and its tests at their places.

    Args:
        assignment: whose tests are run.
        cells: the notebook's. Those that the assignment marks as ``shown`` are left out: no test
            takes anything of them.

    Returns:
        What each test that fails says, by its name; and what each cell that fails raises.
    """
    given = {cell.name: cell for cell in assignment.cells}
    names, failed = _beginning(), {}
    for cell in cells:
        own = given.get(grade_id(cell))
        if own and own.tests:
            for test in own.tests:
                if why := failure(test, [names.get(name) for name in test.takes]):
                    failed[test.name] = why
        elif cell["cell_type"] == "code" and not (own and own.shown):
            name = grade_id(cell) or "a cell"
            try:
                _run("".join(cell["source"]), name, names)
            except Exception as error:
                failed[name] = repr(error)
    return failed


def failure(test: Test, answers: list[Any]) -> str:
    """What a test says against answers; empty if nothing."""
    try:
        test.run(*answers)
    except Exception as error:
        return repr(error)
    return ""


def defined(assignment: Assignment) -> Names:
    """What the solution's cells of an assignment define, by name.

    What trains is asked the same by every test that is repeated, so it trains once.
    """
    names = _beginning()
    for cell in assignment.cells:
        if cell.kind == "code" and cell.role in ("given", "answer") and not cell.shown:
            _run(cell.source, cell.name, names)
    return names | {name: cache(names[name]) for name in assignment.trains}


def _beginning() -> Names:
    return {"get_ipython": Shell, "__name__": "__main__"}


def _run(source: str, name: str, names: Names) -> None:
    code = TransformerManager().transform_cell(source)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, name, "exec"), names)
