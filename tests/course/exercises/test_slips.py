"""A wrong result is traced to the part of the formula that was wrong, or to two of them."""

import pytest
import torch
from softlookup.course.exercises.probes import draw
from softlookup.course.exercises.slips import combination, name_slips, name_times
from softlookup.course.exercises.verdict import Mistake

X = draw(5, 3, seed=1)
SLIPS = {
    "factor": {"you left out the factor": 1.0, "you divide by the factor": 0.5},
    "added": {"you left out the number": 0.0},
}


def formula(factor=2.0, added=3.0):
    return factor * X + added


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (X + 3, "^you left out the factor$"),
        (2 * X, "^you left out the number$"),
        (X / 2, r"^there are two mistakes\. You divide by the factor\. You left out the number$"),
    ],
)
def test_the_slip_is_named_and_two_are_named_together(got, words):
    with pytest.raises(Mistake, match=words):
        name_slips(got, formula, SLIPS)


def test_a_result_that_no_slip_gives_is_left_alone():
    name_slips(X + 7, formula, SLIPS)
    name_slips(X / 2 + 1, formula, SLIPS)


def test_of_two_slips_the_first_may_be_a_question():
    slips = {"factor": {"is it doubled?": 1.0}, "added": {"you left out the number": 0.0}}
    with pytest.raises(Mistake, match=r"Is it doubled\? You left out the number$"):
        name_slips(X, formula, slips)


def test_two_slips_in_one_part_are_not_tried_together():
    name_slips(X / 2 + 3, lambda factor=2.0: factor * X + 3, {"factor": {"a": 1.0, "b": 4.0}})


def test_results_may_be_compared_in_another_way():
    with pytest.raises(Mistake, match="left out the factor"):
        name_slips(X + 3.1, formula, SLIPS, alike=lambda a, b: torch.allclose(a, b, atol=0.2))


def test_what_is_right_is_no_two_slips_that_cancel():
    slips = {"factor": {"twice": 4.0}, "whole": {"half": 0.5}}
    name_slips(2 * X, lambda factor=2.0, whole=1.0: whole * factor * X, slips)


@pytest.mark.parametrize("harmless_first", [False, True])
def test_a_slip_that_does_no_harm_alone_is_no_second_mistake(harmless_first):
    """A lower bound below every number changes nothing, until the factor's sign is lost."""
    slips = {"factor": {"the sign is lost": -1.0}, "bound": {"there is a bound": -5.0}}
    if harmless_first:
        slips = dict(reversed(slips.items()))
    positive = torch.tensor([1.0, 4.0, 9.0])

    def bounded(factor=1.0, bound=-torch.inf):
        return (factor * positive).clamp(min=bound)

    with pytest.raises(Mistake, match=r"^The sign is lost\. One .* no harm alone: there is a bou"):
        name_slips(torch.tensor([-1.0, -4.0, -5.0]), bounded, slips)


Y = draw(3, seed=2)


def test_a_sum_is_taken_apart_into_its_terms():
    times = combination(2 * X - 0.5 * Y, {"x": X, "y": Y})
    assert times == pytest.approx({"x": 2.0, "y": -0.5})
    assert combination(2 * X + Y**2, {"x": X, "y": Y}) == {}
    assert combination(2 * X, {"x": X, "as well x": X}) == {}
    assert combination(X / 0, {"x": X}) == {}


def test_terms_that_stand_too_often_are_named():
    terms = {"x": (X, 1.0), "the row y": (Y, -1.0)}
    name_times(X - Y, terms)
    name_times(X * X, terms)
    with pytest.raises(Mistake, match=r"^the row y stands in yours 0\.25 times; -1 is right$"):
        name_times(X + Y / 4, terms)
    with pytest.raises(Mistake, match=r"x stands in yours 2 times; 1 is right; the row y"):
        name_times(2 * X, terms)
