"""Checks for the exercises of the chapter on support vector machines."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import cvxpy
import numpy as np
import torch
from numpy import ndarray
from scipy.optimize import nnls
from sklearn.svm import SVC  # type: ignore[import-untyped]
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.solutions_on_trial import Trial, honest, impostors
from softlookup.course.exercises.verdict import Mistake
from softlookup.margins.selection_programmes import (
    frobenius_max_margin,
    margins,
    nuclear_max_margin,
    separations,
)
from softlookup.margins.token_selection import optimal_tokens, random_problems

INPUTS, TOKENS, D_MODEL = 3, 5, 7

_draw = partial(draw, seed=12)


@exercise(
    "support_vectors",
    1,
    "minimise the nuclear norm of W under ⟨A_t, W⟩ ≥ 1 for all t; return W.value.",
    "where K and Q turned, trained with a small penalty; of lower rank than the Frobenius one.",
)
def check_least_nuclear(least_nuclear: Callable[[ndarray], ndarray]) -> None:
    """Check the programme of the factors."""
    problem = random_problems(1, INPUTS, TOKENS, D_MODEL, torch.Generator().manual_seed(12))
    constraints = separations(problem.tokens[0], problem.queries[0], optimal_tokens(problem)[0])
    got = np.asarray(least_nuclear(constraints.numpy()))
    if got.shape != (D_MODEL, D_MODEL) or got.dtype == object:
        raise Mistake(f"return W.value, an array of shape ({D_MODEL}, {D_MODEL})")
    W = torch.from_numpy(np.array(got, dtype=float))

    def nuclear(matrix: Tensor) -> float:
        return float(torch.linalg.matrix_norm(matrix, ord="nuc"))

    kept, least = margins(W, constraints), nuclear(nuclear_max_margin(constraints))
    if W.abs().max() < 1e-4:
        raise Mistake("your W is zero: each margin must be at least 1, not at least 0")
    if margins(W.T, constraints).min() > 1 - 1e-3 > kept.min():
        raise Mistake(
            "your W is transposed: numpy flattens row by row, cvxpy column by column unless you "
            'say order="C"'
        )
    if margins(-W, constraints).min() > 1 - 1e-3:
        raise Mistake("your signs are turned: with you every rival beats the selected token by 1")
    if kept.min() < 1 - 1e-3 and abs(kept.sum() - 1) < 1e-2:
        raise Mistake("your margins sum to 1; each of them has to be at least 1")
    if kept.min() < 1 - 1e-3 and abs(kept.mean() - 1) < 1e-2:
        raise Mistake("your margins are 1 on average; each of them has to be at least 1")
    if kept.max() < 1 + 1e-3 and kept.min() < 1 - 1e-3:
        raise Mistake("your margins are at most 1; the winners have to win by at least 1")
    if kept.min() < 1 - 1e-3:
        raise Mistake(f"your least margin is {kept.min():.2f}; all must be at least 1")
    if kept.max() < 1 + 1e-3:
        raise Mistake("all your margins are exactly 1: they may be larger; use >=, not ==")
    if same(W, frobenius_max_margin(constraints), atol=1e-3):
        raise Mistake("this is the solution of least Frobenius norm, to which training W turns")
    if kept.min() > 1.01 and same(W / kept.min(), nuclear_max_margin(constraints), atol=1e-3):
        raise Mistake(
            f"your direction is right, and your least margin is {kept.min():.2f}: the shortest W "
            "has a least margin of 1"
        )
    if nuclear(W) > least * (1 + 1e-3):
        raise Mistake(
            f"your W keeps the margins, with a nuclear norm of {nuclear(W):.2f}; {least:.2f} can "
            "be had. Did you minimise the sum of all singular values?"
        )


def _of_nothing(called_with: Mapping[str, Any]) -> str | None:
    """What to say of a call of ``nnls`` for a matrix without columns or rows; it may end Python."""
    if np.size(called_with["A"]):
        return None
    return (
        "you ask nnls for the multipliers of no constraints at all: for some W none was left. "
        "First see whether any margin is 1, and what it means for W if none is"
    )


@exercise(
    "support_vectors",
    2,
    "return True if W is the solution of W-SVM for these constraints, and False otherwise.",
    "margins, support and non-negative multipliers settle it; nothing has to be solved again.",
    {
        cvxpy.Problem.solve: "you solve the programme again, and compare; decide by W alone: what "
        "must a solution be made of?",
        SVC.fit: "you let scikit-learn solve it again, and compare; decide by W alone: what must "
        "a solution be made of?",
        nnls: _of_nothing,
    },
)
def check_is_widest(is_widest: Callable[[Tensor, Tensor], bool]) -> None:
    """Check a test for the solution of W-SVM on right ones and on impostors."""

    def test(trial: Trial) -> bool:
        return is_widest(trial.W, trial.constraints)

    try:
        judge(test, honest(), impostors())
    except Mistake as mistake:
        told = str(mistake)
        if "believes what is not" in told:
            raise
        if "refuses what is right: a solution;" in told or "nothing honest" in told:
            told = told.partition(". The numbers that")[0]
            raise Mistake(f"{told.partition(': can it')[0]}. {_WHY_REFUSED}") from mistake
        reason = next((reason for name, reason in _WHY_FOOLED.items() if name in told), "")
        raise Mistake(f"{told}. {reason}" if reason else told) from mistake


_WHY_REFUSED = (
    "If your comparisons leave room for one part in a thousand, it is no rounding: no margin of a "
    "solution is below 1, some are 1 and others larger, and it is a sum of the constraints at "
    "margin 1, each times a positive multiplier. Which of these does your test ask otherwise?"
)

# What a test forgot, by whom it lets through or wrongs.
_WHY_FOOLED = {
    "rounded to float32": "An honest W comes from a machine: give its numbers one part in a "
    "thousand",
    "scikit-learn's solution": "An honest solver stops at one part in ten thousand: give its "
    "numbers one part in a thousand",
    "a hundred times as long": "Long tokens make a short W: measure errors against the size of "
    "what is compared",
    "the solution for one query": "With one query all is of rank one; is that forbidden?",
    "asks one constraint for": "A constraint beyond margin 1 has a multiplier there; only those at "
    "1, give or take a thousandth, may have one",
    "3% too short": "Ask that no margin is below 1",
    "transposed": "Ask that no margin is below 1",
    "twice as long": "Ask that the nearest rivals stand at margin 1, not beyond it",
    "the least nuclear norm": "Every margin is kept there; ask what W is made of",
    "exactly 1": "It is a sum of the constraints, but some of them pull backwards: look at the "
    "signs",
    "no constraint sees": "Its margins are those of the solution; ask what else W is made of",
    "trained for 300 steps": "It is a sum of all constraints; a solution is one of those at "
    "margin 1",
}


@exercise(
    "support_vectors",
    3,
    "repair `broken`, so that it gives the same where it works, and is right at any gap.",
    "what is too small to be held can still be compared: in logarithms, before the exponential.",
)
def check_pulls(pulls: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check the repair of the pulls of an input's losing tokens, near and far out."""
    worths = torch.tensor([0.4, -0.3, 0.1, -0.8, 0.7], dtype=torch.float64)
    small = torch.tensor([2.0, 1.2, 0.3, 1.7, -0.5], dtype=torch.float64)
    got = require_tensor(pulls(small, worths), (TOKENS,), meaning="one pull for each token")
    right = _pulls(small, worths)
    if not same(got, right):
        _name_the_change(got, small, worths, right)
    for size in (30.0, 500.0, 2_000.0, 1e6):
        scores = size * small
        got, right = pulls(scores, worths), _pulls(scores, worths)
        if same(got, right):
            continue
        gap = f"where the scores are {size:,.0f} times as large"
        if not got.isfinite().all():
            raise Mistake(
                f"{gap} you return {'NaN' if got.isnan().any() else 'infinity'}: there every "
                "loser's weight is zero in float64, before anything is divided by it"
            )
        if got.abs().max() < 0.5:
            raise Mistake(
                f"{gap} your largest pull is {got.abs().max():.1g} and not 1: the training does "
                "not break any more, it stands still"
            )
        if (got[1:].abs() > 1e-9).all() and size > 100:
            raise Mistake(
                f"{gap} all of your losers still pull; only the nearest rival can, at such a gap. "
                "Is there a floor under the weights, or are the scores made smaller first?"
            )
        require_same(got, right, f"{gap} your pulls are not those of the gradient", axes=("token",))
    reordered = torch.tensor([3, 0, 4, 2, 1])
    got, right = pulls(900 * small[reordered], worths[reordered]), _pulls(small * 900, worths)
    require_same(
        got, right[reordered], "with the tokens in another order you go wrong", axes=("token",)
    )


