"""How several workers share the tests: what belongs together stays together, the longest first.

The tests of a file go to one worker, so that fixtures are made once and a notebook has one
kernel. Small groups at the end even out what the long ones left. Failed tests keep their names,
so that they can be run again by them. A long run ends by saying where its minutes went.
"""

from collections import Counter

import pytest
from xdist.scheduler import LoadScopeScheduling

# What takes more than half a minute, the longest first.
LONG = (
    "notebooks/15",
    "notebooks/18",
    "notebooks/09",
    "notebooks/10",
    "notebooks/",
    "tests/coursework/test_fairness.py",
    "tests/course/exercises/test_bank.py",
    "tests/site/test_chapter_pages.py",
    "tests/site/test_pages.py",
    "tests/coursework/test_hostile_batch.py",
    "tests/site/test_predict_pages.py",
    "tests/coursework/test_command_line.py",
    "tests/coursework/test_cheap_answers.py",
    "tests/coursework/test_coursework_figures.py",
    "tests/coursework/test_assignments.py",
    "tests/coursework/test_transcript.py",
    "tests/coursework/test_cluster_files.py",
    "tests/coursework/test_terms_that_train.py",
)


def group_of(nodeid):
    """The name of the group in which a test runs: its file."""
    return nodeid.partition("::")[0]


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


class Minutes:
    """Where a run's minutes went, by file; printed when it took longer than a few."""

    SHOWN = 25

    def __init__(self):
        self.seconds = Counter()

    def pytest_runtest_logreport(self, report):
        self.seconds[group_of(report.nodeid)] += report.duration

    def pytest_terminal_summary(self, terminalreporter):
        if sum(self.seconds.values()) < 300:
            return
        terminalreporter.section("the workers' seconds, by file")
        for name, seconds in self.seconds.most_common(self.SHOWN):
            terminalreporter.line(f"{seconds:7.0f} {name}")
        rest = self.seconds.total() - sum(s for _, s in self.seconds.most_common(self.SHOWN))
        terminalreporter.line(f"{rest:7.0f} all others")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Minutes())
