"""The command ``grade``: batches with a bar of progress, the gradebook, and a table at the end."""

from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.commands import tables
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.misuse import Misuse
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.feedback import autograded
from softlookup_coursework.grading import job
from softlookup_coursework.grading.batch import Batch, alone, workers
from softlookup_coursework.grading.gradebook import record
from softlookup_coursework.sandbox.sandbox import NoSandbox

# What a person has to look at before a mark means anything.
UNCERTAIN = (Verdict.UNREADABLE, Verdict.NEEDS_A_HUMAN)


def grade_all(
    course: Course,
    names: list[str],
    limits: RunLimits,
    number: int | None = None,
    scheduler: str = "",
    again: bool = False,
) -> bool:
    """Grade assignments, write the gradebook, and print what came of it.

    Args:
        course: the course.
        names: of the assignments; empty for all that were collected.
        limits: what a submission may use.
        number: of worker processes.
        scheduler: another cluster's address.
        again: whether to grade what has a result that still holds.

    Returns:
        Whether all is well; if not, what needs a person was listed.

    Raises:
        Misuse: if nothing was collected.
        NoSandbox: if a submission cannot be enclosed.
    """
    names = names or [name for name in course.released if course.collected(name)]
    batches = [Batch(course, name, limits, again) for name in names]
    if not any(batch.students for batch in batches):
        raise Misuse(f"nothing was collected for {', '.join(names) or 'any assignment'}")
    found: dict[str, dict[str, Result]] = {}
    kept: Counter[str] = Counter()
    waiting: dict[str, int] = {}
    with ExitStack() as stack:
        stack.enter_context(alone(course))
        client = None
        if any(len(batch.kept()) < len(batch.students) for batch in batches):
            hands = workers(course.folder / ".grading", number, scheduler)
            client = stack.enter_context(hands)
        for batch in batches:
            results = found.setdefault(batch.name, {})
            with tables.progress() as bar:
                task = bar.add_task(batch.name, total=len(batch.students))
                for graded in batch.run(client):
                    results[graded.student] = graded.result
                    kept[batch.name] += graded.kept
                    bar.advance(task)
            waiting[batch.name] = record(course, batch.name)
            autograded.publish(course.folder, Assignment.load(course.assignment(batch.name)))
    return _report(found, kept, waiting)


def grade_one_folder(assignment: Path, submission: Path, path: Path, limits: RunLimits) -> bool:
    """Grade one submission into a file, with its fingerprint beside it.

    Args:
        assignment: its folder.
        submission: its folder, as intake makes it.
        path: where ``result.json`` is written.
        limits: what it may use.

    Returns:
        Whether it has a mark that needs nobody to look at it.

    Raises:
        NoSandbox: if this machine cannot enclose it.
        Misuse: if the result is to have another name.
    """
    if path.name != job.RESULT:
        raise Misuse(f"{path}: the result is written as {job.RESULT}, with files beside it")
    path.parent.mkdir(parents=True, exist_ok=True)
    mark = path.with_name(job.FINGERPRINT)
    mark.unlink(missing_ok=True)
    refusal = path.with_name(job.NO_SANDBOX)
    result = job.grade_folders(assignment, submission, path.parent, limits)
    if refusal.exists():
        raise NoSandbox(refusal.read_text(encoding="utf-8"))
    if result.cells:
        told = job.fingerprint(job.read(assignment), job.read(submission), limits)
        mark.write_text(told + "\n", encoding="utf-8")
    able = sum(cell.points for cell in result.cells if cell.earned is not None)
    row = (submission.name, result.verdict, result.earned, able, result.why)
    tables.table("Graded", ["student", "verdict", "tests", "of", "why"], [row])
    return result.verdict not in UNCERTAIN


def _report(
    found: dict[str, dict[str, Result]], kept: Counter[str], waiting: dict[str, int]
) -> bool:
    """Print what came of it; tell whether all is well."""
    rows = []
    for name, results in found.items():
        verdicts = Counter(result.verdict for result in results.values())
        told = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
        earned = [result.earned for result in results.values()]
        mean = round(sum(earned) / len(earned), 2) if earned else 0.0
        rows.append((name, len(results), kept[name], told, mean, waiting[name]))
    columns = ["assignment", "submissions", "kept", "verdicts", "mean of tests", "to read"]
    tables.table("Graded", columns, rows)
    odd = [
        (student, name, result.verdict, result.earned, result.why)
        for name, results in found.items()
        for student, result in sorted(results.items())
        if result.verdict != Verdict.GRADED or result.why
    ]
    odd.sort(key=lambda row: row[2] not in UNCERTAIN)
    if odd:
        tables.table("Look at these", ["student", "assignment", "verdict", "tests", "why"], odd)
    if sum(waiting.values()):
        tables.say(
            "To read written answers: `jupyter lab` in the course folder, Nbgrader > Formgrader."
        )
    return not any(row[2] in UNCERTAIN for row in odd)
