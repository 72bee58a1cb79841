"""Checks for the exercises of the chapter on support vector machines."""

from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from numpy import ndarray
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
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
    "return for each input the number of the token whose score y v · x is highest.",
    "the head and the label decide which token is optimal; the query has no say in it.",
)
def check_best_token(best_token: Callable[[Tensor, Tensor, Tensor], Tensor]) -> None:
    """Check which token of each input is optimal."""
    inputs, tokens = 11, TOKENS  # as many inputs as tell all the mistakes apart
    x, head = _draw(inputs, tokens, D_MODEL), _draw(D_MODEL, seed=13)
    labels = torch.where(_draw(inputs, seed=14) > 0, 1.0, -1.0).double()
    readings = x @ head
    right = (labels[:, None] * readings).argmax(-1)
    got = require_tensor(
        best_token(x, labels, head), (inputs,), meaning="one token's number for each input"
    )
    if got.is_floating_point() and not torch.equal(got, got.round()):
        raise Mistake("you return scores; the number of the token that has the highest is asked")
    if torch.equal(got.long(), right):
        return
    name_first(
        got,
        [
            (
                readings.argmax(-1),
                "you left out the label: where y = -1 the lowest reading is best",
            ),
            (readings.abs().argmax(-1), "you take the largest reading whatever its sign"),
            (
                (labels[:, None] * readings).argmin(-1),
                "you found the worst token of each input: argmin in place of argmax",
            ),
            (x.norm(dim=-1).argmax(-1), "you take the longest token, and the head has no say"),
            (right + 1, "you count from one; here the first token has the number 0"),
        ],
    )
    wrong = int((got.long() != right).nonzero()[0])
    raise Mistake(
        f"input {wrong} has label {labels[wrong]:+.0f} and readings "
        f"{[round(r, 2) for r in readings[wrong].tolist()]}; its optimal token is "
        f"{int(right[wrong])}, and you say {int(got[wrong])}"
    )


@exercise(
    "support_vectors",
    2,
    "return for each rival the matrix that stands beside W in its constraint, stacked.",
    "each rival is one data point of a support vector machine.",
)
def check_margin_constraints(
    margin_constraints: Callable[[Tensor, Tensor, int], Tensor],
) -> None:
    """Check the constraints of one input."""
    for selected in (2, 0, TOKENS - 1):
        x, z = _draw(TOKENS, D_MODEL), _draw(D_MODEL, seed=13)
        rivals = torch.arange(TOKENS) != selected
        differences = x[selected] - x
        right = (differences[:, :, None] * z)[rivals]
        got = margin_constraints(x, z, selected)
        if isinstance(got, Tensor) and got.shape == (TOKENS, D_MODEL, D_MODEL):
            raise Mistake(
                "there is a matrix for the selected token too: it is zero, and 0 ≥ 1 cannot be kept"
            )
        if isinstance(got, Tensor) and got.shape == (TOKENS - 1, D_MODEL):
            raise Mistake(
                "you return differences of tokens; each goes with the query, as an outer product"
            )
        got = require_tensor(
            got, tuple(right.shape), meaning="a matrix of the size of W for each rival"
        )
        if same(got, right):
            continue
        name_first(
            got,
            [
                (-right, "your signs are turned: the rivals would beat the selected token"),
                (right.mT, "your outer products are transposed: the difference goes with the rows"),
                (right.flip(0), "right matrices, but the rivals stand in the opposite order"),
                (
                    (x[selected][:, None] * z - 0 * right),
                    "you left out the rival: its own score has to be subtracted",
                ),
                (
                    (-x[:, :, None] * z)[rivals],
                    "you left out the selected token: the score of the winner is missing",
                ),
                (
                    (differences[:, :, None] * x[selected])[rivals],
                    "you took the selected token for the query",
                ),
                (
                    (x[rivals][min(selected, TOKENS - 2)] - x)[rivals][:, :, None] * z,
                    "you subtract from the winner's neighbour: was the winner looked up by its "
                    "number after it had been taken out?",
                ),
                (
                    (x[0] - x)[1:][:, :, None] * z,
                    "the winner is always token 0 with you; its number is `selected`",
                ),
                (
                    (x.roll(-1, 0) - x)[rivals][:, :, None] * z,
                    "you subtract neighbours from each other, not each rival from the winner",
                ),
            ],
        )
        if selected != 2:
            raise Mistake(f"right where token 2 is selected, but wrong for token {selected}")
        require_same(
            got, right, "your matrices are not (x_s - x_t) zᵀ", axes=("rival", "row", "column")
        )
    x[4] = x[2]
    twins = margin_constraints(x, z, 2)
    if isinstance(twins, Tensor) and len(twins) != TOKENS - 1:
        raise Mistake(
            f"where another token equals the selected one you return {len(twins)} matrices for "
            f"{TOKENS - 1} rivals: leave out the token of that number, not those whose difference "
            "is zero"
        )


