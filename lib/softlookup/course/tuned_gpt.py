"""A GPT on the text of this book, tuned as the n-grams beside it are: what was tried, and the best.

``benchmarks/tuned_gpt.py`` trains them and writes the store; the chapter on the next word reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("tuned_gpt.json")


@dataclass(frozen=True)
class TunedGPT:
    """The results of the search and of its best setting, in bits per character.

    Attributes:
        text: a SHA-256 of the cleaned training text, the validation text and the test text.
        sizes: the models' sizes, and how all were trained.
        fine_tuning: how those that were fine-tuned learned on.
        tried: the settings. ``table_times`` is how many times the other weights' learning rate
            the table of tokens has.
        tried_validation: what the GPT of each needs on the validation text, with the first seed.
        seeds: those with which the best setting was trained.
        validation: on the text by which the setting was chosen, by model, for each seed.
        test: on the text that was opened when it had been chosen.
        behind_by_chapter: for each seed, by how much it is behind the n-gram with the short cache
            in each of the four chapters of both texts.
        second_half: for each seed the quarters of the second half of a chapter, by what was done
            with its first half.
    """

    text: str
    sizes: dict[str, float]
    fine_tuning: dict[str, float]
    tried: list[dict[str, float]]
    tried_validation: list[float]
    seeds: list[int]
    validation: dict[str, list[float]]
    test: dict[str, list[float]]
    behind_by_chapter: list[list[float]]
    second_half: dict[str, list[list[float]]]

    @property
    def best(self) -> dict[str, float]:
        """The setting that needs the fewest bits on the validation text."""
        return self.tried[self.tried_validation.index(min(self.tried_validation))]


def load() -> TunedGPT:
    """Read the store."""
    return TunedGPT(**json.loads(STORE.read_text(encoding="utf-8")))
