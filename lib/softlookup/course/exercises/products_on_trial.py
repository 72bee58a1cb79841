"""Forms of weights on trial: products of features, and forms with a bend that may be slight.

The chapter on open questions has the learner write the test that tells them apart.
"""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.alternatives import weightings
from softlookup.course.exercises.judging import Questions

# From query (queries, d) and key (keys, d) to weights (queries, keys).
Form = Callable[[Tensor, Tensor], Tensor]

# A singular value below this share of the first may be rounding, in float32; and this, in float64.
ROUNDING, IN_FLOAT64 = 1e-5, 1e-12

# Fewer queries or keys than this are few, scores beyond this are large, and singular values huge.
FEW, LARGE, HUGE = 16, 2.5, 1e3


def _scores(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))


def _shares(weights: Tensor) -> Tensor:
    return weights / weights.sum(dim=-1, keepdim=True)


def _in_float32(query: Tensor, key: Tensor) -> Tensor:
    return weightings.positive_linear_weights(query.float(), key.float()).to(query.dtype)


def _number_by_number(query: Tensor, key: Tensor) -> Tensor:
    summed = torch.zeros(*query.shape[:-1], key.size(-2), dtype=query.dtype)
    for i in reversed(range(query.size(-1))):
        summed = summed + query[..., i, None] * key[..., None, :, i]
    return summed


def _one_in_eight(query: Tensor, key: Tensor) -> Tensor:
    weights = _scores(query, key)
    rows = torch.arange(weights.size(-2)) % 8 == 7
    return torch.where(rows[:, None], F.relu(weights), weights)


def products() -> dict[str, Form]:
    """Forms whose weights are a product of d features, divided by row sums or not."""
    return {
        "the linear form": weightings.linear_weights,
        "the positive linear form": weightings.positive_linear_weights,
        "the positive linear form, computed in float32": _in_float32,
        "the linear form, summed in another order": _number_by_number,
        "the mean of all keys": weightings.mean_weights,
        "queries and keys through a ReLU, and then a product": lambda query, key: (
            F.relu(query) @ F.relu(key).transpose(-2, -1)
        ),
        "the linear form, ten thousand times as large, in float32": lambda query, key: (
            1e4 * _scores(query.float(), key.float())
        ).to(query.dtype),
    }


def bends() -> dict[str, Form]:
    """Forms that are no such product, each by what is wrong with it."""
    return {
        "softmax": weightings.softmax_weights,
        "sigmoid": weightings.sigmoid_weights,
        "ReLU of the score": weightings.relu_weights,
        "normalised ReLU": weightings.normalized_relu_weights,
        "softmax at temperature 30, all but equal weights": lambda query, key: (
            _scores(query, key) / 30
        ).softmax(-1),
        "the square of the score": lambda query, key: _scores(query, key).square(),
        "the size of the score without its sign": lambda query, key: _scores(query, key).abs(),
        "the linear form with a thousandth of its ReLU added": lambda query, key: (
            _scores(query, key) + 0.001 * F.relu(_scores(query, key))
        ),
        "a bend for one query in eight": _one_in_eight,
        "a bend for scores above 2 alone": lambda query, key: _scores(query, key).clamp(max=2.0),
        "squares of the scores as shares": lambda query, key: _shares(
            _scores(query, key).square() + 0.1
        ),
        "the score plus one, which takes d + 1 features": lambda query, key: (
            _scores(query, key) + 1
        ),
    }


def why_unseen(asked: Questions) -> str:
    """What a test asked of a bend that it believes."""
    if small := _too_small(asked):
        return small
    wide, share = _width(asked), max(_beyond(*each) for each in asked)
    if share > ROUNDING:
        return (
            f"In the weights that it got from the first of these, singular value {wide + 1} is "
            f"{share:.0e} of the first, and that is more than rounding: a product of {wide} "
            "features leaves it at zero, as near as float32 comes"
        )
    return f"Its questions do not bring the bend of the first of these to light: {_alike(asked)}"


def why_wronged(asked: Questions) -> str:
    """What a test got from a product that it refuses."""
    if not asked:
        return "It never asks the one that it is to judge"
    if small := _too_small(asked):
        return small
    wide, share = _width(asked), max(_beyond(*each) for each in asked)
    if share > ROUNDING:
        return "Its numbers are so unlike in size that float32 does not tell them from a bend"
    return (
        f"The weights that it got from the first of these are a product of {wide} features: "
        f"singular value {wide + 1}, `[{wide}]` if counted from 0, is {share:.0e} of the first, "
        f"and that is rounding. {_allowed(asked[0], share)}"
    )


def _alike(asked: Questions) -> str:
    """What all questions have in common that bends may hide from, and what else to ask."""
    found = []
    if all(query.size(-1) == 1 for (query, _), _ in asked):
        found.append(
            "all are of width 1, where the score's square is the product of two squares. Take a "
            "larger width, too"
        )
    queries, keys = max(len(query) for (query, _), _ in asked), max(len(k) for (_, k), _ in asked)
    if min(queries, keys) < FEW:
        found.append(
            f"they have {queries} queries and {keys} keys at most, and a bend for few pairs alone "
            "may have none of them. Take dozens of both"
        )
    scores = torch.cat([_scores(*question).flatten() for question, _ in asked])
    least, largest = float(scores.min()), float(scores.max())
    if least >= 0 or largest <= 0 or max(-least, largest) < LARGE or not found:
        found.append(
            f"their scores lie between {least:.2g} and {largest:.2g}. Draw larger ones, of both "
            "signs"
        )
    return ". And ".join(found)


def _allowed(first: tuple[tuple[Tensor, Tensor], Tensor], share: float) -> str:
    """What of a product's weights a test may have refused, as a sentence."""
    (query, _), weights = first
    values, sums = torch.linalg.svdvals(weights.double()), weights.double().sum(-1)
    allowed = []
    if values[query.size(-1) - 1] <= ROUNDING * values[0]:
        allowed.append("features may be fewer than d: at most d are asked for, and not d")
    else:
        allowed.append(f"those before it, up to number {query.size(-1)}, may be large")
    if torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        allowed.append("its rows may sum to one")
    if (weights < 0).any():
        allowed.append("weights may be negative")
    if values[0] > HUGE:
        allowed.append("weights may be of any size, so compare with the first singular value")
    if share > IN_FLOAT64:
        allowed.append("numbers may be computed in float32, and need room for that")
    return f"Ask for this alone. Here {'; '.join(allowed)}"


def _too_small(asked: Questions) -> str:
    """What to tell a test whose tables are products of d features whatever the form."""
    if any(min(len(query), len(key)) > query.size(-1) for (query, key), _ in asked):
        return ""
    query, key = asked[0][0]
    return (
        f"It asks with {len(query)} queries and {len(key)} keys of width {query.size(-1)}: so "
        f"small a table is a product of {query.size(-1)} features whatever the form. Ask with "
        "many more than d of both"
    )


def _width(asked: Questions) -> int:
    return int(asked[0][0][0].size(-1))


def _beyond(question: tuple[Tensor, Tensor], weights: Tensor) -> float:
    """The singular value after the d-th, as a share of the first."""
    values = torch.linalg.svdvals(weights.double())
    width = question[0].size(-1)
    return float(values[width] / values[0].clamp(min=1e-300)) if len(values) > width else 0.0
