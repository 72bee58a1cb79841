"""Three sweeps that take minutes, one of them taken further, for the chapter on open questions.

``benchmarks/open_questions.py`` trains them and writes the store.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("open_runs.json")


@dataclass(frozen=True)
class Run:
    """What was tried of one model, and how it learned at the learning rate that was chosen.

    Attributes:
        at_each_rate: on a seed of its own, the last share of right answers at each rate.
        rate: the learning rate that was best there.
        curves: at that rate, for each of the other seeds, the share of right answers before
            training and after every so many steps.
        parameters: how many the model has; 0 where nobody asked.
        multiplications: those of one training step, forward and backward; 0 likewise.
    """

    at_each_rate: dict[float, float]
    rate: float
    curves: list[list[float]]
    parameters: int = 0
    multiplications: int = 0


@dataclass(frozen=True)
class Sweep:
    """Runs on the same terms.

    Attributes:
        every: steps between two points of a curve.
        runs: by name.
    """

    every: int
    runs: dict[str, Run]


@dataclass(frozen=True)
class Continued:
    """A start of ``skips`` that was trained further, and what it does with cycles in the end.

    The lists have one entry a seed. A cycle is that of the permutation, in one text.

    Attributes:
        rate: the learning rate.
        curves: the share of right answers before training and after every so many steps.
        said: for each length of the asked key's cycle, from 1 on, how often the answer lies 0, 1,
            ... hops on.
        apart: how much of the differences between a text's tokens lies between those of one cycle,
            before the first block and after each; 0 where all tokens of a cycle are alike.
    """

    rate: float
    curves: list[list[float]]
    said: list[list[list[float]]]
    apart: list[list[float]]


def order() -> dict[str, list[list[float]]]:
    """What readers of order learned: for each seed the share right of each of five questions.

    By names as "mask, depth 2, 200 steps at 0.01"; the questions are *first*, *before*, *after*,
    *place* and *reverse*.
    """
    runs: dict[str, list[list[float]]] = json.loads(STORE.read_text(encoding="utf-8"))["order"][
        "runs"
    ]
    return runs


def skips() -> Sweep:
    """Stacks with and without skips on chained lookups, as in "shaped, 3 hops"."""
    return _sweep("skips")


def continued() -> dict[str, Continued]:
    """Six starts of ``skips`` that had not learned, by the same names, for twice the steps.

    Nothing but the steps is changed, so each curve begins as that of the sweep; but processors
    round differently, and training carries that on.
    """
    runs = json.loads(STORE.read_text(encoding="utf-8"))["continued"]["runs"]
    return {name: Continued(**run) for name, run in runs.items()}


def taught() -> dict[str, Continued]:
    """A start of ``skips`` that was taught one number of hops for 600 steps, and then three.

    By names as "own key 6, 2 and then 3 hops"; the curves are those of the three. The learning
    rate is that of the run of ``skips`` at three hops, throughout.
    """
    runs = json.loads(STORE.read_text(encoding="utf-8"))["taught"]["runs"]
    return {name: Continued(**run) for name, run in runs.items()}


def race() -> Sweep:
    """Seven architectures of about as many parameters on English numerals.

    After equally many steps all four that attend lead: the RNN with attention, the Transformer,
    the GPT and linear attention. The RNN with attention is there first. After equally many
    multiplications the first two of these lead: their steps cost less than half of those of the
    GPT and of linear attention. But the learning rates were chosen for the full number of steps,
    and the multiplications leave out the Fourier transforms of Hyena.
    """
    return _sweep("race")


def _sweep(part: str) -> Sweep:
    stored = json.loads(STORE.read_text(encoding="utf-8"))[part]
    return Sweep(
        stored["terms"]["every"],
        {
            name: Run(
                **{
                    **run,
                    "at_each_rate": {float(rate): v for rate, v in run["at_each_rate"].items()},
                }
            )
            for name, run in stored["runs"].items()
        },
    )
