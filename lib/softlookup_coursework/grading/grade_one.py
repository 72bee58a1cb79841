"""Grades one submission: reads a folder, and writes ``result.json`` and ``graded.ipynb``.

::

    python -m softlookup_coursework.grading.grade_one ASSIGNMENT SUBMISSION RESULT

It runs in a process of its own and has access to no other submission and no gradebook. The tests
of a cell that gives points run in this process, when the notebook has been run up to that cell, and
call the student's functions in the kernel. A test whose answers lead to a name that the assignment
forbids is not run and earns nothing. Where names are forbidden, a test has its points if it passes
where nothing ran but what answers need (``alone``); if it passes only beside the rest of the
notebook, it earns nothing yet, and a person decides.

Where it is needed, the notebook runs again (``second_runs``): to see what cells behind a hidden
test show, and whether an answer is right that builds on a wrong one.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

from softlookup.course.student_code.source_checks import Objection

from softlookup_coursework.assignments.assignment import Assignment, Given, Test
from softlookup_coursework.common import result_files
from softlookup_coursework.common.limits import IntakeLimits, RunLimits
from softlookup_coursework.common.untrusted_files import Refused, read_regular_file
from softlookup_coursework.common.verdicts import CellResult, Result, TestResult, Verdict
from softlookup_coursework.grading import alone, as_graded, second_runs
from softlookup_coursework.grading.cell_results import (
    asking,
    line_of,
    undecided,
    zero,
    zero_for_all,
)
from softlookup_coursework.grading.failing import failure_of
from softlookup_coursework.grading.newer_python import newer_python
from softlookup_coursework.grading.overwrite import Notebook, Rebuilt, rebuild
from softlookup_coursework.grading.reading import ReadCode, Reader
from softlookup_coursework.grading.written import define_again, given_definitions, student_code
from softlookup_coursework.intake.notebook import parse
from softlookup_coursework.sandbox import zygote
from softlookup_coursework.sandbox.channel import CellRun, Channel, Ended
from softlookup_coursework.sandbox.sandbox import Lost, Sandbox

LONGEST_NOTE = 300
LEAST_SECONDS = 5.0
BESIDE = (
    "it passes only where cells have run on which your answer does not seem to depend; write all "
    "that it needs in cells of plain code"
)
UNENCLOSED = "graded without a sandbox: the submission could read and change what the grader can"


def grade(
    assignment: Assignment,
    submission: Path,
    limits: RunLimits | None = None,
    graded: Path | None = None,
    reader: Reader | None = None,
) -> Result:
    """Grade a submission.

    Args:
        assignment: the assignment.
        submission: its folder, as ``intake.collect`` makes it.
        limits: what it may use.
        graded: the file for the notebook as it was graded, with its outputs; if there is none,
            cells that only show something are not run.
        reader: reads the student's code.

    Returns:
        The result.

    Raises:
        NoSandbox: if this machine cannot run the sandbox, which is no submission's fault.
    """
    limits, started = limits or RunLimits(), time.monotonic()
    reader = reader or Reader()
    result, notebook, outputs = _rebuild_and_run(
        assignment, submission, limits, bool(graded), reader
    )
    if graded:
        as_graded.write(graded, notebook, outputs)
    notes = result.notes if limits.enclosed else (UNENCLOSED, *result.notes)
    return replace(result, notes=notes, seconds=round(time.monotonic() - started, 2))


def _rebuild_and_run(
    assignment: Assignment,
    submission: Path,
    limits: RunLimits,
    with_outputs: bool,
    reader: Reader,
) -> tuple[Result, Notebook, dict[int, as_graded.Outputs]]:
    """Rebuild and run the notebook; return the result, the notebook and its cells' outputs."""
    intake = IntakeLimits()
    try:
        content = read_regular_file(submission / "notebook.ipynb", intake.notebook_bytes)
        notebook = rebuild(parse(content, intake), assignment)
    except Refused as refusal:
        why = str(refusal)
        return (
            Result(Verdict.UNREADABLE, why, zero_for_all(assignment, why)),
            rebuild([], assignment),
            {},
        )
    if not with_outputs:
        kept = tuple(cell for cell in notebook.cells if not (cell.given and cell.given.shown))
        notebook = replace(notebook, cells=kept)
    # If the machine's fault ended the sandbox, the submission is run once more.
    for _ in range(2):
        run = _Run(notebook, assignment, submission / "files", reader)
        try:
            run.ask_alone(limits)
            run.execute(limits, submission / "files")
            run.hide_behind_tests()
            # Before the solution is in any kernel: what this run shows cannot tell of it.
            if with_outputs:
                run.show_without_tests(limits, submission / "files")
            run.try_with_solution(limits, submission / "files")
            result = run.result()
            if newer := newer_python(content, result.notes):
                result = replace(result, notes=(*result.notes, newer))
            return result, notebook, run.outputs
        except Lost as loss:
            zygote.current(limits.enclosed).has_died(zygote.DYING_SECONDS)
            why = f"the sandbox was lost twice: {loss}"
    cells = asking(zero_for_all(assignment, why), why)
    return Result(Verdict.NEEDS_A_HUMAN, why, cells), notebook, {}


