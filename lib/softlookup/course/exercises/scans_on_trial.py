"""Scans on which a learner's test is tried: some find every state of a text, and some do not.

Each takes what the state is multiplied by and what is added to it, both (length, numbers), and
gives the state after each token, (length, numbers): h ← a h + b, from zeros on.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

CHUNK = 16

Scan = Callable[[Tensor, Tensor], Tensor]


def by_steps(decay: Tensor, added: Tensor) -> Tensor:
    """One token after the other."""
    state, states = torch.zeros_like(added[0]), []
    for kept, new in zip(decay, added, strict=True):
        state = kept * state + new
        states.append(state)
    return torch.stack(states)


def _in_rounds(decay: Tensor, added: Tensor, reach: int = 1, rounds: int = 99) -> Tensor:
    """Each token takes in the one before it, then the pair before those, then four."""
    while reach < len(added) and rounds > 0:
        added = added + decay * F.pad(added, (0, 0, reach, 0))[: len(added)]
        decay = decay * F.pad(decay, (0, 0, reach, 0), value=1.0)[: len(decay)]
        reach, rounds = 2 * reach, rounds - 1
    return added


def _by_chunks(decay: Tensor, added: Tensor, carried: bool = True) -> Tensor:
    """A chunk at a time; the state goes over from one to the next, or is forgotten."""
    state, found = torch.zeros_like(added[0]), []
    for kept, new in zip(decay.split(CHUNK), added.split(CHUNK), strict=True):
        found.append(by_steps(kept, new) + kept.cumprod(dim=0) * state)
        state = found[-1][-1] if carried else torch.zeros_like(state)
    return torch.cat(found)


def _in_single(decay: Tensor, added: Tensor) -> Tensor:
    """The rounds in float32, whatever comes in."""
    return _in_rounds(decay.float(), added.float()).to(added.dtype)


def _by_quotients(decay: Tensor, added: Tensor) -> Tensor:
    """Divide by all decays so far, add up, and multiply again: right until a product is zero."""
    product = decay.cumprod(dim=0)
    return torch.nan_to_num(product * (added / product).cumsum(dim=0))


def _ends_of_chunks(decay: Tensor, added: Tensor) -> Tensor:
    """The state after each chunk, for all of its tokens: right at the very end."""
    states = by_steps(decay, added)
    return torch.cat([part[-1:].expand_as(part) for part in states.split(CHUNK)])


def honest() -> dict[str, Scan]:
    """Scans that find every state, each by what it is; one rounds to 32 bits."""
    return {
        "a loop over the tokens": by_steps,
        "rounds that double their reach": _in_rounds,
        "chunks that hand on their state": _by_chunks,
        "rounds in float32": _in_single,
    }


def impostors() -> dict[str, Scan]:
    """Scans that do not, each by what is wrong with it."""
    return {
        "a state that each chunk of 16 tokens begins anew": lambda a, b: _by_chunks(
            a, b, carried=False
        ),
        "the state at the end of each chunk, for all of its tokens": _ends_of_chunks,
        "five rounds, whatever the length": lambda a, b: _in_rounds(a, b, rounds=5),
        "the first token's decay for all": lambda a, b: by_steps(a[:1].expand_as(a), b),
        "one decay for all numbers of the state": lambda a, b: by_steps(
            a.mean(dim=-1, keepdim=True).expand_as(a), b
        ),
        "the decay of the token before": lambda a, b: by_steps(a.roll(1, dims=0), b),
        "what is added fades with it": lambda a, b: by_steps(a, a * b),
        "the state before the token": lambda a, b: F.pad(by_steps(a, b), (0, 0, 1, 0))[:-1],
        "a scan from the end of the text": lambda a, b: by_steps(a.flip(0), b.flip(0)).flip(0),
        "a running sum that never fades": lambda a, b: b.cumsum(dim=0),
        "quotients of products, which vanish": _by_quotients,
        "a state rounded to 16 bits": lambda a, b: by_steps(a, b).bfloat16().to(b.dtype),
        "a state that is cut off at 3": lambda a, b: by_steps(a, b).clamp(-3.0, 3.0),
    }
