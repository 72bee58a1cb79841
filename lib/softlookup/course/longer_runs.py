"""Longer runs on the text of this book: what models reach in minutes that a chapter has not.

``benchmarks/gpt_against_n_grams.py`` trains them and writes the store; the chapter on the next
word reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("longer_runs.json")


@dataclass(frozen=True)
class LongerRuns:
    """The results of the runs, in bits per character: by model, one number for each run.

    Attributes:
        text: a SHA-256 of the cleaned training text, the validation text and the test text.
        sizes: the models' sizes, and how they were trained.
        runs: the seed and the dropout of each GPT.
        cpu_seconds: what the training of the GPT took, for each run.
        validation: on the text by which all choices were made.
        test: on the text that was opened when they had been made.
    """

    text: str
    sizes: dict[str, float]
    runs: list[tuple[int, float]]
    cpu_seconds: list[int]
    validation: dict[str, list[float]]
    test: dict[str, list[float]]


def load() -> LongerRuns:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    runs = [(int(seed), float(dropout)) for seed, dropout in stored.pop("runs")]
    return LongerRuns(runs=runs, **stored)