class _Run:
    """One run of a notebook: its cells in order, and its tests at their places."""

    def __init__(
        self, notebook: Notebook, assignment: Assignment, files: Path, reader: Reader
    ) -> None:
        self.notebook, self.assignment, self.files = notebook, assignment, files
        self.forbids, self._reader = assignment.forbids, reader
        # What came of the tests where nothing ran but what answers need, if anything is forbidden.
        self._alone = alone.Outcome()
        self.outputs: dict[int, as_graded.Outputs] = {}
        self._results: list[CellResult] = []
        self._notes: dict[int, str] = {}
        self._asked, self._late = False, set[int]()
        self._started = time.monotonic()
        self._slow = self._gone = ""
        self._crowded = False
        self._not_held: tuple[str, ...] = ()
        self._ended: tuple[Verdict, str] | None = None
        self._objections: dict[str, Objection] = {}
        self._given = given_definitions(notebook.cells)

    def ask_alone(self, limits: RunLimits) -> None:
        """Ask the answers where nothing ran but what they need, if anything is forbidden."""
        if not self.forbids:
            return
        shorter = replace(limits, wall_seconds=limits.wall_seconds / 2)
        theirs = self.notebook.cells
        with alone.alone(self._reader, theirs, self.files, self.assignment) as needed:
            self._alone = alone.ask(needed, shorter, self.forbids)
        self._slow, self._crowded = self._alone.slow, self._alone.crowded

    def execute(self, limits: RunLimits, files: Path) -> None:
        """Run all cells and tests in a sandbox, into which the files are copied first."""
        with Sandbox(limits, files if files.is_dir() else None) as sandbox:
            channel = Channel(sandbox, forbids=self.forbids)
            self._not_held = sandbox.not_held
            for number, cell in enumerate(self.notebook.cells, start=1):
                try:
                    self._run_cell(number, cell, channel)
                except Ended:
                    ended = sandbox.end_reason()
                    why = ended[1] if ended else "the kernel ended itself"
                    self._gone = f"in {self._place(number)}, {why}"
                    if sandbox.lost:
                        raise Lost(f"the zygote died, {self._gone}") from None
            self._ended = sandbox.end_reason()
            self._slow, self._crowded = self._slow or channel.slow, channel.crowded or self._crowded

    def result(self) -> Result:
        """The result of the run."""
        verdict, why, missing = Verdict.GRADED, self._gone, self.notebook.unanswered
        if self._ended:
            verdict, why = self._ended[0], self._gone or self._ended[1]
        elif self._slow:
            verdict, why = Verdict.TIMED_OUT, self._slow
        elif missing:
            verdict, why = Verdict.NEEDS_A_HUMAN, f"no cell answers {', '.join(missing)}"
        cells = tuple(self._results)
        if verdict == Verdict.NEEDS_A_HUMAN:
            cells = asking(cells, why)
        notes = (*self.notebook.notes, *(note for _, note in sorted(self._notes.items())))
        crowded = self._crowded and verdict == Verdict.TIMED_OUT
        return Result(
            verdict, why, cells, notes,
            crowded=crowded, not_held=self._not_held,
        )  # fmt: skip

    def hide_behind_tests(self) -> None:
        """Forget what the cells behind a hidden test have shown, and which did, if any has."""
        if not any(self.outputs[number] for number in self._late):
            self._late.clear()
        for number in self._late:
            self.outputs.pop(number, None)
            self._notes[number] = f"cell {number}: its output is not shown"

    def show_without_tests(self, limits: RunLimits, files: Path) -> None:
        """Show of the cells behind a hidden test what they show where nothing is tested.

        Where the time that is left does not suffice, they show nothing.
        """
        if self._late:
            cells = self.notebook.cells[: max(self._late)]
            second_runs.without_tests(cells, self._left_of(limits), files, self._show_late)

    def try_with_solution(self, limits: RunLimits, files: Path) -> None:
        """Try what failed behind a wrong answer again, with the solution's answer in its place."""
        lost = [*filter(second_runs.lost, self._results)]
        if len(lost) < 2 or self._gone or self._ended or self._slow:
            return
        tried = self._tried(self._left_of(limits), files)
        self._results = [tried.get(result.cell, result) for result in self._results]
        for number, cell in enumerate(self.notebook.cells, start=1):
            if cell.given and cell.given.name in tried:
                self._show_tests(number, tried[cell.given.name])

    def _tried(self, limits: RunLimits, files: Path) -> dict[str, CellResult]:
        """What comes of trying again, by the cells' names."""
        cells, forbids, beside = self.notebook.cells, self.forbids, self._objection_beside
        if not forbids:
            return second_runs.with_solution(
                cells, limits, files, self._results, lambda _: Objection(), forbids
            )
        with alone.alone(self._reader, cells, self.files, self.assignment) as needed:
            tried = second_runs.with_solution(
                needed.cells, limits, needed.files, self._results,
                # What is forbidden does not run there, and the solution's part takes its place.
                lambda _: Objection(), forbids, alone=True,
            )  # fmt: skip
        results = [tried.get(result.cell, result) for result in self._results]
        if all(beside(test).sure for cell in cells if cell.given for test in cell.given.tests):
            return tried
        asked = Objection("it was asked alone")
        return tried | second_runs.with_solution(
            cells, limits, files, results,
            lambda test: asked if (found := beside(test)).sure else found, forbids,
        )  # fmt: skip

    def _objection_beside(self, test: Test) -> Objection:
        """What speaks against a test's answers where the solution's may stand beside them."""
        before = self._objections.get(test.name, Objection())
        if not before or before.sure:
            return before
        place = next(
            number
            for number, cell in enumerate(self.notebook.cells)
            if cell.given and test.name in {each.name for each in cell.given.tests}
        )
        above = self.notebook.cells[:place]
        code = student_code(self._reader, above, self.files, with_solution=True)
        return code.against(test.takes, self.forbids)

    def _left_of(self, limits: RunLimits) -> RunLimits:
        """The limits, with the time that is left."""
        left = limits.wall_seconds - (time.monotonic() - self._started)
        return replace(limits, wall_seconds=max(left, LEAST_SECONDS))

    def _run_cell(self, number: int, cell: Rebuilt, channel: Channel) -> None:
        if cell.given and cell.given.points:
            gone = self._gone
            found = zero(cell.given, gone) if gone else self._run_tests(number, cell.given, channel)
            self._results.append(found)
            self._show_tests(number, found)
        if cell.kind != "code" or self._gone or (cell.given and cell.given.tests):
            return
        ran = channel.run(cell.source)
        self._show(number, ran)
        if self._asked:
            self._late.add(number)
        if ran.too_slow:
            self._slow = self._slow or f"{self._place(number)}: {ran.error}"

    def _place(self, number: int) -> str:
        """Where a run ended. Behind a hidden test a cell's number could tell what it was asked."""
        return "a cell behind the tests" if self._asked else f"cell {number}"

    def _show_tests(self, number: int, found: CellResult) -> None:
        lines = "".join(line_of(test) for test in found.tests)
        self.outputs[number] = [("stdout", lines.encode())] if lines else []

    def _show_late(self, number: int, ran: CellRun) -> None:
        if number in self._late:
            self._show(number, ran)

    def _show(self, number: int, ran: CellRun) -> None:
        """Keep what a cell printed and drew, and its error."""
        self.outputs[number] = ran.outputs
        self._notes.pop(number, None)
        if ran.error:
            self._notes[number] = f"cell {number}: {ran.error}"[:LONGEST_NOTE]
            self.outputs[number].append(("stderr", (ran.lines or ran.error).encode()))

    def _run_tests(self, number: int, given: Given, channel: Channel) -> CellResult:
        """Run a cell's tests. The kernel may end in one; points earned before that are kept."""
        if given.role == "by hand":
            return CellResult(given.name, given.points, None)
        results = []
        define_again(given, self._given, channel.run)
        # What stands behind a test cannot change what it was answered.
        before = self.notebook.cells[:number]
        asked = [test for test in given.tests if test.name not in self._alone.passed]
        code = ReadCode(self._reader, None)
        if self.forbids and asked:
            code = student_code(self._reader, before, self.files)
        for test in given.tests:
            if test not in asked:
                results.append(TestResult(test.name, test.points, test.points, ""))
                continue
            objection = code.against(test.takes, self.forbids)
            self._objections[test.name] = objection
            message = objection.why if objection.sure else ""
            # Who did not answer in time alone is not asked a second time.
            message = message or self._alone.unanswered.get(test.name, "")
            if not message:
                self._asked = self._asked or test.hidden
                message = failure_of(test, channel, self._asked)
                if self.forbids and not message:
                    results.append(undecided(test, objection or Objection(BESIDE, sure=False)))
                    continue
            earned = 0.0 if message else test.points
            results.append(TestResult(test.name, test.points, earned, message))
        return CellResult(given.name, given.points, sum(r.earned for r in results), tuple(results))


def main(arguments: list[str]) -> int:
    """Grade one submission from the command line."""
    assignment, submission, result = map(Path, arguments)
    graded = result.with_name(result_files.NOTEBOOK)
    grade(Assignment.load(assignment), submission, graded=graded).write(result)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
