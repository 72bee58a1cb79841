"""Experts in the small GPT, at the work of the plain block: runs of some minutes that are kept.

``benchmarks/experts_in_gpt.py`` trains them and writes the store; the chapter on today's model
reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STORE = Path(__file__).with_name("experts_in_gpt.json")


@dataclass(frozen=True)
class ExpertsRun:
    """What came out in an arm.

    Attributes:
        bits: bits per character of the test text, one for each seed; with one seed all arms, and
            those of ``block_race``, read the same windows.
        tried: the same of the validation text, with one more seed, by the learning rate.
        rate: the learning rate that was best there.
        before: how the choices of the test text are shared among the experts before the training,
            by seed and layer.
        after: the same behind it.
        parameters: how many there are.
        multiplications: how many one window takes.
        cpu_seconds: what the arm took, all its runs together.
    """

    bits: list[float]
    tried: dict[str, float]
    rate: float
    before: list[list[list[float]]]
    after: list[list[list[float]]]
    parameters: int
    multiplications: int
    cpu_seconds: int


@dataclass(frozen=True)
class RouterMoves:
    """What a training without a balancing loss does with the choices, by seed and layer.

    Attributes:
        after: how the choices of the test text are shared among the experts after it.
        less_mean: the same, when from each row's move its part along the tokens' mean is taken.
        less_other: the same, when its part along another direction is taken: of those at a right
            angle to the mean the one along which the rows have moved most.
        along_mean: what part of the move lies along the mean, a share of its length.
        along_other: the same, along that other direction.
    """

    after: list[list[list[float]]]
    less_mean: list[list[list[float]]]
    less_other: list[list[list[float]]]
    along_mean: list[list[float]]
    along_other: list[list[float]]


MOVES = ("experts learn", "experts frozen")


def load() -> dict[str, ExpertsRun]:
    """Read the store: what came out, by arm."""
    return {name: ExpertsRun(**found) for name, found in _stored().items() if name not in MOVES}


def load_moves() -> dict[str, RouterMoves]:
    """Read the store: what the routers' moves do, where the experts learn and where they do not."""
    return {name: RouterMoves(**found) for name, found in _stored().items() if name in MOVES}


def _stored() -> dict[str, Any]:
    return dict(json.loads(STORE.read_text(encoding="utf-8")))
