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


CAUSES = ("experts frozen", "shared part hidden")


def load() -> dict[str, ExpertsRun]:
    """Read the store: what came out, by arm."""
    return {name: ExpertsRun(**found) for name, found in _stored().items() if name not in CAUSES}


def load_causes() -> dict[str, list[list[list[float]]]]:
    """Read the store: how the choices fall after a training without a balancing loss, by arm.

    In the one the experts stayed as they were drawn; in the other each router read its tokens less
    their mean. The shares of the experts, by seed and layer.
    """
    return {name: found["after"] for name, found in _stored().items() if name in CAUSES}


def _stored() -> dict[str, Any]:
    return dict(json.loads(STORE.read_text(encoding="utf-8")))
