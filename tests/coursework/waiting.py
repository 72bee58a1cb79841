"""Waiting for what other processes bring about, however busy the machine."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def wait_for(condition: Callable[[], Found], seconds: float = 180.0) -> Found:
    """Wait until something holds, and return it.

    Raises:
        AssertionError: if it does not hold after so many seconds.
    """
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.05)
    return found


def wait_until_gone(processes: Iterable[int]) -> None:
    """Wait until the system has buried processes that have ended.

    Raises:
        AssertionError: if one of them is still there after 20 seconds.
    """
    numbers = list(processes)
    wait_for(lambda: not any(Path(f"/proc/{number}").exists() for number in numbers), 20)
