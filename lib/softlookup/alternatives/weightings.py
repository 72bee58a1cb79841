"""Weightings: from queries and keys to the weights of a weighted sum, in seven forms.

The chapter on open questions asks what is special about the form that the Transformer has. So
here each form is a function of its own, and they differ in nothing else: ``softmax_weights`` is
that of ``attention``, and the others change one thing after another until nothing of it is left.

All take a mask, True where a query may look. A key that may not be looked at has weight zero and
is counted nowhere; n is the number of keys that a query may look at.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from softlookup.alternatives.linear_attention import positive_features
from softlookup.layers.fit import require_boolean, require_same_width

# From query (..., queries, d_head), key (..., keys, d_head) and mask to (..., queries, keys).
Weighting = Callable[[Tensor, Tensor, Tensor | None], Tensor]


def softmax_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """exp(s) divided by its sum over the keys: positive, a share, and the contrast unbounded.

    A query that may look nowhere gets zeros.

    Raises:
        ValueError: if query and key differ in width, or the mask does not fit.

    Source: Vaswani et al. 2017, equation 1.
    """
    scores, allowed = _scores(query, key, mask)
    return torch.softmax(scores.masked_fill(~allowed, float("-inf")), dim=-1).where(allowed, 0.0)


def sigmoid_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """sigmoid(s - log n): each key is let in or not, whatever the others are; no sum is kept.

    With the bias, n keys with scores of zero have weights of about 1/n, as under softmax.

    Raises:
        ValueError: if query and key differ in width, or the mask does not fit.

    Source: Ramapuram et al. 2025, with their bias of -log n.
    """
    scores, allowed = _scores(query, key, mask)
    return torch.sigmoid(scores - _counts(allowed, scores).log()).where(allowed, 0.0)


def relu_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """relu(s) / n: a key with a score below zero is shut out; no sum is kept.

    Raises:
        ValueError: if query and key differ in width, or the mask does not fit.

    Source: Wortsman et al. 2023.
    """
    scores, allowed = _scores(query, key, mask)
    return (F.relu(scores) / _counts(allowed, scores)).where(allowed, 0.0)


def normalized_relu_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """relu(s) divided by its sum over the keys: softmax without the exponential.

    A query for which no key scores above zero gets zeros, and no gradient.

    Raises:
        ValueError: if query and key differ in width, or the mask does not fit.
    """
    scores, allowed = _scores(query, key, mask)
    return _shares(F.relu(scores).where(allowed, 0.0))


def positive_linear_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """φ(q)·φ(k) divided by its sum, with φ = elu + 1: shares, from a product of features.

    Without a mask, the matrix of weights has a rank of at most d_head.

    Raises:
        ValueError: if query and key differ in width, or the mask does not fit.

    Source: Katharopoulos et al. 2020, equation 7 for φ.
    """
    _, allowed = _scores(query, key, mask)
    products = positive_features(query) @ positive_features(key).transpose(-2, -1)
    return _shares(products.where(allowed, 0.0))


def linear_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """The score itself, s / √n: any sign, no share.

    Divided by √n and not by n, because signed weights on random values largely cancel.

    Raises:
        ValueError: if query and key differ in width, or the mask does not fit.

    Source: Schlag et al. 2021, where it is a memory written by outer products.
    """
    scores, allowed = _scores(query, key, mask)
    return (scores / _counts(allowed, scores).sqrt()).where(allowed, 0.0)


def mean_weights(
    query: Float[Tensor, "*batch queries d_head"],
    key: Float[Tensor, "*batch keys d_head"],
    mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
) -> Float[Tensor, "*batch queries keys"]:
    """1 / n for each key: shares that ask nothing of query or key.

    Raises:
        ValueError: if query and key differ in width, or the mask does not fit.
    """
    scores, allowed = _scores(query, key, mask)
    return (torch.ones_like(scores) / _counts(allowed, scores)).where(allowed, 0.0)


def _scores(query: Tensor, key: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """The scores of scaled dot-product attention, and which of them count."""
    require_same_width(query, key)
    require_boolean(mask)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is None:
        return scores, torch.ones_like(scores, dtype=torch.bool)
    return scores, mask.expand_as(scores)


def _counts(allowed: Tensor, scores: Tensor) -> Tensor:
    """How many keys each query may look at, in the type of the scores; at least one."""
    return allowed.sum(dim=-1, keepdim=True).clamp(min=1).to(scores.dtype)


def _shares(weights: Tensor) -> Tensor:
    """Weights divided by their sum; zeros where the sum is zero."""
    total = weights.sum(dim=-1, keepdim=True)
    return weights / total.masked_fill(total == 0, 1.0)
