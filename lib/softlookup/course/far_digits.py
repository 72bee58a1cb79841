"""Stored runs: who can tell whether two digits on a canvas are equal.

``benchmarks/far_digits.py`` trains the contestants, chooses their settings on validation digits,
opens the test digits once and writes the store; the chapter on vision reads it. The weights of
the first of the Vision Transformers are kept too, so that it can be opened.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from safetensors.torch import load_file
from torch import Tensor

STORE = Path(__file__).with_name("far_digits.json")
WEIGHTS = Path(__file__).with_name("far_digits.safetensors")


@dataclass(frozen=True)
class Contestant:
    """What a kind of model reached.

    Attributes:
        tried: the shares right on validation canvases, for each width and learning rate; one for
            each seed with which it was tried.
        width: the width that was chosen.
        learning_rate: the learning rate that was chosen.
        parameters: of a model of the chosen width.
        test: the share right on test canvases, for each seed.
        apart: the share right on those test canvases whose two squares do not touch, for each
            seed; empty for runs of which it was not kept.
    """

    tried: dict[tuple[int, float], list[float]]
    width: int
    learning_rate: float
    parameters: int
    test: list[float]
    apart: list[float]


@dataclass(frozen=True)
class FarDigits:
    """The results of all contestants.

    Attributes:
        sizes: how each was trained.
        contestants: what each reached, by name.
    """

    sizes: dict[str, float]
    contestants: dict[str, Contestant]


def load() -> FarDigits:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return FarDigits(
        stored["sizes"],
        {
            name: Contestant(
                {(width, rate): shares for width, rate, *shares in run["tried"]},
                run["width"],
                run["learning_rate"],
                run["parameters"],
                run["test"],
                run.get("apart", []),
            )
            for name, run in stored["contestants"].items()
        },
    )


def weights() -> dict[str, Tensor]:
    """The weights of the first ViT of the race, stored with half of their digits."""
    return {name: tensor.float() for name, tensor in load_file(WEIGHTS).items()}
