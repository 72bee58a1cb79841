"""How several workers share the tests: what belongs together stays together, the longest first.

The tests of a file go to one worker, so that fixtures are made once and a notebook has one
kernel. The claims on trial are one file for all chapters; there, the tests of a chapter go
together, because its trial runs once for them all. Small groups at the end even out what the
long ones left. Failed tests keep their names, so that they can be run again by them.
"""

import re

import pytest
from xdist.scheduler import LoadScopeScheduling

TRIALS = "tests/notebooks/test_claims_can_fail.py"

# What takes more than half a minute, the longest first.
LONG = (
    TRIALS,
    "notebooks/",
    "tests/coursework/test_hostile_batch.py",
    "tests/site/test_browser.py",
    "tests/course/exercises/test_bank.py",
)


def group_of(nodeid):
    """The name of the group in which a test runs."""
    file, _, test = nodeid.partition("::")
    # The parameters of a trial begin with the claim's id, which begins with the chapter.
    chapter = re.match(r"\w+\[(\d+)-", test)
    return f"{file} of chapter {chapter[1]}" if file == TRIALS and chapter else file


def rank(nodeid):
    """The place of a test's kind among the long ones, or behind them."""
    return next((place for place, start in enumerate(LONG) if nodeid.startswith(start)), len(LONG))


class ByGroup(LoadScopeScheduling):
    """Hand out whole groups, in the order in which they were collected."""

    def _split_scope(self, nodeid):
        return group_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    # Left to itself, xdist begins with the group of the most tests, which need not be long.
    config.option.loadscopereorder = False
    return ByGroup(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: rank(item.nodeid))
