"""The stored times are those of the script that takes them, and each was taken by itself."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import ring_times

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "ring_times.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_run_of_the_script_is_stored_under_its_terms(script):
    times = ring_times.load()
    assert times.cuts == script["WHOLE"] + script["IN_PIECES"]
    assert tuple(times.milliseconds) == script["CROWDS"]
    for runs in times.milliseconds.values():
        assert [len(run) for run in runs] == [len(times.cuts)] * script["RUNS"]
        assert min(map(min, runs)) > 0
        # Whoever copies one run into five places will be noticed.
        assert len({*map(tuple, runs)}) == script["RUNS"]


def test_whole_tensors_and_pieces_are_told_apart(script):
    assert {pieces for _, pieces in script["WHOLE"]} == {1}
    assert min(pieces for _, pieces in script["IN_PIECES"]) > 1
    # What is cut was summed whole as well.
    assert {size for size, _ in script["IN_PIECES"]} < {size for size, _ in script["WHOLE"]}


def test_a_sum_takes_as_long_as_the_slowest_worker_and_the_shortest_repeat_counts(
    script, monkeypatch
):
    names = script["main"].__globals__
    monkeypatch.setitem(names, "WHOLE", [(8, 1)])
    monkeypatch.setitem(names, "IN_PIECES", [(8, 2)])
    told = [[[0.001, 0.005], [0.004, 0.002]], [[0.003, 0.002], [0.001, 0.007]]]
    monkeypatch.setattr(names["workers"], "run", lambda *given: told)
    assert script["shortest"](2) == [3.0, 4.0]


def test_the_script_stores_what_it_takes(script, monkeypatch, tmp_path):
    names = script["main"].__globals__
    small = {"RUNS": 2, "REPEATS": 2, "CROWDS": (2,), "WHOLE": [(64, 1)], "IN_PIECES": [(64, 4)]}
    for name, value in small.items():
        monkeypatch.setitem(names, name, value)
    monkeypatch.setattr(ring_times, "STORE", tmp_path / "ring_times.json")
    script["main"]()
    times = ring_times.load()
    assert times.cuts == [(64, 1), (64, 4)]
    assert [len(run) for run in times.milliseconds[2]] == [2, 2]
    assert min(map(min, times.milliseconds[2])) > 0
