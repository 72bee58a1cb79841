"""A learner's test that misjudges for its tolerance alone is told so, and no other."""

import pytest
import torch
from softlookup.course.exercises.tolerances import why_intolerant

X = torch.linspace(-2, 2, 11, dtype=torch.float64)

# What a test judges here: a function that should return what it is given, and move with it.
HONEST = {"itself": lambda x: x, "rounded to float32": lambda x: x.float().double()}
ROUNDED = HONEST["rounded to float32"]


def off(x):
    return x + 0.01


def also_moves(same):
    return lambda f: same(f(X), X) and not same(f(-X), f(X))


TOO_WIDE = {
    "allclose": lambda f: torch.allclose(f(X), X, atol=0.1),
    "isclose": lambda f: bool(torch.isclose(f(X), X, atol=0.1).all()),
    "a bound": lambda f: bool((f(X) - X).abs().max() < 0.1),
    "a bound, the other way round": lambda f: not bool(((f(X) - X).abs() > 0.1).any()),
    "a number's bound": lambda f: (f(X) - X).abs().max().item() < 0.1,
    "a number's bound, included": lambda f: (f(X) - X).abs().max().item() <= 0.1,
    "a number's bound, turned round": lambda f: not (f(X) - X).abs().max().item() > 0.1,
    "a number's bound, turned round, included": lambda f: not (f(X) - X).abs().max().item() >= 0.1,
    "beside what has to differ": also_moves(lambda a, b: torch.allclose(a, b, atol=0.1)),
}
TOO_NARROW = {
    "equal": lambda f: torch.equal(f(X), X),
    "an operator": lambda f: bool((f(X) == X).all()),
    "a negated operator": lambda f: not (f(X) != X).any(),
    "a bound": lambda f: (f(X) - X).abs().max().le(1e-12),
    "beside what has to differ": also_moves(torch.equal),
}


@pytest.mark.parametrize("test", TOO_WIDE.values(), ids=TOO_WIDE)
def test_a_tolerance_that_is_too_wide_is_named(test):
    words = why_intolerant(test, HONEST, off, expected=False)
    assert "too wide: it takes numbers for the same that differ by 0.005 of their size" in words
    assert words.endswith("Held to 1e-04 of the numbers' size instead, it says False there")


@pytest.mark.parametrize("test", TOO_NARROW.values(), ids=TOO_NARROW)
def test_a_tolerance_without_room_for_rounding_is_named(test):
    words = why_intolerant(test, HONEST, ROUNDED, expected=True)
    assert "It takes rounding for a difference, 2e-08 of the numbers' size at most" in words


def test_signs_that_cancel_are_no_matter_of_tolerance():
    def test(f):
        return bool((f(X) - X).mean().abs() < 0.01)

    assert why_intolerant(test, HONEST, lambda x: x.flip(0) + 6e-4, expected=False) == ""


def test_a_tolerance_so_wide_that_nothing_differs_is_named_where_an_honest_one_is_refused():
    test = also_moves(lambda a, b: torch.allclose(a, b, atol=9.0))
    assert "too wide" in why_intolerant(test, HONEST, HONEST["itself"], expected=True)


@pytest.mark.parametrize(
    "test",
    [
        lambda f: bool((f(X) - X).sum().abs() < 1e9),
        lambda f: torch.equal(f(X)[:0], X[:0]),
        lambda f: torch.allclose(f(X), X, atol=0.1) or torch.equal(f(X)[0], f(X)[0]),
        lambda f: torch.allclose(f(X), X, atol=0.1) and f(X)[0] < -2.0,
        lambda f: torch.allclose(f(X), X, atol=0.1) and 1 / 0,
        lambda f: bool((f(X) - X).abs().max() < 0.5),
        lambda f: True,
    ],
)
def test_what_another_tolerance_does_not_mend_is_not_called_one(test):
    assert why_intolerant(test, HONEST, off, expected=False) == ""


def test_a_fair_tolerance_that_refuses_an_honest_one_is_not_recommended():
    coarse = {"rounded to 16 bits": lambda x: (x.half() + 0.001).double()}
    assert why_intolerant(TOO_WIDE["allclose"], coarse, off, expected=False) == ""
