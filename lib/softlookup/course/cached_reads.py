"""CPU times of attention over a cache, by how many heads of keys and values are read.

``benchmarks/cached_reads.py`` takes the times and writes the store. The chapter on today's model
reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("cached_reads.json")


@dataclass(frozen=True)
class Program:
    """The times of one program that computes attention, each of them taken several times over.

    Attributes:
        milliseconds: a list for each run, with the time for each number of shared heads.
        fewer_milliseconds: the time of the control in each run.
    """

    milliseconds: list[list[float]]
    fewer_milliseconds: list[float]


@dataclass(frozen=True)
class CachedReads:
    """The times, all of them on one thread.

    Attributes:
        torch: the release of PyTorch.
        sizes: how many texts, tokens in each, and numbers in a head's key.
        heads: how many heads of queries there are.
        shared: the numbers of heads of keys and values that they shared.
        fewer: of the control, how many heads of queries, and of keys and values.
        programs: the library's kernel, and attention written out as matrix products.
        added_up_milliseconds: in each run, what it took to read all keys and values, one of each
            for every head, and only add them up.
    """

    torch: str
    sizes: dict[str, int]
    heads: int
    shared: list[int]
    fewer: dict[str, int]
    programs: dict[str, Program]
    added_up_milliseconds: list[float]


def load() -> CachedReads:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    programs = {name: Program(**times) for name, times in stored.pop("programs").items()}
    return CachedReads(programs=programs, **stored)
