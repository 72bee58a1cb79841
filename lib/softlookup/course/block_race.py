"""The block of GPT-2 and that of today, one change at a time: runs of some minutes that are kept.

``benchmarks/block_race.py`` trains them and writes the store; the chapter on today's model reads
it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("block_race.json")


@dataclass(frozen=True)
class BlockRace:
    """What came out, by arm.

    Attributes:
        bits: bits per character of the test text, one for each seed; with one seed all arms read
            the same windows.
        tried: the same of the validation text, with one more seed, for each learning rate.
        rates: the learning rate that was best there.
        widths: the inner width of the feed-forward networks.
        parameters: how many there are.
        multiplications: how many one window takes.
        sizes: the models' sizes, and how they were trained.
    """

    bits: dict[str, list[float]]
    tried: dict[str, dict[float, float]]
    rates: dict[str, float]
    widths: dict[str, int]
    parameters: dict[str, int]
    multiplications: dict[str, int]
    sizes: dict[str, int]


def load() -> BlockRace:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    results = stored["results"]
    tried = {
        name: {float(rate): bits for rate, bits in result["chosen_by"].items()}
        for name, result in results.items()
    }
    bits, rates, widths, parameters, multiplications = (
        {name: result[what] for name, result in results.items()}
        for what in ("bits", "rate", "d_ff", "parameters", "multiplications")
    )
    return BlockRace(bits, tried, rates, widths, parameters, multiplications, stored["sizes"])
