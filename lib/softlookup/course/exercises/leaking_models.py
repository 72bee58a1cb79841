"""Models on which a learner's leak detector is tried: some are honest, and some see the future.

Each takes tokens (batch, LENGTH, D_MODEL) and gives back as many.
"""

import itertools
from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.judging import Questions
from softlookup.course.exercises.probes import draw, same
from softlookup.layers import masks
from softlookup.layers.attention import attention

LENGTH, D_MODEL = 12, 5

Model = Callable[[Tensor], Tensor]

_draw = partial(draw, seed=5, dtype=torch.float32)


def _project(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values, always by the same matrices."""
    w_q, w_k, w_v = _draw(3, D_MODEL, D_MODEL).to(x.dtype)
    return x @ w_q, x @ w_k, x @ w_v


def _model(mask: Tensor | None) -> Model:
    """Self-attention under a mask."""
    return lambda x: attention(*_project(x), mask)[0]


def _masked_too_late(x: Tensor) -> Tensor:
    """Self-attention whose causal mask is put on the weights, after the softmax."""
    query, key, value = _project(x)
    _, weights = attention(query, key, value)
    return (weights * masks.causal(x.size(1))) @ value


def _leaks_little(x: Tensor) -> Tensor:
    """An honest layer, with one part in ten thousand of a layer that is masked too late."""
    return 0.9999 * _model(masks.causal(x.size(1)))(x) + 0.0001 * _masked_too_late(x)


def _cancels(x: Tensor) -> Tensor:
    """What one feature of the next token adds to one feature, it takes from another."""
    leak = _next(x)[..., 0].tanh()
    nothing = torch.zeros_like(leak)
    return x + torch.stack([leak, -leak] + [nothing] * (D_MODEL - 2), dim=-1)


def _next(x: Tensor) -> Tensor:
    """The next token, in the place of each; behind the last there are zeros."""
    return torch.cat([x[:, 1:], torch.zeros_like(x[:, :1])], dim=1)


def _convolved(x: Tensor, room: int) -> Tensor:
    """A convolution along the places by FFT, with room behind the text for what wraps round."""
    kernel = _draw(x.size(1)).to(x.dtype)[None, :, None] / 3
    size = x.size(1) + room
    product = torch.fft.rfft(x, size, dim=1) * torch.fft.rfft(kernel, size, dim=1)
    return torch.fft.irfft(product, size, dim=1)[:, : x.size(1)]


def honest() -> dict[str, Model]:
    """Models in which nothing flows backwards, by name; one of them rounds."""
    return {
        "causal attention": _model(masks.causal(LENGTH)),
        "a causal window of three tokens": _model(masks.sliding_window(LENGTH, 3)),
        "a running sum over the past": lambda x: x.cumsum(1),
        "a model that looks at no other token": lambda x: 2 * x,
        "a causal convolution by FFT, which rounds": lambda x: _convolved(x, x.size(1)),
    }


def impostors() -> dict[str, Model]:
    """Models that leak, each in its own way, by what is wrong with it."""
    causal, eye = masks.causal(LENGTH), torch.eye(LENGTH, dtype=torch.bool)

    def with_leak(source: int, target: int) -> Model:
        """Causal attention; to one token, counted from 1, a part of a later one is added."""

        def model(x: Tensor) -> Tensor:
            leak = torch.zeros(LENGTH, LENGTH, dtype=x.dtype)
            leak[target - 1, source - 1] = 0.1
            return _model(causal)(x) + leak @ x

        return model

    one_ahead = eye.roll(1, dims=1) & ~causal
    one_ahead[:2] = False
    unmasked = _model(None)
    return {
        "no mask at all": unmasked,
        "a transposed mask": _model(causal.T),
        "an inverted mask": _model(~causal),
        "a leak from the last token to the first": with_leak(LENGTH, 1),
        "a leak from token 4 to token 2": with_leak(4, 2),
        "a leak from token 8 to token 7": with_leak(8, 7),
        "a leak from token 9 to token 8": with_leak(9, 8),
        "a leak of one step between neighbours": _model(causal | one_ahead),
        "a mask put on after the softmax": _masked_too_late,
        "one part in ten thousand of a mask put on after the softmax": _leaks_little,
        "an FFT without room for what wraps round": lambda x: _convolved(x, 0),
        "features from which their mean over the whole text is taken": lambda x: (
            x - x.mean(1, True)
        ),
        "no mask behind a LayerNorm, which forgets a number added to a whole token": (
            lambda x: unmasked(F.layer_norm(x, x.shape[-1:]))
        ),
        "no mask behind a norm of lengths, which forgets a factor of a whole token": (
            lambda x: unmasked(F.normalize(x, dim=-1))
        ),
        "a leak of the last feature alone": lambda x: x + x[..., -1:].flip(1),
        "a leak that one feature gains and another loses, so that their sum stays": _cancels,
        "a leak by the sign of the next token, which jumps and has no derivative": (
            lambda x: x + _next(x).sign()
        ),
        "outputs that are all NaN": lambda x: x * float("nan"),
    }


def why_unseen(asked: Questions) -> str:
    """What a test that believes a leak asked too little of, or did not look at in the answers."""
    in_twos = list(zip(asked[::2], asked[1::2], strict=False))
    if in_twos and all(torch.equal(x, other) for (x, _), (other, _) in in_twos):
        return (
            "It asks twice about one text: what it compares is equal to the end. Was x changed as "
            "well? `changed = x` is a second name and no copy; x.clone() makes one"
        )
    pairs = [
        (_changed(x, other)[0], x, other, y, moved)
        for (x, y), (other, moved) in itertools.combinations(asked[:40], 2)
        if _changed(x, other) and 0 not in _changed(x, other)
    ]
    if not pairs:
        return (
            "It never asks about two texts that begin alike: keep the past, change the future, "
            "and see whether an output of the past moves"
        )
    moved = max((y - z)[:, :first].abs().max().item() for first, _, _, y, z in pairs)
    if moved > 1e-6:
        if all((y - z)[:, :first].sum(-1).abs().max() < 1e-6 for first, _, _, y, z in pairs):
            return (
                "The outputs before the change move, and not the sum (or the mean) of an output's "
                "numbers: one gains what another loses. Compare each number by itself"
            )
        return (
            f"What it is given shows the leak: an output before the change moves by {moved:.1g}. "
            "Does it compare all outputs before the change, each closely enough, and go on to "
            "the last change before it says True?"
        )
    if all(same(x.sort(1).values, other.sort(1).values) for _, x, other, _, _ in pairs):
        return (
            "It only puts the tokens of the future in another order, which a sum over all of them "
            "does not notice: draw them anew"
        )
    begun = sorted({first + 1 for first, *_ in pairs})
    if len(begun) < LENGTH - 1:
        return (
            f"It changes the future only from token {', '.join(map(str, begun))} on; a leak may "
            "start at any token and reach any before it, so change from each on in turn"
        )
    if all((x - other).abs().max() < 0.1 for _, x, other, _, _ in pairs):
        return (
            "It changes the future by very little, and a leak may jump: a sign, a rounded number "
            "or a choice of the greatest stays the same then. Draw the future anew"
        )
    return (
        "It changes every token, but by what this model forgets, such as one number added to a "
        "whole token or one factor: draw the future anew"
    )


def why_underived(model: Model, x: Tensor) -> str:
    """What the derivatives of a leak did not tell a test that judges by them."""
    x = x[:1].detach().double()
    slopes = torch.autograd.functional.jacobian(model, x)[0, :, :, 0]
    if not isinstance(slopes, Tensor):
        raise TypeError("a model has one output")
    ahead = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1)
    by_number, by_sum = (
        each.movedim(-2, 1)[ahead].abs().max() for each in (slopes, slopes.sum(1, keepdim=True))
    )
    if by_number <= 1e-9:
        return (
            "It judges by derivatives, and this leak has none: it jumps, and is level between the "
            "jumps. Exchange the future, and see whether an output of the past moves"
        )
    if by_sum <= 1e-9:
        return (
            "It judges by the derivative of the sum of an output's numbers: one gains what another "
            "loses, and the sum stays. Look at each number by itself"
        )
    return (
        "The derivatives show the leak: does it look at those of each output by all later tokens, "
        "each closely enough?"
    )


def why_wronged(asked: Questions) -> str:
    """Why a model that a test refuses is honest all the same."""
    changes = [
        _changed(x, other)
        for (x, _), (other, _) in itertools.combinations(asked[:40], 2)
        if x.shape == other.shape
    ]
    if any(places and 0 not in places for places in changes):
        return (
            "Outputs at the changed token and behind it may move, and need not; only the outputs "
            "before the change have to stay"
        )
    if any(places and len(places) < LENGTH for places in changes):
        return (
            "It changes the past: that may move every later output, and need not move any. Change "
            "the future alone, and look at the outputs before it"
        )
    return "Its texts have nothing in common: keep the past as it is, and change the future alone"


def _changed(x: Tensor, other: Tensor) -> list[int]:
    """The places at which two texts differ, in order."""
    if x.shape != other.shape:
        return []
    return [int(place) for place in (x != other).any(-1).any(0).nonzero()]
