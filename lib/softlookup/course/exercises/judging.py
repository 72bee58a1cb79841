"""Exercises in which the learner writes the test: it is tried on the honest and on impostors."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from softlookup.course.exercises.compared import (
    ASK_WHETHER_SMALL,
    why_all_refused,
    why_believed,
    why_refused,
)
from softlookup.course.exercises.tolerances import why_intolerant
from softlookup.course.exercises.verdict import Mistake

Judged = TypeVar("Judged")

# What a test asked one model, and what it was answered: a tensor each, or a tuple if several.
Questions = Sequence[tuple[Any, Any]]

LEAST_HONEST, LEAST_IMPOSTORS = 3, 8


def judge(
    test: Callable[[Judged], Any],
    honest: Mapping[str, Judged],
    impostors: Mapping[str, Judged],
    why_unseen: Callable[[Questions], str] | None = None,
    why_wronged: Callable[[Questions], str] | None = None,
    by_chance: bool = False,
) -> None:
    """Try a learner's test on models that it has not seen.

    One of the honest should differ from the others by rounding, as another order of summation
    makes it, or a test that asks for equal bits would pass.

    Args:
        test: the learner's: True for an honest model, False for an impostor.
        honest: at least three, each by what it is: "a window of two words".
        impostors: at least eight, each by what is wrong with it: "a mask without its diagonal".
        why_unseen: told what the test asked the first impostor that it let through, says in a
            sentence whether that brings the impostor to light, and what else to ask if not.
        why_wronged: told what it asked the first honest model that it refuses, says in a
            sentence why that model is right all the same.
        by_chance: whether models answer by chance, so that numbers which differ say nothing.

    Raises:
        Mistake: if the test lets an impostor through, wrongs an honest model, or says neither
            True nor False; it names those that it misjudged, two at most, and what the test met
            there.
        ValueError: if there are too few of either.
    """
    if len(honest) < LEAST_HONEST or len(impostors) < LEAST_IMPOSTORS:
        raise ValueError(
            f"there are {len(honest)} honest models and {len(impostors)} impostors; expected "
            f"at least {LEAST_HONEST} and {LEAST_IMPOSTORS}"
        )
    trusted = {name: _verdict(test(model), name) for name, model in honest.items()}
    passed = {name: _verdict(test(model), name) for name, model in impostors.items()}
    if not any(trusted.values()) and sum(passed.values()) > 0.8 * len(passed):
        raise Mistake("your test says the opposite: True is for the honest, False for impostors")
    if all(trusted.values()) and all(passed.values()):
        first = next(iter(impostors.values()))
        why = "" if by_chance else _why_believed(test, honest, first, why_unseen)
        raise Mistake(
            f"your test calls everything honest, the impostors too{why or ': can it say False?'}"
        )
    wronged = [name for name, trust in trusted.items() if not trust]
    excuse = ""
    if wronged and not by_chance:
        first = honest[wronged[0]]
        accepted = [honest[name] for name in trusted if trusted[name]]
        excuse = why_refused(test, first, accepted) or why_intolerant(test, honest, first, True)
        if why_wronged and not excuse:
            excuse = f". {why_wronged(_questions(test, first))}"
    if not any(trusted.values()) and not any(passed.values()):
        if not by_chance:
            excuse = excuse or why_all_refused(test, honest[wronged[0]])
        words = excuse or ": can it say True?"
        raise Mistake(f"your test calls nothing honest, however right{words}")
    if wronged:
        told = f"your test refuses what is right: {_some(wronged)}"
        believed = [name for name in passed if passed[name]]
        if believed and not any(trusted.values()):
            if excuse and len(believed) < len(passed) / 2:
                raise Mistake(f"{told}{excuse}. It also believes what is not: {_some(believed)}")
            raise Mistake(
                f"{told}; and it believes what is not: {_some(believed)}. It has another idea of "
                "what is right: compare it with the exercise"
            )
        raise Mistake(told + excuse)
    if let_through := [name for name, trust in passed.items() if trust]:
        first = impostors[let_through[0]]
        why = "" if by_chance else _why_believed(test, honest, first, why_unseen)
        raise Mistake(
            f"your test lets {len(let_through)} of {len(impostors)} impostors through: "
            f"{_some(let_through)}{why}"
        )


def _why_believed(
    test: Callable[[Judged], Any],
    honest: Mapping[str, Judged],
    impostor: Judged,
    why_unseen: Callable[[Questions], str] | None,
) -> str:
    """What to tell a test that believes an impostor: of what it compared, or of what it asked."""
    if why_unseen is None:
        return why_intolerant(test, honest, impostor, False) or why_believed(test, honest, impostor)
    asked, again = _asked(test, impostor)
    if not asked:
        return ". It never asks the one that it is to judge"
    if not again:
        return (
            ". Tried once more, it says False of the first of these: what it draws at random "
            "decides. Ask about more, and draw what tells"
        )
    if any(not part.isfinite().all() for _, answer in asked for part in _parts(answer)):
        return f". {ASK_WHETHER_SMALL}"
    return (
        why_intolerant(test, honest, impostor, False)
        or why_believed(test, honest, impostor)
        or f". {why_unseen(asked)}"
    )


def _questions(test: Callable[[Any], Any], model: Any) -> Questions:  # noqa: ANN401
    """What a test asks a model, and what it is answered."""
    return _asked(test, model)[0]


def _asked(test: Callable[[Any], Any], model: Any) -> tuple[Questions, bool]:  # noqa: ANN401
    """What a test asks a model, what it is answered, and what it says in the end."""
    asked: list[tuple[Any, Any]] = []

    def noted(*given: Any) -> Any:  # noqa: ANN401
        question = _kept(given if len(given) > 1 else given[0])
        answer = model(*given)
        asked.append((question, _kept(answer)))
        return answer

    return asked, _verdict(test(noted), "a model")


def _kept(value: Any) -> Any:  # noqa: ANN401
    """A copy of a tensor, or of each in a tuple."""
    if isinstance(value, tuple):
        return tuple(map(_kept, value))
    return value.detach().clone() if isinstance(value, Tensor) else value


def _parts(value: Any) -> Sequence[Tensor]:  # noqa: ANN401
    return value if isinstance(value, tuple) else (value,)


def _verdict(said: object, name: str) -> bool:
    """What the test said, as a truth value of one kind."""
    arrays = torch.Tensor | np.ndarray | np.bool_
    if isinstance(said, arrays) and torch.as_tensor(said).numel() == 1:
        said = said.item()
    if isinstance(said, torch.Tensor | np.ndarray):
        raise Mistake(
            f"your test returned {math.prod(said.shape)} numbers for {name}; expected True "
            "(honest) or False (an impostor): ask whether all is well, by .all() or .max()"
        )
    if not isinstance(said, bool):
        raise Mistake(
            f"your test returned {said!r} for {name}; expected True (honest) or False (an impostor)"
        )
    return said


def _some(names: list[str]) -> str:
    """The first two names, and how many more."""
    more = f", and {len(names) - 2} more" if len(names) > 2 else ""
    return "; ".join(names[:2]) + more
