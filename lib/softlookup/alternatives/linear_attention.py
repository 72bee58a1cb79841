"""Linear attention: without the softmax the products can be bracketed the other way round.

The chapter on the quadratic wall derives it. The weight of a key is a product of features,
φ(q)·φ(k), so the keys and values can be summed before a query is known. It stands here twice:
``linear_attention`` takes whole sequences, ``step`` one token at a time with a state that never
grows; a test holds the two equal. Beside it stands ``window_attention``, the other way to a
linear cost: softmax over the nearest tokens alone.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from softlookup.layers.fit import require_query_for_each_key, require_value_for_each_key

FeatureMap = Callable[[Tensor], Tensor]


def positive_features(x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
    """elu(x) + 1: above zero everywhere, so that the weights are shares.

    Source: Katharopoulos et al. 2020, equation 7.
    """
    return F.elu(x) + 1.0


def linear_attention(
    query: Float[Tensor, "*batch length d_head"],
    key: Float[Tensor, "*batch length d_head"],
    value: Float[Tensor, "*batch length d_value"],
    features: FeatureMap = positive_features,
    chunk_size: int = 64,
) -> Float[Tensor, "*batch length d_value"]:
    """Causal linear attention: y_i = Σ_{j ≤ i} φ(q_i)·φ(k_j) v_j / Σ_{j ≤ i} φ(q_i)·φ(k_j).

    The sequence is cut into chunks. Within a chunk the weights are a small square; what came
    before the chunk is summed up in one matrix.

    Args:
        query: what is asked.
        key: what each entry answers to.
        value: what each entry holds.
        features: φ, from the width of a head to any width, with values above zero.
        chunk_size: how many tokens a chunk has; it changes the cost and not the result.

    Raises:
        ValueError: if a chunk is empty, or if query, key and value do not fit.

    Source: Katharopoulos et al. 2020, equations 9 to 12; Hua et al. 2022 for the chunks.
    """
    _require_fit(query, key, value)
    if chunk_size < 1:
        raise ValueError(f"chunk_size is {chunk_size}; expected at least 1")
    length = query.size(-2)
    # A column of ones among the values sums up the weights themselves: the denominator.
    counted = torch.cat((value, torch.ones_like(value[..., :1])), dim=-1)
    # Padding comes after the features: the features of zero would not be zero.
    asked, answering, held = (
        F.pad(x, (0, 0, 0, -length % chunk_size)).unflatten(-2, (-1, chunk_size))
        for x in (features(query), features(key), counted)
    )
    summed = (answering.transpose(-2, -1) @ held).cumsum(dim=-3)
    # Shifted by one chunk; to subtract a chunk's own sum would let its future in by rounding.
    before = F.pad(summed, (0, 0, 0, 0, 1, 0))[..., :-1, :, :]
    within = (asked @ answering.transpose(-2, -1)).tril() @ held
    both = (asked @ before + within).flatten(-3, -2)[..., :length, :]
    return both[..., :-1] / both[..., -1:]


def step(
    query: Float[Tensor, "*batch d_head"],
    key: Float[Tensor, "*batch d_head"],
    value: Float[Tensor, "*batch d_value"],
    state: Float[Tensor, "*batch d_features d_value_and_one"] | None = None,
    features: FeatureMap = positive_features,
) -> tuple[Float[Tensor, "*batch d_value"], Float[Tensor, "*batch d_features d_value_and_one"]]:
    """One token of the same: add it to the state, then ask the state.

    Args:
        query: what the token asks.
        key: what it answers to.
        value: what it holds.
        state: Σ φ(k_j) (v_j, 1) over the tokens so far; None before the first.
        features: φ, as in ``linear_attention``.

    Returns:
        The token's output, and the state with the token in it, as large as before.

    Source: Katharopoulos et al. 2020, equations 18 to 20.
    """
    counted = torch.cat((value, torch.ones_like(value[..., :1])), dim=-1)
    added = features(key).unsqueeze(-1) * counted.unsqueeze(-2)
    state = added if state is None else state + added
    both = (features(query).unsqueeze(-2) @ state).squeeze(-2)
    return both[..., :-1] / both[..., -1:], state


def window_attention(
    query: Float[Tensor, "*batch length d_head"],
    key: Float[Tensor, "*batch length d_head"],
    value: Float[Tensor, "*batch length d_value"],
    window: int,
) -> Float[Tensor, "*batch length d_value"]:
    """Softmax attention over the last ``window`` tokens, at a cost of length times window.

    ``masks.sliding_window`` gives the same numbers, but computes all pairs first. Here the
    sequence is cut into blocks as long as the window; what a token may see lies in its own
    block and in the one before.

    Args:
        query: what is asked.
        key: what each entry answers to.
        value: what each entry holds.
        window: how many tokens each token sees, itself the last of them.

    Raises:
        ValueError: if the window is not positive, or if query, key and value do not fit.

    Source: Beltagy et al. 2020 (Longformer), section 3.1, in its causal form.
    """
    _require_fit(query, key, value)
    if window < 1:
        raise ValueError(f"window is {window}; expected at least 1, a token's look at itself")
    length = query.size(-2)
    asked, answering, held = (
        F.pad(x, (0, 0, 0, -length % window)).unflatten(-2, (-1, window))
        for x in (query, key, value)
    )
    # Before the first block comes one of zeros, which the mask hides.
    answering, held = (
        torch.cat((F.pad(x, (0, 0, 0, 0, 1, 0))[..., :-1, :, :], x), dim=-2)
        for x in (answering, held)
    )
    places = torch.arange(window, device=query.device)[:, None] + window
    others = torch.arange(2 * window, device=query.device)
    near = (others <= places) & (others > places - window)
    exists = torch.arange(asked.size(-3), device=query.device)[:, None, None] * window + others
    mask = near & (exists >= window)
    # Four axes, of the mask too: with others torch takes no fused kernel, and says nothing.
    asked, answering, held = (x.reshape(-1, *x.shape[-3:]) for x in (asked, answering, held))
    output = F.scaled_dot_product_attention(asked, answering, held, attn_mask=mask[None])
    return output.reshape(*query.shape[:-2], -1, value.size(-1))[..., :length, :]


def _require_fit(query: Tensor, key: Tensor, value: Tensor) -> None:
    """Refuse arguments that do not fit together."""
    require_query_for_each_key(query, key)
    require_value_for_each_key(key, value)
