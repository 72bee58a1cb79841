"""Stored runs: what a shuffle, the same for all digits, costs a convolutional network and a ViT.

``benchmarks/shuffled_digits.py`` trains them on the terms of the race of small digits, judges them
on the validation images and writes the store; the chapter on vision reads it.
"""

import json
from pathlib import Path

STORE = Path(__file__).with_name("shuffled_digits.json")


def load() -> dict[str, list[list[int]]]:
    """Read the store: by run the places of the validation images not read, for each seed."""
    runs: dict[str, list[list[int]]] = json.loads(STORE.read_text(encoding="utf-8"))["shuffled"][
        "runs"
    ]
    return runs
