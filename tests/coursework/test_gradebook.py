"""The gradebook: points from tests are replaced, a person's points and comments are kept."""

import json

import course_bank
import pytest
from course_bank import by_hand
from softlookup_coursework import exports
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading import gradebook
from sqlalchemy import text


@pytest.fixture
def course(tmp_path):
    return course_bank.make_course(tmp_path)


def mark_of(course, student):
    return {mark.student: mark for mark in gradebook.marks(course.folder, ["scales"])}[student]


def test_points_from_tests_and_from_a_person_are_kept_apart(course):
    course_bank.put(course, "ada")
    course_bank.put(course, "max", scale=0.0)
    assert gradebook.record(course, "scales") == 2
    mark = mark_of(course, "max")
    assert (mark.tests_earned, mark.by_hand, mark.earned, mark.points) == (2.0, None, 2.0, 6.0)
    assert mark.waits
    assert mark.to_come == 3.0
    assert mark.remarks == ()
    by_hand(course, "max", 2.5, "Nearly.")
    mark = mark_of(course, "max")
    assert (mark.tests_earned, mark.by_hand, mark.earned) == (2.0, 2.5, 4.5)
    assert mark.to_come == 0.0
    assert [(r.cell, r.score, r.comment) for r in mark.remarks] == [("essay", 2.5, "Nearly.")]
    assert mark_of(course, "ada").waits


def test_grading_again_keeps_a_persons_points_and_comments(course):
    course_bank.put(course, "ada")
    gradebook.record(course, "scales")
    by_hand(course, "ada", 3.0, "Well said.")
    course_bank.put(course, "ada", reduce=0.0)
    assert gradebook.record(course, "scales") == 0
    mark = mark_of(course, "ada")
    assert (mark.tests_earned, mark.by_hand) == (1.0, 3.0)
    assert mark.remarks[0].comment == "Well said."


def test_a_new_submission_must_be_read_again_and_keeps_its_points_until_then(course):
    course_bank.put(course, "ada")
    gradebook.record(course, "scales")
    by_hand(course, "ada", 3.0, "Well said.")
    course_bank.put(course, "ada", handed_in="another")
    assert gradebook.record(course, "scales") == 1
    mark = mark_of(course, "ada")
    assert (mark.by_hand, mark.earned) == (None, 6.0)
    assert mark.remarks[0].comment == "Well said."
    (left,) = exports.write("plain", course.folder, "scales", [mark]).left
    assert left.why.startswith("essay: the mark is not exported: a person gave its points before")
    assert gradebook.record(course, "scales") == 1  # until a person has looked
    by_hand(course, "ada", 2.0)
    assert gradebook.record(course, "scales") == 0


def test_a_persons_points_for_a_test_wait_when_another_notebook_comes(course):
    course_bank.put(course, "ada", reduce=0.0)
    gradebook.record(course, "scales")
    by_hand(course, "ada", 3.0)
    by_hand(course, "ada", 2.0, cell="test_reduce")
    assert not mark_of(course, "ada").waits
    course_bank.put(course, "ada", reduce=0.0, handed_in="another")
    gradebook.record(course, "scales")
    by_hand(course, "ada", 3.0)
    mark = mark_of(course, "ada")
    assert mark.waits
    assert [remark.cell for remark in mark.remarks if remark.outdated] == ["test_reduce"]
    report = exports.write("plain", course.folder, "scales", [mark])
    assert "test_reduce" in report.left[0].why
    assert "before the notebook or the tests were changed" in report.left[0].why
    assert "press Resolve beside them in the Formgrader" in report.left[0].why
    by_hand(course, "ada", 0.0, cell="test_reduce")
    assert not mark_of(course, "ada").waits


