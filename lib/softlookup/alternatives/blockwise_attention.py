"""Exact attention that never holds a row of weights whole: block by block, with an online softmax.

The chapter on the quadratic wall derives it. A block of keys leaves behind a ``Partial``: a
maximum, a sum and a sum of values for each query. ``merge`` joins two of them exactly, in any
order, so the keys can be gone through a block at a time. For training the weights are computed a
second time, going backwards, and not stored: that is the idea of FlashAttention, which does the
same inside one GPU kernel.
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from softlookup.layers.fit import require_boolean, require_same_width, require_value_for_each_key


@dataclass(frozen=True)
class Partial:
    """What a set of keys leaves behind for each query: enough to go on, or to finish.

    Attributes:
        maximum: the greatest score so far; a query that saw no key has the least finite number.
        total: the sum of exp(score - maximum).
        weighted: the values, each times exp(score - maximum), summed.
    """

    maximum: Float[Tensor, "*batch queries"]
    total: Float[Tensor, "*batch queries"]
    weighted: Float[Tensor, "*batch queries d_value"]

    def output(self) -> Float[Tensor, "*batch queries d_value"]:
        """The attended values: zeros for a query that saw no key."""
        return self.weighted / _nonzero(self.total).unsqueeze(-1)


def attend_block(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    value: Float[Tensor, "*batch keys d_value"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Partial:
    """Attend to one block of keys, and leave the division for later.

    Args:
        query: what is asked.
        key: what the block's entries answer to.
        value: what they hold.
        mask: True where a query may look.

    Source: Milakov and Gimelshein 2018, algorithm 3, for a block in place of one number.
    """
    scores = _scores(query, key, mask)
    # The least finite number stands for "no key yet": minus infinity minus itself is NaN.
    maximum = scores.amax(dim=-1).clamp(min=torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - maximum.unsqueeze(-1))
    return Partial(maximum, weights.sum(dim=-1), weights @ value)


def merge(one: Partial, other: Partial) -> Partial:
    """Join what two disjoint sets of keys left behind: exactly, and in any order.

    Source: Milakov and Gimelshein 2018, equation 4; Dao et al. 2022, algorithm 1, line 12.
    """
    maximum = torch.maximum(one.maximum, other.maximum)
    one_scale = torch.exp(one.maximum - maximum)
    other_scale = torch.exp(other.maximum - maximum)
    return Partial(
        maximum,
        one_scale * one.total + other_scale * other.total,
        one_scale.unsqueeze(-1) * one.weighted + other_scale.unsqueeze(-1) * other.weighted,
    )


def block_gradients(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    value: Float[Tensor, "*batch keys d_value"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None,
    gradient: Float[Tensor, "*batch queries d_value"],
    maximum: Float[Tensor, "*batch queries"],
    total: Float[Tensor, "*batch queries"],
    common: Float[Tensor, "*batch queries"],
) -> tuple[
    Float[Tensor, "*batch queries d_head"],
    Float[Tensor, "*batch keys d_head"],
    Float[Tensor, "*batch keys d_value"],
]:
    """What one block adds to the gradients of query, key and value, its weights computed anew.

    Args:
        query: what is asked.
        key: what the block's entries answer to.
        value: what they hold.
        mask: True where a query may look.
        gradient: the loss's by the output, which arrives from above.
        maximum: the greatest score of each query, over all blocks.
        total: the sum of its exp(score - maximum), over all blocks.
        common: the product of its gradient and its output, which every weight of the row loses.

    Source: Dao et al. 2022, algorithm 4, lines 11 to 23.
    """
    weights = torch.exp(_scores(query, key, mask) - maximum.unsqueeze(-1))
    weights = weights / _nonzero(total).unsqueeze(-1)
    by_weight = gradient @ value.transpose(-2, -1)
    by_score = weights * (by_weight - common.unsqueeze(-1)) / math.sqrt(query.size(-1))
    return (
        by_score @ key,
        by_score.transpose(-2, -1) @ query,
        weights.transpose(-2, -1) @ gradient,
    )


def blockwise_attention(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    value: Float[Tensor, "*batch keys d_value"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
    causal: bool = False,
    block_size: int = 128,
) -> Float[Tensor, "*batch queries d_value"]:
    """Attention as the definition gives it, in memory that grows with the length alone.

    Args:
        query: what is asked.
        key: what each entry answers to.
        value: what each entry holds.
        mask: True where a query may look, such as ``masks.padding``. (A mask of all pairs is
            itself a square.) A query that may look nowhere gets zeros.
        causal: look only at yourself and at what came before, without building the mask; the
            blocks of the future are skipped, which is nearly half of them.
        block_size: how many queries, and how many keys, meet at a time.

    Raises:
        ValueError: if the block is empty, if query, key and value do not fit, if the mask is not
            boolean or does not cover all keys, or if ``causal`` comes with numbers of queries
            and keys that differ.

    Source: Dao et al. 2022 (FlashAttention), algorithms 1 and 4; Rabe and Staats 2021.
    """
    _require_fit(query, key, value, mask, causal, block_size)
    return _Blockwise.apply(query, key, value, mask, causal, block_size)


class _Blockwise(torch.autograd.Function):
    """Keeps the inputs, the outputs and two numbers a query, and no weight."""

    @staticmethod
    def forward(ctx, query, key, value, mask, causal, block_size):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN205
        partials = []
        for rows in _blocks(query.size(-2), block_size):
            parts = (
                attend_block(
                    query[..., rows, :], key[..., columns, :], value[..., columns, :], seen
                )
                for columns, seen in _blocks_of_keys(key, mask, causal, rows, block_size)
            )
            partials.append(functools.reduce(merge, parts))
        output = torch.cat([partial.output() for partial in partials], dim=-2)
        maximum = torch.cat([partial.maximum for partial in partials], dim=-1)
        total = torch.cat([partial.total for partial in partials], dim=-1)
        ctx.save_for_backward(query, key, value, mask, output, maximum, total)
        ctx.causal, ctx.block_size = causal, block_size
        return output

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN205
        query, key, value, mask, output, maximum, total = ctx.saved_tensors
        to_query, to_key, to_value = (torch.zeros_like(x) for x in (query, key, value))
        # What every weight of a row loses because the row has to sum to one.
        common = (gradient * output).sum(dim=-1)
        for rows in _blocks(query.size(-2), ctx.block_size):
            finished = maximum[..., rows], total[..., rows], common[..., rows]
            asked, arriving = query[..., rows, :], gradient[..., rows, :]
            for columns, seen in _blocks_of_keys(key, mask, ctx.causal, rows, ctx.block_size):
                keys, values = key[..., columns, :], value[..., columns, :]
                parts = block_gradients(asked, keys, values, seen, arriving, *finished)
                to_query[..., rows, :] += parts[0]
                to_key[..., columns, :] += parts[1]
                to_value[..., columns, :] += parts[2]
        return to_query, to_key, to_value, None, None, None


def _scores(query: Tensor, key: Tensor, mask: Tensor | None) -> Tensor:
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    return scores if mask is None else scores.masked_fill(~mask, float("-inf"))


def _nonzero(total: Tensor) -> Tensor:
    """One in place of an empty row's zero, so that the row's zeros survive the division."""
    return total.masked_fill(total == 0, 1.0)


def _blocks(length: int, block_size: int) -> Iterator[slice]:
    for start in range(0, length, block_size):
        yield slice(start, min(start + block_size, length))


def _blocks_of_keys(
    key: Tensor, mask: Tensor | None, causal: bool, rows: slice, block_size: int
) -> Iterator[tuple[slice, Tensor | None]]:
    """The blocks of keys that some of these queries may see, each with its part of the mask."""
    queries = torch.arange(rows.start, rows.stop, device=key.device)
    for columns in _blocks(key.size(-2), block_size):
        if causal and columns.start >= rows.stop:
            return
        seen = None
        if mask is not None:
            seen = mask[..., rows if mask.size(-2) > 1 else slice(None), columns]
        if causal and columns.stop > rows.start + 1:  # only the diagonal needs its triangle
            places = torch.arange(columns.start, columns.stop, device=key.device)
            triangle = places <= queries[:, None]
            seen = triangle if seen is None else seen & triangle
        yield columns, seen


def _require_fit(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, causal: bool, block_size: int
) -> None:
    """Refuse arguments that do not fit together."""
    if block_size < 1:
        raise ValueError(f"block_size is {block_size}; expected at least 1")
    require_same_width(query, key)
    require_value_for_each_key(key, value)
    require_boolean(mask)
    queries, keys = query.size(-2), key.size(-2)
    if causal and queries != keys:
        raise ValueError(
            f"causal=True with {queries} queries and {keys} keys; expected as many of each"
        )
    if mask is None:
        return
    if mask.dim() < 2 or mask.size(-1) != keys or mask.size(-2) not in (1, queries):
        raise ValueError(
            f"the mask has shape {tuple(mask.shape)}; expected (…, {queries} or 1, {keys}): "
            "queries and keys"
        )
