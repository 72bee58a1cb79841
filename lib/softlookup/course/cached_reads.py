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
    """The times, all of them on one thread.

    Attributes:
        torch: the release of PyTorch.
        sizes: how many texts, tokens in each, and numbers in a head's key.
        heads: how many heads of queries there are.
        shared: the numbers of heads of keys and values that they shared.
        milliseconds: of the library's kernel, and of attention written out as matrix products, a
            list for each run, with the time for each number of shared heads.
        added_up_milliseconds: in each run, what it took to read all keys and values, one of each
            for every head, and only add them up.
    """

    torch: str
    sizes: dict[str, int]
    heads: int
    shared: list[int]
    milliseconds: dict[str, list[list[float]]]
    added_up_milliseconds: list[float]


def load() -> CachedReads:
    """Read the store."""
    return CachedReads(**json.loads(STORE.read_text(encoding="utf-8")))
