"""How a check calls what a learner wrote: it lends copies, and looks at what becomes of them.

Whatever is common to the mistakes of all exercises is told here: a result that is missing, an
argument that was changed, an error and the line that raised it.
"""

import copy
import dataclasses
import dis
import functools
import inspect
import linecache
import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from softlookup.course.exercises.prohibited import Words, without
from softlookup.course.exercises.verdict import Mistake

# All that the bytecode of a function does that has no body yet.
_NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST", "COPY_FREE_VARS"}


class Unfinished(Exception):  # noqa: N818 - nor is an exercise that is not done
    """Raised where a stub's ``...`` comes back."""


def is_untouched(answer: object) -> bool:
    """Whether an answer is a stub as it was given: ``...``, or a function that does nothing."""
    code = getattr(answer, "__code__", None)
    if code is None:
        return answer is ...
    steps = list(dis.get_instructions(code))
    constants = {step.argval for step in steps if step.opname in ("LOAD_CONST", "RETURN_CONST")}
    return {step.opname for step in steps} <= _NOTHING and constants <= {None, ...}


def raised_by_stub(error: Exception) -> bool:
    """Whether a stub raised this: torch puts in words what it has not implemented."""
    return isinstance(error, NotImplementedError) and not str(error)


def watched(answer: object, prohibited: Mapping[Callable[..., Any], Words] | None = None) -> object:
    """A function that calls the learner's with copies; what is no function comes back as it is.

    Raises:
        Unfinished: from the call, if a stub's ``...`` comes back.
        Mistake: from the call, if nothing comes back, an argument was changed, or a prohibited
            function was called.
    """
    if not callable(answer) or isinstance(answer, type):
        return answer

    @functools.wraps(answer, updated=())
    def call(*args: Any, **kwargs: Any) -> object:
        lent_args, lent_kwargs = _copied(args), _copied(kwargs)
        with without(prohibited or {}):
            result = answer(*lent_args, **lent_kwargs)
        if result is ...:
            raise Unfinished
        if result is None:
            raise Mistake("your function returned nothing: is there a `return` on every way out?")
        if not (_unchanged(lent_args, args) and _unchanged(lent_kwargs, kwargs)):
            name = _changed_name(answer, args, kwargs, lent_args, lent_kwargs)
            raise Mistake(
                f"your function changes {name} in place, and its caller goes on with the changed "
                "numbers; make a new tensor: x = x + 1 and not x += 1, or work on x.clone()"
            )
        return result

    return call


def words_for(error: Exception, answers: Iterable[object]) -> str:
    """What a learner is told of an error: its kind, its words, and which line of theirs raised it.

    Args:
        error: what was raised.
        answers: the learner's functions; what shares their global names is the learner's code.

    Returns:
        The words; other ones if no line of the learner's was at work, but a check that got
        something else than it asks for.
    """
    theirs = [id(getattr(inspect.unwrap(a), "__globals__", None)) for a in answers if callable(a)]
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if id(frame.f_globals) in theirs
    ]
    if not frames:
        return (
            "the check cannot go on with your answer; is it of another type or shape than the "
            f"exercise asks for? ({type(error).__name__}: {error})"
        )
    file, line = frames[-1]
    source = linecache.getline(file, line).strip()
    where = f"line {line}, `{source}`" if source else f"line {line}"
    hint = (
        ". A tuple of several results stands there: take it apart, as in `one, other = ...`"
        if isinstance(error, AttributeError | TypeError)
        and ("'tuple'" in str(error) or "not tuple" in str(error))
        else _of_precisions(error)
    )
    return f"your code raised {type(error).__name__} in {where}: {error}{hint}"


def _of_precisions(error: Exception) -> str:
    """What to do where tensors of two precisions met; nothing if the error is another."""
    words = str(error)
    is_met = isinstance(error, RuntimeError) and re.search(r"dtype|scalar type", words)
    if not is_met or re.search(r"\b(long|u?int\d*|bool|byte|char|indices)\b", words, re.I):
        return ""
    return (
        ". Two precisions meet there: a tensor that you make is in float32, unless it follows what "
        "you were given, by torch.zeros_like(x), x.new_zeros(...) or dtype=x.dtype"
    )


def _copied(value: Any) -> Any:  # noqa: ANN401
    """A copy of all tensors, arrays and containers in a value; anything else stays itself."""
    if isinstance(value, Tensor):
        return value.clone()
    if isinstance(value, np.ndarray | set):
        return value.copy()
    if isinstance(value, dict):
        # Its own kind of dictionary: a Counter stays one.
        lent = copy.copy(value)
        for key, each in value.items():
            lent[key] = _copied(each)
        return lent
    if isinstance(value, list):
        return [_copied(each) for each in value]
    if isinstance(value, tuple):
        parts = [_copied(each) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.replace(value, **{k: _copied(v) for k, v in _fields(value).items()})
    return value


def _unchanged(lent: Any, kept: Any) -> bool:  # noqa: ANN401
    """Whether a copy still holds what it held."""
    if isinstance(kept, Tensor):
        alike = lent.shape == kept.shape and lent.dtype == kept.dtype
        return alike and torch.allclose(lent, kept, rtol=0.0, atol=0.0, equal_nan=True)
    if isinstance(kept, np.ndarray):
        return np.array_equal(lent, kept, equal_nan=kept.dtype.kind == "f")
    if isinstance(kept, dict):
        return lent.keys() == kept.keys() and all(_unchanged(lent[k], kept[k]) for k in kept)
    if isinstance(kept, list | tuple):
        return len(lent) == len(kept) and all(map(_unchanged, lent, kept))
    if isinstance(kept, set):
        return lent == kept
    if dataclasses.is_dataclass(kept) and not isinstance(kept, type):
        return _unchanged(_fields(lent), _fields(kept))
    return True


def _fields(value: Any) -> dict[str, Any]:  # noqa: ANN401
    return {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}


def _changed_name(
    answer: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    lent_args: tuple[Any, ...],
    lent_kwargs: dict[str, Any],
) -> str:
    """The name of the first argument that was changed."""
    try:
        names = list(inspect.signature(answer).parameters)
    except ValueError:
        names = []
    for place, (lent, kept) in enumerate(zip(lent_args, args, strict=True)):
        if not _unchanged(lent, kept):
            return f"`{names[place]}`" if place < len(names) else "what it is given"
    changed = next(name for name in kwargs if not _unchanged(lent_kwargs[name], kwargs[name]))
    return f"`{changed}`"
