"""Recall of small models against the number of keys: runs of some minutes that are kept.

``benchmarks/recall_race.py`` trains them and writes the store; the chapters on the quadratic wall
and on today's model read it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STORE = Path(__file__).with_name("recall_race.json")


@dataclass(frozen=True)
class RecallRace:
    """What came out.

    Attributes:
        loads: from how many keys a text draws.
        recall: by arm, a row for each seed: the share answered at each load, in texts as long as
            those of the training.
        recall_long: the same in texts sixteen times as long, of the arms that can read them.
        recall_equally_loaded: of linear attention, a row for each seed: the share answered with 31
            or 32 keys filed. First in texts as long as those of the training, then in stretches of
            the long ones: from their 65th pair to the 128th, and each further stretch as long as
            all before it.
        rates: by arm, the learning rate that was chosen.
        tried: the learning rates among which each arm chose.
        steps: how long the arms trained.
        choosing: by arm, for each rate tried the share of the choosing texts; 0 where the loss
            was no longer finite. Empty where an arm was run at one rate alone.
        milliseconds: of one layer of attention and the models of two, a row of rounds: the CPU
            time that the whole model takes for one long text. They were taken beside other
            programs: only their ratios mean something.
    """

    loads: list[int]
    recall: dict[str, list[list[float]]]
    recall_long: dict[str, list[list[float]]]
    recall_equally_loaded: dict[str, list[list[float]]]
    rates: dict[str, float]
    tried: list[float]
    steps: int
    choosing: dict[str, dict[str, float]]
    milliseconds: dict[str, list[float]]


def load() -> RecallRace:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    results = stored["results"]

    def of_each(measure: str) -> dict[str, Any]:
        return {name: result[measure] for name, result in results.items() if measure in result}

    return RecallRace(
        stored["loads"],
        of_each("recall"),
        of_each("recall_long"),
        of_each("recall_equally_loaded"),
        {name: result["rate"] for name, result in results.items()},
        stored["rates"],
        stored["training"]["steps"],
        of_each("chosen_by"),
        stored["milliseconds"],
    )
