"""What goes wrong in attention roll-out, part by part.

The chapter on vision has it built.
"""

import functools
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.probes import require_tensor, same
from softlookup.course.exercises.slips import combination, name_slips
from softlookup.course.exercises.verdict import Mistake


def _product(steps: list[Tensor]) -> Tensor:
    return functools.reduce(lambda total, step: step @ total, steps)


def _eye(weights: Tensor) -> Tensor:
    return torch.eye(weights.size(-1), dtype=weights.dtype)


def _half(mean: Tensor) -> Tensor:
    return (mean + _eye(mean)) / 2


def name_rolled(got: Tensor, layers: list[Tensor]) -> None:
    """Name what is wrong with a roll-out.

    Args:
        got: the learner's, (batch, tokens, tokens).
        layers: the weights, (batch, heads, tokens, tokens).

    Raises:
        Mistake: with the words for one part, or for two.
    """

    def rolled(
        heads: Callable[[Tensor], Tensor] = lambda weights: weights.mean(1),
        mixed: Callable[[Tensor], Tensor] = _half,
        joined: Callable[[list[Tensor]], Tensor] = _product,
        shown: Callable[[Tensor], Tensor] = lambda total: total,
        whole: Callable[[list[Tensor]], Tensor] | None = None,
        headwise: bool = False,
    ) -> Tensor:
        if headwise:
            each = [[layer[:, head] for layer in layers] for head in range(layers[0].size(1))]
            return torch.stack([joined([mixed(one) for one in own]) for own in each]).mean(0)
        means = [heads(layer) for layer in layers]
        return shown(whole(means) if whole else joined([mixed(mean) for mean in means]))

    name_slips(
        got,
        rolled,
        {
            "heads": _HEADS,
            "mixed": _MIXTURES,
            "joined": _JOINTS,
            "shown": _SHOWN,
            "whole": _RESIDUALS,
            "headwise": {
                "you rolled each head out by itself and averaged at the end; a head reads what all "
                "heads of the layer before wrote, so average in each layer": True
            },
        },
    )


def name_one_layer(one: object, layer: Tensor) -> None:
    """Name what becomes of one layer, or say that it is right and that the joining is not.

    Raises:
        Mistake: if it is right, or is made of the heads' mean and of the identity.
    """
    mean, identity = layer.mean(1), _eye(layer)
    one = require_tensor(one, tuple(mean.shape), "your roll-out of one layer")
    if same(one, _half(mean)):
        raise Mistake(
            "your roll-out of one layer is right, and of three it is not: what stands in the place "
            "of the product of the layers, the last on the left?"
        )
    if times := combination(one, {"heads' mean": mean, "identity": identity}):
        shares = " and ".join(f"{each + 0.0:.3g} times the {name}" for name, each in times.items())
        raise Mistake(f"for one layer you return {shares}; half of each is right")


def _made_to_sum_to_one(weights: Tensor) -> Tensor:
    """What gives, with half the identity added, rows that sum to one."""
    mixed = weights + _eye(weights)
    return 2 * mixed / mixed.sum(-1, keepdim=True) - _eye(weights)


_SHOWN: dict[str, Callable[[Tensor], Tensor]] = {
    "your result is transposed: its rows belong to the last layer's tokens": lambda total: total.mT,
    "you take a softmax of the result; its rows are distributions already": (
        lambda total: total.softmax(-1)
    ),
    "you take the mean over the batch; each image has a roll-out of its own": (
        lambda total: total.mean(0, keepdim=True).expand_as(total)
    ),
    "you give each row the length one; its sum is one already": lambda total: (
        total / total.norm(dim=-1, keepdim=True)
    ),
    "you divide by the largest of each row; its sum is one already": lambda total: (
        total / total.amax(-1, keepdim=True)
    ),
    "you set the diagonal to zero; what a token keeps of itself belongs to the roll-out": (
        lambda total: total * (1 - _eye(total))
    ),
    "you return the first image's roll-out for all": lambda total: total[:1].expand_as(total),
}


