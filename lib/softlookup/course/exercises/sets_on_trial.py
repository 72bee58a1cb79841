"""Functions from tokens to tokens: some treat them as a set, and some only seem to.

Each takes (length, width) and gives as much. The chapter on self-attention has the learner write
the test that tells them apart.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.judging import Questions
from softlookup.layers.attention import attention


def sorted_features(x: Tensor) -> Tensor:
    """Each feature in order of size: the order of the tokens does not matter."""
    return x.sort(dim=0).values


def equivariant_and_not(
    mix: Tensor, query: Tensor, key: Tensor, value: Tensor
) -> tuple[dict[str, Callable[[Tensor], Tensor]], dict[str, Callable[[Tensor], Tensor]]]:
    """Honest functions and impostors; each name says what a test that misjudges it has missed."""

    def head(x: Tensor) -> Tensor:
        return attention(x @ query, x @ key, x @ value)[0]

    def causal(x: Tensor) -> Tensor:
        mask = torch.ones(len(x), len(x), dtype=torch.bool).tril()
        return attention(x @ query, x @ key, x @ value, mask)[0]

    def places(x: Tensor) -> Tensor:
        return torch.arange(len(x), dtype=x.dtype)[:, None]

    honest: dict[str, Callable[[Tensor], Tensor]] = {
        "a map applied to each token alone": lambda x: torch.relu(x @ mix),
        "self-attention in double precision, whose sums round differently in another order": head,
        "self-attention in single precision, off by some 1e-7 in another order": (
            lambda x: attention(*(x.float() @ each.float() for each in (query, key, value)))[
                0
            ].double()
        ),
        "the mean of all tokens, handed to each": lambda x: x.mean(0).expand_as(x),
        "each token less the largest of all": lambda x: x - x.amax(0),
    }
    impostors: dict[str, Callable[[Tensor], Tensor]] = {
        "a running sum": lambda x: x.cumsum(0),
        "self-attention that looks back only": causal,
        "adding the position": lambda x: x + places(x),
        "adding a hundredth of the position, a small difference but no rounding": (
            lambda x: x + 0.01 * places(x)
        ),
        "doubling the last token alone": lambda x: x * (1 + (places(x) == len(x) - 1)),
        "doubling the fifth token alone": lambda x: x * (1 + (places(x) == 4)),
        "adding to each token its neighbour, which no rotation of the order shows": (
            lambda x: x + x.roll(1, 0)
        ),
        "adding to each token its mirror image, which a reversal does not show": (
            lambda x: x + x.flip(0)
        ),
        "exchanging the first two tokens": lambda x: torch.cat([x[:2].flip(0), x[2:]]),
        "sorting every feature, which is invariant and not equivariant": sorted_features,
        "taking the first token off all others": lambda x: x - x[:1],
        "a head with weights that belong to places": (
            lambda x: torch.softmax(-(places(x) - places(x).T).abs(), -1) @ x
        ),
    }
    return honest, impostors


def last_doubled(x: Tensor) -> Tensor:
    """Twice the last token, and the others as they are."""
    return torch.cat([x[:-1], 2 * x[-1:]])


def _orders_asked(x: Tensor, asked: Questions) -> tuple[list[tuple[list[int], Tensor]], Tensor]:
    """Other orders of the tokens that a test asked about, with answers; and f(x), if asked."""
    orders, itself = [], torch.empty(0)
    for question, answer in asked:
        if question.shape == x.shape and torch.equal(question, x):
            itself = answer
        elif question.shape == x.shape:
            meets = (question[:, None] == x[None]).all(dim=-1)
            if (meets.sum(0) == 1).all() and (meets.sum(1) == 1).all():
                orders.append((meets.long().argmax(dim=1).tolist(), answer))
    return orders, itself


def _apart(orders: list[tuple[list[int], Tensor]], itself: Tensor) -> float:
    """How far f(Px) lies from P f(x) at most, in what a test asked."""
    return max(float((answer - itself[order]).abs().max()) for order, answer in orders)


def why_unseen(x: Tensor, asked: Questions) -> str:
    """Why a test believes an impostor: what it did not ask, or did not look at."""
    orders, itself = _orders_asked(x, asked)
    if not orders or not len(itself):
        return "It never asked for both f(x) and f(Px), of the tokens x and the same tokens ordered"
    if (apart := _apart(orders, itself)) > 1e-4:
        return (
            f"It was shown an f(Px) that differs by up to {apart:.2g} from P f(x), and says True: "
            "compare the two token by token, number by number"
        )
    still = [i for i in range(len(x)) if all(order[i] == i for order, _ in orders)]
    kept = f", with {len(still)} of {len(x)} tokens left in their places" if still else ""
    tried = len({tuple(order) for order, _ in orders})
    return (
        f"What you asked does not show it. You tried {tried} other order{'s' * (tried > 1)}{kept}: "
        "draw some with torch.randperm"
    )


def why_wronged(x: Tensor, asked: Questions) -> str:
    """Why a function that a test refuses is equivariant all the same."""
    orders, itself = _orders_asked(x, asked)
    if not orders or not len(itself):
        return "It never asked for both f(x) and f(Px), of the tokens x and the same tokens ordered"
    return (
        "In all that you asked there, f(Px) is P f(x) but for rounding: compare f(x[order]) with "
        "f(x)[order], one order for both"
    )
