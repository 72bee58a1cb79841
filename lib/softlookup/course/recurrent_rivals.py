"""Stored runs: recurrent networks with another start, at another rate, wider, or for longer.

``benchmarks/recurrent_rivals.py`` trains them as the chapter on the limits of recurrence trains
its own, and writes the store; that chapter reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("recurrent_rivals.json")


@dataclass(frozen=True)
class Translated:
    """What one translator with a fixed vector reached.

    Attributes:
        parameters: how many it has.
        new: the share of new numbers translated without a mistake, by their digits.
        learned: the same of the six-digit numbers that it was trained on.
    """

    parameters: int
    new: list[float]
    learned: float


@dataclass(frozen=True)
class RecurrentRivals:
    """What came out.

    Attributes:
        notes: by network, a row for each run: the share of endings named, at each distance.
        recall: by lag and network, the share that each run recalls of the first tokens.
        translation: by translator, what it reached.
    """

    notes: dict[str, list[list[float]]]
    recall: dict[int, dict[str, list[float]]]
    translation: dict[str, Translated]


def load() -> RecurrentRivals:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return RecurrentRivals(
        stored["notes"],
        {int(lag): arms for lag, arms in stored["recall"].items()},
        {name: Translated(**reached) for name, reached in stored["translation"].items()},
    )
