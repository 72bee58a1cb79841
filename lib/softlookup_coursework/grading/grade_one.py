"""Grades one submission: a folder in, ``result.json`` and ``graded.ipynb`` out.

::

    python -m softlookup_coursework.grading.grade_one ASSIGNMENT SUBMISSION RESULT

It is a process of its own and knows of no other submission and no gradebook. Where a cell of the
assignment gives points, its tests run here, at that place of the notebook, and ask the kernel.
A test whose answers lead to a name that the assignment forbids is not run and earns nothing.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

from softlookup.course.exercises.verdict import Mistake

from softlookup_coursework.assignments.assignment import Assignment, Given, Test
from softlookup_coursework.common.limits import IntakeLimits, RunLimits
from softlookup_coursework.common.plain_files import Refused, read_plain
from softlookup_coursework.common.verdicts import CellResult, Result, TestResult, Verdict
from softlookup_coursework.grading import as_graded
from softlookup_coursework.grading.overwrite import Notebook, Rebuilt, rebuild
from softlookup_coursework.grading.source_checks import StudentCode
from softlookup_coursework.intake.notebook import parse
from softlookup_coursework.sandbox import zygote
from softlookup_coursework.sandbox.channel import Channel, Ended, Fault, Remote
from softlookup_coursework.sandbox.sandbox import Lost, Sandbox

LONGEST_MESSAGE, LONGEST_NOTE = 1000, 300
UNENCLOSED = "graded without a sandbox: the submission could read and change what the grader can"


def grade(
    assignment: Assignment,
    submission: Path,
    limits: RunLimits | None = None,
    graded: Path | None = None,
) -> Result:
    """Grade a submission.

    Args:
        assignment: the assignment.
        submission: its folder, as ``intake.collect`` makes it.
        limits: what it may use.
        graded: where the notebook is written as it was graded, with its outputs.

    Returns:
        What came of it.

    Raises:
        NoSandbox: if this machine cannot enclose it. No submission is to blame for that.
    """
    limits, started = limits or RunLimits(), time.monotonic()
    result, notebook, outputs = _graded(assignment, submission, limits)
    if graded:
        as_graded.write(graded, notebook, outputs)
    notes = result.notes if limits.enclosed else (UNENCLOSED, *result.notes)
    return replace(result, notes=notes, seconds=round(time.monotonic() - started, 2))


def _graded(
    assignment: Assignment, submission: Path, limits: RunLimits
) -> tuple[Result, Notebook, dict[int, as_graded.Outputs]]:
    """The result, the notebook that was graded, and the outputs of its cells."""
    intake = IntakeLimits()
    try:
        content = read_plain(submission / "notebook.ipynb", intake.notebook_bytes)
        notebook = rebuild(parse(content, intake), assignment)
    except Refused as refusal:
        why = str(refusal)
        return Result(Verdict.UNREADABLE, why, _none(assignment, why)), rebuild([], assignment), {}
    # What the machine did to a submission is made good once, by running it anew.
    for _ in range(2):
        run = _Run(notebook, assignment)
        try:
            run.go(limits, submission / "files")
            return run.result(), notebook, run.outputs
        except Lost as loss:
            zygote.mine(limits.enclosed).dead(zygote.DYING_SECONDS)
            why = f"the sandbox was lost twice: {loss}"
    return Result(Verdict.NEEDS_A_HUMAN, why, _none(assignment, why)), notebook, {}


class _Run:
    """One notebook's cells run in order, and its tests in their places."""

    def __init__(self, notebook: Notebook, assignment: Assignment) -> None:
        self.notebook, self.forbids = notebook, assignment.forbids
        self.outputs: dict[int, as_graded.Outputs] = {}
        self._results: list[CellResult] = []
        self._notes = list(notebook.notes)
        self._slow = self._gone = ""
        self._ended: tuple[Verdict, str] | None = None
        theirs = [
            (number, cell.source)
            for number, cell in enumerate(notebook.cells, start=1)
            if cell.kind == "code" and (cell.given is None or cell.given.role == "answer")
        ]
        self._code = StudentCode(theirs if self.forbids else [])

    def go(self, limits: RunLimits, files: Path) -> None:
        """Run everything in a sandbox, which starts with these files if there are any."""
        with Sandbox(limits, files if files.is_dir() else None) as sandbox:
            channel = Channel(sandbox)
            for number, cell in enumerate(self.notebook.cells, start=1):
                try:
                    self._cell(number, cell, channel)
                except Ended:
                    ended = sandbox.explained()
                    why = ended[1] if ended else "the kernel ended itself"
                    self._gone = f"in cell {number}, {why}"
                    if sandbox.lost:
                        raise Lost(f"the zygote died, {self._gone}") from None
            self._ended = sandbox.explained()

    def result(self) -> Result:
        """What came of it."""
        verdict, why, lacking = Verdict.GRADED, self._gone, self.notebook.unanswered
        if self._ended:
            verdict, why = self._ended[0], self._gone or self._ended[1]
        elif self._slow:
            verdict, why = Verdict.TIMED_OUT, self._slow
        elif lacking:
            verdict, why = Verdict.NEEDS_A_HUMAN, f"no cell answers {', '.join(lacking)}"
        return Result(verdict, why, tuple(self._results), tuple(self._notes))

    def _cell(self, number: int, cell: Rebuilt, channel: Channel) -> None:
        if cell.given and cell.given.points:
            gone = self._gone
            found = _nothing(cell.given, gone) if gone else self._test(cell.given, channel)
            self._results.append(found)
            lines = "".join(_line(test) for test in found.tests)
            self.outputs[number] = [("stdout", lines.encode())] if lines else []
        if cell.kind != "code" or self._gone or (cell.given and cell.given.tests):
            return
        ran = channel.run(cell.source)
        self.outputs[number] = ran.outputs
        if ran.error:
            self._notes.append(f"cell {number}: {ran.error}"[:LONGEST_NOTE])
            self.outputs[number].append(("stderr", (ran.lines or ran.error).encode()))
        if ran.too_slow:
            self._slow = self._slow or f"cell {number}: {ran.error}"

    def _test(self, given: Given, channel: Channel) -> CellResult:
        """Run the tests of a cell. The kernel may end in one; the points before it stand."""
        if given.role == "by hand":
            return CellResult(given.name, given.points, None)
        results = []
        for test in given.tests:
            message = self._code.forbidden(test.takes, self.forbids) or _message(test, channel)
            earned = 0.0 if message else test.points
            results.append(TestResult(test.name, test.points, earned, message))
        return CellResult(given.name, given.points, sum(r.earned for r in results), tuple(results))


