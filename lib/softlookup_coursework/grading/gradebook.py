"""nbgrader's gradebook: the database of marks. Only the command's own process writes to it.

Each grading replaces the points from tests; a person's points and comments are never changed. If
the submission has changed since, a person's points are kept, and the cell is marked to be graded
again.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic.script import ScriptDirectory
from nbgrader import api, dbutil
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common import result_files
from softlookup_coursework.common.marks import Mark, Remark
from softlookup_coursework.common.usage_error import UsageError
from softlookup_coursework.common.verdicts import CellResult, Result, Verdict
from softlookup_coursework.grading import job

# The digest of the submission whose result was last recorded.
RECORDED = "recorded.txt"


@contextmanager
def opened(folder: Path) -> Iterator[api.Gradebook]:
    """Open the gradebook of a course folder; create it if there is none."""
    path = folder / "gradebook.db"
    if not path.exists():
        _create(path)
    try:
        with api.Gradebook(f"sqlite:///{path}") as gradebook:
            yield gradebook
    except OperationalError as error:
        raise UsageError(
            f"{path}: {error.orig}. What was graded is kept. Is the disk full, or is the file held "
            "by another program or not yours to write? See to that, and say it again"
        ) from error


def _create(path: Path) -> None:
    """Create an empty gradebook without the command ``alembic``, which nbgrader would call."""
    partial = path.with_name(".gradebook.partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    engine = create_engine(f"sqlite:///{partial}")
    newest = ScriptDirectory(dbutil.ALEMBIC_DIR).get_current_head()
    with engine.begin() as connection:
        api.Base.metadata.create_all(connection)
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text("INSERT INTO alembic_version VALUES (:newest)"), {"newest": newest})
    engine.dispose()
    partial.replace(path)


def record(course: Course, name: str) -> int:
    """Write an assignment's results into the gradebook, in one transaction.

    Args:
        course: the course.
        name: the assignment.

    Returns:
        The number of written answers, and of cells whose tests leave a doubt, that wait for a
        person.
    """
    # Nothing is sent to the database before everything is ready.
    with opened(course.folder) as gradebook, gradebook.db.no_autoflush:
        notebook = _define(gradebook, course.assignment(name), name)
        stored = {s.student_id: s for s in gradebook.assignment_submissions(name)}
        known = {student.id for student in gradebook.students}
        digests, waiting = {}, 0
        tests = job.digest(job.read(course.assignment(name) / "tests"))
        for path in sorted(course.folder.glob(f"results/{name}/*/{result_files.RESULT}")):
            student, result = path.parent.name, _result(path)
            collected = course.folder / "collected" / name / student
            digest = job.digest(job.read(collected)) if collected.is_dir() else ""
            recorded = path.with_name(RECORDED)
            before = recorded.read_text(encoding="utf-8").split() if recorded.is_file() else []
            changed, retested = before[:1] != [digest], before[1:] not in ([], [tests])
            if student not in known:
                gradebook.db.add(api.Student(id=student, lms_user_id=student))
            if student not in stored:
                submission = api.SubmittedAssignment(
                    assignment=notebook.assignment, student_id=student
                )
                stored[student] = submission
                submitted = api.SubmittedNotebook(notebook=notebook, assignment=submission)
                gradebook.db.add_all([submission, submitted])
            if changed and collected.is_dir():
                moment = datetime.fromtimestamp(collected.stat().st_mtime, UTC)
                stored[student].timestamp = moment.replace(tzinfo=None)
            waiting += _record_points(
                gradebook, notebook, stored[student].notebooks[0], result, changed, retested
            )
            digests[recorded] = f"{digest} {tests}"
        gradebook.db.commit()
    for path, digest in digests.items():
        path.write_text(digest, encoding="utf-8")
    return waiting


def marks(folder: Path, names: Iterable[str]) -> list[Mark]:
    """The marks of some assignments, from the gradebook.

    Args:
        folder: the course folder.
        names: of the assignments.

    Returns:
        A mark for each student who has a result, by assignment and by student.
    """
    found = []
    with opened(folder) as gradebook:
        for name in names:
            try:
                submissions = gradebook.assignment_submissions(name)
            except api.MissingEntry:
                continue
            names = Course(folder).names(name)
            for submission in sorted(submissions, key=lambda one: one.student_id):
                path = folder / "results" / name / submission.student_id / result_files.RESULT
                if path.is_file():
                    found.append(_mark(submission, name, _result(path), names))
    return found


def _result(path: Path) -> Result:
    """A submission's result; where its file is broken, one that asks for a person.

    One file that somebody's disk lost must not keep the marks of all others back.
    """
    try:
        return Result.read(path)
    except (OSError, ValueError):
        return Result(Verdict.NEEDS_A_HUMAN, "its result cannot be read; grade it again")


def _define(gradebook: api.Gradebook, assignment: Path, name: str) -> Any:  # noqa: ANN401
    """Define the assignment's cells in the gradebook, and delete those that no longer exist."""
    stored = json.loads((assignment / f"{name}.ipynb").read_text(encoding="utf-8"))
    gradebook.update_or_create_assignment(name)
    kernel = json.dumps(stored["metadata"].get("kernelspec", {}))
    notebook = gradebook.update_or_create_notebook(name, name, kernelspec=kernel)
    # Directly in the session, since each method of the gradebook commits a transaction.
    existing = {
        (type(cell), cell.name): cell
        for cell in [*notebook.grade_cells, *notebook.solution_cells, *notebook.source_cells]
    }
    for kind, cell, values in _cells(stored):
        row = existing.pop((kind, cell), None)
        if row is None:
            row = kind(name=cell, notebook=notebook)
            gradebook.db.add(row)
        for key, value in values.items():
            setattr(row, key, value)
    for row in existing.values():
        for belonging in [*getattr(row, "grades", ()), *getattr(row, "comments", ())]:
            gradebook.db.delete(belonging)
        gradebook.db.delete(row)
    gradebook.db.commit()
    return notebook


