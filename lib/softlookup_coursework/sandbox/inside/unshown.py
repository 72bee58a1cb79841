"""Hides what leads from a function, or a class, to all that its module knows.

Whoever can ask any object for any name would have it: a function shows the names of its module and
the variables around it, and ``object`` lists all classes. Where answers are asked alone, no honest
answer asks for these, and no library on the way.
"""

import ctypes
from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any

import numpy as np

from .derivatives import MODIFIED, own_names

NOT_SHOWN = "what a function knows is not shown where answers are asked alone"
# Functions that Cython makes show it under names without underscores, too.
CYTHONS: type = type(np.random.seed)
SHOWS: tuple[tuple[type, tuple[str, ...]], ...] = (
    (FunctionType, ("__globals__", "__closure__", "__builtins__")),
    (CellType, ("cell_contents",)),
    (CYTHONS, ("__globals__", "__closure__", "func_globals", "func_closure")),
)
# As it is at the start.
SUBCLASSES: Callable[[type], list[type]] = vars(type)["__subclasses__"]
HERE = __package__ or ""


def _not_shown(_: object) -> object:
    # Python's own libraries ask for it, and go on where there is none.
    raise AttributeError(NOT_SHOWN)


def _listed(lists: Any, here: str) -> Any:  # noqa: ANN401
    """How classes are listed, without those that watch."""

    def listed(self: type) -> list[type]:
        return [one for one in lists(self) if one.__module__.rpartition(".")[0] != here]

    return listed


def hide_what_leads_on() -> None:
    """From now on, and for as long as this process lives, show none of it."""
    for kind, names in SHOWS:
        shown = own_names(kind)
        for name in {*names} & {*shown}:
            shown[name] = property(_not_shown)
        MODIFIED(ctypes.py_object(kind))
    own_names(type)["__subclasses__"] = _listed(SUBCLASSES, HERE)
    MODIFIED(ctypes.py_object(type))
