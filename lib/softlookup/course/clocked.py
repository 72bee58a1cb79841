"""CPU times that were taken once, on an idle processor: what chapters say about time rests on them.

A time tells more about the other programs that run than about ours, so no claim measures one while
a chapter runs. ``benchmarks/times_in_chapters.py`` takes the times and writes the store. The
chapters on the next word, on the quadratic wall and on answers read it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("clocked.json")


@dataclass(frozen=True)
class Clocked:
    """The times, each of them taken several times over: on one thread, in memory that was kept.

    Attributes:
        torch: the release of PyTorch.
        lengths: the numbers of tokens that were mixed, forwards.
        mixing: for each of ``causal_mixers``, a list for each run: milliseconds at each length.
        gpt: the configuration of a GPT of 3 million parameters.
        generation: ``without the cache`` and ``with the cache``, milliseconds of each run for
            240 tokens from that GPT.
        draft_lengths: behind how many tokens a target and its drafts were timed.
        drafting: for ``target``, the small GPT, and two drafts, ``two blocks`` and ``n-gram``, a
            list for each run: milliseconds to read one token more, with caches that hold the
            others, and foretell the next; and for ``target, three tokens`` and ``target, five
            tokens`` to read so many more.
    """

    torch: str
    lengths: list[int]
    mixing: dict[str, list[list[float]]]
    gpt: dict[str, int | str]
    generation: dict[str, list[float]]
    draft_lengths: list[int]
    drafting: dict[str, list[list[float]]]


def load() -> Clocked:
    """Read the store."""
    return Clocked(**json.loads(STORE.read_text(encoding="utf-8")))
