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
            those of the training; at the lightest alone of the arms that have a task of their own.
        recall_long: the same in texts sixteen times as long, of the arms that can read them.
        recall_equally_loaded: of linear attention, the delta rule, this trained on texts twice as
            long, and this without its correction, a row for each seed: the share answered with 31
            or 32 keys filed. First in texts as long as those of the other arms' training, then in
            stretches of the long ones: from their 65th pair to the 128th, and each further stretch
            as long as all before it.
        equally_loaded_at: of the delta rule, the same at each learning rate tried: as it is, and
            with the same weights where pairs that return write nothing, or where the sum stands
            in place of the rule.
        read_anew: of the delta rule, the share that a linear readout of its layer finds with 31 or
            32 keys filed, fitted to such questions: of long texts' first stretch, then of their
            last.
        slowed: of the delta rule at the learning rate that was chosen, a row for each seed: as
            ``recall_equally_loaded``, where each token writes at a tenth of what it learned.
        rates: by arm, the learning rate that was chosen.
        tried: the learning rates among which each arm chose.
        steps: how long the arms trained.
        choosing: by arm, for each rate tried the share of the choosing texts; 0 where the loss
            was no longer finite. Empty where an arm was run at one rate alone.
    """

    loads: list[int]
    recall: dict[str, list[list[float]]]
    recall_long: dict[str, list[list[float]]]
    recall_equally_loaded: dict[str, list[list[float]]]
    equally_loaded_at: dict[str, dict[str, dict[str, list[list[float]]]]]
    read_anew: dict[str, list[list[float]]]
    slowed: dict[str, list[list[float]]]
    rates: dict[str, float]
    tried: list[float]
    steps: int
    choosing: dict[str, dict[str, float]]


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
        of_each("equally_loaded_at"),
        of_each("read_anew"),
        of_each("slowed"),
        {name: result["rate"] for name, result in results.items()},
        stored["rates"],
        stored["training"]["steps"],
        of_each("chosen_by"),
    )
