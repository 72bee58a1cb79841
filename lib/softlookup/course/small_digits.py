"""Stored runs: who reads small digits after twelve rounds over them, and who after 60.

``benchmarks/small_digits.py`` trains the contestants, chooses their settings on validation
digits, opens the test digits once and writes the store; the chapter on vision reads it.
"""

import json
from dataclasses import dataclass
from pathlib import Path

STORE = Path(__file__).with_name("small_digits.json")


@dataclass(frozen=True)
class Contestant:
    """What a kind of model reached.

    Attributes:
        tried: the share right on validation images after twelve rounds, for each setting.
        chosen: the setting that was chosen.
        wrong: by the rounds of training the places of the test images that were not read, for
            each seed.
        judged_on: how many test images there are.
    """

    tried: dict[float | tuple[int, float], float]
    chosen: float | tuple[int, float]
    wrong: dict[int, list[list[int]]]
    judged_on: int

    def right(self, rounds: int) -> list[float]:
        """The share of test images that were read after so many rounds, for each seed."""
        return [1 - len(missed) / self.judged_on for missed in self.wrong[rounds]]


def load() -> dict[str, Contestant]:
    """Read the store: the contestants by name."""
    stored = json.loads(STORE.read_text(encoding="utf-8"))
    return {
        name: Contestant(
            {_setting(setting): share for setting, share in run["tried"]},
            _setting(run["chosen"]),
            {int(rounds): missed for rounds, missed in run["wrong"].items()},
            int(stored["sizes"]["judged_on"]),
        )
        for name, run in stored["contestants"].items()
    }


def _setting(stored: float | list[float]) -> float | tuple[int, float]:
    """A setting as the script has it: a number, or a size and a learning rate."""
    if isinstance(stored, list):
        size, rate = stored
        return int(size), rate
    return stored
