"""What stuck out of steps of data parallelism over a link of a known speed: times taken once.

``benchmarks/step_times.py`` takes them and writes the store. The chapter on training past one
machine holds them against its rule for buckets.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("step_times.json")


@dataclass(frozen=True)
class StepTimes:
    """Times of steps, over the seconds that a step's sums took together.

    Attributes:
        torch: the release of PyTorch.
        cores: of the machine, which other work may have shared.
        weights: of the model, each with a gradient of four bytes.
        buckets: in how many sums the gradients are sent, each when its part of them is there.
        start_up: of the link, in seconds for each message.
        rate: of the link, in bytes a second.
        tokens: how many each worker reads in a step.
        backward: how long the backward pass lasted, (runs, tokens, buckets): of several steps, the
            shortest.
        exposed: how long after its end the last sum arrived, in the same step.
        sums: how long these sums took, over what the link takes by its formula.
    """

    torch: str
    cores: int
    weights: int
    buckets: list[int]
    start_up: float
    rate: float
    tokens: list[int]
    backward: list[list[list[float]]]
    exposed: list[list[list[float]]]
    sums: list[list[list[float]]]


def load() -> StepTimes:
    """Read the store."""
    return StepTimes(**json.loads(STORE.read_text(encoding="utf-8")))
