"""Where nobody can tell from the code whether an answer is the student's own, a person decides."""

import re
from collections import Counter
from dataclasses import replace

import course_bank
import hostile_bank as bank
import pytest
from course_bank import by_hand
from outgoing import cells
from softlookup_coursework import exports
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.commands import batches
from softlookup_coursework.common.marks import Remark
from softlookup_coursework.common.verdicts import CellResult, Result, TestResult, Verdict
from softlookup_coursework.exports.moodle import comment
from softlookup_coursework.exports.report import undecided
from softlookup_coursework.feedback.feedback import mark_of, publish
from softlookup_coursework.grading import gradebook
from softlookup_coursework.grading.grade_one import grade

WHY = "cell 3 uses exec, which this check does not know"


@pytest.fixture
def doubted(tmp_path):
    """A course in which ada's answer is in doubt, and nobody has looked."""
    course = course_bank.make_course(tmp_path)
    course_bank.put(course, "ada", reduce=0.0, doubt=WHY)
    return course


def test_an_answer_that_nobody_can_read_waits(tmp_path):
    (tmp_path / "assignment").mkdir()
    folder = bank.write_assignment(tmp_path / "assignment")
    assignment = Assignment.load(folder)
    answers = "import torch\n" + bank.ANSWER
    clean = grade(assignment, bank.write_submission(tmp_path / "ada", bank.cells(answers)))
    assert clean.earned
    assert not clean.doubt
    hidden = bank.cells(f"text = {answers[::-1]!r}\nexec(text[::-1])")
    result = grade(assignment, bank.write_submission(tmp_path / "max", hidden))
    assert "passes only where cells have run" in result.doubt
    for sure, held in zip(clean.cells, result.cells, strict=True):
        if sure.cell in ("rows", "scale"):
            assert (held.earned, result.in_doubt(held.cell)) == (0.0, sure.earned)
            assert all(test.message.startswith("the test passes") for test in held.tests)
    assert result.verdict == Verdict.GRADED


def test_a_right_answer_beside_code_that_nobody_can_read_has_its_points(tmp_path):
    (tmp_path / "assignment").mkdir()
    folder = bank.write_assignment(tmp_path / "assignment")
    beside = bank.cells("text = '3 + 4'\nexec(text)\nimport torch\n" + bank.ANSWER)
    result = grade(Assignment.load(folder), bank.write_submission(tmp_path / "max", beside))
    assert result.earned == 8.0
    assert not result.doubt


def test_the_gradebook_asks_a_person_and_the_mark_waits(doubted):
    waiting = gradebook.record(doubted, "scales")
    assert waiting == 2  # the written answer, and the test
    by_hand(doubted, "ada", 3.0)
    (mark,) = gradebook.marks(doubted.folder, ["scales"])
    assert (mark.waits, mark.to_come) == (True, 2.0)
    by_hand(doubted, "ada", 2.0, cell="test_reduce")
    (mark,) = gradebook.marks(doubted.folder, ["scales"])
    assert (mark.waits, mark.to_come) == (False, 0.0)
    assert gradebook.record(doubted, "scales") == 0


def test_who_types_a_number_and_takes_it_back_has_not_decided(doubted):
    gradebook.record(doubted, "scales")
    by_hand(doubted, "ada", 3.0)
    by_hand(doubted, "ada", None, cell="test_reduce")
    (mark,) = gradebook.marks(doubted.folder, ["scales"])
    assert (mark.waits, mark.to_come) == (True, 2.0)


@pytest.mark.parametrize("form", exports.FORMATS)
def test_an_export_names_who_waits_and_why(doubted, form):
    gradebook.record(doubted, "scales")
    by_hand(doubted, "ada", 3.0)
    marks = gradebook.marks(doubted.folder, ["scales"])
    report = exports.write(form, doubted.folder, "scales", marks)
    (left,) = [one for one in report.left if one.student == "ada"]
    assert "a person decides on 2 of its points, and enters 2 for the cell if they" in left.why
    assert WHY in left.why
    assert left.lost
    if form == "plain":
        header, row = cells(report.path)
        assert row[header.index("earned")] == ""
    by_hand(doubted, "ada", 2.0, cell="test_reduce")
    marks = gradebook.marks(doubted.folder, ["scales"])
    report = exports.write(form, doubted.folder, "scales", marks)
    assert not [one for one in report.left if WHY in one.why]


