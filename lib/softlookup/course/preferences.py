"""Stored runs: what preference optimisation gains of a known reward, and how far it goes for it.

``benchmarks/preferences.py`` trains the models and writes the store; the chapter from the next
word to an answer reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("preferences.json")


@dataclass(frozen=True)
class Seen:
    """What was seen of a model on its way.

    Attributes:
        full_stops: in 24 tokens of its own texts, in the mean.
        distance: from the reference, in nats for a text.
    """

    full_stops: float
    distance: float


@dataclass(frozen=True)
class Ended:
    """What was seen of a model at the end of its training, on more texts.

    Attributes:
        full_stops: in 24 tokens of its own texts, in the mean.
        distance: from the reference, in nats for a text.
        empty: how many of these full stops end nothing.
        shown: the first of its texts, the same beginnings with the same random numbers.
    """

    full_stops: float
    distance: float
    empty: float
    shown: list[str]


@dataclass(frozen=True)
class PreferenceRuns:
    """The results of all runs.

    Attributes:
        sizes: how the models were trained, and on how much they were looked at.
        looked_at: the steps after which a model is looked at on its way.
        repeated: of each seed, how many pairs were seen again and again where pairs are repeated.
        full_stops: for each beginning those in the texts that the reference has written.
        begun: the beginnings of the texts that are shown.
        reference: what was seen of the reference.
        courses: by the way of learning, what was seen of each seed's model after some of its
            steps.
        at_the_end: by the way of learning, what was seen of each seed's model at the end.
    """

    sizes: dict[str, float]
    looked_at: list[int]
    repeated: list[int]
    full_stops: list[list[int]]
    begun: list[str]
    reference: Ended
    courses: dict[str, list[tuple[Seen, ...]]]
    at_the_end: dict[str, list[Ended]]


def load() -> PreferenceRuns:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    courses = {
        way: [tuple(Seen(*look) for look in looks) for looks in seeds]
        for way, seeds in stored.pop("courses").items()
    }
    at_the_end = {
        way: [Ended(*seen) for seen in seeds] for way, seeds in stored.pop("at_the_end").items()
    }
    reference = Ended(*stored.pop("reference"))
    return PreferenceRuns(reference=reference, courses=courses, at_the_end=at_the_end, **stored)
