"""A teacher is told where points may have been lost to the machine that graded."""

import json

import hostile_bank as bank
import pytest
from softlookup.course.student_code.objections import uses
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.common.verdicts import TestResult
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.grading.lost_here import why_lost
from softlookup_coursework.grading.newer_python import newer_python

UNDEFINED = "attend: NameError: name 'F' is not defined"
WRONG = "your attend: the numbers are off by up to 0.3"


def lost(message):
    return [TestResult("hidden.agrees", 2.0, 0.0, message)]


@pytest.mark.parametrize(
    ("message", "note", "told"),
    [
        (UNDEFINED, "cell 1: ModuleNotFoundError: No module named 'google.colab'", "google.colab"),
        ("f: ModuleNotFoundError: No module named 'einops'", "", "it needs einops"),
        ("f: AssertionError: Torch not compiled with CUDA enabled", "", "CUDA"),
        (UNDEFINED, "cell 4: SyntaxError: f-string: expecting '}'", "cell 4: SyntaxError"),
        (UNDEFINED, "cell 2: FileNotFoundError: notes.txt", "cell 2: FileNotFoundError"),
    ],
)
def test_what_is_missing_here_is_named(message, note, told):
    assert told in why_lost(lost(message), [note])


@pytest.mark.parametrize(
    ("message", "note"),
    [
        (WRONG, "cell 2: FileNotFoundError: notes.txt"),
        (UNDEFINED, "the cells were in another order"),
        (WRONG, "cell 1: ModuleNotFoundError: No module named 'google.colab'"),
    ],
)
def test_an_answer_that_is_wrong_is_no_matter_of_the_machine(message, note):
    assert not why_lost(lost(message), [note])
    assert not why_lost([], [note])


def test_what_a_forbidden_name_cost_is_told():
    refusal = uses("MultiheadAttention", "cell 3")
    assert why_lost(lost(refusal), []) == f"points are lost to what is forbidden: {refusal}"


UNREAD = ["cell 12: SyntaxError: f-string: unmatched '['"]


def written_with(version):
    return json.dumps({"cells": [], "metadata": {"language_info": {"version": version}}}).encode()


def test_a_notebook_of_a_newer_python_is_told_where_a_cell_could_not_be_read():
    note = newer_python(written_with("3.12.4"), UNREAD, (3, 11))
    assert "3.12" in note
    assert "3.11" in note
    assert note in why_lost(lost(UNDEFINED), [*UNREAD, note])


@pytest.mark.parametrize(
    ("content", "notes"),
    [
        (written_with("3.11.9"), UNREAD),
        (written_with("3.9.1"), UNREAD),
        (written_with("3.12.4"), ["cell 12: NameError: name 'F' is not defined"]),
        (written_with(3.12), UNREAD),
        (written_with("3.129"), UNREAD),
        (b'{"cells": [], "metadata": {"language_info": ["3.12"]}}', UNREAD),
        (b'{"cells": []}', UNREAD),
    ],
)
def test_otherwise_nothing_is_said_of_it(content, notes):
    assert not newer_python(content, notes, (3, 11))


def test_a_graded_notebook_of_a_newer_python_says_so(tmp_path):
    (tmp_path / "assignment").mkdir()
    assignment = Assignment.load(bank.write_assignment(tmp_path / "assignment"))
    stored = json.loads(bank.notebook(bank.cells("no Python of ours\n" + bank.ANSWER)))
    stored["metadata"] = {"language_info": {"version": "3.99.1"}}
    submission = bank.write_submission(tmp_path / "ada", json.dumps(stored).encode())
    result = grade(assignment, submission)
    told = [note for note in result.notes if "was written with Python 3.99" in note]
    assert told
    assert told[0] in why_lost([each for cell in result.cells for each in cell.tests], result.notes)
