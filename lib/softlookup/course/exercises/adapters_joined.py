"""Two adapters joined into one, with the parts that can each go wrong.

The chapter on answers has the learner build it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from softlookup.course.exercises.probes import draw, require_tensor
from softlookup.course.exercises.slips import Slips
from softlookup.course.exercises.verdict import Mistake

WIDTH, WIDER = 11, 7

Adapter = tuple[Tensor, Tensor, float]


@dataclass(frozen=True)
class Numbers:
    """The α and the ranks of two adapters."""

    alpha: float
    rank: int
    other_alpha: float
    other_rank: int

    @property
    def ranks(self) -> int:
        """The rank of both together."""
        return self.rank + self.other_rank

    @property
    def own(self) -> tuple[float, float]:
        """The factor of each, α over its rank."""
        return self.alpha / self.rank, self.other_alpha / self.other_rank


def adapter(rank: int, alpha: float, seed: int) -> Adapter:
    """A, B and α of an adapter that has been trained."""
    return draw(rank, WIDTH, seed=seed), draw(WIDER, rank, seed=seed + 1), alpha


# No two factors are alike, and no adapter has the factor one.
PAIRS = [
    (adapter(2, 6.0, 175), adapter(3, 1.5, 177)),
    (adapter(3, 2.0, 179), adapter(1, 4.0, 181)),
]


def added(answer: object, pair: tuple[Adapter, Adapter]) -> Tensor:
    """What a learner's adapter, made of two, adds to the weight.

    Raises:
        Mistake: if it is no adapter of the rank of both together.
    """
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        raise Mistake("three things are expected: `down`, `up` and `alpha` of one adapter")
    rank = sum(len(down) for down, *_ in pair)
    down = require_tensor(answer[0], (rank, WIDTH), "`down`", "(rank of both, d_in)")
    up = require_tensor(answer[1], (WIDER, rank), "`up`", "(d_out, rank of both)")
    return float(answer[2]) / rank * (up.double() @ down.double())


def terms(pair: tuple[Adapter, Adapter]) -> dict[str, tuple[Tensor, float]]:
    """The product of each adapter of a pair, and how often it should stand in the sum."""
    return {
        f"B A of the {name} adapter": (up @ down, alpha / len(down))
        for name, (down, up, alpha) in zip(("first", "second"), pair, strict=True)
    }


def joined_changes(
    factors: Callable[[Numbers], tuple[float, float]] = lambda numbers: numbers.own,
    outer: Callable[[Numbers], float] = lambda numbers: 1.0,
    order: Callable[[list[Tensor]], list[Tensor]] = lambda downs: downs,
) -> Tensor:
    """What the two adapters of each pair add, (pairs, rows, columns); as it stands, the right one.

    Args:
        factors: by what each change is multiplied.
        outer: by what both are multiplied once more.
        order: in which order the two A are put, beside the two B.
    """
    changes = []
    for (down, up, alpha), (other_down, other_up, other_alpha) in PAIRS:
        numbers = Numbers(alpha, len(down), other_alpha, len(other_down))
        one, other = factors(numbers)
        ups = torch.cat([one * up, other * other_up], dim=1)
        changes.append(outer(numbers) * (ups @ torch.cat(order([down, other_down]))))
    return torch.stack(changes)


def _one_for_both(numbers: Numbers) -> tuple[float, float]:
    """The sum of the α over the sum of the ranks."""
    shared = (numbers.alpha + numbers.other_alpha) / numbers.ranks
    return shared, shared


JOINS: Slips = {
    "factors": {
        "you add the two α: over the rank of both together they give both changes one factor, and "
        "each has its own": _one_for_both,
        "both changes have the factor one in yours: each is to keep its own α over its own rank": (
            lambda numbers: (1.0, 1.0)
        ),
        "each change is multiplied by its α; its factor is α over its rank": lambda numbers: (
            numbers.alpha,
            numbers.other_alpha,
        ),
        "the factor is multiplied into A and into B, and so counts twice": lambda numbers: (
            numbers.own[0] ** 2,
            numbers.own[1] ** 2,
        ),
        "each has the factor of the other": lambda numbers: numbers.own[::-1],
        "both have the factor of the first": lambda numbers: (numbers.own[0],) * 2,
        "both have the factor of the second": lambda numbers: (numbers.own[1],) * 2,
        "your factor is the rank over α; it is α over the rank": lambda numbers: (
            1 / numbers.own[0],
            1 / numbers.own[1],
        ),
        "your factors are over the rank of both together; each α is over its own rank": (
            lambda numbers: (numbers.alpha / numbers.ranks, numbers.other_alpha / numbers.ranks)
        ),
        "the change of the second adapter is missing": lambda numbers: (numbers.own[0], 0.0),
        "the change of the first adapter is missing": lambda numbers: (0.0, numbers.own[1]),
    },
    "outer": {
        "what you return is multiplied by *its* α over *its* rank: with both factors multiplied in "
        "already, α is to be the rank": lambda numbers: 1 / numbers.ranks,
        "both factors are multiplied in, and the α that you return multiplies once more: what does "
        "the layer make of it?": lambda numbers: (
            (numbers.alpha + numbers.other_alpha) / numbers.ranks
        ),
        "both factors are multiplied in, and the α of the first multiplies once more": (
            lambda numbers: numbers.alpha / numbers.ranks
        ),
        "you take the mean of the two changes; the layer adds both": lambda numbers: 0.5,
        "the layer divides by the rank itself, and you multiply by it once too often": (
            lambda numbers: float(numbers.ranks)
        ),
    },
    "order": {
        "row k of A meets column k of B: put both in the same order": lambda downs: downs[::-1],
    },
}
