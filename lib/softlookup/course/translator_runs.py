"""Seven comparisons of translators that take minutes, for the chapter on encoder and decoder.

``benchmarks/translators.py`` trains them and writes the store.
"""

import json
from pathlib import Path
from typing import Any

STORE = Path(__file__).with_name("translator_runs.json")


def warm_up() -> dict[str, list[list[float]]]:
    """The loss of each step, for each seed; by names as "post-norm, 0.01 after a climb"."""
    runs: dict[str, list[list[float]]] = _runs("warm_up")
    return runs


def places() -> dict[str, list[dict[str, Any]]]:
    """Translators whose sentences began at "random places" in the training, for each seed.

    Of each the shares right by kind of number ("right"), the lengths of its answers to longer
    numbers ("lengths"), its answers to four numbers ("said"), and the share right of numbers
    with nothing new where each sentence begins at place 3.
    """
    runs: dict[str, list[dict[str, Any]]] = _runs("places")
    return runs


def relative() -> dict[str, list[dict[str, Any]]]:
    """Translators by their positions, "rotary" or "ALiBi", and after a "longer" training.

    "added, longer" has the positions of the others, added to the embeddings, and so has "random
    places, longer", whose sentences began at random places. For each seed the shares right by kind
    of number ("right"), the answers to four numbers ("said"), and the loss of the last 20 steps.
    """
    runs: dict[str, list[dict[str, Any]]] = _runs("relative")
    return runs


def recurrent() -> dict[str, list[dict[str, Any]]]:
    """Recurrent translators and the Transformer, by rate and length of the training.

    "looks back, 0.01" has attention, "fixed vector, 0.01" has one vector for the source. For each
    seed what ``relative`` has, and of the recurrent ones the number of "parameters".
    """
    runs: dict[str, list[dict[str, Any]]] = _runs("recurrent")
    return runs


def marked() -> dict[str, list[dict[str, Any]]]:
    """Translators that read where to cut: "Transformer", and "looks back", which is recurrent.

    Their English has a mark behind each *hundred* and *thousand*, and no *and*. For each seed
    what ``relative`` has.
    """
    runs: dict[str, list[dict[str, Any]]] = _runs("marked")
    return runs


def taught() -> dict[str, list[dict[str, float]]]:
    """Translators that learned on, with examples of a new construction, by what they were taught.

    For each seed the shares right by kind of number.
    """
    runs: dict[str, list[dict[str, float]]] = _runs("taught")
    return runs


def messages() -> dict[str, list[dict[str, Any]]]:
    """Translators of messages, by their training.

    For each seed the answers to the exam ("exam") and to as many messages of the training
    ("learned"), and the share of the training's messages that are known "by heart".
    """
    runs: dict[str, list[dict[str, Any]]] = _runs("messages")
    return runs


def _runs(part: str) -> dict[str, Any]:
    stored: dict[str, dict[str, dict[str, Any]]] = json.loads(STORE.read_text(encoding="utf-8"))
    return stored[part]["runs"]
