"""Waiting for effects of other processes, on a machine of any load."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def wait_for(condition: Callable[[], Found], seconds: float = 180.0) -> Found:
    """Wait until a condition is true, and return its value.

    Raises:
        AssertionError: if it is not true after so many seconds.
    """
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "the condition did not become true in time"
        time.sleep(0.05)
    return found


def wait_until_gone(processes: Iterable[int]) -> None:
    """Wait until processes that have ended are reaped.

    Raises:
        AssertionError: if one of them is still there after 20 seconds.
    """
    numbers = list(processes)
    wait_for(lambda: not any(Path(f"/proc/{number}").exists() for number in numbers), 20)
