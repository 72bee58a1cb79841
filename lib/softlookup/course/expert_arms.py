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
        loss: the cross-entropy of the labels, at the end.
    """

    after: list[list[float]]
    loss: list[float]


def load() -> dict[str, Arm]:
    """Read the store: what came out, by arm."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {name: Arm(**found) for name, found in stored.items()}
