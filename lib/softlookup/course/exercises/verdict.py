"""What a check of an exercise raises and returns."""

from dataclasses import dataclass
from typing import Literal


class Mistake(Exception):  # noqa: N818 - a learner's mistake is no error of the program
    """Raised inside a check; its message names the mistake and says where to look."""


@dataclass(frozen=True)
class Verdict:
    """The result of an exercise.

    Attributes:
        exercise: its number, chapter first, as in ``2.1``.
        outcome: ``passed``, ``mistake`` or ``unfinished``.
        message: what is right, what is wrong, or what is missing.
    """

    exercise: str
    outcome: Literal["passed", "mistake", "unfinished"]
    message: str

    def __repr__(self) -> str:
        """The line that a notebook shows."""
        heading = {"passed": "passed", "mistake": "not yet", "unfinished": "to do"}[self.outcome]
        return f"Exercise {self.exercise}, {heading}: {self.message}"
