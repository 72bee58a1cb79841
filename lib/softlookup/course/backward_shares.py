"""How large a part of a step's computing the backward pass was: shares taken once.

``benchmarks/backward_shares.py`` takes them and writes the store. The chapter on training past one
machine foretells whole steps from the share, which the count of operations puts at two thirds.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("backward_shares.json")


@dataclass(frozen=True)
class BackwardShares:
    """Parts of a step in which nothing is sent.

    Attributes:
        torch: the release of PyTorch.
        tokens: how many are read in a step.
        shares: for each run and each number of tokens, the backward pass's part of a processor's
            time for the whole step, the median of the run's repeats.
    """

    torch: str
    tokens: list[int]
    shares: list[list[float]]


def load() -> BackwardShares:
    """Read the store."""
    return BackwardShares(**json.loads(STORE.read_text(encoding="utf-8")))