@exercise(
    "support_vectors",
    3,
    "return the derivative of log(1 + e^-m) by W, a matrix of the size of W.",
    "the gradient is a sum of differences of keys times the query, and equals autograd's.",
    dict.fromkeys(
        (torch.autograd.grad, torch.autograd.backward),
        "you let autograd do it; write the derivative of softmax on paper, and then in code",
    ),
)
def check_gradient(
    gradient: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor],
) -> None:
    """Check the gradient of one input's loss by W."""
    x, z, v = _draw(TOKENS, D_MODEL), _draw(D_MODEL, seed=13), _draw(D_MODEL, seed=14)
    W = 0.3 * _draw(D_MODEL, D_MODEL, seed=15)
    for label in (1.0, -1.0):
        y = torch.tensor(label, dtype=torch.float64)
        a = torch.softmax(x @ W @ z, dim=0)
        scores = y * (x @ v)
        m = scores @ a
        slope = -torch.sigmoid(-m)

        def assemble(factors: Tensor) -> Tensor:
            return torch.outer(x.T @ factors, z)

        right = slope * assemble(a * (scores - m))
        got = require_tensor(
            gradient(x, z, y, v, W).detach(), (D_MODEL, D_MODEL), "your gradient", "that of W"
        )
        if same(got, right):
            continue
        unsigned = x @ v
        name_first(
            got,
            [
                (right.mT, "your gradient is transposed: W has the tokens' side in its rows"),
                (
                    -right,
                    "your sign is turned: the loss falls as m grows, its slope is negative",
                ),
                (
                    assemble(a * (scores - m)),
                    "this is the gradient of m: the slope of the loss, -1 / (1 + e^m), is missing",
                ),
                (
                    slope * assemble(a * scores),
                    "you treat the weights as if each had its own score alone: softmax also has "
                    "the term with -a_t a_u, which subtracts m",
                ),
                (
                    slope * assemble(scores - m),
                    "the factor a_t is missing: a token without weight has no pull",
                ),
                (
                    slope * assemble(scores),
                    "you left out the derivative of softmax altogether",
                ),
                (
                    -torch.sigmoid(m) * assemble(a * (scores - m)),
                    "your slope is that of the opposite sign: -1 / (1 + e^m), not -1 / (1 + e^-m)",
                ),
                (
                    -torch.sigmoid(-(unsigned @ a)) * assemble(a * (unsigned - unsigned @ a)),
                    "you left out the label: right where y = 1 and wrong where y = -1",
                ),
            ],
        )
        require_same(
            got,
            right,
            f"at y = {label:+.0f} your gradient is not that of the loss",
            axes=("row", "column"),
        )


@exercise(
    "support_vectors",
    4,
    "minimise the nuclear norm of W under ⟨A_t, W⟩ ≥ 1 for all t; return W.value.",
    "the solution to which training K and Q turns, of lower rank than the Frobenius one.",
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
    if kept.max() < 1 + 1e-3 and kept.min() < 1 - 1e-3:
        raise Mistake("your margins are at most 1; the winners have to win by at least 1")
    if kept.min() < 1 - 1e-3:
        raise Mistake(f"your least margin is {kept.min():.2f}; all must be at least 1")
    if kept.max() < 1 + 1e-3:
        raise Mistake("all your margins are exactly 1: they may be larger; use >=, not ==")
    if same(W, frobenius_max_margin(constraints), atol=1e-3):
        raise Mistake("this is the solution of least Frobenius norm, to which training W turns")
    if nuclear(W) > least * (1 + 1e-3):
        raise Mistake(
            f"your W keeps the margins, with a nuclear norm of {nuclear(W):.2f}; {least:.2f} can "
            "be had. Did you minimise the sum of all singular values?"
        )
