"""What the exercise on position-wise functions is tried on: honest networks, and impostors.

All take seven tokens of width five in single precision.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.probes import draw
from softlookup.layers.attention import attention

LENGTH, WIDTH, HIDDEN = 7, 5, 11

Function = Callable[[Tensor], Tensor]

_WIDEN = draw(WIDTH, HIDDEN, seed=71).float()
_BRING_BACK = draw(HIDDEN, WIDTH, seed=72).float()
_GATE = draw(WIDTH, HIDDEN, seed=73).float()
_OWN = draw(LENGTH, WIDTH, WIDTH, seed=74).float()
_FLAT = draw(LENGTH * WIDTH, LENGTH * WIDTH, seed=75).float()
_CAUSAL = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()


def _network(x: Tensor) -> Tensor:
    return torch.relu(x @ _WIDEN) @ _BRING_BACK


def _in_other_orders(x: Tensor) -> Tensor:
    """The same network, which adds up its hidden units in another order at each place."""
    outputs = []
    for place, token in enumerate(x):
        hidden = torch.relu(token @ _WIDEN)
        order = torch.arange(HIDDEN).roll(place)
        # A sum by hand: torch's own would round only once, at the end.
        output = torch.zeros(WIDTH)
        for term in hidden[order, None] * _BRING_BACK[order]:
            output = output + term
        outputs.append(output)
    return torch.stack(outputs)


def _gated(x: Tensor) -> Tensor:
    return (torch.nn.functional.silu(x @ _GATE) * (x @ _WIDEN)) @ _BRING_BACK


def _each_its_own(weights: Tensor) -> Function:
    return lambda x: torch.einsum("nd,nde->ne", x, weights)


def _except_at(place: int, other: Function) -> Function:
    """The network, and something else at one place."""

    def function(x: Tensor) -> Tensor:
        here = torch.arange(len(x))[:, None] == place
        return torch.where(here, other(x), _network(x))

    return function


HONEST: dict[str, Function] = {
    "a feed-forward network": _network,
    "the same network, which adds up in another order at each place": _in_other_orders,
    "a norm over each token's own numbers": lambda x: torch.nn.functional.layer_norm(x, (WIDTH,)),
    "a gated network": _gated,
    "the tokens themselves": lambda x: x.clone(),
}

IMPOSTORS: dict[str, Function] = {
    "a layer over the whole sequence": lambda x: torch.relu(x.flatten() @ _FLAT).view_as(x),
    "self-attention": lambda x: attention(x, x, x)[0],
    "causal attention": lambda x: attention(x, x, x, _CAUSAL)[0],
    "attention to the future": lambda x: attention(x, x, x, _CAUSAL.T)[0],
    "weights of its own for each place": _each_its_own(_OWN),
    "weights of their own that are mirrored, the first like the last": _each_its_own(
        (_OWN + _OWN.flip(0)) / 2
    ),
    "a network that adds a hundredth of its place": lambda x: (
        _network(x) + 0.01 * torch.arange(len(x))[:, None]
    ),
    "a network with a leak of one part in a hundred through the mean": lambda x: (
        _network(x) + 0.01 * x.mean(0)
    ),
    "a network that also hears the first token": lambda x: _network(x) + 0.1 * x[:1],
    "a network that also hears the token before": lambda x: _network(x + 0.1 * x.roll(1, 0)),
    "a network that is another one at the fourth place": _except_at(3, lambda x: _gated(x)),
    "a network that hears its neighbour at the last place alone": _except_at(
        LENGTH - 1, lambda x: _network(x.roll(1, 0))
    ),
    "a norm over all tokens together": lambda x: _network(x - x.mean(0)),
    "the token that stands opposite, counted from the end": lambda x: _network(x.flip(0)),
}
