"""A number that no known mistake explains is told by what it is multiplied or divided."""

import pytest
import torch
from softlookup.course.exercises.one_number import by_a_factor, name_unused, require_number
from softlookup.course.exercises.verdict import Mistake

GIVEN = {"length": torch.tensor([11, 5, 7]), "width": torch.tensor([3, 17, 2])}
RIGHT = GIVEN["length"] * 4 + GIVEN["width"] ** 2


@pytest.mark.parametrize("number", [3, 2.5, torch.tensor(3.0), torch.ones(1)])
def test_one_number_of_any_kind_will_do(number):
    assert require_number(number) == float(number)


@pytest.mark.parametrize(
    ("got", "words"),
    [
        ((1, 2), "returned 2 numbers; one is expected"),
        ("7", "returned str"),
        (True, "returned bool"),
        (torch.ones(2), r"shape \(2,\)"),
    ],
)
def test_what_is_not_one_number_is_refused(got, words):
    with pytest.raises(Mistake, match=words):
        require_number(got)


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (RIGHT, ""),
        (RIGHT / 1024, "the right number divided by 1,024"),
        (RIGHT * 100, "the right number multiplied by 100"),
        (RIGHT * GIVEN["width"], "the right number multiplied by `width`"),
        (RIGHT / GIVEN["length"] ** 2, "the right number divided by `length` twice"),
        (
            RIGHT * GIVEN["length"] / GIVEN["width"],
            "the right number multiplied by `length` and divided by `width`",
        ),
        (RIGHT / GIVEN["width"] / 8, "the right number divided by `width` and divided by 8"),
        (RIGHT + 1, ""),
        (RIGHT * torch.tensor([1, 1, 2]), ""),
    ],
)
def test_a_factor_is_told_by_what_was_given(got, words):
    assert by_a_factor(got, RIGHT, GIVEN) == words


def test_of_two_names_for_one_factor_none_is_told():
    assert by_a_factor(RIGHT * 8, RIGHT, {"bytes": torch.tensor([8, 8, 8])}) == ""


SIZES, OTHERS = {"rows": 3, "width": 5}, {"rows": 7, "width": 11}


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (lambda rows, width: rows, "`width` changes nothing in yours: whether it is 5 or 11"),
        (lambda rows, width: 1024, "yours is 1,024 whatever the sizes are"),
    ],
)
def test_what_a_formula_never_uses_is_named(formula, words):
    with pytest.raises(Mistake, match=words):
        name_unused(formula, lambda rows, width: rows * width, SIZES, OTHERS)


def test_what_the_right_formula_does_not_use_either_is_not_named():
    name_unused(lambda rows, width: rows, lambda rows, width: 2 * rows, SIZES, OTHERS)
