"""Scans on which a learner's test is tried: some find every state of a text, and some do not.

Each takes what the state is multiplied by and what is added to it, both (length, numbers), and
gives the state after each token, (length, numbers): h ← a h + b, from zeros on.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.compared import ASK_WHETHER_SMALL
from softlookup.course.exercises.counted import counted

CHUNK = 16

Scan = Callable[[Tensor, Tensor], Tensor]

# What a scan was asked, decays and what is added, and the states that it gave.
Question = tuple[Tensor, Tensor, Tensor]


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
    return product * (added / product).cumsum(dim=0)


def _until_it_vanishes(decay: Tensor, added: Tensor) -> Tensor:
    """Right as long as the product of all decays so far is more than zero."""
    return by_steps(decay, added).masked_fill(decay.cumprod(dim=0) == 0, torch.nan)


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
        "a state that begins at one": lambda a, b: by_steps(a, torch.cat((a[:1] + b[:1], b[1:]))),
        "a scan from the end of the text": lambda a, b: by_steps(a.flip(0), b.flip(0)).flip(0),
        "a running sum that never fades": lambda a, b: b.cumsum(dim=0),
        "quotients of products, which vanish": lambda a, b: _by_quotients(a, b).nan_to_num(),
        "a state rounded to 16 bits": lambda a, b: by_steps(a, b).bfloat16().to(b.dtype),
        "a state that is cut off at 3": lambda a, b: by_steps(a, b).clamp(-3.0, 3.0),
        "quotients of products, and NaN where these vanish": _by_quotients,
        "right until the product vanishes, and NaN from there": _until_it_vanishes,
        "NaN throughout": lambda a, b: torch.full_like(b, torch.nan),
    }


def why_unseen(asked: list[Question]) -> str:
    """Why a test believes an impostor: it overlooks where that is wrong, or never asks for it."""
    if not asked:
        return "Your test does not ask the first of these anything"
    for decay, added, states in asked:
        if states.isnan().any():
            token = int(states.isnan().any(dim=-1).nonzero()[0])
            return (
                f"You asked the first of these where it fails: from token {token} (counted from "
                f"0) on it gives NaN. {ASK_WHETHER_SMALL}, after every token"
            )
        wrong = (states - by_steps(decay, added)).abs().amax(dim=-1) > 0.01
        if wrong.any():
            token = int(wrong.nonzero()[0])
            end = "right after the last token" if not wrong[-1] else "wrong after the last token"
            return (
                f"You asked the first of these where it fails: its state after token {token} "
                f"(counted from 0) is wrong, and {end}. Compare the states after every token, "
                "the first too, with your own"
            )
    longest = max(len(added) for _, added, _ in asked)
    least = min(float(decay.min()) for decay, *_ in asked)
    product = min(float(decay.log10().sum(dim=0).min()) for decay, *_ in asked)
    largest = max(float(states.abs().max()) for *_, states in asked)
    if longest <= 2 * CHUNK:
        return (
            f"Your longest text has {counted(longest, 'token')}: what goes wrong late shows in "
            "longer ones"
        )
    if all(decay.shape[-1] == 1 or bool((decay == decay[:, :1]).all()) for decay, *_ in asked):
        return "In your texts all numbers of a state fade alike: draw a decay for each of them"
    if all(bool((decay == decay[:1]).all()) for decay, *_ in asked):
        return "In your texts a number fades alike at every token: draw a decay for each of them"
    if largest < 3:
        return f"Your largest state is {largest:.2g}: a scan may be wrong for larger ones"
    if all(
        _is_right(_in_rounds(decay, added, rounds=5), decay, added) for decay, added, _ in asked
    ):
        return (
            f"In all you asked, a number is forgotten within {2 * CHUNK} tokens, so that what goes "
            "wrong over a longer way does not show: ask with decays near 1 as well"
        )
    if product > -330:
        return (
            f"In what you asked, your smallest decay is {least:.2g}, and the smallest product of "
            f"all decays of a text 1e{round(product)}, which is not yet zero to a computer. Ask "
            "for a text that fades away, with decays near 0 as well"
        )
    return "What it does wrong does not show in what you asked: ask other texts, at random"


def _is_right(states: Tensor, decay: Tensor, added: Tensor) -> bool:
    """Whether states are those of a loop, but for what no test should mind."""
    return bool((states - by_steps(decay, added)).abs().max() < 1e-3)
