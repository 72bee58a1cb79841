"""Stored runs: why the experts of a small memory of facts fall idle.

``benchmarks/expert_arms.py`` trains them, ten seeds an arm, and writes the store; the chapter on
today's model reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("expert_arms.json")


@dataclass(frozen=True)
class Arm:
    """What came out in an arm, a row for each seed.

    Attributes:
        after: how all choices are shared among the experts after the training.
        moved: how far the router's matrix moved in training, over its length before it.
        less_mean: the shares, when from each row's move its part along the mean fact is taken.
        less_other: the same, when its part along another direction is taken: of those at a right
            angle to the mean fact the one along which the rows have moved most.
        along_mean: what part of the move lies along the mean fact, a share of its length.
        along_other: the same, along that other direction.
    """

    after: list[list[float]]
    moved: list[float]
    less_mean: list[list[float]]
    less_other: list[list[float]]
    along_mean: list[float]
    along_other: list[float]


def load() -> dict[str, Arm]:
    """Read the store: what came out, by arm."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {name: Arm(**found) for name, found in stored.items()}
