"""Stored runs: whether the book's GPT learned to copy, trained on random tokens read twice.

``benchmarks/read_twice.py`` trains it and writes the store; the chapter on looking inside reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("read_twice.json")


@dataclass(frozen=True)
class TrainedOn:
    """What the GPT did with passages of the book, a row for each seed of the training.

    Attributes:
        steps: after how many steps it was judged.
        again: the bits that a token of a passage cost then, in its second reading.
        after_another: what the same tokens cost behind another passage.
        score: the best induction score of its heads, where a passage is read again.
    """

    steps: list[int]
    again: list[list[float]]
    after_another: list[list[float]]
    score: list[list[float]]


def load() -> dict[str, TrainedOn]:
    """Read the store: what came of random tokens that were read ``"once"`` and ``"twice"``."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {readings: TrainedOn(**found) for readings, found in stored.items()}
