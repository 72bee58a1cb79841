import pytest
import torch
from softlookup.course.exercises.heads_on_trial import after_the_last, slip
from softlookup.course.exercises.texts_in_common import (
    _just_half,
    in_common,
    what_else_it_asks,
)

TWICE = torch.tensor([7, 30, 2, 9, 7, 30, 2, 9])
MANY = [
    torch.randint(0, 12, (40,), generator=torch.Generator().manual_seed(1)),
    torch.randint(20, 50, (60,), generator=torch.Generator().manual_seed(2)),
]


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([TWICE, TWICE.flip(0)], "each is one block that stands twice"),
        ([torch.tensor([1, 2, 30, 1, 4, 1])], "no token comes five times"),
        ([torch.tensor([1, 2, 30, 1, 4])], "no token comes three times"),
        ([torch.tensor([1, 2, 30, 1, 4])], "no token stands twice in a row"),
        ([torch.tensor([1, 2, 30, 1, 2, 2])[:5]], "always the same one follows"),
        ([torch.tensor([1, 1, 30, 1, 1, 1])], "none is longer than 6 tokens"),
        (
            [torch.tensor([3, 3, 40]).repeat_interleave(7)],
            "later than 1 place on",
        ),
        ([torch.tensor([3, 3, 4, 4, 5, 5]).repeat(5)[1:]], "all ids lie from 3 to 5"),
        ([torch.tensor([3]).repeat(5)], "every id is 3"),
        ([MANY[1] - 10], "no id is less than 10"),
        (MANY[:1] * 2, "Of your single text"),
    ],
)
def test_what_all_texts_have_in_common_is_told(texts, words):
    assert words in in_common(texts)


def test_of_texts_that_have_nothing_in_common_nothing_is_told():
    assert in_common(MANY) == ""
    assert in_common([torch.cat([MANY[0], MANY[1][:24]])]) == "You try a single text: draw many"


def judged(wrong):
    def test(head):
        weights = head(MANY[0])
        found = [(i, after_the_last(MANY[0], i)) for i in range(len(MANY[0]))]
        return not any(wrong(weights, i, place) for i, place in found)

    return test


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda w, i, at: w[i, at or 0] < 0.5 - 1e-6, "places whose token is new"),
        (lambda w, i, at: at and w[i, at] < 0.95, "not one with 0.9: half of it is enough"),
        (lambda w, i, at: at and w[i, at] < 0.55, "with 0.6 where it should look, and not"),
        (lambda w, i, at: at and w[i].argmax() != at, "even if the other half"),
        (lambda w, i, at: True, ""),
    ],
)
def test_what_a_test_asks_beside_is_told(wrong, words):
    told = what_else_it_asks(judged(wrong))
    assert words in told
    assert bool(told) == bool(words)


def test_a_head_with_just_a_half_is_an_induction_head():
    weights = _just_half(MANY[0])
    assert slip(MANY[0], weights) is None
    assert torch.allclose(weights.sum(dim=1), torch.ones(40))
    assert int((weights.amax(dim=1) < 0.51).sum()) > 20