def test_a_persons_points_for_a_test_wait_when_the_tests_are_corrected(course):
    course_bank.put(course, "ada", reduce=0.0)
    gradebook.record(course, "scales")
    by_hand(course, "ada", 3.0)
    by_hand(course, "ada", 1.0, cell="test_reduce")
    gradebook.record(course, "scales")
    assert not mark_of(course, "ada").waits
    (course.assignment("scales") / "rubric.md").write_text("Other words.")
    gradebook.record(course, "scales")
    assert not mark_of(course, "ada").waits
    hidden = course.assignment("scales") / "tests" / "hidden.py"
    hidden.write_text(hidden.read_text() + "# corrected\n")
    gradebook.record(course, "scales")
    mark = mark_of(course, "ada")
    assert mark.waits
    assert [remark.cell for remark in mark.remarks if remark.outdated] == ["test_reduce"]
    by_hand(course, "ada", 2.0, cell="test_reduce")
    gradebook.record(course, "scales")
    assert not mark_of(course, "ada").waits


def test_a_person_may_overrule_a_test(course):
    course_bank.put(course, "ada", reduce=0.0)
    gradebook.record(course, "scales")
    by_hand(course, "ada", 1.5, cell="test_reduce")
    gradebook.record(course, "scales")
    mark = mark_of(course, "ada")
    assert mark.tests_earned == 2.5
    assert ("test_reduce", 1.5) in [(remark.cell, remark.score) for remark in mark.remarks]


def test_an_unreadable_file_has_no_answer_to_read(course):
    course_bank.put(course, "max", 0.0, 0.0, verdict=Verdict.UNREADABLE)
    assert gradebook.record(course, "scales") == 0
    mark = mark_of(course, "max")
    assert (mark.verdict, mark.by_hand, mark.earned) == (Verdict.UNREADABLE, 0.0, 0.0)


def test_a_result_without_marks_waits_for_a_person(course):
    course_bank.put(course, "max")
    Result(Verdict.NEEDS_A_HUMAN, "the worker failed").write(
        course.results("scales", "max") / "result.json"
    )
    assert gradebook.record(course, "scales") == 3
    assert mark_of(course, "max").waits


def test_cells_are_added_and_deleted_with_the_assignment(course):
    course_bank.put(course, "ada")
    gradebook.record(course, "scales")
    by_hand(course, "ada", 3.0, "Well said.")
    path = course.assignment("scales") / "scales.ipynb"
    stored = json.loads(path.read_text())
    stored["cells"] = [
        cell for cell in stored["cells"]
        if cell["metadata"]["nbgrader"]["grade_id"] != "test_reduce"
    ]  # fmt: skip
    path.write_text(json.dumps(stored))
    gradebook.record(course, "scales")
    mark = mark_of(course, "ada")
    assert (mark.points, mark.tests_earned, mark.by_hand) == (4.0, 1.0, 3.0)


def test_the_gradebook_has_nbgraders_schema(course):
    course_bank.put(course, "ada")
    course_bank.put(course, "max", scale=0.0)
    gradebook.record(course, "scales")
    with gradebook.opened(course.folder) as book:
        assert book.find_assignment("scales").max_score == 6.0
        assert book.average_assignment_code_score("scales") == 2.5
        submitted = book.find_submission("scales", "ada")
        assert submitted.needs_manual_grade
        assert submitted.timestamp is not None
        kinds = {
            cell.name: cell.cell_type
            for cell in book.find_notebook("scales", "scales").source_cells
        }
        assert kinds["essay"] == "markdown"
        assert book.db.execute(text("PRAGMA integrity_check")).scalar() == "ok"
        own = book.db.execute(text("SELECT version_num FROM alembic_version")).scalar()
        assert (
            own == "e43177bfe90b"
        )  # the newest revision of nbgrader 0.9.6, so that it can migrate the database
    assert (course.folder / "gradebook.db").stat().st_mode & 0o777 == 0o600


def test_an_assignment_that_was_never_graded_has_no_marks(course):
    assert gradebook.marks(course.folder, ["scales"]) == []