def _none(assignment: Assignment, why: str) -> tuple[CellResult, ...]:
    """What each cell with points gets if none of them could be graded."""
    return tuple(_nothing(given, why) for given in assignment.cells if given.points)


def _nothing(given: Given, why: str) -> CellResult:
    """What a cell gets that could not be graded: nothing, or a person's judgement."""
    if given.role == "by hand":
        return CellResult(given.name, given.points, None)
    tests = tuple(TestResult(test.name, test.points, 0.0, why) for test in given.tests)
    return CellResult(given.name, given.points, 0.0, tests)


def _line(test: TestResult) -> str:
    """A test's line in the graded notebook."""
    points = f"{test.points:g} point{'' if test.points == 1 else 's'}"
    said = f"not yet: {' '.join(test.message.split())}" if test.message else f"passed ({points})"
    return f"{test.name.rpartition('.')[2]}: {said}\n"


def _message(test: Test, channel: Channel) -> str:
    """What is wrong, in words for the student; empty if all is right."""
    try:
        test.run(*(Remote(channel, name) for name in test.takes))
    except (Mistake, Fault, AssertionError) as mistake:
        message = str(mistake) or "the answer is wrong"
    except Ended:
        ended = channel.sandbox.explained()
        message = f"no answer: {ended[1] if ended else 'the kernel ended itself'}"
    except Exception as error:
        # A test that meets what it did not foresee, such as None where an array should be.
        message = f"your answer cannot be compared: {type(error).__name__}: {error}"
    else:
        return ""
    return message[:LONGEST_MESSAGE]


def main(arguments: list[str]) -> int:
    """Grade one submission from the command line."""
    assignment, submission, result = map(Path, arguments)
    graded = result.with_name("graded.ipynb")
    grade(Assignment.load(assignment), submission, graded=graded).write(result)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
