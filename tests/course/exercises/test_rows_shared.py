"""Parts of a shuffle that overlap are told why, and a plan's mistakes are told apart."""

from functools import partial
from itertools import combinations

import pytest
import torch
from softlookup.course.exercises import run_plans
from softlookup.course.exercises.rows_shared import name_lengths, name_overlap
from softlookup.course.exercises.verdict import Mistake

ORDER = torch.randperm(22, generator=torch.Generator().manual_seed(5))


def shuffled(seed):
    return torch.randperm(22, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([ORDER[:5], ORDER[3:8]], "they begin at 0, 3"),
        ([ORDER[:5], ORDER.roll(1)[:5]], "they begin at 0, 21"),
        ([ORDER[:5], (ORDER[:5] + 1) % 22], "add to the numbers of the rows"),
        ([ORDER[:5], ORDER[[0, 0, 1, 2, 3]]], "worker 1 reads a row twice"),
        ([shuffled(7)[:5], shuffled(1007)[5:10]], "they shuffle differently"),
        ([ORDER[[0, 2, 4, 6, 8]], ORDER[[1, 3, 8, 9, 11]]], "by the workers 0 and 1"),
    ],
)
def test_the_reason_why_parts_overlap_is_named(parts, words):
    with pytest.raises(Mistake, match=words):
        name_overlap(parts, ORDER)


@pytest.mark.parametrize(
    ("lengths", "words"),
    [
        ((22, 22, 22, 22), "every worker reads all 22 rows"),
        ((6, 6, 6, 6), "one row too many"),
        ((4, 4, 4, 4), "as many as there are workers"),
        ((0, 5, 5, 5), "the first worker is number 0"),
        ((6, 6, 5, 5), "they wait for each other"),
        ((3, 3, 3, 3), "get 3, 3, 3, 3 of them; each gets 5, and 2 are left out"),
    ],
)
def test_parts_of_another_length_are_told_how_they_came_about(lengths, words):
    with pytest.raises(Mistake, match=words):
        name_lengths([ORDER[:length] for length in lengths], 22)


def test_one_row_that_is_left_out_is_told_as_one():
    with pytest.raises(Mistake, match="each gets 5, and 1 is left out"):
        name_lengths([ORDER[:3]] * 4, 21)


def test_parts_of_the_right_length_are_told_nothing():
    name_lengths([ORDER[:5]] * 4, 22)


@pytest.mark.parametrize(
    ("formula", "slips"),
    [
        (run_plans.parameters, run_plans.SIZES),
        (run_plans.tokens, run_plans.TOKENS),
        (run_plans.devices, run_plans.DEVICES),
        (run_plans.days, run_plans.DAYS),
    ],
)
def test_no_two_mistakes_of_a_plan_give_one_number(formula, slips):
    budgets = torch.tensor([(1e19, 21.0, 2e7, 5e13), (3e23, 13.0, 4.3e9, 1.5e14)]).double().T
    formula = partial(formula, budgets)
    wrong = [formula(**{part: each}) for part, values in slips.items() for each in values.values()]
    wrong = [each for each in wrong if not run_plans.alike(each, formula())]
    assert len(wrong) >= 6
    assert not any(run_plans.alike(one, other) for one, other in combinations(wrong, 2))