def _pulls(scores: Tensor, worths: Tensor) -> Tensor:
    """The pulls, in logarithms."""
    signed = torch.softmax(scores, dim=0) @ worths
    log_weights = torch.log_softmax(scores, dim=0)
    log_weights[scores.argmax()] = -math.inf
    pulls = (log_weights - log_weights.max()).exp() * (worths - signed)
    return pulls / pulls.abs().max()


def _name_the_change(got: Tensor, scores: Tensor, worths: Tensor, right: Tensor) -> None:
    """Say what was changed that was not to be changed, where the weights are of ordinary size."""
    weights = torch.softmax(scores, dim=0)
    signed = weights @ worths
    losers = torch.arange(TOKENS) != scores.argmax()

    def to_one(pulls: Tensor) -> Tensor:
        return pulls / pulls.abs().max()

    raw = losers * weights * (worths - signed)
    name_first(
        got,
        [
            (
                to_one(weights * (worths - signed)),
                "the favourite has a pull with you; its own difference is zero, so set it to zero",
            ),
            (right.abs(), "your signs are lost: a rival worth more than the mean is pulled up"),
            (
                to_one(losers * weights),
                "these are weights; each goes with worth minus the mean worth",
            ),
            (
                to_one(losers * weights * (worths - worths[scores.argmax()])),
                "you subtract the favourite's worth in place of the mean: near it far out, and "
                "another number where the weights are even. Nothing else was to be changed",
            ),
            (
                to_one((worths != worths.max()) * weights * (worths - signed)),
                "you take the token that is worth most for the favourite; it is the one with the "
                "highest score",
            ),
            (raw, "your largest pull is not 1: the division by the largest is gone"),
            (raw / raw.norm(), "you divide by the root of the sum of squares, not by the largest"),
            (raw / raw.abs().sum(), "you divide by the sum, not by the largest"),
            (right * losers.sum(), "your pulls are too large by the number of losers"),
            (
                to_one(losers * scores * (worths - signed)),
                "you take the scores for the weights: the exponential is missing",
            ),
            (
                to_one(losers * torch.log_softmax(scores, dim=0) * (worths - signed)),
                "you multiply by the logarithms of the weights: take the exponential once they "
                "are scaled",
            ),
        ],
    )
    require_same(got, right, "where `broken` works you give something else", axes=("token",))


