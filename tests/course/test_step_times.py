"""The stored ratios are those of the script that takes them, and each run was taken by itself."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import step_times

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "step_times.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_run_of_the_script_is_stored_under_its_terms(script):
    kept, config = step_times.load(), script["CONFIG"]
    assert (kept.start_up, kept.rate) == (script["START_UP"], script["RATE"])
    assert kept.tokens == [rows * config.max_length for rows in script["ROWS"]]
    assert kept.blocks == config.n_layers
    assert kept.weights == sum(each.numel() for each in script["Llama"](config).parameters())
    for runs in (kept.one_sum, kept.after, kept.in_buckets):
        assert [len(run) for run in runs] == [len(kept.tokens)] * script["RUNS"]
        assert min(map(min, runs)) > 0
        # Whoever copies one run into five places will be noticed.
        assert len({*map(tuple, runs)}) == script["RUNS"]


def test_the_ratios_are_those_of_the_slowest_worker_within_a_repeat(script):
    # By worker, rows, way and repeat: the second worker is slower where it computes alone.
    first = [[[1.0, 1.0, 1.0], [3.0, 3.0, 9.0], [2.0, 4.0, 6.0]]]
    second = [[[2.0, 1.0, 4.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]
    assert script["ratios"]([first, second], one_sum=1.0) == [[0.5], [2.25], [1.5]]


def test_the_script_stores_what_it_takes(script, monkeypatch, tmp_path):
    names = script["main"].__globals__
    small = {"RUNS": 2, "REPEATS": 1, "ROWS": (1,), "RATE": 1e12, "START_UP": 0.0}
    for name, value in small.items():
        monkeypatch.setitem(names, name, value)
    monkeypatch.setattr(step_times, "STORE", tmp_path / "step_times.json")
    script["main"]()
    kept = step_times.load()
    assert kept.tokens == [names["CONFIG"].max_length]
    assert [len(run) for run in kept.in_buckets] == [1, 1]
