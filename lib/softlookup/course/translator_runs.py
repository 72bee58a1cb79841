"""Five comparisons of translators that take minutes, for the chapter on encoder and decoder.

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

    "added, longer" has the positions of the others, added to the embeddings. For each seed the
    shares right by kind of number ("right"), the answers to four numbers ("said"), and the loss of
    the last 20 steps.
    """
    runs: dict[str, list[dict[str, Any]]] = _runs("relative")
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
