"""A pipeline's waiting, against schedules that were worked out by hand and the formula."""

from fractions import Fraction

import pytest
from softlookup.parallel.schedules import (
    Work,
    idle_formula,
    idle_share,
    most_kept,
    timetable,
)


def all_forward_first(stages, micro_batches):
    order = [Work(kind, n) for kind in ("forward", "backward") for n in range(micro_batches)]
    return [order] * stages


def test_two_stages_and_two_micro_batches_by_hand():
    first, second = timetable(all_forward_first(2, 2), forward=1, backward=2)
    assert [(each.start, each.end) for each in first] == [(0, 1), (1, 2), (5, 7), (7, 9)]
    assert [(each.start, each.end) for each in second] == [(1, 2), (2, 3), (3, 5), (5, 7)]
    assert idle_share([first, second]) == Fraction(1, 3)


@pytest.mark.parametrize("stages", [1, 2, 3, 5])
@pytest.mark.parametrize("micro_batches", [1, 2, 7])
@pytest.mark.parametrize("backward", [1, 2])
def test_the_formula_is_the_count(stages, micro_batches, backward):
    table = timetable(all_forward_first(stages, micro_batches), 1, backward)
    assert idle_share(table) == idle_formula(stages, micro_batches)


def test_an_order_that_can_never_be_followed_is_refused():
    stuck = [[Work("backward", 0), Work("forward", 0)]] * 2
    with pytest.raises(ValueError, match="wait for ever"):
        timetable(stuck)


def test_activations_wait_for_their_backward_pass():
    assert most_kept(all_forward_first(1, 5)[0]) == 5
    alternating = [Work(kind, n) for n in range(5) for kind in ("forward", "backward")]
    assert most_kept(alternating) == 1


def test_nothing_to_do_is_refused():
    with pytest.raises(ValueError, match="stages is 0"):
        idle_formula(0, 4)
    with pytest.raises(ValueError, match="micro_batches is 0"):
        idle_formula(4, 0)
