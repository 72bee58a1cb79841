"""What ``grade`` and ``one`` do: run batches or one submission, record marks, and print tables."""

from collections import Counter
from collections.abc import Iterable, Set
from contextlib import ExitStack
from pathlib import Path

from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.commands import tables
from softlookup_coursework.common import result_files
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.locks import locked
from softlookup_coursework.common.usage_error import UsageError
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.feedback import autograded
from softlookup_coursework.grading import job
from softlookup_coursework.grading.another_assignment import answers_another
from softlookup_coursework.grading.batch import Batch, start_workers
from softlookup_coursework.grading.gradebook import marks, record
from softlookup_coursework.grading.lost_here import why_lost
from softlookup_coursework.grading.put_back import put_back
from softlookup_coursework.grading.receive import bring_all_back
from softlookup_coursework.grading.untouched import WHY, untouched
from softlookup_coursework.sandbox.sandbox import NoSandbox

# Verdicts under which the mark is not valid before a person has looked at the submission.


def run_batches(
    course: Course,
    names: list[str],
    limits: RunLimits,
    number: int | None = None,
    scheduler: str = "",
    again: bool = False,
) -> bool:
    """Run a batch for each assignment, record the marks in the gradebook, and print the results.

    Args:
        course: the course.
        names: of the assignments; empty for all that were collected.
        limits: what a submission may use.
        number: of worker processes on this machine.
        scheduler: the address of a cluster's scheduler, to use instead of this machine.
        again: whether to grade again what has a result that is still valid.

    Returns:
        Whether all is well; otherwise what needs a person has been printed.

    Raises:
        UsageError: if nothing was collected, or another command is at work.
        NoSandbox: if a worker cannot run the sandbox.
    """
    found: dict[str, dict[str, Result]] = {}
    kept: Counter[str] = Counter()
    waiting: dict[str, int] = {}
    with ExitStack() as stack:
        stack.enter_context(locked(course.folder))
        bring_all_back(course)
        names = names or [name for name in course.released if course.collected(name)]
        batches = [Batch(course, name, limits, again) for name in names]
        if not any(batch.students for batch in batches):
            raise UsageError(f"nothing was collected for {', '.join(names) or 'any assignment'}")
        client = None
        if any(len(batch.kept()) < len(batch.students) for batch in batches):
            workers = start_workers(course.folder / ".grading", number, scheduler)
            client = stack.enter_context(workers)
        for batch in batches:
            results = found.setdefault(batch.name, {})
            with tables.progress() as bar:
                task = bar.add_task(batch.name, total=len(batch.students))
                for graded in batch.dispatch(client):
                    results[graded.student] = graded.result
                    kept[batch.name] += graded.kept
                    bar.advance(task)
            waiting[batch.name] = record(course, batch.name)
            autograded.publish(course.folder, Assignment.load(course.assignment(batch.name)))
    return report(course, found, kept, waiting)


