"""The stored times are those of the script that takes them, and each run was taken by itself."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from softlookup.course import step_times
from softlookup.parallel.slow_link import Moments

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "step_times.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_run_of_the_script_is_stored_under_its_terms(script):
    kept, config = step_times.load(), script["CONFIG"]
    assert (kept.start_up, kept.rate) == (script["START_UP"], script["RATE"])
    assert kept.tokens == [rows * config.max_length for rows in script["STEPS"]]
    assert kept.buckets == [*script["BUCKETS"]]
    assert kept.weights == sum(each.numel() for each in script["Llama"](config).parameters())
    shape = (script["RUNS"], len(kept.tokens), len(kept.buckets))
    for times in (kept.backward, kept.exposed, kept.sums):
        assert np.shape(times) == shape
        assert np.min(times) > 0
        # Whoever copies one run into three places will be noticed.
        assert len(np.unique(times, axis=0)) == script["RUNS"]


def test_of_several_steps_the_shortest_is_kept_as_late_as_the_later_of_its_workers(script):
    # The second worker begins later and has its sums earlier; the other step takes longer.
    first = Moments(began=0.0, ended=3.0, arrived=5.0, took=(0.5, 2.0))
    second = Moments(began=1.0, ended=4.0, arrived=4.5, took=(1.0, 1.5))
    longer = Moments(began=1.0, ended=5.0, arrived=5.5, took=(9.0, 9.0))
    taken = [[[longer, first]], [[longer, second]]]  # by worker, buckets and step
    assert script["least_disturbed"](taken, [1.6]) == ((1.5,), (0.5,), (1.25,))


def test_the_script_stores_what_it_takes(script, monkeypatch, tmp_path):
    names = script["main"].__globals__
    small = {"RUNS": 2, "STEPS": {1: 1, 2: 2}, "RATE": 1e12, "START_UP": 0.001}
    for name, value in small.items():
        monkeypatch.setitem(names, name, value)
    monkeypatch.setattr(step_times, "STORE", tmp_path / "step_times.json")
    script["main"]()
    kept = step_times.load()
    assert kept.tokens == [names["CONFIG"].max_length, 2 * names["CONFIG"].max_length]
    assert np.shape(kept.backward) == np.shape(kept.exposed) == np.shape(kept.sums) == (2, 2, 2)
