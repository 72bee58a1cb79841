"""Scaled dot-product attention: a dictionary lookup made soft.

The chapter on attention derives it from a lookup; in self-attention a sequence looks itself up.
It stands here twice: ``attention`` is the definition, to be read, and returns the weights, for
pictures; ``fused_attention`` is its twin in one optimised kernel, which the models use. A test
holds the two equal on every kind of mask.
"""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from softlookup.layers.fit import require_boolean, require_same_width, require_value_for_each_key


def attention(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    value: Float[Tensor, "*batch keys d_value"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
    bias: Float[Tensor, "*#batch queries keys"] | None = None,
) -> tuple[Float[Tensor, "*batch queries d_value"], Float[Tensor, "*batch queries keys"]]:
    """Average the values, weighted by how well each key answers the query.

    Args:
        query: what is asked.
        key: what each entry answers to.
        value: what each entry holds.
        mask: True where a query may look. A query that may look nowhere gets zeros.
        bias: added to the scores after scaling; ALiBi tells positions by it.

    Returns:
        The attended values, and the weights: each row sums to one (or to zero).

    Raises:
        ValueError: if query and key differ in width, keys and values in number, or if the mask
            or the bias does not fit in shape or dtype; the message gives both sides.

    Source: Vaswani et al. 2017, equation 1.
    """
    _require_fit(query, key, value, mask, bias)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if bias is not None:
        scores = scores + bias
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        # Softmax over no key at all is 0/0. To look nowhere is to take nothing: zeros.
        weights = weights.masked_fill(~mask, 0.0)
    return weights @ value, weights


def fused_attention(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    value: Float[Tensor, "*batch keys d_value"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
    bias: Float[Tensor, "*#batch queries keys"] | None = None,
    causal: bool = False,
) -> Float[Tensor, "*batch queries d_value"]:
    """The same in one kernel, which never holds the weights in memory.

    Args:
        query: what is asked.
        key: what each entry answers to.
        value: what each entry holds.
        mask: True where a query may look. A query that may look nowhere gets zeros.
        bias: added to the scores after scaling.
        causal: the causal mask without building it; only for as many queries as keys, since
            the kernel aligns it to the first key and not to the last.

    Returns:
        The attended values.

    Raises:
        ValueError: as ``attention``; and if ``causal`` comes with a mask, a bias, or with
            numbers of queries and keys that differ.

    Source: Vaswani et al. 2017, equation 1; Dao et al. 2022 for the kernel.
    """
    _require_fit(query, key, value, mask, bias)
    if causal and (mask is not None or bias is not None or query.size(-2) != key.size(-2)):
        raise ValueError(
            f"causal=True with {query.size(-2)} queries and {key.size(-2)} keys"
            f"{', a mask' if mask is not None else ''}{', a bias' if bias is not None else ''}; "
            "expected as many queries as keys and neither mask nor bias: "
            "combine masks.causal(length) with your mask instead"
        )
    additive: Tensor | None = mask
    if bias is not None:
        additive = bias if mask is None else bias.masked_fill(~mask, float("-inf"))
    return F.scaled_dot_product_attention(query, key, value, attn_mask=additive, is_causal=causal)


def _require_fit(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, bias: Tensor | None
) -> None:
    """Refuse arguments that do not fit together."""
    require_same_width(query, key)
    require_value_for_each_key(key, value)
    require_boolean(mask)
    if bias is not None and bias.dtype != query.dtype:
        raise ValueError(
            f"the bias has dtype {bias.dtype} and the query {query.dtype}; expected the same"
        )
    scores = (*query.shape[:-1], key.size(-2))
    for name, added in (("mask", mask), ("bias", bias)):
        if added is not None and not _broadcasts_to(added.shape, scores):
            raise ValueError(
                f"the {name} has shape {tuple(added.shape)}; "
                f"expected one that broadcasts to the scores, {scores}"
            )


def _broadcasts_to(shape: torch.Size, target: tuple[int, ...]) -> bool:
    try:
        return torch.broadcast_shapes(shape, target) == torch.Size(target)
    except RuntimeError:
        return False
