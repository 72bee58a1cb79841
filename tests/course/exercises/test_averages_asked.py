"""A test of averages that believes an impostor is told what it overlooked or never asked."""

import pytest
import torch
from softlookup.course.exercises.averages_asked import why_unseen

ONES = [torch.ones(4), 3 * torch.ones(4)]


@pytest.mark.parametrize(
    ("tensors", "got", "words"),
    [
        (ONES, ONES, "worker 0 has -1 too much in number 0"),
        ([each.double() for each in ONES], [(2 + 1e-8) * torch.ones(4).double()] * 2, "1e-9"),
        (ONES, [2 * torch.ones(4)] * 2, "two workers alone"),
        ([torch.ones(4)] * 3, [torch.ones(4)] * 3, "hold the same numbers"),
        (ONES, [torch.full((4,), torch.nan)] * 2, "comparison with NaN is always False"),
    ],
)
def test_a_test_of_averages_is_told_what_it_overlooked_or_never_asked(tensors, got, words):
    assert words in why_unseen([(tensors, got)])


@pytest.mark.parametrize(
    ("crowds", "constant", "words"),
    [
        ([(1, 3), (1, 4)], False, "one worker alone"),
        ([(3, 4), (3, 7)], False, "3 workers alone"),
        ([(2, 4), (3, 4)], True, "one number throughout"),
        ([(2, 6), (3, 9)], False, "divide the length"),
        ([(2, 5), (4, 7)], False, "halved down to one"),
        ([(2, 5), (3, 5)], False, "All your tensors have 5 numbers"),
        ([(2, 3), (3, 4)], False, "Your longest tensors have 4 numbers"),
        ([(2, 3), (3, 7)], False, "Your largest crowd has 3 workers"),
        ([(2, 3), (5, 7)], False, "at random"),
    ],
)
def test_what_all_questions_about_averages_have_in_common_is_told(crowds, constant, words):
    asked = []
    for workers, length in crowds:
        tensors = [(number + 1.0) * torch.ones(length) for number in range(workers)]
        if not constant:
            tensors = [each + torch.arange(length) for each in tensors]
        asked.append((tensors, [sum(tensors) / workers] * workers))
    assert words in why_unseen(asked)
