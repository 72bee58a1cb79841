"""Functions on which a learner's test for exact attention is tried: some are, some are not.

Each takes query (…, queries, width), key (…, keys, width) and value (…, keys, value width), and
gives (…, queries, value width), without a mask. Most go through the keys ``BLOCK`` at a time.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.alternatives.blockwise_attention import Partial, attend_block, merge
from softlookup.alternatives.linear_attention import positive_features

BLOCK = 16

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]


class Asked(NamedTuple):
    """What a test asked about, as far as it decides which impostors show."""

    queries: int
    keys: int
    width: int
    all_alike: bool  # the values, so that any mean of them is one of them
    largest: float  # score, without its sign
    rise: float  # from the greatest score of the first block to a query's greatest
    apart: float  # the queries' greatest scores
    reach: float  # beyond which exp overflows


def question(query: Tensor, key: Tensor, value: Tensor) -> Asked:
    """Note what a question asks about."""
    scores = _scores(query.double(), key.double())
    own = scores.amax(dim=-1)
    return Asked(
        queries=query.size(-2),
        keys=key.size(-2),
        width=query.size(-1),
        all_alike=bool((value == value[..., :1, :]).all()),
        largest=float(scores.abs().max()),
        rise=float((own - scores[..., :BLOCK].amax(dim=-1)).max()),
        apart=float((own.amax(dim=-1) - own.amin(dim=-1)).max()),
        reach=709.0 if query.dtype == torch.float64 else 88.0,
    )


def why_unseen(missed: str, asked: Sequence[Asked]) -> str:
    """Say why the questions do not bring an impostor to light, if they are the reason.

    Args:
        missed: the impostor, by what is wrong with it.
        asked: what the test asked it.
    """
    if all(each.all_alike for each in asked):
        return "All your values are alike, and any mean gives them back: draw them at random"
    if (reached := max(each.largest for each in asked)) <= 100.0:
        return (
            f"All your scores are small: they reach {reached:.3g}, and exp overflows beyond 88 in "
            "float32, beyond 709 in float64. Ask about larger ones, too"
        )
    larger = (
        "at most, and exp reaches to 709 in float64, to 88 in float32: ask about larger scores, or "
        "in float32"
    )
    rise, apart = max(each.rise for each in asked), max(each.apart for each in asked)
    unasked = {
        "keys beyond": (
            any(each.queries < each.keys for each in asked),
            "You never ask with fewer queries than keys",
        ),
        "a causal mask": (
            any(each.queries == each.keys > 1 for each in asked),
            "You never ask with as many queries as keys",
        ),
        "a scale for": (
            any(each.width != 64 for each in asked),
            "Your width is always 64; ask about another, too",
        ),
        "blocks of 16 that": (
            any(each.keys > BLOCK and each.keys % BLOCK for each in asked),
            "Your keys are always whole blocks of 16, or fewer than one",
        ),
        "the first block's": (
            any(each.rise > each.reach for each in asked),
            f"Your scores rise {rise:.0f} above the first block's maximum {larger}",
        ),
        "one maximum": (
            any(each.apart > each.reach + 40 for each in asked),
            f"The greatest scores of your queries lie {apart:.0f} apart {larger}",
        ),
    }
    return next(
        (words for name, (seen, words) in unasked.items() if missed.startswith(name) and not seen),
        "",
    )


def _scores(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.mT / math.sqrt(query.size(-1))


def _partials(query: Tensor, key: Tensor, value: Tensor) -> list[Partial]:
    blocks = zip(key.split(BLOCK, -2), value.split(BLOCK, -2), strict=True)
    return [attend_block(query, keys, values) for keys, values in blocks]


def _definition(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return torch.softmax(_scores(query, key), dim=-1) @ value


def _by_blocks(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return functools.reduce(merge, _partials(query, key, value)).output()


def _backwards(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The last block first, in float32 whatever comes in."""
    singles = [tensor.float() for tensor in (query, key, value)]
    return functools.reduce(merge, reversed(_partials(*singles))).output().to(value.dtype)