@exercise(
    "support_vectors",
    4,
    "return d/dt of the gap (x_1 - x_2)ᵀ W z under dW/dt = -∇L, a number.",
    "far out only a(1 - a) changes much, and it shrinks like e^-gap: so the gap grows like log t, "
    "and the norm with it.",
    dict.fromkeys(
        (torch.autograd.grad, torch.autograd.backward),
        "you let autograd do it; work the speed out on paper, and enter what you found",
    ),
)
def check_gap_speed(gap_speed: Callable[..., Tensor]) -> None:
    """Check the speed of a gap under gradient flow, with two tokens, at random places."""
    for seed, label in ((1, 1.0), (2, -1.0), (3, 1.0)):
        x_1, x_2, z, v = _draw(4, D_MODEL, seed=seed)
        y, W = torch.tensor(label).double(), 0.3 * _draw(D_MODEL, D_MODEL, seed=seed + 10)
        difference = x_1 - x_2
        gap = difference @ W @ z
        a = torch.sigmoid(gap)
        lead = y * (v @ difference)
        m = y * (v @ x_2) + a * lead
        slope, keys, query = torch.sigmoid(-m), difference.square().sum(), z.square().sum()
        right = slope * a * (1 - a) * lead * keys * query
        answer = gap_speed(x_1, x_2, z, y, v, W)
        got = require_tensor(
            torch.as_tensor(answer, dtype=torch.float64).detach().squeeze(),
            (),
            meaning="the speed of one gap",
        )
        if same(got, right, atol=1e-9):
            continue
        _name_the_term(
            got,
            {
                "slope": slope,
                "rise": a * (1 - a),
                "lead": lead,
                "keys": keys,
                "query": query,
            },
            a,
            m,
            gap,
            y,
        )
        require_same(got, right, f"at y = {label:+.0f} this is not the speed of the gap", axes=())


