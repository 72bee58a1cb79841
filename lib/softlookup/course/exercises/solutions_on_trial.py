"""Matrices that are of widest margin, and matrices that only look it, for a test to tell apart.

Each stands beside the constraints that it is to keep. What is wrong with the wrong ones is what
goes wrong in practice: another norm, a constraint forgotten, a training that was stopped.
"""

from functools import cache
from typing import NamedTuple

import cvxpy
import numpy as np
import torch
from cvxpy.atoms.affine.vec import vec
from cvxpy.atoms.norm1 import norm1
from sklearn.svm import SVC  # type: ignore[import-untyped]
from torch import Tensor

from softlookup.margins.selection_programmes import (
    frobenius_max_margin,
    margins,
    nuclear_max_margin,
    part_within,
    separations,
)
from softlookup.margins.token_selection import descend, optimal_tokens, random_problems


class Trial(NamedTuple):
    """A matrix, and the constraints of which it is said to be the solution."""

    W: Tensor
    constraints: Tensor


@cache
def honest() -> dict[str, Trial]:
    """Solutions, by what they are solutions of."""
    of_three, of_four, of_one = _constraints(3, 12), _constraints(4, 13), _constraints(1, 14)
    return {
        "a solution": _solved(of_three),
        "a solution rounded to float32": Trial(
            frobenius_max_margin(of_four).float().double(), of_four
        ),
        "scikit-learn's solution": Trial(_by_svc(of_four, 1e6), of_four),
        "the solution for one query": _solved(of_one),
        "a solution for tokens a hundred times as long": _solved(100 * of_three),
    }


@cache
def easy() -> dict[str, Trial]:
    """Solutions of a special kind, by what to tell a test that is right about these alone."""
    three = _constraints(3, 12)
    solution = frobenius_max_margin(three)
    chances = torch.Generator().manual_seed(5)
    drawn = torch.randn(49, 5, generator=chances, dtype=torch.float64)
    one, two, *others = torch.linalg.qr(drawn).Q.T.reshape(-1, 7, 7)
    room = 1 + 1e-4 * torch.randn(7, 7, generator=chances, dtype=torch.float64)
    beyond = [2 * one + other for other in others]
    return {
        "You ask each margin to be 1; those of a solution may be larger, and the constraints there "
        "have no multiplier": Trial(solution, three[margins(solution, three) < 1 + 1e-4]),
        "It says True where all multipliers are alike; each constraint has its own: a plain sum "
        "is not W": Trial((one + two) * room, torch.stack([one, two, *beyond])),
        "It says True where one constraint alone is at margin 1. With several, does each column of "
        "your system hold one A_k? `flatten(1).T` makes it so, and a reshape mixes their numbers": (
            Trial(one * room, torch.stack([one, *beyond]))
        ),
    }


@cache
def impostors() -> dict[str, Trial]:
    """What is no solution, by what is wrong with it."""
    three, four = _constraints(3, 12), _constraints(4, 13)
    solution, other = frobenius_max_margin(three), frobenius_max_margin(four)
    unseen = torch.randn(7, 7, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    unseen = unseen - part_within(unseen, three)
    support = (margins(other, four) < 1 + 1e-4).nonzero().flatten()
    without_one = four[torch.arange(len(four)) != support[-1]]
    with_one_more = torch.cat([four, -0.3 * other[None] / other.square().sum()])
    with_one_more[-1] += unseen / unseen.norm()
    return {
        "the least nuclear norm": Trial(nuclear_max_margin(three), three),
        "the least sum of absolute values": Trial(_least_sum_of_absolute_values(three), three),
        "the least W of those whose margins are all exactly 1": Trial(_all_equal(three), three),
        "a solution 3% too short": Trial(0.97 * solution, three),
        "a solution twice as long": Trial(2.0 * solution, three),
        "the solution with a support vector left out": Trial(
            frobenius_max_margin(without_one), four
        ),
        "the solution of one constraint too many": Trial(frobenius_max_margin(with_one_more), four),
        "the solution that asks one constraint for 1.07": Trial(_asks_more(four, support[0]), four),
        "the sum of all constraints": _to_margin_one(three.sum(dim=0), three),
        "a solution transposed": Trial(other.T, four),
        "a solution with a part added that no constraint sees": Trial(
            solution + 0.2 * solution.norm() * unseen / unseen.norm(), three
        ),
        "a solution with its sign turned": Trial(-solution, three),
        "a soft machine's": Trial(_by_svc(four, 0.1), four),
        "a W trained for 300 steps": _trained(3, 12),
    }


def _problem(inputs: int, seed: int, d_model: int = 7) -> tuple[Tensor, Tensor, Tensor]:
    problem = random_problems(1, inputs, 5, d_model, torch.Generator().manual_seed(seed))
    return problem.tokens[0], problem.queries[0], optimal_tokens(problem)[0]


def _constraints(inputs: int, seed: int) -> Tensor:
    return separations(*_problem(inputs, seed))


def _solved(constraints: Tensor) -> Trial:
    return Trial(frobenius_max_margin(constraints), constraints)


def _asks_more(constraints: Tensor, place: Tensor) -> Tensor:
    """The least W whose margin is at least 1.07 at one constraint, and 1 at the others."""
    bounds = torch.ones(len(constraints), 1, 1, dtype=constraints.dtype)
    bounds[place] = 1.07
    return frobenius_max_margin(constraints / bounds)


def _by_svc(constraints: Tensor, softness: float) -> Tensor:
    points = torch.cat([constraints, -constraints]).flatten(1).numpy()
    sides = [1] * len(constraints) + [-1] * len(constraints)
    machine = SVC(kernel="linear", C=softness, tol=1e-8).fit(points, sides)
    return torch.tensor(machine.coef_).reshape(constraints.shape[1:])


def _least_sum_of_absolute_values(constraints: Tensor) -> Tensor:
    W = cvxpy.Variable(constraints[0].numel())
    held = vec(W, order="C") @ constraints.flatten(1).numpy().T >= 1
    cvxpy.Problem(cvxpy.Minimize(norm1(W)), [held]).solve(solver=cvxpy.CLARABEL, max_threads=1)
    return torch.from_numpy(np.asarray(W.value)).reshape(constraints.shape[1:])


def _all_equal(constraints: Tensor) -> Tensor:
    rows = constraints.flatten(1)
    ones = torch.ones(len(rows), 1, dtype=rows.dtype)
    return torch.linalg.lstsq(rows, ones, driver="gelsd").solution.reshape(constraints.shape[1:])


def _to_margin_one(W: Tensor, constraints: Tensor) -> Trial:
    return Trial(W / margins(W, constraints).min().abs(), constraints)


def _trained(inputs: int, seed: int) -> Trial:
    problem = random_problems(1, inputs, 5, 7, torch.Generator().manual_seed(seed))
    start = torch.zeros(1, 7, 7, dtype=torch.float64)
    (W,) = descend(problem, start, [300])
    return _to_margin_one(W[0], _constraints(inputs, seed))
