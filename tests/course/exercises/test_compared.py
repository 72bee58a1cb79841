"""Where a learner's test misjudges, it is told how far apart the numbers were that it met."""

from pathlib import Path

import pytest
import torch
from softlookup.course.exercises import compared
from softlookup.course.exercises.compared import largest_difference, why_believed, why_refused
from softlookup.layers.attention import attention

X = torch.linspace(-2, 2, 11, dtype=torch.float64)

# What a test judges here: a function that should return what it is given.
HONEST = {"itself": lambda x: x, "rounded to float32": lambda x: x.float().double()}


def off_at_one_place(x):
    return torch.cat([x[:5], 2 * x[5:]])


COMPARISONS = {
    "torch.equal": lambda f: torch.equal(f(X), X),
    "a method": lambda f: f(X).equal(X),
    "an operator": lambda f: bool((f(X) == X).all()),
    "a negated operator": lambda f: not bool((f(X) != X).any()),
    "a difference": lambda f: bool((f(X) - X).abs().max() < 1e-12),
    "torch.sub": lambda f: bool(torch.sub(f(X), X).abs().max() < 1e-12),
    "a tolerance": lambda f: torch.allclose(f(X), X, rtol=0, atol=1e-12),
    "a tolerance, by names": lambda f: torch.allclose(input=f(X), other=X, rtol=0, atol=1e-12),
}


@pytest.mark.parametrize("test", COMPARISONS.values(), ids=COMPARISONS)
def test_rounding_is_seen_however_it_is_compared(test):
    assert 1e-9 < largest_difference(test, HONEST["rounded to float32"]) < 1e-7
    assert "of their size at most: that is rounding" in why_refused(
        test, HONEST["rounded to float32"]
    )


def test_the_difference_is_a_share_of_the_numbers_size():
    assert largest_difference(lambda f: torch.equal(f(X), X), lambda x: 2 * x) == 0.5
    assert largest_difference(lambda f: torch.equal(f(X), X), lambda x: x / 0) == float("inf")


def test_the_largest_of_several_differences_counts():
    def test(f):
        return torch.equal(f(X), 2 * X) or torch.equal(f(X), X)

    assert largest_difference(test, lambda x: x) == 0.5


def test_what_does_not_compare_two_tensors_of_one_shape_is_not_counted():
    for test in (
        lambda f: f(X) is X,
        lambda f: bool((f(X) - 1.0).any()),
        lambda f: bool((f(X) - X[:1]).any()),
        lambda f: torch.equal(f(X) > 0, X < 0),
        lambda f: torch.equal(f(X)[:0], X[:0]),
    ):
        assert largest_difference(test, lambda x: x) is None


def test_what_the_library_compares_inside_a_model_is_none_of_the_tests():
    def test(f):
        return f(X) is None

    mask = torch.eye(11, dtype=torch.bool)
    rows = X[:, None]
    assert largest_difference(test, lambda x: attention(rows, rows, rows, mask)) is None


@pytest.mark.parametrize(
    ("file", "met"), [(Path(compared.__file__).parents[2] / "model.py", None), ("<cell>", 1.5)]
)
def test_whose_comparison_it_is_is_told_by_the_file_of_its_code(file, met):
    names = {"TWICE": 2 * X, "TORCH": torch}
    exec(compile("def model(x): return TORCH.sub(-x, TWICE)", file, "exec"), names)
    assert largest_difference(lambda f: f(X) is None, names["model"]) == met


def test_a_test_that_raises_is_told_nothing():
    def test(f):
        torch.equal(f(X), X)
        raise ValueError

    assert largest_difference(test, HONEST["rounded to float32"]) is None


def test_a_refusal_for_a_difference_is_not_called_rounding():
    assert why_refused(COMPARISONS["torch.equal"], lambda x: 1.1 * x) == ""
    assert why_refused(COMPARISONS["torch.equal"], HONEST["itself"]) == ""


def test_a_test_that_asks_for_a_difference_is_not_told_of_rounding():
    def differs(model):
        x = torch.linspace(1, 2, 7)
        return not torch.allclose(model(x), x)

    def nearly(x):
        return x * (1 + 1e-6)

    assert "that is rounding" in why_refused(differs, nearly)
    assert why_refused(differs, nearly, [lambda x: 1.1 * x]) == ""


BELIEVERS = {
    "signs that cancel": lambda f: bool((f(X) - X).sum().abs() < 1e9),
    "one comparison of two": lambda f: torch.equal(f(X)[:5], X[:5]) or torch.equal(f(X), X),
    "a tolerance that is too wide": lambda f: torch.allclose(f(X), X, atol=5.0),
}


@pytest.mark.parametrize("test", BELIEVERS.values(), ids=BELIEVERS)
def test_a_test_that_met_a_difference_and_believes_is_told_how_large_it_was(test):
    if test is BELIEVERS["one comparison of two"]:
        assert why_believed(test, HONEST, off_at_one_place) == ""
    else:
        assert "differ by 0.5 of their size, and still says True" in why_believed(
            test, HONEST, off_at_one_place
        )


def test_a_test_that_meets_differences_in_honest_models_is_told_nothing():
    def test(f):
        return not torch.equal(f(X), f(-X)) or True

    assert why_believed(test, HONEST, off_at_one_place) == ""


def test_a_test_that_met_no_difference_is_told_nothing():
    assert why_believed(lambda f: torch.equal(f(X)[:5], X[:5]), HONEST, off_at_one_place) == ""


def test_a_test_that_says_something_else_the_second_time_is_told_nothing():
    turns = iter([True, False])

    def test(f):
        return torch.equal(f(X), X) or next(turns)

    assert largest_difference(test, lambda x: 2 * x, True) == 0.5
    assert largest_difference(test, lambda x: 2 * x, True) is None
