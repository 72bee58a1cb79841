"""The stored times are those of the script that takes them, and each was taken by itself."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import clocked

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "times_in_chapters.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def small_script(script, monkeypatch, tmp_path):
    """The script with next to nothing of everything, and a store of its own."""
    names = script["main"].__globals__
    tiny = {"vocab_size": 7, "max_length": 5, "d_model": 8, "n_heads": 2, "n_layers": 1}
    small = {"RUNS": 2, "WIDTH": 3, "LENGTHS": [5, 11], "LARGER": tiny, "NEW_TOKENS": 3}
    for name, value in small.items():
        monkeypatch.setitem(names, name, value)
    monkeypatch.setattr(clocked, "STORE", tmp_path / "clocked.json")
    return names


def test_every_run_of_the_script_is_stored_under_its_terms(script):
    times = clocked.load()
    assert times.lengths == script["LENGTHS"]
    assert tuple(times.mixing) == tuple(script["causal_mixers"](3, max_length=5))
    for runs in times.mixing.values():
        assert [len(run) for run in runs] == [len(times.lengths)] * script["RUNS"]
        # Whoever copies one run into five places will be noticed.
        assert len({*map(tuple, runs)}) == script["RUNS"]
    assert times.gpt == script["LARGER"]
    assert tuple(times.generation) == ("without the cache", "with the cache")
    for taken in times.generation.values():
        assert len({*taken}) == script["RUNS"]


def test_the_script_stores_what_it_measures(small_script, monkeypatch):
    """With a clock that counts its calls, the store holds the count of each."""
    calls = []

    def count(function, **arguments):
        function()
        calls.append(function)
        return float(len(calls))

    monkeypatch.setitem(small_script, "cpu_milliseconds", count)
    small_script["main"]()
    stored = clocked.load()
    assert stored.lengths == [5, 11]
    # A run asks six mixers at each of two lengths, and then generates in two ways.
    names = ("definition", "blocks", "kernel", "Hyena", "window", "linear")
    assert stored.mixing == {
        name: [[at + 1.0, at + 7.0], [at + 15.0, at + 21.0]] for at, name in enumerate(names)
    }
    assert stored.generation == {
        "without the cache": [13.0, 27.0],
        "with the cache": [14.0, 28.0],
    }


def test_with_and_without_the_cache_the_script_writes_the_same(small_script, monkeypatch):
    written = []
    greedy = small_script["greedy"]
    monkeypatch.setitem(small_script, "greedy", lambda *given: written.append(greedy(*given)))
    monkeypatch.setitem(small_script, "cpu_milliseconds", lambda function: function() or 1.0)
    small_script["generation"]()
    without, cached = written
    assert without.tolist() == cached.tolist()
