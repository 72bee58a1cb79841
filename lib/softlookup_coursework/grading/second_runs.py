"""Runs a notebook once more in a sandbox of its own, for what the first run cannot tell.

*Without tests.* A function could remember what a hidden test asked it, and a later cell print it.
So what a cell behind a hidden test shows is taken from a run in which nothing is tested.

*With the solution's parts.* An answer that is wrong costs its own points, and not those of the
answers that build on it. When the tests of such an answer are over, the solution's answer runs
behind the student's and takes its names; then the later tests that had failed are tried again. The
kernel now holds the solution's code, which a submission might hand on; so of this run nobody is
shown anything but whether a test passes.
"""

import ast
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from softlookup.course.student_code.cell_sources import parsed
from softlookup.course.student_code.source_checks import Objection

from softlookup_coursework.assignments.assignment import Given, Test
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.verdicts import CellResult
from softlookup_coursework.grading.alone import begin
from softlookup_coursework.grading.cell_results import undecided
from softlookup_coursework.grading.failing import failure_of
from softlookup_coursework.grading.overwrite import Rebuilt
from softlookup_coursework.grading.written import define_again, given_definitions
from softlookup_coursework.sandbox.channel import CellRun, Channel, Ended
from softlookup_coursework.sandbox.sandbox import Lost, Sandbox


def without_tests(
    cells: Iterable[Rebuilt], limits: RunLimits, files: Path, show: Callable[[int, CellRun], None]
) -> None:
    """Run cells in order, and show each run, by the cell's number, as long as the kernel lives."""
    with suppress(Ended, Lost), Sandbox(limits, files if files.is_dir() else None) as sandbox:
        channel = Channel(sandbox)
        for number, cell in enumerate(cells, start=1):
            if _runs(cell):
                show(number, channel.run(cell.source))


def with_solution(
    cells: Sequence[Rebuilt],
    limits: RunLimits,
    files: Path,
    results: Iterable[CellResult],
    against: Callable[[Test], Objection],
    forbids: Iterable[str],
    alone: bool = False,
) -> dict[str, CellResult]:
    """Try again what failed behind a wrong answer, with the solution's answer in its place.

    A test judges the last of the answers that it takes. It is tried only while that one is the
    student's; of the others it may be the solution's. Where a cell of tests still loses points, the
    answers between the tests before it and itself are replaced.

    Args:
        cells: of the notebook, in order.
        limits: what the run may use.
        files: the folder that was handed in with it.
        results: of the run before.
        against: what speaks against the answers that a test takes. Where that is sure, the test is
            not tried; where it is not, a person decides on its points.
        forbids: as in ``Channel``.
        alone: whether of the student's nothing stands there but what answers need.

    Returns:
        The results of what was tried, by their cells' names.
    """
    found = {result.cell: result for result in results}
    definitions = given_definitions(cells)
    answers: dict[str, str] = {}
    waiting: list[Given] = []
    replaced: list[str] = []
    tried: dict[str, CellResult] = {}

    def concerns_the_student(test: Test) -> bool:
        """Whether what a test judges, the last of the answers that it takes, is the student's."""
        judged = [answer for name, answer in answers.items() if name in test.takes]
        return judged[-1] not in replaced if judged else bool(waiting)

    last = _last_to_try(cells, found)
    with suppress(Ended, Lost), Sandbox(limits, files if files.is_dir() else None) as sandbox:
        channel = Channel(sandbox, forbids=forbids)
        run = channel.run_statements if alone else channel.run
        for cell in begin(cells[:last], channel) if alone else cells[:last]:
            given = cell.given
            if _runs(cell) and not (given and given.shown):
                run(cell.source)
            if given and given.role == "answer" and given.kind == "code":
                waiting.append(given)
                answers |= dict.fromkeys(_defined(given.source), given.name)
            if not (given and given.tests):
                continue
            result = found[given.name]
            if replaced and lost(result):
                define_again(given, definitions, run)
                tests = [test for test in given.tests if concerns_the_student(test)]
                result = _tried_again(tests, result, replaced, channel, against)
                tried[given.name] = result
            if lost(result):
                for answer in waiting:
                    run(answer.source)
                    replaced.append(answer.name)
            waiting = []
    return tried


def _defined(source: str) -> list[str]:
    """The functions and classes that an answer of the solution defines."""
    kinds = ast.FunctionDef | ast.ClassDef
    return [tree.name for tree in parsed(source) if isinstance(tree, kinds)]


def _runs(cell: Rebuilt) -> bool:
    return cell.kind == "code" and not (cell.given and cell.given.tests)


def lost(result: CellResult) -> bool:
    """Whether a test of a cell failed; one that passes and is in doubt did not."""
    return any(test.earned < test.points and not test.doubt for test in result.tests)


def _last_to_try(cells: Iterable[Rebuilt], found: dict[str, CellResult]) -> int:
    """The number of the last cell whose tests lost points behind others that did; 0 if none is."""
    failing = [
        number
        for number, cell in enumerate(cells, start=1)
        if cell.given and cell.given.tests and lost(found[cell.given.name])
    ]
    return failing[-1] if len(failing) > 1 else 0


def _tried_again(
    concerned: Iterable[Test],
    result: CellResult,
    replaced: list[str],
    channel: Channel,
    against: Callable[[Test], Objection],
) -> CellResult:
    """A cell's result, in which what passes with the solution's parts has its points."""
    names = ", ".join(f"`{name}`" for name in replaced)
    said = f"passes with the solution's {names} in place of yours"
    tests = {before.name: before for before in result.tests}
    for test in concerned:
        before, objection = tests[test.name], against(test)
        if before.earned == test.points or before.doubt or (objection and objection.sure):
            continue
        if not failure_of(test, channel):
            passed = replace(before, earned=test.points, message=said)
            tests[test.name] = undecided(test, objection) if objection else passed
    earned = sum(test.earned for test in tests.values())
    return replace(result, tests=tuple(tests.values()), earned=earned)
