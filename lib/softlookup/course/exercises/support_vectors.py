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
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.programme_slips import name_programme, why_nothing
from softlookup.course.exercises.prohibited import Words, without
from softlookup.course.exercises.selection_slips import (
    Case,
    gap_speeds,
    name_pulls,
    name_speeds,
)
from softlookup.course.exercises.solutions_on_trial import Trial, easy, honest, impostors
from softlookup.course.exercises.verdict import Mistake
from softlookup.margins.selection_programmes import (
    margins,
    nuclear_max_margin,
    separations,
)
from softlookup.margins.token_selection import optimal_tokens, random_problems

INPUTS, TOKENS, D_MODEL = 3, 5, 7
SHORTER = 50

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
    # Rolled so that the first constraint and the last are active: no W is right without them.
    constraints = separations(
        problem.tokens[0], problem.queries[0], optimal_tokens(problem)[0]
    ).roll(4, 0)
    solved: list[cvxpy.Problem] = []
    watched: dict[Callable[..., Any], Words] = {
        cvxpy.Problem.solve: lambda called_with: solved.append(called_with["self"]),
        nuclear_max_margin: "you call the library's nuclear_max_margin; write the programme "
        "yourself, with cvxpy",
    }
    try:
        with without(watched):
            got = np.asarray(least_nuclear(constraints.numpy()))
    except Mistake as mistake:
        why = why_nothing(solved) if "returned nothing" in str(mistake) else None
        raise Mistake(why or str(mistake)) from mistake
    if got.shape != (D_MODEL, D_MODEL) or got.dtype == object:
        raise Mistake(f"return W.value, an array of shape ({D_MODEL}, {D_MODEL})")
    name_programme(torch.from_numpy(np.array(got, dtype=float)), constraints, solved)
    # The prices of these conditions are so many times as high.
    again = torch.from_numpy(np.array(least_nuclear(constraints.numpy() / SHORTER), dtype=float))
    if margins(again, constraints / SHORTER).min() < 0.9:
        raise Mistake(
            f"where all A_t are a {SHORTER}th of these the margins of your W fall below 1: is "
            "breaking one only dear with you, a penalty in what you minimise? It must not happen"
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
            reason = next((reason for name, reason in _WHY_OTHER.items() if name in told), "")
            raise Mistake(
                f"{told.partition(' It has another')[0]} {reason}" if reason else told
            ) from mistake
        if "refuses what is right: a solution;" in told or "nothing honest" in told:
            told = told.partition(". The numbers that")[0]
            reason = next((words for words, trial in easy().items() if test(trial)), _WHY_REFUSED)
            raise Mistake(f"{told.partition(': can it')[0]}. {reason}") from mistake
        reason = next((reason for name, reason in _WHY_FOOLED.items() if name in told), "")
        stop = "" if told.endswith("?") else "."
        raise Mistake(f"{told}{stop} {reason}" if reason else told) from mistake


_WHY_REFUSED = (
    "If your comparisons leave room for one part in a thousand, it is no rounding: no margin of a "
    "solution is below 1, some are 1 and others larger, and it is a sum of the constraints at "
    "margin 1, each times a positive multiplier. Which of these does your test ask otherwise?"
)

# What else a test takes for right, by the only impostor that it believes.
_WHY_OTHER = {
    "not: the least W of those whose margins are all exactly 1.": "You ask each margin to be 1; "
    "those of a solution may be larger, and the constraints there have no multiplier",
    "not: a solution transposed.": "Your margins are those of the transposed W: ⟨A, W⟩ is the sum "
    "of A times W, number by number",
}

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
    "a support vector left out": "Ask that no margin is below 1",
    "twice as long": "Ask that the nearest rivals stand at margin 1, not beyond it",
    "the least nuclear norm": "Every margin is kept there; ask whether the "
    "constraints, each times its multiplier, add up to W",
    "exactly 1": "It is a sum of the constraints, but some of them pull backwards: look at the "
    "signs",
    "no constraint sees": "Its margins are those of the solution; ask whether the "
    "constraints, each times its multiplier, add up to W and leave nothing over",
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
    # The favourite is neither the first nor the last, nor worth most; the last comes next to it.
    worths = torch.tensor([-0.3, 0.4, 0.7, 0.1, -0.8], dtype=torch.float64)
    small = torch.tensor([1.2, 2.0, 0.3, -0.5, 1.7], dtype=torch.float64)
    got = require_tensor(pulls(small, worths), (TOKENS,), meaning="one pull for each token")
    right = _pulls(small, worths)
    if not same(got, right):
        name_pulls(got, small, worths)
        require_same(got, right, "where `broken` works you give something else", axes=("token",))
    for size in (30.0, 500.0, 2_400.0, 1e6):
        scores = size * small
        got, right = pulls(scores, worths), _pulls(scores, worths)
        if same(got, right):
            continue
        gap = f"where the scores are {size:,.0f} times as large"
        if not got.isfinite().all():
            kind = "NaN" if got.isnan().any() else "infinity"
            raise Mistake(f"{gap} you return {kind}: {_why_not_finite(got, size)}")
        if got.abs().max() < 0.5:
            cause = (
                "what was no number is zero now"
                if got.abs().max() == 0
                else "is something added below the line, beside which the largest pull is small?"
            )
            raise Mistake(
                f"{gap} your largest pull is {got.abs().max():.1g} and not 1: the training does "
                f"not break any more, it stands still; {cause}"
            )
        if ((got.abs() > 1e-9) & (right.abs() < 1e-9)).any() and size > 100:
            raise Mistake(
                f"{gap} others than the nearest rival still pull with you; only it can, at such a "
                "gap. Is there a floor under the weights, or are the scores made smaller first?"
            )
        require_same(got, right, f"{gap} your pulls are not those of the gradient", axes=("token",))
    _require_losers_kept_apart(pulls, worths)
    reordered = torch.tensor([3, 0, 4, 2, 1])
    got, right = pulls(900 * small[reordered], worths[reordered]), _pulls(small * 900, worths)
    require_same(
        got, right[reordered], "with the tokens in another order you go wrong", axes=("token",)
    )


def _require_losers_kept_apart(pulls: Callable[[Tensor, Tensor], Tensor], worths: Tensor) -> None:
    """However far the favourite is, losers that are close to each other share the pull."""
    scores = torch.tensor([-1_000.0, 0.0, -1_001.0, -1_003.0, -1_000.5], dtype=torch.float64)
    got, right = pulls(scores, worths), _pulls(scores, worths)
    if same(got, right):
        return
    where = "where all losers are about 1,000 below the favourite, and close to each other, "
    if (got.abs() > 1e-9).sum() == 1:
        raise Mistake(f"{where}only one of them pulls with you; each has its share of the pull")
    require_same(
        got,
        right,
        f"{where}you share the pull out wrongly among them. Are the scores made smaller first, or "
        "cut off? What losers are to each other is in their differences, which must stay",
        axes=("token",),
    )


def _why_not_finite(got: Tensor, size: float) -> str:
    """Why pulls at so large a gap are no numbers."""
    if got.dtype != torch.float64:
        return "your numbers are single precision, in which e^-104 is zero already"
    # Up to here the nearest rival's weight is e^-720 at least, which float64 holds.
    if size > 2_400:
        return "there every loser's weight is zero in float64, before anything is divided by it"
    return (
        "something is too large for float64: an exponential of a number above 709, though no "
        "weight is. Set the favourite to -infinity before you take it, and subtract the largest "
        "of the losers' logarithms, not the least"
    )


def _pulls(scores: Tensor, worths: Tensor) -> Tensor:
    """The pulls, in logarithms."""
    signed = torch.softmax(scores, dim=0) @ worths
    log_weights = torch.log_softmax(scores, dim=0)
    log_weights[scores.argmax()] = -math.inf
    pulls = (log_weights - log_weights.max()).exp() * (worths - signed)
    return pulls / pulls.abs().max()


@exercise(
    "support_vectors",
    4,
    "return d/dt of the gap (x_1 - x_2)ᵀ W z under dW/dt = -∇L, a number.",
    "far out only a(1 - a) changes much, and it shrinks like e^-gap: so the gap grows like log t, "
    "towards the token that is worth more, and the norm with it.",
    dict.fromkeys(
        (torch.autograd.grad, torch.autograd.backward),
        "you let autograd do it; work the speed out on paper, and enter what you found",
    ),
)
def check_gap_speed(gap_speed: Callable[..., Tensor]) -> None:
    """Check the speed of a gap under gradient flow, with two tokens, at random places."""
    cases: list[Case] = []
    speeds = []
    for seed, label in ((1, 1.0), (2, -1.0), (3, 1.0)):
        x_1, x_2, z, v = _draw(4, D_MODEL, seed=seed)
        y, W = torch.tensor(label).double(), 0.3 * _draw(D_MODEL, D_MODEL, seed=seed + 10)
        answer = gap_speed(x_1, x_2, z, y, v, W)
        cases.append((x_1, x_2, z, v, W, y))
        speeds.append(
            require_tensor(
                torch.as_tensor(answer, dtype=torch.float64).detach().squeeze(),
                (),
                meaning="the speed of one gap",
            )
        )
    got, right = torch.stack(speeds), gap_speeds(cases)()
    if not torch.allclose(got, right, rtol=1e-4, atol=1e-9):
        name_speeds(got, cases)
        require_same(got, right, "this is not the speed of the gap", axes=("trial",))
