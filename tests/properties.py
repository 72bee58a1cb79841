"""Hypothesis, set so that a property is tried on the same cases every time.

It takes a second to import, so only tests of properties bring it.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

__all__ = ["given", "settings", "st"]

settings.register_profile("course", derandomize=True, deadline=None, database=None, print_blob=True)
settings.load_profile("course")
