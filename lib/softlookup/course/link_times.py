"""How long steps of data parallelism took over a link whose rate was held: ratios taken once.

``benchmarks/link_times.py`` takes them and writes the store. The link is real, Linux's loopback
slowed, and the computing is slept. The chapter on training past one machine foretells them, and
holds what it foretold against them.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("link_times.json")


@dataclass(frozen=True)
class LinkTimes:
    """Ratios to the computing alone, which the same worker sleeps with nothing sent.

    Attributes:
        torch: the release of PyTorch.
        cores: of the machine, which other work may have shared.
        weights: of the model, each with a gradient of four bytes.
        blocks: as many sums a step takes if each is sent when a block's gradients are there.
        computing: seconds of a step, of which a third is the forward pass.
        rates: bytes a second that each of two workers may send.
        after: for each run and each rate, a whole step with one sum after the backward pass.
        in_buckets: likewise a whole step with a sum for each block during the backward pass.
    """

    torch: str
    cores: int
    weights: int
    blocks: int
    computing: float
    rates: list[float]
    after: list[list[float]]
    in_buckets: list[list[float]]


def load() -> LinkTimes:
    """Read the store."""
    return LinkTimes(**json.loads(STORE.read_text(encoding="utf-8")))