def _kernel(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(query, key, value)


def _weighted(weigh: Callable[[Tensor], Tensor]) -> Attend:
    """Attention with something else in softmax's place."""
    return lambda query, key, value: weigh(_scores(query, key)) @ value


def _unscaled_sums(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """The blocks' sums, each against its own maximum, added as they are."""
    parts = _partials(query, key, value)
    total = sum(part.total for part in parts)
    return sum(part.weighted for part in parts) / total.unsqueeze(-1)  # type: ignore[union-attr]


def _mean_of_outputs(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return torch.stack([part.output() for part in _partials(query, key, value)]).mean(dim=0)


def _without_the_rest(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    whole = max(BLOCK, key.size(-2) // BLOCK * BLOCK)
    return _definition(query, key[..., :whole, :], value[..., :whole, :])


def _first_maximum(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Against the maximum of the first block for ever: exact, until a later one overflows."""
    scores = _scores(query, key)
    weights = torch.exp(scores - scores[..., :BLOCK].amax(dim=-1, keepdim=True))
    return weights @ value / weights.sum(dim=-1, keepdim=True)


def _one_maximum(scores: Tensor) -> Tensor:
    """Against the maximum over all queries: exact, until a query's own is far below."""
    weights = torch.exp(scores - scores.amax(dim=(-2, -1), keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)


def _without_a_maximum(scores: Tensor) -> Tensor:
    weights = torch.exp(scores)
    return weights / weights.sum(dim=-1, keepdim=True)


def _the_greatest(scores: Tensor) -> Tensor:
    least = scores.topk(min(BLOCK, scores.size(-1)), dim=-1).values[..., -1:]
    return torch.softmax(scores.masked_fill(scores < least, float("-inf")), dim=-1)


def _without_the_small(scores: Tensor) -> Tensor:
    weights = torch.softmax(scores, dim=-1)
    weights = weights * (weights >= weights.amax(dim=-1, keepdim=True) / 100)
    return weights / weights.sum(dim=-1, keepdim=True)


def _half_precision(scores: Tensor) -> Tensor:
    return torch.softmax(scores, dim=-1).bfloat16().to(scores.dtype)


def _as_many_keys_as_queries(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    many = query.size(-2)
    return _definition(query, key[..., :many, :], value[..., :many, :])


def _causal_squares(scores: Tensor) -> Tensor:
    if scores.size(-2) == scores.size(-1):
        ahead = torch.ones_like(scores, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(ahead, float("-inf"))
    return torch.softmax(scores, dim=-1)


def _linear(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    asked, answering = positive_features(query), positive_features(key)
    total = asked @ answering.sum(dim=-2).unsqueeze(-1)
    return asked @ (answering.mT @ value) / total


def honest() -> dict[str, Attend]:
    """Attention, by how it is computed; they differ by rounding."""
    return {
        "the definition": _definition,
        "blocks of 16 keys, merged one after the other": _by_blocks,
        "blocks of 16 keys, the last one first, in float32": _backwards,
        "torch's fused kernel": _kernel,
    }


def impostors() -> dict[str, Attend]:
    """What is not attention, by what is wrong with it."""
    return {
        "sums of blocks, added although their maxima differ": _unscaled_sums,
        "the mean of the blocks' outputs": _mean_of_outputs,
        "blocks of 16 that leave out the keys behind the last full one": _without_the_rest,
        "the first block's maximum for all blocks, which overflows if a later one is far greater": (
            _first_maximum
        ),
        "no maximum at all, so that large scores overflow": _weighted(_without_a_maximum),
        "one maximum for all queries, so that some divide zero by zero": _weighted(_one_maximum),
        "scores that are cut off at 30": _weighted(
            lambda scores: torch.softmax(scores.clamp(max=30.0), dim=-1)
        ),
        "the 16 greatest weights of each query and no other": _weighted(_the_greatest),
        "weights below a hundredth of the greatest set to zero": _weighted(_without_the_small),
        "weights that are rounded to two digits": _weighted(_half_precision),
        "a causal mask, where there are as many queries as keys": _weighted(_causal_squares),
        "keys beyond the number of queries left out": _as_many_keys_as_queries,
        "a softmax over the queries": _weighted(lambda scores: torch.softmax(scores, dim=-2)),
        "a scale for a width of 64, whatever the width": lambda query, key, value: (
            torch.softmax(query @ key.mT / 8.0, dim=-1) @ value
        ),
        "no scale": lambda query, key, value: torch.softmax(query @ key.mT, dim=-1) @ value,
        "linear attention": _linear,
    }
