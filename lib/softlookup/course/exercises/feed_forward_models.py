"""What the exercise on position-wise functions is tried on: honest networks, and impostors.

All take seven tokens of width five in single precision.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.judging import Questions
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


def why_unseen(asked: Questions) -> str:
    """What a test that believes an impostor asked too little of, or did not look at."""
    texts, answers = (torch.stack([pair[part] for pair in asked[:60]]) for part in (0, 1))
    tokens, which = texts.flatten(0, 1).unique(dim=0, return_inverse=True)
    which = which.view(texts.shape[:2])
    by_token = [answers[which == token] for token in range(len(tokens))]
    apart = max((rows.amax(0) - rows.amin(0)).max().item() for rows in by_token)
    if apart > 1e-3:
        return (
            f"What it is given shows it: a token that it asked about twice got answers {apart:.1g} "
            "apart. Does it compare the answers at all places, each closely enough, and go on to "
            "the last token before it says True?"
        )
    if (which == which[:, :1]).all():
        return "It asks about copies of one token only: let a token stand among others as well"
    if (which == which[:1]).all():
        return "It asks one question only: ask again, with a token exchanged, or moved"
    if torch.equal(which.sort(1).values, which[:1].sort(1).values.expand_as(which)):
        return (
            "It only puts the same tokens in another order, and what a function makes of all of "
            "them together stays: exchange a token for another one, too"
        )
    moved = [n for n, token in enumerate(which[0]) if (which == token).any(0).sum() > 1]
    if not moved:
        return "It never asks about a token at another place: let each stand at every place"
    if len(moved) < LENGTH:
        return (
            f"Of the first text's tokens only {', '.join(map(str, moved))}, counted from 0, stand "
            "at other places too: let each of them stand everywhere"
        )
    return (
        "Its questions do not show it: exchange each token in turn, and let each stand everywhere"
    )


def why_wronged(asked: Questions) -> str:
    """Why a function that a test refuses is position-wise all the same."""
    if len(asked) < 2 or any(torch.equal(asked[0][0], text) for text, _ in asked[1:]):
        return "Position-wise is that a token gets the same answer in any company, at any place"
    return (
        "A token that was exchanged may get another answer, and one that was moved takes its "
        "answer along: only the same token has to get the same one"
    )
