"""Stored runs: what stacks of twelve blocks learn, with skips and without, norms here and there.

``benchmarks/skip_race.py`` trains them and writes the store; the chapter on residuals and
normalisation reads it. Every number is the share of symbols that a stack gets right.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("skip_race.json")


@dataclass(frozen=True)
class SkipRace:
    """What came out.

    Attributes:
        without_skip: by arm and learning rate, one run each.
        longer: one without a skip, for four times the steps.
        mostly_itself: neither skip nor norm, and a start near the identity in which each token
            looks mostly at itself; three runs.
        all_alike: the same start but that each looks at all alike, by learning rate.
        with_skip: by arm, three runs.
        places: by the norm's place and the learning rate, three runs.
        after_ten: by the norm's place, three runs whose first ten steps had the larger rate.
        fresh_adam: of post-norm, but that another Adam took the steps after the first ten.
        begun: by how they began, three runs of post-norm at the larger rate.
    """

    without_skip: dict[str, dict[float, float]]
    longer: float
    mostly_itself: list[float]
    all_alike: dict[float, float]
    with_skip: dict[str, list[float]]
    places: dict[str, dict[float, list[float]]]
    after_ten: dict[str, list[float]]
    fresh_adam: list[float]
    begun: dict[str, list[float]]


def load() -> SkipRace:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    for part in ("without_skip", "places"):
        stored[part] = {
            name: {float(rate): runs for rate, runs in by_rate.items()}
            for name, by_rate in stored[part].items()
        }
    near = stored.pop("near_identity")
    by_rate = {float(rate): share for rate, share in near["at all alike"].items()}
    return SkipRace(**stored, mostly_itself=near["mostly at itself"], all_alike=by_rate)
