"""Probes: the same numbers each time, and a first look that tells shapes and numbers apart."""

import pytest
import torch
from softlookup.course.exercises.probes import draw, draw_several, name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake


@pytest.mark.parametrize(
    "drawn", [lambda: draw(7, 5, seed=3), lambda: draw_several((7, 5), seed=3)[0]]
)
def test_drawing_is_the_same_each_time_and_leaves_the_readers_chance_alone(drawn):
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    first = drawn()
    assert torch.equal(torch.rand(3), expected)
    assert torch.equal(drawn(), first)


def test_another_seed_and_another_tensor_have_other_numbers():
    assert not torch.equal(draw(7, 5, seed=3), draw(7, 5, seed=4))
    one, other = draw_several((7, 5), (7, 5), seed=3)
    assert not torch.equal(one, other)


def test_the_same_are_equal_numbers_in_one_shape_whatever_their_precision():
    x = draw(7, 5, seed=3)
    assert same(x, x.float())
    assert same(x.float(), x)
    assert not same(x, x + 1e-3)
    # What broadcasts, or has as many numbers, is another shape all the same.
    assert not same(torch.ones(1, 5), torch.ones(7, 5))
    assert not same(x.view(5, 7), x)
    assert not same(x, x * float("nan"))


@pytest.mark.parametrize(
    ("got", "words"),
    [
        ([1.0, 2.0], "your function returned list; a tensor is expected"),
        (
            torch.ones(5, 7),
            r"your mask has shape \(5, 7\); \(7, 5\) is expected, \(rows, columns\)",
        ),
    ],
)
def test_what_is_no_tensor_of_the_shape_is_refused_in_words(got, words):
    with pytest.raises(Mistake, match=words):
        require_tensor(got, (7, 5), "your mask", "(rows, columns)")


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        ((7, 1, 5), (7, 5), "axis of length 1 too many: from keepdim"),
        ((7,), (7, 1), "An axis of length 1 is missing: keepdim=True keeps it"),
        ((5, 7), (7, 5), "its axes in another order: transpose"),
        ((3, 7, 5), (7, 5), "You have an axis of 3 too many: is it to be summed"),
        ((7, 5), (7, 3, 5), "You have lost an axis of 3: is it summed"),
        ((7, 6), (7, 5), "It is one too many along axis 1$"),
        ((6, 5), (7, 5), "It is one too few along axis 0$"),
        ((7, 8), (7, 5), r"\(7, 5\) is expected$"),
        ((35,), (7, 5), r"\(7, 5\) is expected$"),
        ((7,), (), r"\(\) is expected$"),
    ],
)
def test_a_shape_with_an_axis_too_many_or_too_few_is_told_what_it_may_come_from(
    got, expected, words
):
    with pytest.raises(Mistake, match=words):
        require_tensor(torch.ones(got), expected)


def test_a_tensor_of_the_shape_is_passed_on():
    x = draw(7, 5, seed=3)
    assert require_tensor(x, (7, 5)) is x


def test_the_first_mistake_that_fits_is_named_and_none_where_none_does():
    x = draw(7, 5, seed=3)
    name_first(x, [(x + 1, "one more"), (x.T, "transposed")])
    with pytest.raises(Mistake, match="twice"):
        name_first(2 * x, [(x + 1, "one more"), (2 * x, "twice"), (x + x, "added to itself")])
