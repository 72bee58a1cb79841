"""How a check of an exercise is written: a function that raises at a mistake becomes a check."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from softlookup.course import chapters
from softlookup.course.exercises.prohibited import Words
from softlookup.course.exercises.verdict import Mistake, Verdict
from softlookup.course.exercises.watched import (
    Unfinished,
    is_untouched,
    raised_by_stub,
    watched,
    words_for,
)


def exercise(
    chapter: str,
    place: int,
    task: str,
    praise: str,
    prohibited: Mapping[Callable[..., Any], Words] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., Verdict]]:
    """Make a check out of a function that raises ``Mistake``.

    Args:
        chapter: the key of its chapter, as in ``chapters.CHAPTERS``.
        place: its place among the chapter's exercises, counted from 1.
        task: what the learner has to write, shown while the stub stands unchanged.
        praise: what is now known, shown when all is right.
        prohibited: what the exercise asks to be written, and is not to be called: from a
            function to what a learner who calls it is told, as ``prohibited.without`` takes it.

    Returns:
        A decorator. The check it makes passes on what the learner wrote and never raises: an
        untouched stub is unfinished; any exception is reported as a mistake, with its own words.

    Raises:
        ValueError: if no chapter has this key.
    """
    number = f"{chapters.number(chapter)}.{place}"

    def decorate(function: Callable[..., None]) -> Callable[..., Verdict]:
        @functools.wraps(function)
        def check(*answers: object) -> Verdict:
            if any(map(is_untouched, answers)):
                return Verdict(number, "unfinished", task)
            try:
                function(*(watched(answer, prohibited) for answer in answers))
            except Unfinished:
                return Verdict(number, "unfinished", task)
            except Mistake as mistake:
                return Verdict(number, "mistake", str(mistake))
            except Exception as error:
                if raised_by_stub(error):
                    return Verdict(number, "unfinished", task)
                return Verdict(number, "mistake", words_for(error, answers))
            return Verdict(number, "passed", praise)

        return check

    return decorate
