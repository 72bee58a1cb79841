"""A check that refuses what grading will refuse: an answer that leads to a forbidden name.

It remembers the cells that ran, each as it ran last, and judges them by the rule and in the words
of grading. Cells that came with the assignment are not judged.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from softlookup.course.exercises.coursework import check
from softlookup.course.student_code.source_checks import StudentCode, parsed


class Checks:
    """An assignment's ``check``, with the names that it forbids.

    Args:
        forbids: the names that an answer must not lead to.
        given: the names that the assignment's own cells define.
    """

    def __init__(self, forbids: Sequence[str], given: Sequence[str] = ()) -> None:
        # The cell that makes this check holds the visible tests, and is the assignment's as well.
        self.forbids, self.given = tuple(forbids), frozenset({*given, "check"})
        self.cells: list[tuple[str | None, int, str]] = []
        ipython = sys.modules.get("IPython")
        if shell := ipython and ipython.get_ipython():
            for number, source in enumerate(shell.user_ns.get("In", [])):
                self._keep(None, number, source)
            shell.events.register("post_run_cell", self.remember)

    def remember(self, ran: Any) -> None:  # noqa: ANN401
        """Remember a cell that ran, in place of what it was when it ran before.

        Args:
            ran: IPython's result, with the number that stands beside the cell, its source and,
                where the front end names cells, its name.
        """
        named, source = getattr(ran.info, "cell_id", None), ran.info.raw_cell or ""
        self._keep(named, ran.execution_count or 0, source)

    def _keep(self, named: str | None, number: int, source: str) -> None:
        """Keep a cell in place of what it was before, or of what defined the same names."""
        defined = _defined(source)
        self.cells = [
            (name, n, text)
            for name, n, text in self.cells
            if not (name == named if name and named else defined & _defined(text))
        ]
        self.cells.append((named, number, source))

    def __call__(
        self,
        test: Callable[..., None],
        /,
        *answers: object,
        points: float,
        **term: Any,
    ) -> None:
        """Run a test on what a student wrote, unless that leads to a forbidden name.

        Args:
            test: the test; its positional parameters have the names of the answers.
            answers: the student's functions and classes, in the test's order.
            points: what the test is worth.
            term: the term's values that the test takes.
        """
        takes = [*inspect.signature(test).parameters][: len(answers)]
        own = [(n, text) for _, n, text in self.cells if not _defined(text) & self.given]
        given = [text for _, _, text in self.cells if _defined(text) & self.given]
        beside = {path.name: path.read_text("utf-8", "replace") for path in Path().glob("*.py")}
        objection = StudentCode(own, beside, given=given).against(takes, self.forbids)
        if objection and objection.sure:
            print(f"{test.__name__}: not yet: {objection.why}")
            return
        check(test, *answers, points=points, **term)
        if objection:
            print(f"{test.__name__}: when this is graded, a person will look: {objection.why}")


def _defined(source: str) -> frozenset[str]:
    """The functions, classes and variables that a cell defines at its top level."""
    found = set()
    for tree in parsed(source):
        if isinstance(tree, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(tree.name)
        for target in getattr(tree, "targets", []):
            found |= {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    return frozenset(found)
