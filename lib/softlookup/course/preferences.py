"""Stored runs: what preference optimisation gains of a known reward, and how far it goes for it.

``benchmarks/preferences.py`` trains the models and writes the store; the chapter from the next
word to an answer reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("preferences.json")


@dataclass(frozen=True)
class Ended:
    """What was seen of a model at the end of its training.

    Attributes:
        full_stops: in 24 tokens of its own texts, in the mean.
        distance: from the reference, in nats for a text.
        better: by how many nats the better texts of its pairs became more probable, in the mean.
        worse: by how many nats the worse ones did.
    """

    full_stops: float
    distance: float
    better: float
    worse: float


@dataclass(frozen=True)
class PreferenceRuns:
    """The results of all runs.

    Attributes:
        sizes: how the models were trained, and on how much they were looked at.
        choosing: on which seed and beginnings the learning rates were chosen.
        full_stops: for each beginning those in the texts that the reference has written.
        reference_where_chosen: the mean of the reference's full stops on those beginnings.
        at_each_rate: by the way of learning, each learning rate that was tried, with the full
            stops and the distance that came of it.
        rates: by the way of learning, the learning rate that was chosen.
        at_the_end: by the way of learning, what was seen of each seed's model at the end.
    """

    sizes: dict[str, float]
    choosing: dict[str, int]
    full_stops: list[list[int]]
    reference_where_chosen: float
    at_each_rate: dict[str, list[tuple[float, float, float]]]
    rates: dict[str, float]
    at_the_end: dict[str, list[Ended]]


def load() -> PreferenceRuns:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    at_each_rate = {
        way: [(rate, full_stops, distance) for rate, full_stops, distance in tried]
        for way, tried in stored.pop("at_each_rate").items()
    }
    at_the_end = {
        way: [Ended(*seen) for seen in seeds] for way, seeds in stored.pop("at_the_end").items()
    }
    return PreferenceRuns(at_each_rate=at_each_rate, at_the_end=at_the_end, **stored)
