"""nbgrader's gradebook: the store of marks, written by this process alone.

The tests' points are written anew with each grading; what a person gave or wrote is never touched.
If what a student handed in has changed since, a person's points stand and are asked for again.
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

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.marks import Mark, Remark
from softlookup_coursework.common.verdicts import CellResult, Result, Verdict
from softlookup_coursework.grading import job

RECORDED = "recorded.txt"


@contextmanager
def opened(folder: Path) -> Iterator[api.Gradebook]:
    """The gradebook of a course folder, made if there is none."""
    path = folder / "gradebook.db"
    if not path.exists():
        _make(path)
    with api.Gradebook(f"sqlite:///{path}") as gradebook:
        yield gradebook


def _make(path: Path) -> None:
    """Make an empty gradebook: nbgrader would ask the command ``alembic``, if it is on the path."""
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
    """Write an assignment's results into the gradebook: all of them, or none if this is ended.

    Args:
        course: the course.
        name: the assignment.

    Returns:
        How many written answers wait for a person.
    """
    # Nothing is sent to the database before all of it stands.
    with opened(course.folder) as gradebook, gradebook.db.no_autoflush:
        notebook = _define(gradebook, course.assignment(name), name)
        stored = {s.student_id: s for s in gradebook.assignment_submissions(name)}
        known = {student.id for student in gradebook.students}
        recorded, waiting = {}, 0
        for path in sorted(course.folder.glob(f"results/{name}/*/{job.RESULT}")):
            student, result = path.parent.name, Result.read(path)
            collected = course.folder / "collected" / name / student
            told = job.digest(job.read(collected)) if collected.is_dir() else ""
            before = path.with_name(RECORDED)
            changed = not before.is_file() or before.read_text(encoding="utf-8") != told
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
            waiting += _grade(gradebook, notebook, stored[student].notebooks[0], result, changed)
            recorded[before] = told
        gradebook.db.commit()
    for path, told in recorded.items():
        path.write_text(told, encoding="utf-8")
    return waiting


def marks(folder: Path, names: Iterable[str]) -> list[Mark]:
    """The marks of some assignments, as the gradebook has them.

    Args:
        folder: the course's.
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
            for submission in sorted(submissions, key=lambda one: one.student_id):
                path = folder / "results" / name / submission.student_id / job.RESULT
                if path.is_file():
                    found.append(_mark(submission, name, Result.read(path)))
    return found


def _define(gradebook: api.Gradebook, assignment: Path, name: str) -> Any:  # noqa: ANN401
    """Tell the gradebook the assignment's cells, and take out those that it has no more."""
    stored = json.loads((assignment / f"{name}.ipynb").read_text(encoding="utf-8"))
    gradebook.update_or_create_assignment(name)
    kernel = json.dumps(stored["metadata"].get("kernelspec", {}))
    notebook = gradebook.update_or_create_notebook(name, name, kernelspec=kernel)
    # Through the session, since each call of the gradebook's own is a transaction of its own.
    had = {
        (type(cell), cell.name): cell
        for cell in [*notebook.grade_cells, *notebook.solution_cells, *notebook.source_cells]
    }
    for kind, cell, values in _cells(stored):
        row = had.pop((kind, cell), None)
        if row is None:
            row = kind(name=cell, notebook=notebook)
            gradebook.db.add(row)
        for key, value in values.items():
            setattr(row, key, value)
    for row in had.values():
        for belonging in [*getattr(row, "grades", ()), *getattr(row, "comments", ())]:
            gradebook.db.delete(belonging)
        gradebook.db.delete(row)
    gradebook.db.commit()
    return notebook


def _cells(stored: dict[str, Any]) -> Iterator[tuple[type, str, dict[str, Any]]]:
    """What the gradebook is to know of a notebook's cells: the kind, the name, the values."""
    for cell in stored["cells"]:
        told = cell["metadata"].get("nbgrader")
        if not told:
            continue
        name, kind = told["grade_id"], cell["cell_type"]
        if told.get("grade"):
            points = float(told.get("points", 0))
            yield api.GradeCell, name, {"max_score": points, "cell_type": kind}
        if told.get("solution"):
            yield api.SolutionCell, name, {}
        source, locked = "".join(cell["source"]), bool(told.get("locked"))
        yield api.SourceCell, name, {"cell_type": kind, "source": source, "locked": locked}


def _grade(
    gradebook: api.Gradebook,
    notebook: Any,  # noqa: ANN401 - nbgrader's classes have no types
    submitted: Any,  # noqa: ANN401
    result: Result,
    changed: bool,
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
            grade.needs_manual_grade = grade.auto_score is None
        elif changed:
            grade.needs_manual_grade = True
        waiting += bool(grade.needs_manual_grade)
    return waiting


def _points(result: Result, cell: CellResult | None) -> float | None:
    """What a cell earned without a person; in a file that cannot be read, there is nothing."""
    if cell is None:
        return None
    return 0.0 if result.verdict == Verdict.UNREADABLE else cell.earned


def _mark(submission: Any, name: str, result: Result) -> Mark:  # noqa: ANN401
    """One student's mark."""
    submitted = submission.notebooks[0]
    by_a_person = {comment.name for comment in submitted.comments}
    comments = {comment.name: comment.comment or "" for comment in submitted.comments}
    scores, tested, written, waits = {}, 0.0, 0.0, False
    for grade in submitted.grades:
        scores[grade.name] = grade.manual_score
        if grade.name in by_a_person:
            written += grade.score
            waits = waits or grade.needs_manual_grade
        else:
            tested += grade.score
    said = [cell for cell in {**scores, **comments} if scores.get(cell) is not None or
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
        tuple(Remark(cell, scores.get(cell), comments.get(cell, "")) for cell in said),
        student.first_name or "",
        student.last_name or "",
        student.email or "",
    )
