"""Predictions: the measurement judges, and it must bear out exactly one option."""

import pytest
from softlookup.course.predictions import compare

OUTCOMES = {"a": False, "b": True, "c": False}


@pytest.mark.parametrize(
    ("prediction", "words"),
    [
        ("b", "Measured: (b). As you predicted.\n"),
        ("c", "Measured: (b). You predicted (c): what made it tempting?\n"),
        (
            None,
            "Measured: (b). You made no prediction: set it above, and run both cells again.\n",
        ),
    ],
)
def test_each_answer_gets_its_comment(prediction, words, capsys):
    compare(prediction, OUTCOMES)
    assert capsys.readouterr().out == words


def test_an_answer_that_is_no_option_is_refused():
    with pytest.raises(ValueError, match=r"prediction is 'd'; expected one of \['a', 'b', 'c'\]"):
        compare("d", OUTCOMES)


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ({"a": False, "b": False}, r"bears out no option; expected exactly one of \['a', 'b'\]"),
        ({"a": True, "b": True}, r"bears out \['a', 'b'\]; expected exactly one"),
    ],
)
def test_options_that_overlap_or_leave_a_gap_are_refused(outcomes, words):
    with pytest.raises(ValueError, match=words):
        compare("a", outcomes)
