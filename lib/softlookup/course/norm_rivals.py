"""Stored runs: what bears a high learning rate, a norm of queries and keys or one of its rivals.

``benchmarks/norm_rivals.py`` trains them and writes the store. The chapter on today's model reads
them; of most arms it trains three of the twelve seeds itself.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("norm_rivals.json")


@dataclass(frozen=True)
class Runs:
    """What came out in an arm, a number for each seed.

    Attributes:
        recalled: the share of the answers that is right in the end.
        largest: the largest score in the end, before any cap.
    """

    recalled: list[float]
    largest: list[float]


def load() -> dict[str, Runs]:
    """Read the store: what came out, by arm."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {name: Runs(**found) for name, found in stored.items()}
