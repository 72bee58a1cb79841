"""Lookups that report the weights of their answers: some as they used them, and some otherwise.

An exercise of the chapter on attention has the learner write the test that tells them apart.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.layers.attention import attention

# From queries, keys and values to the answers, and the weights that are said to be theirs.
LookUp = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


def _scores(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))


def _soft(query: Tensor, key: Tensor) -> Tensor:
    return torch.softmax(_scores(query, key), dim=-1)


def _with(weights: Callable[[Tensor, Tensor], Tensor]) -> LookUp:
    """An honest lookup with some weights."""

    def look_up(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        used = weights(query, key)
        return used @ value, used

    return look_up


def _reporting(report: Callable[[Tensor], Tensor]) -> LookUp:
    """Attention that reports something else than the weights that it used."""

    def look_up(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        used = _soft(query, key)
        return used @ value, report(used)

    return look_up


def _using(use: Callable[[Tensor], Tensor]) -> LookUp:
    """Attention that uses something else than the weights that it reports."""

    def look_up(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        reported = _soft(query, key)
        return use(reported) @ value, reported

    return look_up


def _gaussian(query: Tensor, key: Tensor) -> Tensor:
    return torch.softmax(-torch.cdist(query, key).square(), dim=-1)


def _cold(query: Tensor, key: Tensor) -> Tensor:
    return torch.softmax(_scores(query, key) / 0.1, dim=-1)


def _even(query: Tensor, key: Tensor) -> Tensor:
    return torch.ones_like(_scores(query, key)) / key.size(-2)


def _in_single_precision(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    """The same sums with other roundings: the entries from the last to the first, in float32."""
    weights = _soft(query, key)
    answers = weights.float().flip(-1) @ value.float().flip(-2)
    return answers.to(value.dtype), weights


def _best(weights: Tensor) -> Tensor:
    return (weights == weights.amax(dim=-1, keepdim=True)).to(weights.dtype)


def _without_last(weights: Tensor) -> Tensor:
    kept = torch.cat([weights[..., :-1], torch.zeros_like(weights[..., -1:])], dim=-1)
    return kept / kept.sum(dim=-1, keepdim=True)


def _positive_only(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    weights = _soft(query, key)
    return weights @ value.clamp(min=0.0), weights


def _keys_for_values(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    weights = _soft(query, key)
    return weights @ (key if key.shape == value.shape else value), weights


def _first_eight(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    answers, _ = attention(query, key[..., :8, :], value[..., :8, :])
    return answers, _soft(query, key)


HONEST: dict[str, LookUp] = {
    "scaled dot-product attention": attention,
    "a Gaussian kernel in place of the dot product": _with(_gaussian),
    "attention at a low temperature": _with(_cold),
    "the plain average, which looks everywhere alike": _with(_even),
    "attention that adds up in another order and in single precision": _in_single_precision,
}

IMPOSTORS: dict[str, LookUp] = {
    "it reports its weights one place late": _reporting(lambda w: w.roll(1, dims=-1)),
    "it reports its weights at twice the temperature": _reporting(
        lambda w: torch.softmax(w.log() / 2, dim=-1)
    ),
    "it reports the first query's weights for all queries": _reporting(
        lambda w: w[..., :1, :].expand_as(w).clone()
    ),
    "it reports shares over the queries": _reporting(lambda w: w / w.sum(dim=-2, keepdim=True)),
    "it reports its weights in order of size": _reporting(
        lambda w: w.sort(dim=-1, descending=True).values
    ),
    "it uses the last entry and reports that it does not": _reporting(_without_last),
    "it takes the best entry alone and reports soft weights": _using(_best),
    "it mixes a hundredth of the plain average into its answers": _using(
        lambda w: 0.99 * w + 0.01 / w.size(-1)
    ),
    "it leaves weights below 0.02 out of its answers": _using(
        lambda w: w.masked_fill(w < 0.02, 0.0)
    ),
    "it takes negative values for zero": _positive_only,
    "it hands out keys where values have the keys' width": _keys_for_values,
    "it reads eight entries at most and reports weights for all": _first_eight,
}
