"""What a later head reads of an earlier one: the four parts of its scores.

The chapter on looking inside asks for them; here are the right answers and what they become by a
slip.
"""

from torch import Tensor


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
