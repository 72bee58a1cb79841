"""Bytes of a grid that are wrong by a factor are traced to the mistake or mistakes behind it."""

from itertools import combinations
from math import isclose

import pytest
from softlookup.course.exercises.grid_bytes import (
    GRIDS,
    as_sums,
    gradient_slips,
    gradients,
    name_bytes,
    name_kinds,
    ring,
    stream_slips,
    streams,
    why,
)
from softlookup.course.exercises.verdict import Mistake


def test_a_worker_of_a_ring_sends_all_parts_but_one_twice():
    assert ring(2) == 1
    assert ring(4) == 1.5


@pytest.mark.parametrize("slips_of", [stream_slips, gradient_slips])
def test_no_two_mistakes_of_one_kind_give_one_factor_on_both_grids(slips_of):
    pairs = list(zip(*(slips_of(*grid).values() for grid in GRIDS), strict=True))
    assert not any(
        all(map(isclose, one, other)) for one, other in combinations([*pairs, (1, 1)], 2)
    )


def test_a_factor_is_explained_by_one_mistake_or_by_two():
    slips = [{"half": 1 / 2, "thrice": 3.0}, {"half": 1 / 2, "thrice": 4.0}]
    assert why([3, 4], slips) == "thrice"
    assert why([1.5, 2], slips) == "half; and thrice"
    assert why([7, 7], slips) == ""
    assert why([3, 3], slips) == ""


def test_streams_of_another_number_of_sums_are_counted():
    assert as_sums([1.5, 1.5]).endswith("and yours has 6")
    assert as_sums([1.5, 1.25]) == as_sums([1.3, 1.3]) == ""


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


def sent(*sizes):
    return streams(*sizes) + gradients(*sizes)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (lambda *sizes: streams(*sizes) * gradients(*sizes), "you multiply the bytes"),
        (lambda *sizes: sent(*sizes[:5], 2, *sizes[6:]), "`itemsize` changes nothing in yours"),
        (
            lambda *sizes: streams(*sizes) + gradients(*sizes) * sizes[0] / sizes[1],
            "multiplied by `rows` and divided by `length`",
        ),
        (
            lambda *sizes: streams(*sizes) + gradients(*sizes[:-2], sizes[-1], sizes[-2]),
            "cut them into `data`; and gradients go round the `data` workers of a column, and not "
            "round `tensor`",
        ),
        (lambda *sizes: (streams(*sizes), gradients(*sizes)), "returned 2 numbers; one"),
    ],
)
def test_a_formula_for_a_step_is_told_what_is_wrong_with_it(formula, words):
    with pytest.raises(Mistake, match=words):
        name_bytes(formula)


def test_a_right_formula_is_told_nothing():
    name_bytes(sent)
