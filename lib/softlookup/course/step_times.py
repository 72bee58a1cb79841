"""How long steps of data parallelism took over a link of a known speed: ratios taken once.

``benchmarks/step_times.py`` takes them and writes the store. The chapter on training past one
machine foretells them, and holds what it foretold against them.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("step_times.json")


@dataclass(frozen=True)
class StepTimes:
    """Ratios to the computing alone, which the same worker does with nothing sent.

    Attributes:
        torch: the release of PyTorch.
        cores: of the machine, which other work may have shared.
        weights: of the model, each with a gradient of four bytes.
        blocks: as many sums a step takes if each is sent when a block's gradients are there.
        start_up: of the link, in seconds for each message.
        rate: of the link, in bytes a second.
        tokens: how many each worker reads in a step.
        one_sum: for each run and each number of tokens, the seconds that the link takes for one sum
            of all gradients, by its formula, over the computing alone as it was timed.
        after: likewise a whole step with one sum after the backward pass.
        in_buckets: likewise a whole step with a sum for each block during the backward pass.
    """

    torch: str
    cores: int
    weights: int
    blocks: int
    start_up: float
    rate: float
    tokens: list[int]
    one_sum: list[list[float]]
    after: list[list[float]]
    in_buckets: list[list[float]]


def load() -> StepTimes:
    """Read the store."""
    return StepTimes(**json.loads(STORE.read_text(encoding="utf-8")))
