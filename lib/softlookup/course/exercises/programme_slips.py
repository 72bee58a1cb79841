"""What goes wrong where the matrix of least nuclear norm is asked of cvxpy.

The chapter on support vector machines asks for it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import cvxpy
import torch
from cvxpy.atoms.affine.reshape import reshape
from torch import Tensor

from softlookup.course.exercises.probes import same
from softlookup.course.exercises.verdict import Mistake
from softlookup.margins.selection_programmes import (
    frobenius_max_margin,
    margins,
    nuclear_max_margin,
)

_ROUNDING = 1e-3


def why_nothing(programmes: Sequence[cvxpy.Problem]) -> str | None:
    """Why no W came back, by the programmes that were solved; None if one has a solution."""
    if not programmes:
        return (
            "no W came back, and no programme was solved: W.value is None before "
            "cvxpy.Problem(…).solve() is called"
        )
    status = str(programmes[-1].status)
    if "infeasible" in status:
        return (
            "no W keeps your conditions, so that W.value is None. ⟨A_t, W⟩ is one number, a sum: "
            "A @ W is a matrix, and where each of its numbers has to be at least 1 too much is "
            "asked; where all of them are summed, it is something else than ⟨A_t, W⟩"
        )
    if "unbounded" in status:
        return (
            "what you minimise has no least value, so that W.value is None: a norm has, and a "
            "trace or a sum has none"
        )
    return None


def name_programme(W: Tensor, constraints: Tensor, programmes: Sequence[cvxpy.Problem]) -> None:
    """Refuse a W that is not the one of least nuclear norm with all margins at least 1.

    Args:
        W: the learner's.
        constraints: what the margins are taken with, one matrix each.
        programmes: those that the learner solved.

    Raises:
        Mistake: naming what was asked instead.
    """
    kept, right = margins(W, constraints), nuclear_max_margin(constraints)
    if W.abs().max() < 1e-4:
        raise Mistake(
            "your W is zero: each margin must be at least 1, and it was asked to be at least 0, "
            "or at most 1"
        )
    if kept.min() < 1 - _ROUNDING:
        _name_broken(W, kept, constraints, programmes)
    if kept.max() < 1 + _ROUNDING:
        raise Mistake("all your margins are exactly 1: they may be larger; use >=, not ==")
    if same(W, frobenius_max_margin(constraints), atol=_ROUNDING):
        raise Mistake("this is the solution of least Frobenius norm, to which training W turns")
    _require_length(W, kept, right)
    norm, least = (torch.linalg.matrix_norm(each, ord="nuc").item() for each in (W, right))
    if norm > least * (1 + _ROUNDING):
        raise Mistake(
            f"your W keeps the margins, with a nuclear norm of {norm:.2f}; {least:.2f} can be "
            f"had. {_why_long(W)}"
        )


def _name_broken(
    W: Tensor, kept: Tensor, constraints: Tensor, programmes: Sequence[cvxpy.Problem]
) -> None:
    """Say why some margins are below 1.

    Raises:
        Mistake: always.
    """
    if margins(W.T, constraints).min() > 1 - _ROUNDING:
        raise Mistake(f"your W is transposed: {_why_transposed(programmes)}")
    if margins(-W, constraints).min() > 1 - _ROUNDING:
        raise Mistake("your signs are turned: with you every rival beats the selected token by 1")
    _require_length(W, kept, nuclear_max_margin(constraints))
    for total, words in ((kept.sum(), "sum to 1"), (kept.mean(), "are 1 on average")):
        if abs(total - 1) < 1e-2:
            raise Mistake(f"your margins {words}; each of them has to be at least 1")
    broken = (kept < 1 - _ROUNDING).nonzero().flatten().tolist()
    if len(broken) == 1:
        raise Mistake(
            f"one of the {len(kept)} margins is {kept[broken[0]]:.2f}, that with constraint "
            f"{broken[0]} (counted from 0), and all others are at least 1: did you leave it out?"
        )
    if abs((kept / constraints.flatten(1).norm(dim=1)).min() - 1) < 1e-2:
        raise Mistake(
            "you divide each A_t by its length, or by that of something like it: it is ⟨A_t, W⟩ "
            "itself that is at least 1"
        )
    active = (kept - 1).abs().lt(_ROUNDING).nonzero().flatten().tolist()
    if kept.max() < 1 + _ROUNDING and len(active) == 1:
        raise Mistake(
            f"of the {len(kept)} margins only that with constraint {active[0]} (counted from 0) is "
            "1, and all others are below: do you ask it of one constraint only?"
        )
    if kept.max() < 1 + _ROUNDING:
        raise Mistake("your margins are at most 1; the winners have to win by at least 1")
    if same(W, nuclear_max_margin(constraints), atol=0.1):
        raise Mistake(
            f"your W is about the right one, and its least margin is {kept.min():.3f}: is it "
            "rounded, or is the solver's tolerance too wide? Return W.value as it is"
        )
    for rank in (1, 2):
        U, values, V = torch.linalg.svd(frobenius_max_margin(constraints))
        if same(W, U[:, :rank] * values[:rank] @ V[:rank], atol=_ROUNDING):
            raise Mistake(
                f"this is the solution of least Frobenius norm, cut to rank {rank}, which keeps "
                "no margins: minimise the nuclear norm instead"
            )
    raise Mistake(
        f"{len(broken)} of the {len(kept)} margins are below 1, the least is {kept.min():.2f}: all "
        "must be at least 1. Do your conditions hold all matrices A_t, and is each ⟨A_t, W⟩ the "
        "sum of A_t times W, number by number? Is W.value returned as it is?"
    )


def _why_transposed(programmes: Sequence[cvxpy.Problem]) -> str:
    """Whether something was flattened in two orders, or never flattened."""
    flattened = any(
        isinstance(each, reshape)
        for programme in programmes
        for constraint in programme.constraints
        for each in _atoms(constraint)
    )
    if flattened:
        return 'numpy flattens row by row, cvxpy column by column unless you say order="C"'
    return (
        "nothing is flattened, so is it a trace? That of A @ W is ⟨Aᵀ, W⟩; ⟨A, W⟩ is that of "
        "A.T @ W. Or do you return W.value.T?"
    )


def _atoms(expression: Any) -> Iterator[Any]:  # noqa: ANN401
    """All parts of an expression of cvxpy."""
    yield expression
    for each in expression.args:
        yield from _atoms(each)


def _require_length(W: Tensor, kept: Tensor, right: Tensor) -> None:
    """Refuse the right direction at another length.

    Raises:
        Mistake: if that is it.
    """
    least = kept.min().item()
    if least > 0.01 and abs(least - 1) > 0.01 and same(W / least, right, atol=_ROUNDING):
        raise Mistake(
            f"your direction is right, and your least margin is {least:.2f}: the shortest W "
            "has a least margin of 1. Is the bound another number, or is W scaled afterwards?"
        )


def _why_long(W: Tensor) -> str:
    """The likeliest norm that was minimised instead, or what W was restricted to."""
    values = torch.linalg.svdvals(W)
    if same(W, torch.diag(W.diagonal())):
        return "Yours is diagonal, and W may be any matrix"
    if same(W, W.T, atol=_ROUNDING):
        return "Yours is symmetric, and W may be any matrix"
    if values[1] > 0.99 * values[0]:
        return (
            "Your largest singular values are equal: you minimised the largest alone, which is "
            'cvxpy.norm(W, 2). Did you minimise the sum of all singular values, "nuc"?'
        )
    if W.min() > -1e-4 or W.max() < 1e-4:
        return "All your numbers have one sign, and W may be any matrix"
    largest = W.abs().max()
    if (W.abs() > 0.999 * largest).sum() > W.numel() / 4:
        return (
            "Many of your numbers are of one size, the largest: you minimised the largest number. "
            'Did you minimise the sum of all singular values, "nuc"?'
        )
    if (W.abs() < 1e-4).sum() > W.numel() / 3:
        return (
            "Many of your numbers are zero: you minimised the sum of the absolute values, or the "
            'largest such sum. Did you minimise the sum of all singular values, "nuc"?'
        )
    return 'Did you minimise the sum of all singular values, cvxpy.norm(W, "nuc")?'
