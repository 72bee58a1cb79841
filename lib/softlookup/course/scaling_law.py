"""The loss of six sizes of one model, ten seeds each: runs of some minutes that are kept.

``benchmarks/scaling_law.py`` trains them and writes the store; the chapter on training past one
machine fits its law to four of the sizes and tries it on the two largest.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("scaling_law.json")


@dataclass(frozen=True)
class Size:
    """What came out of one size.

    Attributes:
        parameters: how many the blocks have; the tables of characters are not counted.
        losses: the loss on the test text, one for each seed, in nats a character.
        tried: by the rate times the width, the losses on the validation text, with other seeds.
        rate_times_width: what was best of these, by their mean; the learning rate is this over
            the width.
        at_second_best: of a size held out, the losses on the test text at the rate that was second
            best; empty for the others.
    """

    parameters: int
    losses: list[float]
    tried: dict[float, list[float]]
    rate_times_width: float
    at_second_best: list[float]


@dataclass(frozen=True)
class ScalingRuns:
    """All sizes, and how they were trained.

    Attributes:
        fitted: by width, the sizes that a law may be fitted to.
        held_out: by width, the sizes that no fit has seen.
        tokens: how many characters each model read.
    """

    fitted: dict[int, Size]
    held_out: dict[int, Size]
    tokens: int


def load() -> ScalingRuns:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    terms, results = stored["terms"], stored["results"]
    sizes = {
        int(width): Size(
            result["parameters"],
            [*result["losses"].values()],
            {float(rate): [*losses.values()] for rate, losses in result["tried"].items()},
            result["rate_times_width"],
            [*result.get("second_best", {}).get("losses", {}).values()],
        )
        for width, result in results.items()
    }
    fitted, held_out = (
        {width: sizes[width] for width in terms[which]} for which in ("fitted", "held_out")
    )
    return ScalingRuns(fitted, held_out, terms["steps"] * terms["batch_size"] * terms["window"])
