"""Functions on which a learner's test for layer normalisation is tried: some are, some are not.

Each takes tokens (batch, length, width) and gives back as many, with epsilon ``EPSILON`` and
without a learned scale and shift.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.judging import Questions

EPSILON = 1e-5
# Below this standard deviation the place of epsilon begins to show.
QUIET = 0.02

Norm = Callable[[Tensor], Tensor]


def _normalise(
    x: Tensor, dim: int | tuple[int, ...] = -1, correction: int = 0, epsilon: float = EPSILON
) -> Tensor:
    """The z-score over any axes, with any of its choices."""
    variance = x.var(dim, correction=correction, keepdim=True)
    return (x - x.mean(dim, keepdim=True)) / torch.sqrt(variance + epsilon)


def _by_moments(x: Tensor) -> Tensor:
    """The variance as the mean of the squares minus the square of the mean, which rounds."""
    wide = x.double()
    mean = wide.mean(-1, keepdim=True)
    variance = wide.square().mean(-1, keepdim=True) - mean.square()
    return ((wide - mean) * torch.rsqrt(variance.clamp(min=0.0) + EPSILON)).to(x.dtype)


def _one_at_a_time(x: Tensor) -> Tensor:
    """Token by token, in float32 whatever comes in."""
    tokens = [
        (t - t.mean()) / (t.var(correction=0) + EPSILON).sqrt() for t in x.float().flatten(0, 1)
    ]
    return torch.stack(tokens).view(x.shape).to(x.dtype)


def _outside(x: Tensor) -> Tensor:
    """Epsilon added to the root."""
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, correction=0, keepdim=True) + EPSILON)


def _root_mean_square(x: Tensor) -> Tensor:
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + EPSILON)


def _over_the_past(x: Tensor) -> Tensor:
    """Each token by the mean and spread of all that came up to it."""
    count = torch.arange(1, x.size(1) + 1, dtype=x.dtype)[:, None] * x.size(2)
    mean = x.sum(-1, keepdim=True).cumsum(1) / count
    square = x.square().sum(-1, keepdim=True).cumsum(1) / count
    return (x - mean) / torch.sqrt((square - mean.square()).clamp(min=0.0) + EPSILON)


def honest() -> dict[str, Norm]:
    """Layer normalisation, by how it is computed; two of them round differently."""
    return {
        "torch's layer norm": lambda x: F.layer_norm(x, x.shape[-1:], eps=EPSILON),
        "a layer norm written out": _normalise,
        "a layer norm whose variance is the mean square minus the squared mean": _by_moments,
        "a layer norm that takes one token at a time, in float32": _one_at_a_time,
    }


def impostors() -> dict[str, Norm]:
    """What is no layer norm, by what is wrong with it."""
    return {
        "a variance that divides by one fewer than the width": lambda x: _normalise(
            x, correction=1
        ),
        "an epsilon added to the root": _outside,
        "an epsilon a hundred times too large": lambda x: _normalise(x, epsilon=100 * EPSILON),
        "no epsilon at all": lambda x: _normalise(x, epsilon=0.0),
        "a norm over the tokens": lambda x: _normalise(x, dim=1),
        "a norm over the batch": lambda x: _normalise(x, dim=0),
        "one mean and spread for a whole sequence": lambda x: _normalise(x, dim=(1, 2)),
        "a mean and a spread of all tokens so far": _over_the_past,
        "an RMSNorm, which keeps the mean": _root_mean_square,
        "an RMSNorm with its mean taken out afterwards": lambda x: (
            _root_mean_square(x) - _root_mean_square(x).mean(-1, keepdim=True)
        ),
        "a division by the variance": lambda x: (
            (x - x.mean(-1, keepdim=True)) / (x.var(-1, correction=0, keepdim=True) + EPSILON)
        ),
        "a mean that is taken out, and no division": lambda x: x - x.mean(-1, keepdim=True),
        "a layer norm that lets nothing exceed three": lambda x: _normalise(x).clamp(-3.0, 3.0),
        "a layer norm of the first token, and of no other": lambda x: torch.cat(
            [_normalise(x[:, :1]), x[:, 1:]], dim=1
        ),
        "a layer norm that was forgotten": lambda x: x,
    }


def why_unseen(asked: Questions) -> str:
    """What a test that believes an impostor asked too little of, or did not look at."""
    off = max((y - _normalise(x)).abs().max().item() for x, y in asked)
    if off > 0.01:
        return (
            f"What it is given shows it: a number is {off:.2g} away from what layer normalisation "
            "gives. Compare all numbers with those, not only what they have in common"
        )
    spreads = torch.cat([x.std(-1, correction=0).flatten() for x, _ in asked])
    if not (spreads < QUIET).any():
        return "Your tokens are all loud, where epsilon hardly matters: ask about a quiet one, too"
    if max(_normalise(x).abs().max().item() for x, _ in asked) < 3:
        return (
            "None of your tokens has a number more than three spreads away from the others: ask "
            "about one with a single large number"
        )
    return f"Its largest number off is {off:.0e}: ask about quieter tokens, or compare more closely"
