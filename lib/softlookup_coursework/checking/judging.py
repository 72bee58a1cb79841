"""Grades answers to an assignment as students' are graded, and says what is not as it should be."""

import tempfile
from pathlib import Path
from typing import Any

from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.checking import bank
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading.forked_grader import fork_grader

# Generous, since a loaded machine takes longer.
LIMITS = RunLimits(wall_seconds=900, cell_seconds=300, call_seconds=120)


def points_of_tests(assignment: Assignment) -> float:
    """The points that tests give; those that a person gives are not among them."""
    return sum(cell.points for cell in assignment.cells if cell.role == "tests")


def grade(assignment: Path, stored: dict[str, Any], cells: bank.Cells = ()) -> Result:
    """Grade a notebook completely: rebuilt, run in the sandbox, tested over the channel.

    Args:
        assignment: the folder of the rendered assignment.
        stored: the notebook.
        cells: those that take the place of its own, as in ``bank.Answers``.

    Raises:
        NoSandbox: if this machine cannot run the sandbox.
    """
    with tempfile.TemporaryDirectory() as folder:
        submission = bank.hand_in(stored, cells, Path(folder, "submission"))
        return fork_grader(assignment, submission, Path(folder, "result"), LIMITS, marks_alone=True)


def failed(result: Result) -> dict[str, str]:
    """The messages of the tests that failed, by the test's name without its file's."""
    tests = [test for cell in result.cells for test in cell.tests]
    return {t.name.partition(".")[2]: t.message for t in tests if t.earned < t.points}


def wrongly_judged(assignment: Path, path: Path, parameters: dict[str, Any]) -> str:
    """What is wrong with the marks of a file of the bank; empty if they are as it says.

    Args:
        assignment: the folder of the rendered assignment.
        path: the file.
        parameters: what the term drew.
    """
    answers = bank.read(path, parameters)
    known = {
        test.name.partition(".")[2]
        for cell in Assignment.load(assignment).cells
        for test in cell.tests
    }
    if unknown := sorted(answers.fails.keys() - known):
        return f"{unknown[0]}: there is no test of that name"
    result = grade(assignment, bank.notebook(assignment), answers.cells)
    messages = failed(result)
    whole = points_of_tests(Assignment.load(assignment))
    deserved = whole if answers.earns is None else answers.earns
    kind = path.parent.name
    most = {"right": whole, "wrong": whole - 0.01, "own": whole / 2}[kind]
    if result.verdict != Verdict.GRADED:
        return f"the verdict is {result.verdict}: {result.why}"
    for test in sorted(messages.keys() | answers.fails.keys()):
        said, expected = messages.get(test), answers.fails.get(test)
        if said is None:
            return f"{test} passes, and should say {expected!r}"
        if expected is None or expected not in said:
            return f"{test} says {said!r}" + (f", and not {expected!r}" if expected else "")
    if result.earned != deserved:
        return f"it earns {result.earned:g} points, and deserves {deserved:g}"
    if deserved > most or (kind == "right" and deserved < whole):
        return f"it lies in {kind}, and deserves {deserved:g} of {whole:g} points"
    return ""


def solutions(rendered: Path) -> bank.Cells:
    """The answers of an assignment's own solution."""
    return tuple(
        (cell.name, cell.kind, cell.source)
        for cell in Assignment.load(rendered).cells
        if cell.role in ("answer", "by hand")
    )
