"""A test of scans that believes an impostor is told what its questions have in common."""

import pytest
import torch
from softlookup.course.exercises.scans_on_trial import by_steps, why_unseen


def asked(low, high, length=300, width=3):
    drawing = torch.Generator().manual_seed(length)
    decay = low + (high - low) * torch.rand(length, width, generator=drawing, dtype=torch.float64)
    added = 3 * torch.randn(length, width, generator=drawing, dtype=torch.float64)
    return decay, added, by_steps(decay, added)


@pytest.mark.parametrize(
    ("questions", "words"),
    [
        ([], "does not ask the first of these anything"),
        ([asked(0.0, 1.0, length=20)], "Your longest text has 20 tokens"),
        ([asked(0.3, 1.0, width=1)], "all numbers of a state fade alike"),
        ([asked(0.0, 0.1)], "ask with decays near 1 as well"),
        ([asked(0.5, 1.0)], "Ask for a text that fades away"),
        ([asked(0.9, 1.0), asked(0.0, 0.01)], "ask other texts"),
    ],
)
def test_what_all_questions_have_in_common_is_told(questions, words):
    assert words in why_unseen(questions)


def test_a_state_that_was_asked_for_and_is_wrong_is_pointed_at():
    decay, added, states = asked(0.5, 1.0)
    states[7] += 1
    assert "its state after token 7" in why_unseen([(decay, added, states)])


def test_a_state_that_is_no_number_is_pointed_at():
    decay, added, states = asked(0.5, 1.0)
    states[7:] = torch.nan
    told = why_unseen([(decay, added, states)])
    assert "from token 7 (counted from 0) on it gives NaN. A comparison with NaN" in told
