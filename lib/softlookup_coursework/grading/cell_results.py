"""The results of cells that could not be graded, and a test's line in the graded notebook."""

from collections.abc import Iterable
from dataclasses import replace

from softlookup.course.student_code.source_checks import Objection

from softlookup_coursework.assignments.assignment import Assignment, Given, Test
from softlookup_coursework.common.verdicts import CellResult, TestResult

UNDECIDED = "the test passes, and a person decides whether it counts: "


def zero_for_all(assignment: Assignment, why: str) -> tuple[CellResult, ...]:
    """The results of all cells with points, if none of them could be graded."""
    return tuple(zero(given, why) for given in assignment.cells if given.points)


def zero(given: Given, why: str) -> CellResult:
    """The result of a cell that could not be graded: zero points, or none yet from a person."""
    if given.role == "by hand":
        return CellResult(given.name, given.points, None)
    tests = tuple(TestResult(test.name, test.points, 0.0, why) for test in given.tests)
    return CellResult(given.name, given.points, 0.0, tests)


def undecided(test: Test, objection: Objection) -> TestResult:
    """The result of a test that passes where a person decides whether it counts."""
    why = objection.why
    return TestResult(test.name, test.points, 0.0, UNDECIDED + why, why)


def asking(cells: Iterable[CellResult], why: str) -> tuple[CellResult, ...]:
    """The results of a submission that a person has to look at: what is lost is in doubt."""
    return tuple(
        replace(cell, tests=tuple(_asking(test, why) for test in cell.tests)) for cell in cells
    )


def _asking(test: TestResult, why: str) -> TestResult:
    lost = test.earned < test.points
    return replace(test, doubt=test.doubt or why) if lost else test


def line_of(test: TestResult) -> str:
    """A test's line in the graded notebook."""
    points = f"{test.points:g} point{'' if test.points == 1 else 's'}"
    said = " ".join(test.message.split())
    passed = test.earned >= test.points
    outcome = f"{said or 'passed'} ({points})" if passed else f"not yet: {said}"
    return f"{test.name.rpartition('.')[2]}: {outcome}\n"
