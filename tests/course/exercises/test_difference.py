"""A wrong result is described as a teacher would, who has the right one beside it."""

import pytest
import torch
from softlookup.course.exercises.difference import difference, require_same
from softlookup.course.exercises.probes import draw
from softlookup.course.exercises.verdict import Mistake

RIGHT = draw(2, 5, 3, seed=0)
X = draw(2, 5, 3, seed=1)
AXES = ("sequence", "place", "width")
SQUARE = draw(5, 5, seed=2)


def changed(*at):
    result = RIGHT.clone()
    result[at] += 1.0
    return result


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (-RIGHT, "-1 times the right one"),
        (RIGHT / 2, "0.5 times the right one"),
        (5 * RIGHT, "5 times the right one, how many .* along the place: a sum where a mean"),
        (RIGHT / 5, "one over how many there are along the place: a mean where a sum"),
        (RIGHT / 3**0.5, "one over the root of .* along the width: is it divided by once too"),
        (RIGHT * 5**0.5, "the root of how many .* along the place: is a division by it missing"),
        (2 * RIGHT, "2 times the right one$"),
        (0 * RIGHT, "yours is all zeros"),
        (1 - RIGHT, "what the right one lacks to 1"),
        (RIGHT.round(decimals=2), "the right one, rounded to 2 digits"),
        (RIGHT.round(), "the right one, made a whole number"),
        (RIGHT.trunc(), "the right one, made a whole number"),
        (RIGHT / RIGHT.norm(dim=2, keepdim=True), "along the width yours is the right one times a"),
        (RIGHT[:1].expand(2, 5, 3), "yours is the same for every sequence"),
        (RIGHT * (X > 0), "; all that is wrong in yours is zero$"),
        (RIGHT.cumsum(1), "the running sum of the right one along the place"),
        (RIGHT.softmax(1), "the softmax of the right one along the place"),
        (RIGHT / RIGHT.sum(2, keepdim=True), "divided by its sum along the width"),
        (
            torch.cat([0 * RIGHT[:, :1], RIGHT[:, :-1]], dim=1),
            "yours stands one too late along the place",
        ),
        (
            torch.cat([RIGHT[:, 1:], 0 * RIGHT[:, :1]], dim=1),
            "yours stands one too early along the place",
        ),
        (RIGHT + 0.25, r"\+0.25 added everywhere"),
        (RIGHT.exp(), "the exponential of the right one"),
        (RIGHT.abs(), "the absolute value of the right one"),
        (RIGHT.square(), "the square of the right one"),
        (1 / RIGHT, "the inverse of the right one"),
        (X, "yours is `x` itself"),
        (RIGHT + X, "plus `x`, which stands in it once too often"),
        (RIGHT - X, "without `x`, which is missing"),
        (RIGHT.flip(1), "backwards along the place"),
        (RIGHT.roll(2, dims=1), "in another order along the place"),
        (RIGHT.roll(1, dims=2), "in another order along the width"),
        (
            RIGHT / RIGHT.norm(dim=(0, 2), keepdim=True),
            "each place is the right one times a factor",
        ),
        (RIGHT * torch.tensor([2.0, 3.0])[:, None, None], "each sequence .* the first of them 2$"),
        (
            changed(1, 3, 0),
            "first at sequence 1, place 3, width 0 .*; along the sequence only 1 of",
        ),
        (
            changed(slice(None), 3),
            "first at sequence 0, place 3.*; along the place only 3 of 0 to 4",
        ),
        (changed(slice(None), slice(1, None)), "along the place only 0 of 0 to 4 is right"),
        (torch.where(RIGHT > 1, torch.nan, RIGHT), "yours holds NaN, first at sequence"),
        (RIGHT.log(), "yours holds NaN"),
        (1 / torch.where(RIGHT > 1, 0, RIGHT), "yours holds infinity"),
    ],
)
def test_the_difference_is_described(got, words):
    with pytest.raises(Mistake, match=rf"^your block is another: .*{words}"):
        require_same(got, RIGHT, "your block is another", axes=AXES, given={"x": X, "v": X[0]})


def test_the_logarithm_of_a_zero_is_a_logarithm():
    right = torch.tensor([0.0, 0.25, 0.75])
    assert difference(right.log(), right) == "yours is the logarithm of the right one"


def test_what_is_to_be_alike_is_not_called_wrong_for_it():
    right = X[:, :1].expand(2, 5, 3)
    assert "the same for every" not in difference(right + X[0, 0], right, axes=AXES)


def test_rows_that_are_all_alike_stand_nowhere_too_late():
    right = torch.ones(5, 3)
    assert "late" not in difference(torch.cat([right[:1] + 1, right[1:]]), right)


def test_a_transpose_and_unnamed_axes():
    assert difference(SQUARE.T, SQUARE).startswith("yours is transposed: axis 0 and axis 1")
    assert "backwards along the axis 1" in difference(SQUARE.flip(1), SQUARE)


def test_one_number_is_compared_as_it_is():
    assert difference(torch.tensor(2.0), torch.tensor(5.0)) == "yours is 2 and 5 is right"
    assert difference(torch.tensor(5.0).log(), torch.tensor(5.0)).startswith("yours is the log")


def test_what_is_right_within_rounding_is_not_refused():
    require_same(RIGHT.float(), RIGHT, "your block is another")


def test_a_slice_that_stands_twice_is_no_other_order():
    twice = RIGHT.clone()
    twice[:, 1] = RIGHT[:, 0]
    assert "order" not in difference(twice, RIGHT, axes=AXES)


def test_a_factor_is_seen_beside_zeros():
    right = torch.tensor([0.0, 1.0, -2.0])
    assert difference(7 * right, right) == "yours is 7 times the right one"


def test_long_axes_are_not_searched():
    right = draw(4001, seed=3)
    assert difference(right.roll(1), right).startswith("yours")
    assert "order" not in difference(right.roll(1), right)
