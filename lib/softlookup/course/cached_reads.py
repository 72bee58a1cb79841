"""CPU times of attention over a cache, by how many heads of keys and values are read.

``benchmarks/cached_reads.py`` takes the times and writes the store. The chapter on today's model
reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("cached_reads.json")


@dataclass(frozen=True)
class CachedReads:
    """The times, each of them taken several times over, on one thread.

    Attributes:
        torch: the release of PyTorch.
        sizes: how many texts, tokens in each, and numbers in a head's key.
        heads: how many heads ask.
        shared: the numbers of heads of keys and values that answered them.
        milliseconds: a list for each run, with the time for each of ``shared``.
        fewer: of the control, how many heads ask, and how many answer.
        fewer_milliseconds: its time in each run.
    """

    torch: str
    sizes: dict[str, int]
    heads: int
    shared: list[int]
    milliseconds: list[list[float]]
    fewer: dict[str, int]
    fewer_milliseconds: list[float]


def load() -> CachedReads:
    """Read the store."""
    return CachedReads(**json.loads(STORE.read_text(encoding="utf-8")))
