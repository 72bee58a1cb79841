"""Keeps files that lie where the teacher stands from being imported: they may be a student's.

A new Python imports from the folder in which it starts before all others. Whoever grades there
would run the ``pickle.py`` that somebody handed in, with permissions of their own and unenclosed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

NAME = "PYTHONSAFEPATH"


@contextmanager
def nothing_imported_from_here() -> Iterator[None]:
    """Within it, every Python that starts leaves out the folder in which it starts."""
    before = os.environ.get(NAME)
    os.environ[NAME] = "1"
    try:
        yield
    finally:
        os.environ.pop(NAME)
        if before is not None:
            os.environ[NAME] = before