def test_all_cells_that_wait_are_named_at_once(doubted):
    gradebook.record(doubted, "scales")
    (mark,) = gradebook.marks(doubted.folder, ["scales"])
    test = TestResult("hidden.sums", 4.0, 0.0, "the test passes", WHY)
    cells = [CellResult(name, 5.0, 1.0, (test,)) for name in ("test_first", "test_second")]
    result = Result(Verdict.GRADED, "", tuple(cells))
    said = undecided(mark, result, "the mark is not exported")
    assert "test_first: the mark is not exported until a person decides on 4 of its points" in said
    assert said.endswith(f"{WHY}. So it is with test_second (5 or 1)")
    decided = replace(mark, remarks=(Remark("test_first", 5.0),))
    assert undecided(decided, result, "").startswith("test_second: ")


def test_grade_shows_nobody_on_whom_a_person_has_decided(doubted, capsys):
    result = Result.read(doubted.results("scales", "ada") / "result.json")

    def shown():
        waiting = {"scales": gradebook.record(doubted, "scales")}
        well = batches.report(doubted, {"scales": {"ada": result}}, Counter(), waiting)
        return well, " ".join(capsys.readouterr().out.split())

    well, said = shown()
    assert not well
    assert "Look at these" in said
    by_hand(doubted, "ada", 2.0, cell="test_reduce")
    well, said = shown()
    assert well
    assert "Look at these" not in said


def test_a_mark_that_follows_from_the_result_alone_waits_too(doubted):
    result = Result.read(doubted.results("scales", "ada") / "result.json")
    result = replace(result, cells=tuple(c for c in result.cells if c.earned is not None))
    assert mark_of(result, "scales", "ada").waits


def test_an_answer_that_is_missing_asks_at_each_test_that_lost_points(tmp_path):
    (tmp_path / "assignment").mkdir()
    assignment = Assignment.load(bank.write_assignment(tmp_path / "assignment"))
    listed = bank.cells()
    without = [*listed[:2], *listed[3:]]
    result = grade(assignment, bank.write_submission(tmp_path / "ada", without))
    assert (result.verdict, result.why) == (Verdict.NEEDS_A_HUMAN, "no cell answers attention")
    doubts = {cell.cell: {test.doubt for test in cell.tests} for cell in result.cells}
    assert doubts == {"rows": {result.why}, "scale": {result.why}, "modules": {""}, "essay": set()}


MISSING = "no cell answers reduce"


@pytest.fixture
def unanswered(tmp_path):
    """A course in which ada deleted the cell of an answer, and nobody has looked."""
    course = course_bank.make_course(tmp_path)
    course_bank.put(course, "ada", reduce=0.0, doubt=MISSING, verdict=Verdict.NEEDS_A_HUMAN)
    stored = Result.read(course.results("scales", "ada") / "result.json")
    replace(stored, why=MISSING).write(course.results("scales", "ada") / "result.json")
    gradebook.record(course, "scales")
    by_hand(course, "ada", 3.0)
    return course


def test_who_needs_a_person_waits_until_that_person_gave_each_lost_cell_its_points(
    unanswered, capsys
):
    result = Result.read(unanswered.results("scales", "ada") / "result.json")

    def told():
        (mark,) = gradebook.marks(unanswered.folder, ["scales"])
        report = exports.write("canvas", unanswered.folder, "scales", [mark])
        (row,) = publish(unanswered.folder, "scales", [mark])
        well = batches.report(unanswered, {"scales": {"ada": result}}, Counter(), {"scales": 0})
        listed = "Look at these" in capsys.readouterr().out
        page = row.path.read_text(encoding="utf-8")
        headline = re.search('<h2 id="verdict">(.*?)</h2>', page)[1]
        rows = [left.why for left in report.left if left.student == "ada"]
        return mark.waits, rows, row.final, well, listed, headline, comment(mark)

    waits, rows, *others, said = told()
    assert waits
    assert rows[0].startswith("test_reduce: the mark is not exported until a person decides")
    assert rows[0].endswith(MISSING)
    assert others == [False, False, True, "Your teacher has to look at it"]
    assert "Needs a human" in said
    by_hand(unanswered, "ada", 0.0, cell="test_reduce")
    *others, said = told()
    assert others == [False, [], True, True, False, "Your teacher has looked at it"]
    assert f"A person has looked at it ({MISSING})" in said


def test_a_result_without_cells_is_never_settled():
    broken = Result(Verdict.NEEDS_A_HUMAN, "its result cannot be read; grade it again")
    assert broken.asks({"test_scale", "test_reduce", "essay"})
