"""The direction of the gradient: autograd's where float64 holds it, and right where it does not."""

import pytest
import torch
from softlookup.margins.saturation import selection_direction
from softlookup.margins.token_selection import (
    TokenSelection,
    cosine,
    descend,
    descend_factored,
    random_problems,
    selection_gradient,
)

RUNS, INPUTS, TOKENS, WIDTH = 2, 3, 5, 7


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(12)


@pytest.fixture
def problem(generator):
    return random_problems(RUNS, INPUTS, TOKENS, WIDTH, generator)


@pytest.mark.parametrize("size", [0.1, 1.0, 30.0, 300.0])
def test_the_direction_is_that_of_the_gradient(problem, generator, size):
    W = size * torch.randn(RUNS, WIDTH, WIDTH, generator=generator, dtype=torch.float64)
    direction = selection_direction(problem, W)
    assert cosine(direction, selection_gradient(problem, W)) == pytest.approx(1.0)


def test_where_the_gradient_is_zero_the_nearest_rival_still_says_where(generator):
    """Scores of 2e4: the direction is that of one pull, worked out by hand."""
    tokens = torch.tensor([[[2.0, 1.0], [-1.0, 0.5], [-1.5, -3.0]]]).double()
    one = torch.ones(1).double()
    problem = TokenSelection(tokens, torch.eye(2).double()[:1], one, torch.eye(2).double()[1])
    W = torch.diag(torch.tensor([1e4, 0.0], dtype=torch.float64))
    assert selection_gradient(problem, W).abs().max() == 0.0
    direction = selection_direction(problem, W)
    # Token 0 leads, token 1 is the nearest rival: -(sigmoid(-1)) (0.5 - 1) (x_1 - x_0) in column 0.
    expected = torch.sigmoid(-one)[0] * 0.5 * torch.tensor([[-3.0, 0.0], [-0.5, 0.0]]).double()
    assert torch.allclose(direction, expected)


def test_descent_by_the_direction_is_normalised_descent(problem, generator):
    start = torch.randn(RUNS, WIDTH, WIDTH, generator=generator, dtype=torch.float64)
    by_direction = descend(problem, start, [50], gradient_of=selection_direction)
    assert torch.allclose(by_direction, descend(problem, start, [50]))
    by_direction = descend_factored(problem, start, start.mT, [50], gradient_of=selection_direction)
    assert torch.allclose(by_direction, descend_factored(problem, start, start.mT, [50]))
