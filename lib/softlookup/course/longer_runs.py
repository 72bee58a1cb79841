"""Longer runs on the text of this book: what a GPT reaches in minutes that a chapter has not.

``benchmarks/gpt_against_n_grams.py`` trains them and writes the store; the chapter on the next
word reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("longer_runs.json")


@dataclass(frozen=True)
class LongerRuns:
    """The results of the runs.

    Attributes:
        text: a SHA-256 of the cleaned training text and the test text.
        sizes: the model's sizes, and how it was trained.
        best_n_gram: bits per character of the best n-gram, chosen on the test text.
        gpt: bits per character of the GPT, for each seed.
        cpu_seconds: what the training took, for each seed.
    """

    text: str
    sizes: dict[str, float]
    best_n_gram: float
    gpt: dict[int, float]
    cpu_seconds: dict[int, int]


def load() -> LongerRuns:
    """Read the store."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    runs = {int(seed): run for seed, run in stored["runs"].items()}
    return LongerRuns(
        stored["text"],
        stored["sizes"],
        stored["best_n_gram"],
        {seed: run["bits_per_character"] for seed, run in runs.items()},
        {seed: run["cpu_seconds"] for seed, run in runs.items()},
    )