def _name_the_term(
    got: Tensor, terms: dict[str, Tensor], a: Tensor, m: Tensor, gap: Tensor, y: Tensor
) -> None:
    """Name the term of the gap's speed that is missing, or that is another."""
    right = math.prod(terms.values(), start=torch.ones((), dtype=torch.float64))
    slope = terms["slope"]

    def other(term: str, value: Tensor) -> Tensor:
        return right / terms[term] * value

    missing = {
        "slope": "the slope of the loss, 1 / (1 + e^m), is missing",
        "rise": "the derivative of softmax, a (1 - a), is missing",
        "lead": "how much more token 1 is worth than token 2, y v·(x_1 - x_2), is missing",
        "keys": "the squared length of x_1 - x_2 is missing: the gap reads W with it, and the "
        "gradient has written with it",
        "query": "the squared length of z is missing: the gap reads W with it, and the gradient "
        "has written with it",
    }
    for made, words in (
        (-right, "your sign is turned: descent goes against the gradient"),
        *((right / terms[term], words) for term, words in missing.items()),
        (
            right / terms["keys"] / terms["query"],
            "both squared lengths are missing, that of x_1 - x_2 and that of z",
        ),
        (other("keys", terms["keys"].sqrt()), "x_1 - x_2 comes in twice, so its length is squared"),
        (other("query", terms["query"].sqrt()), "z comes in twice, so its length is squared"),
        (other("rise", a), "softmax has the derivative a (1 - a); you have a alone"),
        (other("rise", 1 - a), "softmax has the derivative a (1 - a); you have 1 - a alone"),
        (
            other("rise", 2 * a * (1 - a)),
            "twice too large: with two tokens the second weight is 1 - a, and has been counted",
        ),
        (
            other("slope", torch.sigmoid(m)),
            "your slope is that of the opposite sign: 1 / (1 + e^m), not 1 / (1 + e^-m)",
        ),
        (
            other("slope", torch.sigmoid(-gap)),
            "your slope is taken at the gap; the loss sees m, the reading times the label",
        ),
        (
            right / terms["lead"] / slope * torch.sigmoid(-y * m) * y * terms["lead"],
            "the label is missing: right where y = 1 only",
        ),
        (
            other("lead", y * terms["lead"]),
            "the label is missing from the difference of worths: right where y = 1 only",
        ),
    ):
        if torch.isclose(got, made, rtol=1e-4, atol=1e-9) and not torch.isclose(made, right):
            raise Mistake(words)
