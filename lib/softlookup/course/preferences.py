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
    """What was seen of a model.

    Attributes:
        full_stops: in 24 tokens of its own texts, in the mean.
        distance: from the reference, in nats for a text.
    """

    full_stops: float
    distance: float


@dataclass(frozen=True)
class OnPairs:
    """What a model makes of pairs of texts that the reference has written.

    Attributes:
        worth: the nats by which a full stop more moves the gap of a pair in log-probability,
            beside the reference's.
        better: the nats by which the better text of a pair has become likelier, in the mean.
        worse: the same of the worse text.
    """

    worth: float
    better: float
    worse: float


@dataclass(frozen=True)
class Texts:
    """What a model wrote to the same beginnings, with the same random numbers.

    Attributes:
        ends: full stops that end something, in the mean of a text.
        decimals: decimal points, which the judge counts as well.
        others: full stops that do neither.
        shown: the continuations of the first beginnings.
    """

    ends: float
    decimals: float
    others: float
    shown: list[str]


@dataclass(frozen=True)
class PreferenceRuns:
    """The results of all runs.

    Attributes:
        sizes: how the models were trained, and on how much they were looked at.
        looked_at: the steps after which a model is looked at; the last is the end.
        pairs: how many pairs of unlike reward each seed had.
        full_stops: for each beginning those in the texts that the reference has written.
        begun: the beginnings of the texts that are shown.
        texts: what the reference wrote, and each seed's model after 60 steps with two judges.
        raised: full stops and distance of the reference with a number added to one logit, in the
            mean of five times as many texts as a model's on its way.
        courses: by the way of learning, what was seen of each seed's model after some of its
            steps.
        at_the_end: with the judge that errs, full stops and distance of each seed's model at the
            end, in the mean of as many texts.
        on_pairs: by the way of learning, what each seed's model makes at the end of the pairs
            that it learned from, and of new ones.
    """

    sizes: dict[str, float]
    looked_at: list[int]
    pairs: list[int]
    full_stops: list[list[int]]
    begun: list[str]
    texts: dict[str, list[Texts]]
    raised: dict[float, tuple[float, float]]
    courses: dict[str, list[tuple[Seen, ...]]]
    at_the_end: dict[str, list[list[float]]]
    on_pairs: dict[str, list[tuple[OnPairs, OnPairs]]]


def load() -> PreferenceRuns:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    raised = {by: (gained, distance) for by, gained, distance in stored.pop("raised")}
    courses = {
        way: [tuple(Seen(*look) for look in looks) for looks in seeds]
        for way, seeds in stored.pop("courses").items()
    }
    on_pairs = {
        way: [(OnPairs(*own), OnPairs(*new)) for own, new in seeds]
        for way, seeds in stored.pop("on_pairs").items()
    }
    texts = {name: [Texts(*each) for each in seeds] for name, seeds in stored.pop("texts").items()}
    return PreferenceRuns(
        raised=raised,
        courses=courses,
        on_pairs=on_pairs,
        texts=texts,
        **stored,
    )