_RESIDUALS: dict[str, Callable[[list[Tensor]], Tensor]] = {
    "you mix the identity in once, at the end; every layer has a residual of its own": (
        lambda means: _half(_product(means))
    ),
    "your first layer has no residual; mix the identity into each": lambda means: _product(
        [means[0], *map(_half, means[1:])]
    ),
    "your last layer has no residual; mix the identity into each": lambda means: _product(
        [*map(_half, means[:-1]), means[-1]]
    ),
    "the residual of each layer hands on what stood before that layer, the product so far; "
    "you mix the identity into the product": lambda means: functools.reduce(
        lambda total, mean: _half(mean @ total), means, _eye(means[0])
    ),
    "you add the product so far without halving it": lambda means: (
        functools.reduce(lambda total, mean: mean @ total + total, means, _eye(means[0])) / 2
    ),
}

_HEADS: dict[str, Callable[[Tensor], Tensor]] = {
    "you took the strongest head; the roll-out of Abnar and Zuidema averages the "
    "heads": lambda weights: weights.amax(1) / weights.amax(1).sum(-1, keepdim=True),
    "you took the largest weight over the heads, and made the rows sum to one; the roll-out "
    "averages the heads": lambda weights: _made_to_sum_to_one(weights.amax(1)),
    "you took the smallest weight over the heads, and made the rows sum to one; the roll-out "
    "averages the heads": lambda weights: _made_to_sum_to_one(weights.amin(1)),
    "you took the largest weight over the heads; the roll-out averages the heads": lambda weights: (
        weights.amax(1)
    ),
    "you took the smallest weight over the heads; the roll-out averages the "
    "heads": lambda weights: weights.amin(1),
    "you took the median of the heads; the roll-out averages them": lambda weights: (
        weights.median(1).values
    ),
    "you multiplied the heads; the roll-out averages them": lambda weights: weights.prod(1),
    "you summed the heads; their mean is a distribution": lambda weights: weights.sum(1),
    "you took the first head alone; average all of them": lambda weights: weights[:, 0],
    "you took the last head alone; average all of them": lambda weights: weights[:, -1],
}


_MIXTURES: dict[str, Callable[[Tensor], Tensor]] = {
    "you left the residual out: a layer hands on half of what was there, so mix each "
    "layer's weights with the identity": lambda mean: mean,
    "your rows sum to 2 for each layer: the identity was added and not averaged in; "
    "take half of each": lambda mean: mean + _eye(mean),
    "the identity alone is halved; halve the weights as well, or set brackets around the "
    "sum": lambda mean: mean + _eye(mean) / 2,
    "the weights alone are halved; halve the identity as well, or set brackets around the "
    "sum": lambda mean: mean / 2 + _eye(mean),
    "your weights are transposed: a row tells where one token looks": lambda mean: (
        (mean.mT + _eye(mean)) / 2
    ),
    "your columns are made to sum to one; it is the rows that are distributions": lambda mean: (
        (mean + _eye(mean)) / (mean + _eye(mean)).sum(-2, keepdim=True)
    ),
    "you took the largest of a weight and the identity's; half of each is right": (
        lambda mean: torch.maximum(mean, _eye(mean))
    ),
    "you mix in ones everywhere; the identity has ones on its diagonal alone": lambda mean: (
        (mean + 1) / 2
    ),
}

_JOINTS: dict[str, Callable[[list[Tensor]], Tensor]] = {
    "your layers are multiplied in the wrong order: the last layer reads what the ones before "
    "have mixed, so it stands on the left": lambda steps: _product(steps[::-1]),
    "you averaged the layers; information passes one after the other, which is a product of "
    "matrices": lambda steps: torch.stack(steps).mean(0),
    "you added the layers; information passes one after the other, which is a product of "
    "matrices": lambda steps: torch.stack(steps).sum(0),
    "you multiplied number by number (*); layers follow each other by the matrix product "
    "(@)": lambda steps: torch.stack(steps).prod(0),
    "you return the last layer alone; multiply all of them": lambda steps: steps[-1],
    "you return the first layer alone; multiply all of them": lambda steps: steps[0],
    "the first layer stands in your product twice: begin with the identity, or with the first "
    "layer and go on with the second": lambda steps: _product([steps[0], *steps]),
    "the last layer stands in your product twice": lambda steps: _product([*steps, steps[-1]]),
    "the last layer is missing in your product": lambda steps: _product(steps[:-1]),
    "the first layer is missing in your product": lambda steps: _product(steps[1:]),
    "your product begins with ones, which sums what it meets; begin with the "
    "identity": lambda steps: _product([torch.ones_like(steps[0]), *steps]),
}
