"""Keeps NumPy from taking an object's word for where its memory lies.

NumPy asks whatever it is given for ``__array_interface__`` or ``__array_struct__``, and reads and
writes at the address that it is told. Of an object in Python that address may be anybody's, and the
attribute's name can be computed, so that no reading finds it. So where answers are asked alone
NumPy asks by names that nobody knows; and an array shows the bytes in which it holds objects to
nobody, who could copy them past Python's counting.
"""

import ctypes
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .derivatives import MODIFIED, own_names

NAMES = ("__array_interface__", "__array_struct__")
WORD = ctypes.sizeof(ctypes.c_size_t)
NOT_SHOWN = "the memory of an array is not shown where answers are asked alone"
# NumPy holds the names in C, as Python's own strings: these are kept for as long as it asks.
KEPT: list[str] = []


def _segments(path: str) -> Iterator[tuple[int, int]]:
    """Where a library's variables lie: what is mapped from its file, and right behind, to write."""
    behind = 0
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, may, *_, of = [*line.split(maxsplit=5), ""][:6]
        begin, end = (int(each, 16) for each in span.split("-"))
        if of.strip() == path or (not of.strip() and begin == behind):
            behind = end
            if may.startswith("rw"):
                yield begin, end


def _places() -> list[int]:
    """The addresses at which NumPy holds these names."""
    sought = {id(sys.intern(name)) for name in NAMES}
    library = np._core._multiarray_umath.__file__  # type: ignore[attr-defined]
    found = []
    for begin, end in _segments(library):
        words = (ctypes.c_size_t * ((end - begin) // WORD)).from_address(begin)
        found += [begin + WORD * place for place, word in enumerate(words) if word in sought]
    return found


# Looked for here: afterwards the library in C may be out of reach.
PLACES, ARRAYS_NAMES = _places(), own_names(np.ndarray)


def _not_shown(_: object) -> object:
    raise RuntimeError(NOT_SHOWN)


def withhold_memory() -> None:
    """From now on, and for as long as this process lives, show and ask for no memory.

    Raises:
        RuntimeError: if NumPy does not hold the names where this has looked for them.
    """
    if len(PLACES) != len(NAMES):
        raise RuntimeError("NumPy's names of memory were not found: update the grader")
    for place in PLACES:
        KEPT.append(sys.intern(f"_{secrets.token_hex(16)}"))
        ctypes.c_size_t.from_address(place).value = id(KEPT[-1])
    ARRAYS_NAMES["data"] = property(_not_shown)
    MODIFIED(ctypes.py_object(np.ndarray))