def _cells(stored: dict[str, Any]) -> Iterator[tuple[type, str, dict[str, Any]]]:
    """The gradebook's rows for a notebook's cells: class, name and values."""
    for cell in stored["cells"]:
        metadata = cell["metadata"].get("nbgrader")
        if not metadata:
            continue
        name, kind = metadata["grade_id"], cell["cell_type"]
        if metadata.get("grade"):
            points = float(metadata.get("points", 0))
            yield api.GradeCell, name, {"max_score": points, "cell_type": kind}
        if metadata.get("solution"):
            yield api.SolutionCell, name, {}
        source, locked = "".join(cell["source"]), bool(metadata.get("locked"))
        yield api.SourceCell, name, {"cell_type": kind, "source": source, "locked": locked}


def _record_points(
    gradebook: api.Gradebook,
    notebook: Any,  # noqa: ANN401 - nbgrader's classes are untyped
    submitted: Any,  # noqa: ANN401
    result: Result,
    changed: bool,
    retested: bool,
) -> int:
    """Write one submission's points; return how many of its answers wait for a person."""
    results = {cell.cell: cell for cell in result.cells}
    grades = {grade.cell_id: grade for grade in submitted.grades}
    comments = {comment.cell_id for comment in submitted.comments}
    for cell in notebook.solution_cells:
        if cell.id not in comments:
            gradebook.db.add(api.Comment(cell_id=cell.id, notebook=submitted))
    waiting = 0
    for cell in notebook.grade_cells:
        grade = grades.get(cell.id)
        if grade is None:
            grade = api.Grade(cell_id=cell.id, notebook=submitted)
            gradebook.db.add(grade)
        grade.auto_score = _points(result, results.get(cell.name))
        if grade.manual_score is None:
            doubted = cell.name in results and results[cell.name].doubt
            grade.needs_manual_grade = grade.auto_score is None or bool(doubted)
        elif changed or (retested and cell.name in results and results[cell.name].tests):
            grade.needs_manual_grade = True
        waiting += bool(grade.needs_manual_grade)
    return waiting


def _points(result: Result, cell: CellResult | None) -> float | None:
    """The points of a cell without a person; in a file that cannot be read, it has none."""
    if cell is None:
        return None
    return 0.0 if result.verdict == Verdict.UNREADABLE else cell.earned


def _mark(
    submission: Any,  # noqa: ANN401
    name: str,
    result: Result,
    names: dict[str, str],
) -> Mark:
    """One student's mark; where the gradebook knows no name, with the one that intake knows."""
    submitted = submission.notebooks[0]
    by_a_person = {comment.name for comment in submitted.comments}
    comments = {comment.name: comment.comment or "" for comment in submitted.comments}
    scores, outdated, tested, written, to_come, waits = {}, set[str](), 0.0, 0.0, 0.0, False
    for grade in submitted.grades:
        scores[grade.name] = grade.manual_score
        if grade.needs_manual_grade and grade.manual_score is not None:
            outdated.add(grade.name)
        if grade.name in by_a_person:
            written += grade.score
            if grade.needs_manual_grade:
                waits, to_come = True, to_come + grade.max_score - grade.score
        else:
            tested += grade.score
            doubted = result.in_doubt(grade.name) if grade.manual_score is None else 0.0
            # Whoever types a number and takes it back has not decided.
            waits = waits or bool(grade.needs_manual_grade) or bool(doubted)
            to_come += doubted
    judged = [cell for cell in {**scores, **comments} if scores.get(cell) is not None or
            comments.get(cell)]  # fmt: skip
    student = submission.student
    return Mark(
        submission.student_id,
        name,
        tested,
        None if waits else written,
        tested + written,
        submitted.max_score,
        result.verdict,
        result.why,
        tuple(
            Remark(cell, scores.get(cell), comments.get(cell, ""), cell in outdated)
            for cell in judged
        ),
        student.first_name or ("" if student.last_name else names.get(student.id, "")),
        student.last_name or "",
        student.email or "",
        to_come,
    )
