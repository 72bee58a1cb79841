"""Scores with rotary positions and a norm of queries and keys, and the ways in which they go wrong.

The chapter on today's model has the learner repair a norm that stands behind the rotation.
"""

import math
from collections.abc import Callable

import torch.nn.functional as F
from torch import Tensor

from softlookup.layers.positions import rotate, rotate_halves

Hypothesis = tuple[Tensor, str]
Step = Callable[[Tensor, Tensor], Tensor]


def normed(x: Tensor, weight: Tensor) -> Tensor:
    """RMSNorm over a head's numbers, (heads, n, d_head), with one weight for each of them."""
    return F.rms_norm(x, weight.shape, weight)


def scores(
    query: Tensor,
    key: Tensor,
    query_weight: Tensor,
    key_weight: Tensor,
    prepare: Step = lambda x, weight: rotate_halves(normed(x, weight)),
) -> Tensor:
    """The scores, (heads, n, n), of queries and keys, (heads, n, d_head).

    Args:
        query: as the projection gives them.
        key: likewise.
        query_weight: what the norm of the queries has learned, (d_head,).
        key_weight: that of the keys.
        prepare: what happens to either before they meet; the right way, if none is given.
    """
    asked, held = prepare(query, query_weight), prepare(key, key_weight)
    return asked @ held.mT / math.sqrt(query.size(-1))


def _length_one(x: Tensor, weight: Tensor) -> Tensor:
    return rotate_halves(F.normalize(x, dim=-1) * weight)


def _layer_norm(x: Tensor, weight: Tensor) -> Tensor:
    return rotate_halves(F.layer_norm(x, weight.shape, weight))


def _over(x: Tensor, weight: Tensor, axes: int | tuple[int, int]) -> Tensor:
    return rotate_halves(x / x.square().mean(dim=axes, keepdim=True).sqrt() * weight)


PREPARED: dict[str, Step] = {
    "the learned weights multiply columns that were turned already, as in `broken`": (
        lambda x, weight: normed(rotate_halves(x), weight)
    ),
    "nothing is turned any more; the norm moves to before the rotation, which stays": normed,
    "nothing is normalised any more": lambda x, weight: rotate_halves(x),
    "the norms' learned weights are gone": (
        lambda x, weight: rotate_halves(F.rms_norm(x, weight.shape))
    ),
    "you multiply by the learned weights, and nothing is divided by its root mean square": (
        lambda x, weight: rotate_halves(x * weight)
    ),
    "you multiply by the learned weights before the norm; they come behind it": (
        lambda x, weight: rotate_halves(F.rms_norm(x * weight, weight.shape))
    ),
    "you normalise twice, before the rotation and behind it": (
        lambda x, weight: normed(rotate_halves(normed(x, weight)), weight)
    ),
    "you turn twice, before the norm and behind it": (
        lambda x, weight: rotate_halves(normed(rotate_halves(x), weight))
    ),
    "your vectors have length one; RMSNorm gives them a root mean square of one": _length_one,
    "yours is LayerNorm: it takes the mean away first": _layer_norm,
    "you divide by the root mean square over all tokens; each token has its own": (
        lambda x, weight: _over(x, weight, -2)
    ),
    "you divide by one root mean square for a whole head; each token in it has its own": (
        lambda x, weight: _over(x, weight, (-2, -1))
    ),
    "you divide by one root mean square for a token in all heads; each head has its own": (
        lambda x, weight: _over(x, weight, (0, -1))
    ),
    "you turn neighbouring columns as pairs; `rotate_halves` was right": (
        lambda x, weight: rotate(normed(x, weight))
    ),
}


def mistakes(
    query: Tensor, key: Tensor, query_weight: Tensor, key_weight: Tensor
) -> list[Hypothesis]:
    """The results of mistakes, each with what to tell whoever made it."""
    given = query, key, query_weight, key_weight
    right, width = scores(*given), query.size(-1)
    late = PREPARED[next(iter(PREPARED))]

    def mended(x: Tensor, weight: Tensor) -> Tensor:
        return rotate_halves(normed(x, weight))

    return [
        *((scores(*given, prepare=prepare), words) for words, prepare in PREPARED.items()),
        (
            mended(query, query_weight) @ late(key, key_weight).mT / math.sqrt(width),
            "your queries are right; the keys are still turned before their norm",
        ),
        (
            late(query, query_weight) @ mended(key, key_weight).mT / math.sqrt(width),
            "your keys are right; the queries are still turned before their norm",
        ),
        (
            scores(query, key, key_weight, query_weight),
            "the queries have the keys' learned weights, and the keys the queries'",
        ),
        (
            scores(query, key, query_weight, query_weight),
            "the keys have the queries' learned weights; they have their own",
        ),
        (
            scores(query, key, key_weight, key_weight),
            "the queries have the keys' learned weights; they have their own",
        ),
        (right * math.sqrt(width), "the scores are no longer divided by the root of `d_head`"),
        (right / math.sqrt(width), "the scores are divided by `d_head`, and not by its root"),
        (right.mT, "rows are queries and columns keys; yours are exchanged"),
        (right.softmax(dim=-1), "these are weights; the scores before the softmax are asked for"),
    ]
