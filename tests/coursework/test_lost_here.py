"""A teacher is told where points may have been lost to the machine that graded."""

import pytest
from softlookup.course.exercises.objections import uses
from softlookup_coursework.common.verdicts import TestResult
from softlookup_coursework.grading.lost_here import why_lost

UNDEFINED = "attend: NameError: name 'F' is not defined"


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
        ("your attend: the numbers are off by up to 0.3", "cell 2: FileNotFoundError: notes.txt"),
        (UNDEFINED, "the cells were in another order"),
    ],
)
def test_an_answer_that_is_wrong_is_no_matter_of_the_machine(message, note):
    assert not why_lost(lost(message), [note])
    assert not why_lost([], [note])


def test_what_a_forbidden_name_cost_is_told():
    refusal = uses("MultiheadAttention", "cell 3")
    assert why_lost(lost(refusal), []) == f"points are lost to what is forbidden: {refusal}"
