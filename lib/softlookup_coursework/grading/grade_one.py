"""Grades one submission: reads a folder, and writes ``result.json`` and ``graded.ipynb``.

::

    python -m softlookup_coursework.grading.grade_one ASSIGNMENT SUBMISSION RESULT

It runs in a process of its own and has access to no other submission and no gradebook. The tests
of a cell that gives points run in this process, when the notebook has been run up to that cell, and
call the student's functions in the kernel. A test whose answers lead to a name that the assignment
forbids is not run and earns nothing.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

from softlookup.course.exercises.verdict import Mistake

from softlookup_coursework.assignments.assignment import Assignment, Given, Test
from softlookup_coursework.common import result_files
from softlookup_coursework.common.limits import IntakeLimits, RunLimits
from softlookup_coursework.common.untrusted_files import Refused, read_regular_file
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
        graded: the file for the notebook as it was graded, with its outputs; not written if
            there is none.

    Returns:
        The result.

    Raises:
        NoSandbox: if this machine cannot run the sandbox, which is no submission's fault.
    """
    limits, started = limits or RunLimits(), time.monotonic()
    result, notebook, outputs = _rebuild_and_run(assignment, submission, limits)
    if graded:
        as_graded.write(graded, notebook, outputs)
    notes = result.notes if limits.enclosed else (UNENCLOSED, *result.notes)
    return replace(result, notes=notes, seconds=round(time.monotonic() - started, 2))


def _rebuild_and_run(
    assignment: Assignment, submission: Path, limits: RunLimits
) -> tuple[Result, Notebook, dict[int, as_graded.Outputs]]:
    """Rebuild and run the notebook; return the result, the notebook and its cells' outputs."""
    intake = IntakeLimits()
    try:
        content = read_regular_file(submission / "notebook.ipynb", intake.notebook_bytes)
        notebook = rebuild(parse(content, intake), assignment)
    except Refused as refusal:
        why = str(refusal)
        return (
            Result(Verdict.UNREADABLE, why, _zero_for_all(assignment, why)),
            rebuild([], assignment),
            {},
        )
    # If the machine's fault ended the sandbox, the submission is run once more.
    for _ in range(2):
        run = _Run(notebook, assignment)
        try:
            run.execute(limits, submission / "files")
            return run.result(), notebook, run.outputs
        except Lost as loss:
            zygote.current(limits.enclosed).has_died(zygote.DYING_SECONDS)
            why = f"the sandbox was lost twice: {loss}"
    return Result(Verdict.NEEDS_A_HUMAN, why, _zero_for_all(assignment, why)), notebook, {}


class _Run:
    """One run of a notebook: its cells in order, and its tests at their places."""

    def __init__(self, notebook: Notebook, assignment: Assignment) -> None:
        self.notebook, self.forbids = notebook, assignment.forbids
        self.outputs: dict[int, as_graded.Outputs] = {}
        self._results: list[CellResult] = []
        self._notes = list(notebook.notes)
        self._slow = self._gone = ""
        self._ended: tuple[Verdict, str] | None = None
        student_cells = [
            (number, cell.source)
            for number, cell in enumerate(notebook.cells, start=1)
            if cell.kind == "code" and (cell.given is None or cell.given.role == "answer")
        ]
        self._code = StudentCode(student_cells if self.forbids else [])

    def execute(self, limits: RunLimits, files: Path) -> None:
        """Run all cells and tests in a sandbox, into which the files are copied first."""
        with Sandbox(limits, files if files.is_dir() else None) as sandbox:
            channel = Channel(sandbox)
            for number, cell in enumerate(self.notebook.cells, start=1):
                try:
                    self._run_cell(number, cell, channel)
                except Ended:
                    ended = sandbox.end_reason()
                    why = ended[1] if ended else "the kernel ended itself"
                    self._gone = f"in cell {number}, {why}"
                    if sandbox.lost:
                        raise Lost(f"the zygote died, {self._gone}") from None
            self._ended = sandbox.end_reason()

    def result(self) -> Result:
        """The result of the run."""
        verdict, why, missing = Verdict.GRADED, self._gone, self.notebook.unanswered
        if self._ended:
            verdict, why = self._ended[0], self._gone or self._ended[1]
        elif self._slow:
            verdict, why = Verdict.TIMED_OUT, self._slow
        elif missing:
            verdict, why = Verdict.NEEDS_A_HUMAN, f"no cell answers {', '.join(missing)}"
        return Result(verdict, why, tuple(self._results), tuple(self._notes))

    def _run_cell(self, number: int, cell: Rebuilt, channel: Channel) -> None:
        if cell.given and cell.given.points:
            gone = self._gone
            found = _zero(cell.given, gone) if gone else self._run_tests(cell.given, channel)
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

    def _run_tests(self, given: Given, channel: Channel) -> CellResult:
        """Run a cell's tests. The kernel may end in one; points earned before that are kept."""
        if given.role == "by hand":
            return CellResult(given.name, given.points, None)
        results = []
        for test in given.tests:
            message = self._code.forbidden(test.takes, self.forbids) or _failure_of(test, channel)
            earned = 0.0 if message else test.points
            results.append(TestResult(test.name, test.points, earned, message))
        return CellResult(given.name, given.points, sum(r.earned for r in results), tuple(results))


def _zero_for_all(assignment: Assignment, why: str) -> tuple[CellResult, ...]:
    """The results of all cells with points, if none of them could be graded."""
    return tuple(_zero(given, why) for given in assignment.cells if given.points)


def _zero(given: Given, why: str) -> CellResult:
    """The result of a cell that could not be graded: zero points, or none yet from a person."""
    if given.role == "by hand":
        return CellResult(given.name, given.points, None)
    tests = tuple(TestResult(test.name, test.points, 0.0, why) for test in given.tests)
    return CellResult(given.name, given.points, 0.0, tests)


def _line(test: TestResult) -> str:
    """A test's line in the graded notebook."""
    points = f"{test.points:g} point{'' if test.points == 1 else 's'}"
    outcome = f"not yet: {' '.join(test.message.split())}" if test.message else f"passed ({points})"
    return f"{test.name.rpartition('.')[2]}: {outcome}\n"


def _failure_of(test: Test, channel: Channel) -> str:
    """Run a test, and return the message for the student if it fails; empty if it passes."""
    try:
        test.run(*(Remote(channel, name) for name in test.takes))
    except (Mistake, Fault, AssertionError) as mistake:
        message = str(mistake) or "the answer is wrong"
    except Ended:
        ended = channel.sandbox.end_reason()
        message = f"no answer: {ended[1] if ended else 'the kernel ended itself'}"
    except Exception as error:
        # The answer has a form that the test did not expect, such as None in place of an array.
        message = f"your answer cannot be compared: {type(error).__name__}: {error}"
    else:
        return ""
    return message[:LONGEST_MESSAGE]


def main(arguments: list[str]) -> int:
    """Grade one submission from the command line."""
    assignment, submission, result = map(Path, arguments)
    graded = result.with_name(result_files.NOTEBOOK)
    grade(Assignment.load(assignment), submission, graded=graded).write(result)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
