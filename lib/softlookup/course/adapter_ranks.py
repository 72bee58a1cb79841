"""How much of fine-tuning low-rank adapters reach: runs of minutes, for the chapter on answers.

``benchmarks/adapter_ranks.py`` trains them and writes the store.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("adapter_ranks.json")


@dataclass(frozen=True)
class Arm:
    """One way to fine-tune, and how it did at the learning rate that was chosen for it.

    Attributes:
        parameters: how many numbers it trains.
        at_each_rate: on a seed of its own, the share of right answers at each learning rate.
        rate: the learning rate that was best there.
        right: at that rate, for each of the other seeds, the share of right answers.
    """

    parameters: int
    at_each_rate: dict[float, float]
    rate: float
    right: list[float]


def load() -> dict[str, Arm]:
    """The arms by name: all weights, the adapted matrices, several ranks and factors."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))["arms"]
    return {
        name: Arm(
            **{
                **arm,
                "at_each_rate": {float(rate): v for rate, v in arm["at_each_rate"].items()},
            }
        )
        for name, arm in stored.items()
    }
