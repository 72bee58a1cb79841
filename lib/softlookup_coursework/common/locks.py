"""Lets one command at a time change a course folder.

Whoever collects or releases while a batch is graded would exchange a notebook beneath it.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from softlookup_coursework.common.usage_error import UsageError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a course folder until the block ends; a command that is killed leaves no lock.

    Raises:
        UsageError: if another command holds the lock.
    """
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(f"another command is at work in {folder}; wait for it") from error
        yield
