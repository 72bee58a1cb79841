"""Stored runs: what preference optimisation gains of a known reward, and how far it goes for it.

``benchmarks/preferences.py`` trains the models and writes the store; the chapter from the next
word to an answer reads it. Beside the runs stands what they are held to, where a reward takes few
levels: the best model at a price or at a distance, and the best of several answers. All three give
each level of the reward another share of the texts, and leave the texts of a level as they were.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor

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
        at_each_rate: by the way of learning, each learning rate that was tried, with the full
            stops and the distance that came of it.
        rates: by the way of learning, the learning rate that was chosen.
        at_the_end: by the way of learning, what was seen of each seed's model at the end.
    """

    sizes: dict[str, float]
    choosing: dict[str, int]
    full_stops: list[list[int]]
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


def tilted(
    reference: Float[Tensor, "beginnings levels"], price: float
) -> Float[Tensor, "beginnings levels"]:
    """The shares of the levels 0, 1, 2, … of the reward in the best model at a price.

    Args:
        reference: the shares in the reference, for each beginning.
        price: what a nat of distance costs.

    Source: Rafailov et al. 2023, equation 4.
    """
    levels = torch.arange(reference.size(1), dtype=reference.dtype)
    # Less the largest exponent, which only scales, so that a low price does not overflow.
    weighed = reference * ((levels - levels[-1]) / price).exp()
    return weighed / weighed.sum(dim=1, keepdim=True)


def best_of(
    reference: Float[Tensor, "beginnings levels"], n: int
) -> Float[Tensor, "beginnings levels"]:
    """The shares of the levels where the reference writes n texts, and the best is taken."""
    at_most = reference.cumsum(dim=1) ** n
    return at_most.diff(dim=1, prepend=torch.zeros_like(at_most[:, :1]))


def reward_and_distance(
    shares: Float[Tensor, "beginnings levels"], reference: Float[Tensor, "beginnings levels"]
) -> tuple[float, float]:
    """The mean reward of a model with these shares, and its distance from the reference in nats."""
    levels = torch.arange(reference.size(1), dtype=reference.dtype)
    terms = torch.where(shares > 0, shares * (shares / reference).log(), 0.0)
    return (shares @ levels).mean().item(), terms.sum(dim=1).mean().item()


def most_reward(reference: Float[Tensor, "beginnings levels"], distance: float) -> float:
    """The mean reward of the best model that is no further than this from the reference.

    It is the tilted model at the price at which the distance is reached, found by halving.
    """
    low, high = 1e-2, 1e4
    for _ in range(60):
        price = (low * high) ** 0.5
        if reward_and_distance(tilted(reference, price), reference)[1] > distance:
            low = price
        else:
            high = price
    return reward_and_distance(tilted(reference, high), reference)[0]
