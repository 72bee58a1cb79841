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


def require_turned(draws: Tensor, matrix: Tensor) -> None:
    """Refuse matrices whose spectrum is another one, or of which a side was not turned.

    Args:
        draws: several of the learner's, (draws, rows, columns).
        matrix: what they should be turned from.

    Raises:
        Mistake: with what stayed that should not, or did not stay.
    """
    got = draws[0]
    if same(got, matrix):
        raise Mistake("your matrix is the one that you were given; its directions are to be random")
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    within = left.T @ got @ right.T
    # In float32 directions of nearly equal singular values mix a little, by the kind of processor.
    kept = left @ within.diagonal().diag() @ right
    if (got - kept).norm() < 1e-2 * got.norm():
        raise Mistake(
            "your directions are still the matrix's own, on both sides: you changed what stands "
            "between them. The singular values stay, and what stands beside them is to be random"
        )
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
        _name_spectrum(theirs, spectrum)
        told = (
            f"your largest singular values are {_listed(theirs)}; expected those of the matrix, "
            f"{_listed(spectrum)}"
        )
        if (torch.linalg.svdvals(draws) <= spectrum + 1e-6).all():
            raise Mistake(
                f"{told}. None is larger: a part of an orthogonal matrix, some of its rows and "
                "columns, is not orthogonal and shrinks what it meets. Draw one for each side, of "
                "that side's size; and multiply the singular values by nothing"
            )
        raise Mistake(
            f"{told}. A matrix of normal numbers stretches; only an orthogonal one, the Q of its "
            "QR decomposition, does not, and each side needs one"
        )
    if same(got.flatten().sort().values, matrix.flatten().sort().values):
        raise Mistake(
            "your rows and columns are the old ones, only in another order: a turn mixes them"
        )
    if same(got.abs(), matrix.abs()):
        raise Mistake("you changed signs only, of whole rows or columns; the directions are kept")
    if same(got.abs().flatten().sort().values, matrix.abs().flatten().sort().values):
        raise Mistake(
            "your entries are the old ones, in another order and with other signs: a turn mixes "
            "rows and columns"
        )
    if same(got.T @ got, matrix.T @ matrix) or same(got @ got.T, matrix @ matrix.T):
        raise Mistake(
            "you turned one side only; a matrix reads from one side and writes to another"
        )


def _name_spectrum(theirs: Tensor, spectrum: Tensor) -> None:
    """Name what has become of the singular values, if they were used at all.

    Raises:
        Mistake: with the words for it.
    """
    ones = torch.ones_like(spectrum)
    for words, wrong in {
        "your singular values are all 1: you return what turns, and the matrix is never used": ones,
        "your singular values are all as large as the largest of the matrix; each has its own": (
            spectrum[0] * ones
        ),
        "your singular values are the squares of the matrix's: they stand in yours twice": (
            spectrum.square()
        ),
        "your singular values are the roots of the matrix's: only a matrix times its transpose has "
        "their squares": spectrum.sqrt(),
        "your singular values are one over those of the matrix": (1 / spectrum).flip(0),
        "your singular values are the matrix's, divided by their sum; its size is to stay": (
            spectrum / spectrum.sum()
        ),
    }.items():
        if torch.allclose(theirs, wrong, rtol=1e-3, atol=1e-4):
            raise Mistake(words)
    if torch.allclose(theirs, theirs[0] * ones, rtol=1e-3):
        raise Mistake(
            f"your singular values are all {theirs[0]:.3g}; those of the matrix differ, and each "
            "is to stay"
        )
    kept = int((theirs > 1e-4 * theirs[0]).sum())
    if kept < len(spectrum) and torch.allclose(theirs[:kept], spectrum[:kept], rtol=1e-3):
        raise Mistake(
            f"you keep {kept} singular values of {len(spectrum)}: the small ones belong to the "
            "matrix, too"
        )
    factor = theirs[0] / spectrum[0]
    if torch.allclose(theirs, factor * spectrum, rtol=1e-3, atol=1e-4):
        raise Mistake(
            f"your singular values are {factor:.3g} times those of the matrix: an orthogonal "
            "matrix does not stretch, and nothing is to be divided or multiplied"
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
        square = square.mean(dim=0) / power
        shares = len(square) * square.diagonal()
        if shares.max() > 2.0 or shares.min() < 0.5:
            raise Mistake(
                f"over 100 draws some {side} of yours hold far more than others: sorted singular "
                "values, or rows in another order, are no random directions"
            )
        if not 0.5 < square.sum() < 2.0:
            raise Mistake(
                f"over 100 draws the sum of all {side} of yours is far too "
                f"{'small' if square.sum() < 1 else 'large'}: numbers that are all above zero, as "
                "those of torch.rand, lean to one side. Draw normal ones, of both signs"
            )
    if matrices.mean(dim=0).norm() > 0.35 * power.sqrt():
        raise Mistake(
            "over 100 draws something of your matrix stays: it is turned too little, or to one "
            "side more than to another"
        )


def _listed(values: Tensor) -> str:
    return ", ".join(f"{value:.2f}" for value in values[:3].tolist())
