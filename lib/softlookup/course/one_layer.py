"""Stored runs: how far one layer of attention came at repeating in order, in 12,000 steps.

``benchmarks/one_layer.py`` trains it and writes the store; the chapter on looking inside reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("one_layer.json")


@dataclass(frozen=True)
class AtARate:
    """What one layer reached at a learning rate, a row for each seed.

    Attributes:
        steps: after how many steps each run was judged.
        right: the share of answers that were right then.
        loss: the mean loss of the fifty steps before, in nats.
    """

    steps: list[int]
    right: list[list[float]]
    loss: list[list[float]]


def load() -> dict[float, AtARate]:
    """Read the store: what was reached, by learning rate."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {float(rate): AtARate(**found) for rate, found in stored.items()}
