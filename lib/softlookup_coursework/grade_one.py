"""Grades one submission: a folder in, ``result.json`` out.

::

    python -m softlookup_coursework.grade_one ASSIGNMENT SUBMISSION RESULT

It is a process of its own and knows of no other submission and no gradebook. Where a cell of the
assignment gives points, its tests run here, at that place of the notebook, and ask the kernel.
"""

import sys
import time
from pathlib import Path

from softlookup.exercises.verdict import Mistake

from softlookup_coursework.assignment import Assignment, Given, Test
from softlookup_coursework.channel import Channel, Ended, Fault, Remote
from softlookup_coursework.limits import IntakeLimits, RunLimits
from softlookup_coursework.notebook import parse
from softlookup_coursework.overwrite import Notebook, rebuild
from softlookup_coursework.plain_files import Refused, read_plain
from softlookup_coursework.sandbox import Sandbox
from softlookup_coursework.verdicts import CellResult, Result, TestResult, Verdict

LONGEST_MESSAGE, LONGEST_NOTE = 1000, 300


def grade(assignment: Assignment, submission: Path, limits: RunLimits | None = None) -> Result:
    """Grade a submission.

    Args:
        assignment: the assignment.
        submission: its folder, as ``intake.collect`` makes it.
        limits: what it may use.

    Returns:
        What came of it.

    Raises:
        NoSandbox: if this machine cannot enclose it. No submission is to blame for that.
    """
    started = time.monotonic()
    intake = IntakeLimits()
    try:
        content = read_plain(submission / "notebook.ipynb", intake.notebook_bytes)
        notebook = rebuild(parse(content, intake), assignment)
    except Refused as refusal:
        cells = tuple(_nothing(given, str(refusal)) for given in assignment.cells if given.points)
        return Result(Verdict.UNREADABLE, str(refusal), cells)
    files = submission / "files"
    ran = _run(notebook, limits or RunLimits(), files if files.is_dir() else None)
    notes = (*notebook.notes, *ran.notes)
    return Result(ran.verdict, ran.why, ran.cells, notes, round(time.monotonic() - started, 2))


def _run(notebook: Notebook, limits: RunLimits, files: Path | None) -> Result:
    """Run the cells in order, and the tests in their places."""
    results: list[CellResult] = []
    notes: list[str] = []
    slow, gone = "", ""
    with Sandbox(limits, files) as sandbox:
        channel = Channel(sandbox)
        for number, cell in enumerate(notebook.cells, start=1):
            try:
                if cell.given and cell.given.points:
                    results.append(
                        _nothing(cell.given, gone) if gone else _test(cell.given, channel)
                    )
                if cell.kind == "code" and not gone and not (cell.given and cell.given.tests):
                    ran = channel.run(cell.source)
                    if ran.error:
                        notes.append(f"cell {number}: {ran.error}"[:LONGEST_NOTE])
                    slow = slow or (f"cell {number}: {ran.error}" if ran.too_slow else "")
            except Ended:
                gone = sandbox.ended[1] if sandbox.ended else "the kernel ended itself"
                gone = f"in cell {number}, {gone}"
        ended = sandbox.ended
    verdict, why = Verdict.GRADED, gone
    if ended:
        verdict, why = ended[0], gone or ended[1]
    elif slow:
        verdict, why = Verdict.TIMED_OUT, slow
    elif notebook.unanswered:
        verdict, why = Verdict.NEEDS_A_HUMAN, f"no cell answers {', '.join(notebook.unanswered)}"
    return Result(verdict, why, tuple(results), tuple(notes))


def _nothing(given: Given, why: str) -> CellResult:
    """What a cell gets that could not be graded: nothing, or a person's judgement."""
    if given.role == "by hand":
        return CellResult(given.name, given.points, None)
    tests = tuple(TestResult(test.name, test.points, 0.0, why) for test in given.tests)
    return CellResult(given.name, given.points, 0.0, tests)


def _test(given: Given, channel: Channel) -> CellResult:
    """Run the tests of a cell. The kernel may end in one; the points before it stand."""
    if given.role == "by hand":
        return CellResult(given.name, given.points, None)
    results = []
    for test in given.tests:
        message = _message(test, channel)
        earned = 0.0 if message else test.points
        results.append(TestResult(test.name, test.points, earned, message))
    return CellResult(given.name, given.points, sum(r.earned for r in results), tuple(results))


def _message(test: Test, channel: Channel) -> str:
    """What is wrong, in words for the student; empty if all is right."""
    try:
        test.run(*(Remote(channel, name) for name in test.takes))
    except (Mistake, Fault, AssertionError) as mistake:
        message = str(mistake) or "the answer is wrong"
    except Ended:
        ended = channel.sandbox.ended
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
    grade(Assignment.load(assignment), submission).write(result)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
