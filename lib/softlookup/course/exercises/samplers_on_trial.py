"""Samplers on which a learner's test is tried: some draw from p, some only nearly.

Each is given the target's probabilities p and the draft's q, both (words,), a number of draws and a
generator, and returns as many tokens, drawn independently of each other.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

Sampler = Callable[[Tensor, Tensor, int, torch.Generator], Tensor]


def _from(probabilities: Tensor, number: int, generator: torch.Generator) -> Tensor:
    return torch.multinomial(probabilities, number, replacement=True, generator=generator)


def _checked(
    kept: Callable[[Tensor, Tensor], Tensor], left: Callable[[Tensor, Tensor], Tensor]
) -> Sampler:
    """Draw from q, keep with a probability for each token, and replace from what is left."""

    def sampler(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
        proposed = _from(q, number, generator)
        replaced = _from(left(p, q), number, generator)
        chances = torch.rand(number, generator=generator, dtype=torch.float64)
        return torch.where(chances < kept(p, q)[proposed], proposed, replaced)

    return sampler


def _ratio(p: Tensor, q: Tensor) -> Tensor:
    return p / q


def _residual(p: Tensor, q: Tensor) -> Tensor:
    left = (p - q).clamp(min=0)
    return left if float(left.sum()) > 0 else p


def _target(p: Tensor, q: Tensor) -> Tensor:
    return p


def _speculative_in_single(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
    return _checked(_ratio, _residual)(p.float(), q.float(), number, generator)


def _by_running_sum(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
    even = torch.rand(number, generator=generator, dtype=torch.float64)
    return torch.searchsorted(p.cumsum(0), even).clamp(max=len(p) - 1)


def _until_kept(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
    """Rejection sampling: propose until a proposal is kept, with p / (c q)."""
    bound = float((p / q).max())
    tokens = _from(q, number, generator)
    waiting = torch.ones(number, dtype=torch.bool)
    while bool(waiting.any()):
        again = _from(q, number, generator)
        tokens = torch.where(waiting, again, tokens)
        chances = torch.rand(number, generator=generator, dtype=torch.float64)
        waiting &= chances >= (p / (bound * q))[tokens]
    return tokens


def honest() -> Mapping[str, Sampler]:
    """Samplers that draw from p, with the help of q or without."""
    return {
        "speculative sampling": _checked(_ratio, _residual),
        "speculative sampling in single precision": _speculative_in_single,
        "sampling from p alone": lambda p, q, number, generator: _from(p, number, generator),
        "sampling from p by its running sum": _by_running_sum,
        "rejection sampling, which proposes until it keeps": _until_kept,
    }


def impostors() -> Mapping[str, Sampler]:
    """Samplers that draw from something near p, by what is wrong with them."""

    def least_likely_kept(p: Tensor, q: Tensor) -> Tensor:
        """Right but for the token that the target likes least."""
        return torch.where(p == p.min(), 1.0, p / q)

    def one_in_a_few(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
        exact = _checked(_ratio, _residual)(p, q, number, generator)
        from_draft = _from(q, number, generator)
        every_fifth = torch.arange(number) % 5 == 4
        return torch.where(every_fifth, from_draft, exact)

    def sharper(p: Tensor, q: Tensor, number: int, generator: torch.Generator) -> Tensor:
        return _from(p.pow(1.15) / p.pow(1.15).sum(), number, generator)

    return {
        "whatever the draft says is kept": lambda p, q, number, generator: _from(
            q, number, generator
        ),
        "what was not kept is drawn from the target": _checked(_ratio, _target),
        "kept with the root of p / q": _checked(lambda p, q: (p / q).sqrt(), _residual),
        "kept a third more often": _checked(lambda p, q: 1.33 * p / q, _residual),
        "kept only where the target likes it better": _checked(
            lambda p, q: (p >= q).double(), _residual
        ),
        "kept with p, and not with p / q": _checked(lambda p, q: p, _residual),
        "what is left is taken as |p - q|": _checked(_ratio, lambda p, q: (p - q).abs()),
        "what was not kept is drawn evenly": _checked(_ratio, lambda p, q: torch.ones_like(p)),
        "the token that the target likes least is always kept": _checked(
            least_likely_kept, _residual
        ),
        "every fifth token comes from the draft": one_in_a_few,
        "a little sharper than the target": sharper,
    }
