"""The stored runs of adapters are those of the script that says how they were made."""

import json
import runpy
from pathlib import Path

import pytest
from softlookup.course import adapter_ranks

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "adapter_ranks.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_arm_of_the_script_is_stored_under_its_terms(script):
    stored = json.loads(adapter_ranks.STORE.read_text())
    assert stored["terms"] == script["TERMS"]
    arms = adapter_ranks.load()
    assert tuple(arms) == script["ARMS"]
    for arm in arms.values():
        assert sorted(arm.at_each_rate) == script["TERMS"]["rates"]
        assert arm.at_each_rate[arm.rate] == max(arm.at_each_rate.values())
        assert len(arm.right) == len(script["TERMS"]["seeds"])
        # Whoever copies one number into three places will be noticed.
        assert len({*arm.right}) > 1 or max(arm.right) < 0.05


def test_the_arms_train_as_many_numbers_as_are_stored(script):
    for name, arm in adapter_ranks.load().items():
        model = script["start"](name, script["torch"].Generator())
        assert script["count_trained"](model) == arm.parameters


def test_a_short_run_of_the_script_learns_something(script, monkeypatch):
    """The script runs: the same way, with next to nothing of everything."""
    terms = script["right_after"].__globals__["TERMS"]
    for name, value in {"limit": 12, "learned": 10, "asked": 10, "steps": 30}.items():
        monkeypatch.setitem(terms, name, value)
    # Of ten numbers that are asked, eight at least were taught.
    assert script["right_after"]("all weights", 0.001, 0) >= 0.5
