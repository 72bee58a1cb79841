"""Masks: who may look at whom. True means *may look*; masks combine with ``&``.

Row i of a mask is the subset S_i of keys that query i may look at. The chapter on masking derives
each kind from that one idea and shows what goes wrong when a mask points the other way.
"""

from collections.abc import Collection, Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def subset(subsets: Sequence[Collection[int]], n_keys: int) -> Bool[Tensor, "queries keys"]:
    """The general mask: query i may look at the keys in S_i, and at no others.

    Args:
        subsets: for each query, the indices of the keys that it may look at.
        n_keys: how many keys there are.

    Raises:
        ValueError: if a subset names a key that does not exist.

    Source: masked self-attention with S_i, a subset of [N] (Hsu, COMS 6998-7, 2025).
    """
    mask = torch.zeros(len(subsets), n_keys, dtype=torch.bool)
    for query, keys in enumerate(subsets):
        unknown = [key for key in keys if not 0 <= key < n_keys]
        if unknown:
            raise ValueError(
                f"subset {query} names key {unknown[0]}; expected indices from 0 to {n_keys - 1}"
            )
        mask[query, list(keys)] = True
    return mask


def causal(length: int) -> Bool[Tensor, "length length"]:
    """Look at yourself and at what came before: S_i = {1, ..., i}.

    Source: Vaswani et al. 2017, section 3.2.3.
    """
    _require_length(length)
    return torch.ones(length, length, dtype=torch.bool).tril()


def sliding_window(length: int, window: int) -> Bool[Tensor, "length length"]:
    """Look at yourself and at the ``window - 1`` tokens before: S_i = {i - window + 1, ..., i}.

    Raises:
        ValueError: if the window is not positive.

    Source: Beltagy et al. 2020 (Longformer), section 3.1, in its causal form.
    """
    if window < 1:
        raise ValueError(f"window is {window}; expected at least 1, a token's look at itself")
    return causal(length).triu(1 - window)


def prefix(length: int, prefix_length: int) -> Bool[Tensor, "length length"]:
    """Look at the whole prefix, and causally at the rest: S_i = {1, ..., max(i, prefix)}.

    Raises:
        ValueError: if the prefix is longer than the sequence, or negative.

    Source: Raffel et al. 2020 (T5), section 3.2.1.
    """
    if not 0 <= prefix_length <= length:
        raise ValueError(f"prefix_length is {prefix_length}; expected 0 to {length}, the length")
    mask = causal(length)
    mask[:, :prefix_length] = True
    return mask


def padding(lengths: Int[Tensor, " batch"], max_length: int) -> Bool[Tensor, "batch 1 max_length"]:
    """Look at real tokens only, never at the padding after them.

    The middle axis stands for the queries, which all see the same keys; it broadcasts.

    Args:
        lengths: how many real tokens each sequence of the batch has.
        max_length: the length to which the batch is padded.

    Raises:
        ValueError: if a length is negative or above ``max_length``.
    """
    if lengths.numel() and not 0 <= int(lengths.min()) <= int(lengths.max()) <= max_length:
        raise ValueError(
            f"lengths run from {int(lengths.min())} to {int(lengths.max())}; "
            f"expected 0 to {max_length}, the padded length"
        )
    positions = torch.arange(max_length, device=lengths.device)
    return (positions < lengths[:, None])[:, None, :]


def to_additive(
    mask: Bool[Tensor, "*batch queries keys"], dtype: torch.dtype = torch.float32
) -> Float[Tensor, "*batch queries keys"]:
    """The matrix M of the papers, added to the scores: 0 where a query may look, -inf elsewhere.

    Beware of a fully masked row: softmax of a row of -inf is NaN. Our attention gives
    zeros there because it takes the boolean mask.
    """
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(
        ~mask, float("-inf")
    )


def to_torch_multihead(mask: Bool[Tensor, "*batch keys"]) -> Bool[Tensor, "*batch keys"]:
    """The mask as ``nn.MultiheadAttention`` and ``nn.Transformer`` read it: True = may *not* look.

    It serves for ``attn_mask`` (queries, keys) and ``key_padding_mask`` (batch, keys) alike.
    """
    return ~mask


def _require_length(length: int) -> None:
    if length < 1:
        raise ValueError(f"length is {length}; expected at least 1")
