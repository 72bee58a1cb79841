"""Grouped-query attention: heads that ask on their own, and share what answers them.

A model that writes keeps the keys and values of every token so far, so their number decides how
long a text it can hold. Here neighbouring heads read one head of keys and values. With as many of
those as there are queries' heads this is multi-head attention, with one it is multi-query
attention. The chapter on today's model derives it and counts the bytes that it saves.
"""

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.attention import attention
from softlookup.layers.multi_head import (
    KeyValueCache,
    RotatePositions,
    merge_heads,
    split_heads,
)
from softlookup.layers.visibility import EVERYTHING, Visibility


def hand_out(
    shared: Float[Tensor, "batch key_value_heads keys d_head"], n_heads: int
) -> Float[Tensor, "batch heads keys d_head"]:
    """Give each head of the queries its copy of the keys or values that it reads.

    Neighbours share: of 6 heads and 2 shared ones, heads 0, 1 and 2 read the first.

    Raises:
        ValueError: if the shared heads do not divide the others.

    Source: Ainslie et al. 2023, figure 2.
    """
    _require_shares(n_heads, shared.size(1))
    return shared.repeat_interleave(n_heads // shared.size(1), dim=1)


def grouped_attention(
    query: Float[Tensor, "batch heads queries d_head"],
    key: Float[Tensor, "batch key_value_heads keys d_head"],
    value: Float[Tensor, "batch key_value_heads keys d_value"],
    visible: Visibility = EVERYTHING,
) -> Float[Tensor, "batch heads queries d_value"]:
    """Attention over keys and values that ``hand_out`` would hand out, in one kernel.

    The kernel reads the shared heads where they lie, so no copies of them are made, as long as keys
    and values are of one width.

    Args:
        query: what is asked, in every head.
        key: what each entry answers to, in the shared heads.
        value: what each entry holds, in the shared heads.
        visible: what each query may see of the keys.

    Raises:
        ValueError: if the shared heads do not divide the others, or if the mask does not fit.

    Source: Ainslie et al. 2023, section 2.2; Dao et al. 2022 for the kernel.
    """
    _require_shares(query.size(1), key.size(1))
    causal = visible.needs_no_mask(query, key)
    added = None if causal else visible.joined_mask(query, key)
    if visible.bias is not None:
        bias = visible.bias
        added = bias if added is None else bias.masked_fill(~added, float("-inf"))
    return F.scaled_dot_product_attention(
        query, key, value, attn_mask=added, is_causal=causal, enable_gqa=True
    )


class GroupedQueryAttention(nn.Module):
    """Self-attention in several heads, which share fewer heads of keys and values. No biases.

    Args:
        d_model: the width of a token.
        n_heads: how many heads ask.
        n_key_value_heads: how many heads of keys and values answer them.
        d_head: the width of a head; ``d_model / n_heads`` where it is None.
        rotate_positions: as in ``MultiHeadAttention``.

    Raises:
        ValueError: if ``n_key_value_heads`` does not divide ``n_heads``, or if no ``d_head`` is
            given and ``n_heads`` does not divide ``d_model``.

    Source: Ainslie et al. 2023, section 2.2; Shazeer 2019 for one head of keys and values.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_key_value_heads: int,
        d_head: int | None = None,
        rotate_positions: RotatePositions | None = None,
    ) -> None:
        super().__init__()
        _require_shares(n_heads, n_key_value_heads)
        d_head = width_of_heads(d_model, n_heads, d_head)
        self.n_heads = n_heads
        self.n_key_value_heads = n_key_value_heads
        self.rotate_positions = rotate_positions
        self.query_projection = nn.Linear(d_model, n_heads * d_head, bias=False)
        self.key_projection = nn.Linear(d_model, n_key_value_heads * d_head, bias=False)
        self.value_projection = nn.Linear(d_model, n_key_value_heads * d_head, bias=False)
        self.output_projection = nn.Linear(n_heads * d_head, d_model, bias=False)

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Let each token gather from all that it may look at.

        Args:
            x: the tokens; with a cache, the new ones.
            visible: what each may see of the others.
            cache: the keys and values of the tokens before ``x``, made for
                ``n_key_value_heads`` heads. They come first among the keys, and those of ``x``
                are appended.

        Raises:
            ValueError: if the width, the mask or the cache does not fit.
        """
        query, key, value = self._project(x, cache)
        heads = grouped_attention(query, key, value, visible)
        return self.output_projection(merge_heads(heads))

    def _project(self, x: Tensor, cache: KeyValueCache | None) -> tuple[Tensor, Tensor, Tensor]:
        """The queries' heads, and the shared heads of keys and values, with the cache's before."""
        if x.size(-1) != self.query_projection.in_features:
            raise ValueError(
                f"x has width {x.size(-1)}; expected {self.query_projection.in_features}, the "
                "module's d_model"
            )
        query, key = self._turned(
            split_heads(self.query_projection(x), self.n_heads),
            split_heads(self.key_projection(x), self.n_key_value_heads),
            0 if cache is None else cache.length,
        )
        value = split_heads(self.value_projection(x), self.n_key_value_heads)
        if cache is not None:
            key, value = cache.append(key, value)
        return query, key, value

    def _turned(self, query: Tensor, key: Tensor, offset: int) -> tuple[Tensor, Tensor]:
        """Queries and keys, turned by their positions from ``offset`` on."""
        if self.rotate_positions is None:
            return query, key
        return self.rotate_positions(query, offset), self.rotate_positions(key, offset)


class NormedQueryKeyAttention(GroupedQueryAttention):
    """Grouped-query attention whose queries and keys are normalised, each head's on its own.

    Scores then depend on the angle between a query and a key and on two learned weights, but no
    longer on how long the vectors have grown. The norm comes before the positions turn them.

    Args:
        d_model: the width of a token.
        n_heads: how many heads ask.
        n_key_value_heads: how many heads of keys and values answer them.
        d_head: the width of a head; ``d_model / n_heads`` where it is None.
        rotate_positions: as in ``MultiHeadAttention``.
        epsilon: of the two norms.

    Raises:
        ValueError: as ``GroupedQueryAttention``.

    Source: Henry et al. 2020 for the idea, with vectors of length 1; Yang et al. 2025
        (Qwen3), section 2, for this form.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_key_value_heads: int,
        d_head: int | None = None,
        rotate_positions: RotatePositions | None = None,
        epsilon: float = 1e-6,
    ) -> None:
        super().__init__(d_model, n_heads, n_key_value_heads, d_head, rotate_positions)
        width = self.query_projection.out_features // n_heads
        self.query_norm = nn.RMSNorm(width, eps=epsilon)
        self.key_norm = nn.RMSNorm(width, eps=epsilon)

    def _turned(self, query: Tensor, key: Tensor, offset: int) -> tuple[Tensor, Tensor]:
        return super()._turned(self.query_norm(query), self.key_norm(key), offset)


def grouped_attention_weights(
    module: GroupedQueryAttention,
    x: Float[Tensor, "batch queries d_model"],
    visible: Visibility = EVERYTHING,
) -> Float[Tensor, "batch heads queries keys"]:
    """How much each query takes from each key, in each head that asks.

    The module never stores them: they are computed anew, by the definition of attention.

    Raises:
        ValueError: as the module's ``forward``.
    """
    query, key, value = module._project(x, cache=None)
    key, value = hand_out(key, module.n_heads), hand_out(value, module.n_heads)
    _, weights = attention(query, key, value, visible.joined_mask(query, key), visible.bias)
    return weights


def width_of_heads(d_model: int, n_heads: int, d_head: int | None) -> int:
    """The width of a head: the one that is given, or an equal share of the token's.

    Raises:
        ValueError: if it is not positive, or if none is given and the shares are not equal.
    """
    if d_head is None:
        if d_model % n_heads:
            raise ValueError(
                f"d_model is {d_model} and n_heads is {n_heads}; expected n_heads to divide "
                "d_model, or a d_head"
            )
        return d_model // n_heads
    if d_head < 1:
        raise ValueError(f"d_head is {d_head}; expected at least 1")
    return d_head


def _require_shares(n_heads: int, n_key_value_heads: int) -> None:
    if n_key_value_heads < 1 or n_heads < 1 or n_heads % n_key_value_heads:
        raise ValueError(
            f"n_heads is {n_heads} and n_key_value_heads is {n_key_value_heads}; expected the "
            "second to divide the first, so that every shared head is read by as many"
        )
