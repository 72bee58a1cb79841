"""How long an all-reduce among processes of one machine took: times that were taken once.

``benchmarks/ring_times.py`` takes them and writes the store. The chapter on training past one
machine holds a straight line against them.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("ring_times.json")


@dataclass(frozen=True)
class RingTimes:
    """The times, on a machine whose cores and memory all workers share.

    Attributes:
        torch: the release of PyTorch.
        cores: of the machine.
        cuts: what was summed: the bytes of a tensor, and in how many pieces, one after the other.
        milliseconds: by the number of workers, a list for each run: for each cut the shortest of
            its repeats, each of which lasts until the slowest worker is done.
    """

    torch: str
    cores: int
    cuts: list[tuple[int, int]]
    milliseconds: dict[int, list[list[float]]]


def load() -> RingTimes:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return RingTimes(
        stored["torch"],
        stored["cores"],
        [(size, pieces) for size, pieces in stored["cuts"]],
        {int(workers): runs for workers, runs in stored["milliseconds"].items()},
    )
