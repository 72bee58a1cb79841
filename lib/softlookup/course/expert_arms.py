"""Stored runs: what idles the experts of a small memory of facts, and what it costs.

``benchmarks/expert_arms.py`` trains them, ten seeds an arm, and writes the store; the chapter on
today's model reads it.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

STORE = Path(__file__).with_name("expert_arms.json")


@dataclass(frozen=True)
class Arm:
    """What came out in an arm, a number or a row for each seed.

    Attributes:
        known: the share of the facts that is known in the end.
        before: how all choices are shared among the experts before the training; without experts
            it is empty, as all below.
        after: the same after it.
    """

    known: list[float]
    before: list[list[float]] = field(default_factory=list)
    after: list[list[float]] = field(default_factory=list)


def load() -> dict[str, Arm]:
    """Read the store: what came out, by arm."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {name: Arm(**found) for name, found in stored.items()}
