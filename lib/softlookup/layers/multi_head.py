"""Multi-head attention: several lookups side by side, each in its own projection.

The chapter on multi-head attention derives it, and shows why the split into heads needs a
transpose. The module computes with ``fused_attention``; the weights come from
``attention_weights`` when asked for. The key–value cache, which the chapter on the next word
needs for fast generation, stands here too.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.attention import attention, fused_attention
from softlookup.layers.visibility import EVERYTHING, Visibility

RotatePositions = Callable[[Tensor, int], Tensor]


def split_heads(
    x: Float[Tensor, "batch length d_model"], n_heads: int
) -> Float[Tensor, "batch heads length d_head"]:
    """Cut each token's width into heads, and bring the heads before the tokens.

    Raises:
        ValueError: if the width cannot be cut into that many equal heads.

    Source: Vaswani et al. 2017, section 3.2.2.
    """
    _require_heads(x.size(-1), n_heads)
    batch, length, _ = x.shape
    # A head's numbers lie next to each other within a token, so the cut comes first and the
    # transpose after; a view straight to (batch, heads, length, d_head) would mix tokens.
    return x.view(batch, length, n_heads, -1).transpose(1, 2)


def merge_heads(
    heads: Float[Tensor, "batch heads length d_head"],
) -> Float[Tensor, "batch length d_model"]:
    """Undo ``split_heads``: put what the heads found next to each other in each token.

    Source: Vaswani et al. 2017, section 3.2.2 (Concat).
    """
    return heads.transpose(1, 2).flatten(start_dim=2)


class KeyValueCache:
    """The keys and values of the tokens so far, so that generation computes each only once.

    The room is allocated once. A cache serves decoding alone: it carries no gradients.

    Args:
        batch: how many sequences are decoded together.
        n_heads: how many heads the attention has.
        max_length: for how many tokens there is room.
        d_head: the width of a head.
        dtype: the type of the keys and values.
        device: where they are kept.
    """

    def __init__(
        self,
        batch: int,
        n_heads: int,
        max_length: int,
        d_head: int,
        dtype: torch.dtype | None = None,
        device: torch.device | None = None,
    ) -> None:
        self._key = torch.empty(batch, n_heads, max_length, d_head, dtype=dtype, device=device)
        self._value = torch.empty_like(self._key)
        self.length = 0

    @property
    def max_length(self) -> int:
        """For how many tokens there is room."""
        return self._key.size(2)

    def append(
        self,
        key: Float[Tensor, "batch heads new d_head"],
        value: Float[Tensor, "batch heads new d_head"],
    ) -> tuple[Float[Tensor, "batch heads keys d_head"], Float[Tensor, "batch heads keys d_head"]]:
        """Store the keys and values of new tokens.

        Returns:
            Views of all keys and all values so far, the new ones last.

        Raises:
            ValueError: if there is no room, if the shapes are not the cache's, or if the keys
                or values carry gradients.
        """
        new = key.size(2)
        if self.length + new > self.max_length:
            raise ValueError(
                f"the cache holds {self.length} of {self.max_length} tokens and was given {new} "
                f"more; expected at most {self.max_length - self.length}: make a longer cache"
            )
        room = (*self._key.shape[:2], new, self._key.size(3))
        if key.shape != room or value.shape != room:
            raise ValueError(
                f"the cache was given keys of shape {tuple(key.shape)} and values of shape "
                f"{tuple(value.shape)}; expected {room}, as it was made"
            )
        if key.requires_grad or value.requires_grad:
            raise ValueError(
                "the cache was given keys or values with gradients; expected none: "
                "decode under torch.no_grad(), or train without a cache"
            )
        self._key[:, :, self.length : self.length + new] = key
        self._value[:, :, self.length : self.length + new] = value
        self.length += new
        return self.filled()

    def filled(
        self,
    ) -> tuple[Float[Tensor, "batch heads keys d_head"], Float[Tensor, "batch heads keys d_head"]]:
        """Views of all keys and all values so far."""
        return self._key[:, :, : self.length], self._value[:, :, : self.length]


class MultiHeadAttention(nn.Module):
    """Attention in several heads, from a sequence into itself or into a memory.

    Args:
        d_model: the width of a token.
        n_heads: how many heads share it.
        bias: whether the four projections have biases.
        rotate_positions: turns queries and keys by their positions, as ``positions.rotate``
            does: a function of a tensor (batch, heads, length, d_head) and of the position of
            its first token. For self-attention only.

    Raises:
        ValueError: if ``n_heads`` does not divide ``d_model``.

    Source: Vaswani et al. 2017, section 3.2.2.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        bias: bool = True,
        rotate_positions: RotatePositions | None = None,
    ) -> None:
        super().__init__()
        _require_heads(d_model, n_heads)
        self.n_heads = n_heads
        self.rotate_positions = rotate_positions
        self.query_projection = nn.Linear(d_model, d_model, bias=bias)
        self.key_projection = nn.Linear(d_model, d_model, bias=bias)
        self.value_projection = nn.Linear(d_model, d_model, bias=bias)
        self.output_projection = nn.Linear(d_model, d_model, bias=bias)

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch keys d_model"] | None = None,
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Let each token gather from all that it may look at.

        Args:
            x: the tokens that ask.
            memory: the tokens that answer; ``x`` itself where it is None.
            visible: what the tokens that ask may see.
            cache: the keys and values of the tokens before ``x``. They come first among the
                keys, and those of ``x`` are appended. With a memory, the cache keeps the
                memory's keys and values from the first call on.

        Raises:
            ValueError: if a width, a mask, or a combination of arguments does not fit.
        """
        query, key, value = self._project(x, memory, visible, cache)
        if visible.needs_no_mask(query, key):
            heads = fused_attention(query, key, value, causal=True)
        else:
            mask = visible.joined_mask(query, key)
            heads = fused_attention(query, key, value, mask, visible.bias)
        return self.output_projection(merge_heads(heads))

    def _project(
        self,
        x: Tensor,
        memory: Tensor | None,
        visible: Visibility,
        cache: KeyValueCache | None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The heads' queries, keys and values, turned by position and joined with the cache."""
        for name, tokens in (("x", x), ("memory", memory)):
            if tokens is not None and tokens.size(-1) != self.query_projection.in_features:
                raise ValueError(
                    f"{name} has width {tokens.size(-1)}; expected "
                    f"{self.query_projection.in_features}, the module's d_model"
                )
        if memory is not None and (visible.causal or self.rotate_positions is not None):
            raise ValueError(
                "a memory was given with causal=True or with rotate_positions; expected neither, "
                "because the tokens of two sequences do not stand before or after each other"
            )
        query = split_heads(self.query_projection(x), self.n_heads)
        if memory is not None and cache is not None and cache.length > 0:
            if cache.length != memory.size(1):
                raise ValueError(
                    f"the cache holds {cache.length} keys of a memory and the memory has "
                    f"{memory.size(1)} tokens; expected as many: use a cache for one memory only"
                )
            return query, *cache.filled()
        source = x if memory is None else memory
        key = split_heads(self.key_projection(source), self.n_heads)
        value = split_heads(self.value_projection(source), self.n_heads)
        if self.rotate_positions is not None:
            offset = 0 if cache is None else cache.length
            query = self.rotate_positions(query, offset)
            key = self.rotate_positions(key, offset)
        if cache is not None:
            key, value = cache.append(key, value)
        return query, key, value


def attention_weights(
    module: MultiHeadAttention,
    x: Float[Tensor, "batch queries d_model"],
    memory: Float[Tensor, "batch keys d_model"] | None = None,
    visible: Visibility = EVERYTHING,
) -> Float[Tensor, "batch heads queries keys"]:
    """How much each query takes from each key, in each head; the arguments of ``forward``.

    The module never stores them: they are computed anew, by the definition of attention.

    Raises:
        ValueError: as the module's ``forward``.
    """
    query, key, value = module._project(x, memory, visible, cache=None)
    mask = visible.joined_mask(query, key)
    _, weights = attention(query, key, value, mask, visible.bias)
    return weights


def _require_heads(d_model: int, n_heads: int) -> None:
    if n_heads < 1 or d_model % n_heads:
        raise ValueError(
            f"d_model is {d_model} and n_heads is {n_heads}; expected n_heads to divide d_model, "
            "so that every head has the same width"
        )
