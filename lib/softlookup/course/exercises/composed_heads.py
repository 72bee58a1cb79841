"""What a later head reads of an earlier one: the parts of its scores, and what is no baseline.

The chapter on looking inside asks for both; here are the right answers and what they become by a
slip.
"""

import torch
from torch import Tensor

from softlookup.course.exercises.probes import same
from softlookup.course.exercises.verdict import Mistake


def four_parts(x: Tensor, weights: Tensor, ov: Tensor, qk: Tensor) -> dict[str, Tensor]:
    """The score table of a later head in four parts, as a sum over who was told."""
    moved = weights @ x @ ov
    return {name: _part(name, x, moved, qk) for name in ("direct", "by_query", "by_key", "by_both")}


def _part(name: str, x: Tensor, moved: Tensor, qk: Tensor) -> Tensor:
    query = moved if name in ("by_query", "by_both") else x
    key = moved if name in ("by_key", "by_both") else x
    return query @ qk @ key.T


def slips(
    x: Tensor, weights: Tensor, ov: Tensor, qk: Tensor, name: str
) -> list[tuple[Tensor, str]]:
    """What one of the four parts becomes by a slip on paper, and the words for it."""
    moved = weights @ x @ ov
    whole = (x + moved) @ qk @ (x + moved).T
    there = f"in `{name}`"
    return [
        (whole, f"`{name}` is the whole table, the sum of all four parts"),
        (
            _part(name, x, x + moved, qk),
            f"{there} whoever was told still brings x along: that is another part",
        ),
        (_part(name, x, moved, qk.T), f"{there} QK is transposed: the query stands on its left"),
        (
            _part(name, x, weights.T @ x @ ov, qk),
            f"{there} the first head's weights are transposed: in Δ rows are queries, and Δᵀ ends "
            "in the transposed weights",
        ),
        (
            _part(name, x, weights @ x @ ov.T, qk),
            f"{there} OV is transposed: tokens are rows, and OV stands on their right",
        ),
        (
            _part(name, x, x @ ov, qk),
            f"{there} the first head's weights are missing: it brings something from elsewhere",
        ),
        (
            _part(name, x, weights @ x, qk),
            f"{there} OV is missing: what comes over is not the token itself",
        ),
        (
            _part(name, x, moved, qk) / x.size(-1) ** 0.5,
            f"`{name}` is divided by the root of the width; nothing is to be divided here, for QK "
            "makes the scores as they are",
        ),
        (
            _part(name, x, moved, qk).softmax(dim=-1),
            f"`{name}` is after a softmax; only scores are sums of parts",
        ),
        (
            _part(name, x, moved, qk).T,
            f"`{name}` as a whole is transposed: rows are queries, columns are keys",
        ),
    ]


def require_turned(got: Tensor, matrix: Tensor) -> None:
    """Refuse a matrix whose spectrum is another one, or of which a side was not turned.

    Raises:
        Mistake: with what stayed that should not, or did not stay.
    """
    if same(got, matrix):
        raise Mistake("your matrix is the one that you were given; its directions are to be random")
    theirs, spectrum = torch.linalg.svdvals(got), torch.linalg.svdvals(matrix)
    if not torch.allclose(theirs, spectrum, rtol=1e-3, atol=1e-4):
        if same(got.flatten().sort().values, matrix.flatten().sort().values):
            raise Mistake(
                "you shuffled the entries: the norm stays, but the rank and the singular values "
                "do not"
            )
        if torch.isclose(got.norm(), matrix.norm(), rtol=1e-3):
            raise Mistake(
                "your matrix has the right norm and other singular values: one of nearly full "
                "rank composes otherwise than one of low rank"
            )
        raise Mistake(
            f"your largest singular values are {_listed(theirs)}; expected those of the matrix, "
            f"{_listed(spectrum)}. A random matrix stretches unless it is orthogonal"
        )
    if same(got.flatten().sort().values, matrix.flatten().sort().values):
        raise Mistake(
            "your rows and columns are the old ones, only in another order: a turn mixes them"
        )
    if same(got.abs(), matrix.abs()):
        raise Mistake("you changed signs only, of whole rows or columns; the directions are kept")
    if same(got.T @ got, matrix.T @ matrix) or same(got @ got.T, matrix @ matrix.T):
        raise Mistake(
            "you turned one side only; a matrix reads from one side and writes to another"
        )


def require_even(matrices: Tensor, matrix: Tensor) -> None:
    """Refuse many draws, (draws, rows, columns), in which some directions are preferred.

    Raises:
        Mistake: if so.
    """
    power = matrix.square().sum()
    for square, side in (
        (matrices @ matrices.mT, "rows"),
        (matrices.mT @ matrices, "columns"),
    ):
        shares = len(square[0]) * square.mean(dim=0).diagonal() / power
        if shares.max() > 2.0 or shares.min() < 0.5:
            raise Mistake(
                f"over 100 draws some {side} of yours hold far more than others: sorted singular "
                "values, or rows in another order, are no random directions"
            )
    if matrices.mean(dim=0).norm() > 0.35 * power.sqrt():
        raise Mistake("over 100 draws something of your matrix stays: it is turned too little")


def _listed(values: Tensor) -> str:
    return ", ".join(f"{value:.2f}" for value in values[:3].tolist())
