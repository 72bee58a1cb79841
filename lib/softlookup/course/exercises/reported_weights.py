"""Lookups that report the weights of their answers: some as they used them, and some otherwise.

An exercise of the chapter on attention has the learner write the test that tells them apart.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.judging import Questions
from softlookup.layers.attention import attention

# More than rounding in single precision.
_ROUNDING = 1e-4

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
    "it hands each query's answer to another query, so that the mean of all answers stays": _using(
        lambda w: w.roll(1, dims=-2) if w.size(-2) > 1 else w.roll(1, dims=-1)
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
    "it answers with no number at all": _using(lambda w: w * torch.nan),
}


def why_unseen(asked: Questions) -> str:
    """Why a test believes an impostor: what it did not ask, or did not look at."""
    if (apart := _apart(asked)) > _ROUNDING:
        return (
            f"It was given answers that differ by up to {apart:.2g} from the average by the "
            "reported weights, and says True: compare every answer, number by number"
        )
    sizes = [(len(query), *value.shape, key.size(-1)) for (query, key, value), _ in asked]
    missing = {
        "more than one query": all(queries == 1 for queries, *_ in sizes),
        "more than eight entries": all(entries <= 8 for _, entries, *_ in sizes),
        "values as wide as the keys": all(width != of_keys for *_, width, of_keys in sizes),
        "negative values": all(bool((value >= 0).all()) for (*_, value), _ in asked),
        "values that differ from entry to entry": all(
            bool((value == value[:1]).all()) for (*_, value), _ in asked
        ),
    }
    if named := [name for name, absent in missing.items() if absent]:
        return f"What you asked does not show it. You never asked with {', or '.join(named)}"
    return "What you asked shows no difference beyond rounding: ask with larger random numbers"


def why_wronged(asked: Questions) -> str:
    """Why a lookup that a test refuses is honest all the same."""
    if not asked:
        return "Your test never asks the one that it is to judge"
    return (
        "There the answers are, but for rounding, the averages of the values by the reported "
        "weights. Hold them against `weights @ value` and nothing else: the score may be any"
    )


def _apart(asked: Questions) -> float:
    """The largest difference between answers and the averages by the weights reported."""
    return max(
        (float((weights @ value - answer).abs().max()) for (*_, value), (answer, weights) in asked),
        default=0.0,
    )