def run_single(assignment: Path, submission: Path, path: Path, limits: RunLimits) -> bool:
    """Run one submission, and write its result and the result's fingerprint.

    Args:
        assignment: the assignment's folder.
        submission: the submission's folder, as intake stores it.
        path: of ``result.json``.
        limits: what it may use.

    Returns:
        Whether the mark is valid without a person looking at it.

    Raises:
        NoSandbox: if this machine cannot run the sandbox.
        UsageError: if the path has another name.
    """
    if path.name != result_files.RESULT:
        raise UsageError(
            f"{path}: expected a path that ends in {result_files.RESULT}; other files are written "
            "beside it"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    stored = path.with_name(result_files.FINGERPRINT)
    stored.unlink(missing_ok=True)
    refusal = path.with_name(result_files.NO_SANDBOX)
    result = job.run_in_folders(assignment, submission, path.parent, limits)
    if refusal.exists():
        raise NoSandbox(refusal.read_text(encoding="utf-8"))
    if result.cells and not result.crowded:  # otherwise `grade` tries it once more
        fingerprint = job.fingerprint(job.read(assignment), job.read(submission), limits)
        stored.write_text(fingerprint + "\n", encoding="utf-8")
    why = result.why or result.doubt
    row = (submission.name, result.verdict, result.earned, result.points_of_tests, why)
    tables.table("Graded", ["student", "verdict", "tests", "of", "why"], [row])
    _say_what_was_not_held([result])
    return result.verdict != Verdict.UNREADABLE and not result.asks(frozenset())


def _say_what_was_not_held(results: Iterable[Result]) -> None:
    """Print which limits the kernel did not hold on the machines that graded."""
    for what in sorted({what for result in results for what in result.not_held}):
        tables.say(f"Not held by the kernel where this was graded: {what}.")


def report(
    course: Course,
    found: dict[str, dict[str, Result]],
    kept: Counter[str],
    waiting: dict[str, int],
) -> bool:
    """Print the results of some assignments, and what a person has to look at.

    Args:
        course: the course.
        found: the results, by assignment and by student.
        kept: how many of them were valid before.
        waiting: how many answers and doubts wait for a person.

    Returns:
        Whether all is well.
    """
    rows = []
    for name, results in found.items():
        verdicts = Counter(result.verdict for result in results.values())
        counts = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
        earned = [result.earned for result in results.values()]
        mean = round(sum(earned) / len(earned), 2) if earned else 0.0
        rows.append((name, len(results), kept[name], counts, mean, waiting[name]))
    columns = ["assignment", "submissions", "kept", "verdicts", "mean of tests", "to read"]
    tables.table("Graded", columns, rows)
    odd = []
    for name, results in found.items():
        marked = {mark.student: mark for mark in marks(course.folder, [name])}
        for student, result in sorted(results.items()):
            decided = marked[student].decided if student in marked else frozenset[str]()
            why = _what_to_know(course, name, student, result, decided)
            asks = result.asks(decided)
            settled = result.verdict == Verdict.NEEDS_A_HUMAN and not asks
            if not settled and (why or result.verdict != Verdict.GRADED):
                who = tables.who(student, course.names(name).get(student, ""))
                uncertain = asks or result.verdict == Verdict.UNREADABLE
                odd.append((not uncertain, (who, name, result.verdict, result.earned, why)))
    odd.sort(key=lambda one: one[0])
    if odd:
        columns = ["student", "assignment", "verdict", "tests", "why"]
        tables.table("Look at these", columns, [row for _, row in odd])
    refused = [(name, *row) for name in found for row in course.refused(name)]
    if refused:
        left = [(student, name, why, lay) for name, student, why, lay in refused]
        tables.table("Not collected", ["student", "assignment", "why", "where it lay"], left)
    _say_what_was_not_held(result for results in found.values() for result in results.values())
    if sum(waiting.values()):
        tables.say(
            "To read written answers, and to decide where a test leaves a doubt: `jupyter lab` in "
            "the course folder, Nbgrader > Formgrader."
        )
    return not refused and all(certain for certain, _ in odd)


def _what_to_know(
    course: Course, name: str, student: str, result: Result, decided: Set[str]
) -> str:
    """What a person should know of a submission; empty where there is nothing."""
    lost = [
        test
        for cell in result.cells
        if cell.cell not in decided
        for test in cell.tests
        if test.earned < test.points
    ]
    changed = put_back(course, name, student, result.notes, bool(lost))
    if result.verdict == Verdict.NEEDS_A_HUMAN:
        changed = answers_another(course, name, student) or changed
    if result.why:
        return "; ".join(filter(None, [result.why, changed]))
    if waiting := result.undecided(decided):
        waits = f"points wait until a person has decided: {waiting[0].doubt}"
        return "; ".join(filter(None, [waits, changed]))
    if why := "; ".join(filter(None, [changed, why_lost(lost, result.notes)])):
        return why
    # Whoever earned points has written something.
    return "" if result.earned or not untouched(course, name, student) else WHY
