"""Stored runs: what idles the experts of a small memory of facts.

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
        before: how all choices are shared among the experts before the training.
        after: the same after it.
        moved: how far the router's matrix moved in training, over its length before it.
        along: what part of that move lies along the mean of all facts, a share of its length.
    """

    before: list[list[float]]
    after: list[list[float]]
    moved: list[float]
    along: list[float]


def load() -> dict[str, Arm]:
    """Read the store: what came out, by arm."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {name: Arm(**found) for name, found in stored.items()}
