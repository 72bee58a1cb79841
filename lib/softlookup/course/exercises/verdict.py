"""What a check of an exercise returns, and how a check is written."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from softlookup.course import chapters


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


def exercise(
    chapter: str, place: int, task: str, praise: str
) -> Callable[[Callable[..., None]], Callable[..., Verdict]]:
    """Make a check out of a function that raises ``Mistake``.

    Args:
        chapter: the key of its chapter, as in ``chapters.CHAPTERS``.
        place: its place among the chapter's exercises, counted from 1.
        task: what the learner has to write, shown while the stub stands unchanged.
        praise: what is now known, shown when all is right.

    Returns:
        A decorator. The check it makes passes on what the learner wrote and never raises: a
        stub (whose body is ``...``, so that it returns nothing) is unfinished; any exception is
        reported as a mistake, with its own words.

    Raises:
        ValueError: if no chapter has this key.
    """
    number = f"{chapters.number(chapter)}.{place}"

    def decorate(function: Callable[..., None]) -> Callable[..., Verdict]:
        @functools.wraps(function)
        def check(*answers: object) -> Verdict:
            if any(answer is ... for answer in answers):
                return Verdict(number, "unfinished", task)

            def watched(answer: object) -> object:
                """Notice that a function returned nothing, before the check fails on it."""
                if not callable(answer) or isinstance(answer, type):
                    return answer

                @functools.wraps(answer, updated=())
                def call(*args: Any, **kwargs: Any) -> object:
                    result = answer(*args, **kwargs)
                    if result is None or result is ...:
                        raise NotImplementedError
                    return result

                return call

            try:
                function(*(watched(answer) for answer in answers))
            except NotImplementedError:
                return Verdict(number, "unfinished", task)
            except Mistake as mistake:
                return Verdict(number, "mistake", str(mistake))
            except Exception as error:
                kind = type(error).__name__
                return Verdict(number, "mistake", f"your code raised {kind}: {error}")
            return Verdict(number, "passed", praise)

        return check

    return decorate
