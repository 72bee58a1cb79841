"""What an exercise asks to be written must not be called: it is noticed, under whatever name."""

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

from softlookup.course.exercises.verdict import Mistake

# What a learner is told; or, of a function in Python, what says it of a call's arguments.
Words = str | Callable[[Mapping[str, Any]], str | None]


@contextlib.contextmanager
def without(prohibited: Mapping[Callable[..., Any], Words]) -> Iterator[None]:
    """Watch all calls of the code inside, however deep, for functions that it must not call.

    Args:
        prohibited: from a function, in Python or built in, to what a learner who calls it is
            told. A module is prohibited by its ``forward``. Where only some calls of a function
            in Python are prohibited: what tells of a call's arguments, by name, or returns None.

    Raises:
        Mistake: from the code inside, where it calls one of them; also if that code caught the
            exception and went on.
    """
    if not prohibited:
        yield
        return
    written = {
        inspect.unwrap(function).__code__: words
        for function, words in prohibited.items()
        if hasattr(inspect.unwrap(function), "__code__")
    }
    built_in = {function: words for function, words in prohibited.items() if _is_built_in(function)}
    told: list[str] = []

    def look(frame: FrameType, event: str, argument: Any) -> None:  # noqa: ANN401
        words: Words | None = None
        if event == "call":
            words = written.get(frame.f_code)
        elif event == "c_call":
            words = next((built_in[each] for each in _names(argument) if each in built_in), None)
        said = words(frame.f_locals) if callable(words) else words
        if said is not None:
            told.append(said)
            raise Mistake(said)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)
    if told:
        raise Mistake(told[0])


def _is_built_in(function: Callable[..., Any]) -> bool:
    return not hasattr(inspect.unwrap(function), "__code__")


def _names(called: Any) -> Iterator[Any]:  # noqa: ANN401
    """What a built-in function that is called may be known as: itself, or a method of its class."""
    owner = getattr(called, "__self__", None)
    if owner is None or inspect.ismodule(owner) or inspect.isclass(owner):
        yield called
    else:
        yield getattr(type(owner), called.__name__, None)
