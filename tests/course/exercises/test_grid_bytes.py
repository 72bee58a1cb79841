"""Bytes of a grid that are wrong by a factor are traced to the mistake or mistakes behind it."""

from itertools import combinations
from math import isclose

import pytest
from softlookup.course.exercises.grid_bytes import (
    gradient_slips,
    name_kinds,
    ring,
    stream_slips,
    why,
)
from softlookup.course.exercises.verdict import Mistake

SIZES = (51, 11, 20, 13, 9_600, 8, 3, 5)


def test_a_worker_of_a_ring_sends_all_parts_but_one_twice():
    assert ring(2) == 1
    assert ring(4) == 1.5


@pytest.mark.parametrize("slips", [stream_slips(*SIZES), gradient_slips(*SIZES)])
def test_no_two_mistakes_of_one_kind_give_one_factor(slips):
    assert not any(isclose(one, other) for one, other in combinations(slips.values(), 2))
    assert not any(isclose(each, 1) for each in slips.values())


def test_a_factor_is_explained_by_one_mistake_or_by_two():
    slips = {"half": 1 / 2, "thrice": 3.0}
    assert why(3, slips) == " (thrice)"
    assert why(1.5, slips) == " (half; and thrice)"
    assert why(7, slips) == ""


@pytest.mark.parametrize(
    ("gradients", "streams", "words"),
    [
        (1, 0, "not the streams"),
        (0, 1, "not the gradients"),
        (1 / 2, 1 / 2, "twice: to add"),
        (1 / 8, 1 / 8, "each has several bytes"),
        (15, 15, "of all workers"),
    ],
)
def test_a_kind_left_out_and_one_factor_for_both_are_named(gradients, streams, words):
    with pytest.raises(Mistake, match=words):
        name_kinds(gradients, streams, 8, 15)


def test_what_is_wrong_in_another_way_is_left_to_the_kinds():
    name_kinds(1, 2, 8, 15)
    name_kinds(1 / 2, 1 / 4, 8, 15)
