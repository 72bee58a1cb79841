"""The stored times are those of the script that takes them."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import cached_reads

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "cached_reads.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def small_script(script, monkeypatch, tmp_path):
    """The script with next to nothing of everything, and a store of its own."""
    names = script["main"].__globals__
    small = {"RUNS": 2, "SIZES": {"texts": 2, "tokens": 7, "d_head": 3}}
    for name, value in small.items():
        monkeypatch.setitem(names, name, value)
    monkeypatch.setattr(cached_reads, "STORE", tmp_path / "cached_reads.json")
    return names


def test_every_run_of_the_script_is_stored_under_its_terms(script):
    times = cached_reads.load()
    assert times.sizes == script["SIZES"]
    assert times.heads == script["HEADS"]
    assert tuple(times.shared) == script["SHARED"]
    assert times.fewer == script["FEWER"]
    assert [len(run) for run in times.milliseconds] == [len(times.shared)] * script["RUNS"]
    # Whoever copies one run into five places will be noticed.
    assert len({*map(tuple, times.milliseconds)}) == len({*times.fewer_milliseconds})
    assert len(times.fewer_milliseconds) == script["RUNS"]


def test_the_control_reads_as_many_bytes_with_a_quarter_of_the_heads(script):
    assert script["FEWER"]["shared"] in script["SHARED"]
    assert 4 * script["FEWER"]["heads"] == script["HEADS"]


def test_the_script_stores_what_it_measures(small_script, monkeypatch):
    """With a clock that counts its calls, the store holds the count of each."""
    calls = []

    def count(function):
        function()
        calls.append(function)
        return float(len(calls))

    monkeypatch.setitem(small_script, "cpu_milliseconds", count)
    small_script["main"]()
    times = cached_reads.load()
    one = len(small_script["SHARED"]) + 1
    assert times.milliseconds == [[*range(1, one)], [*range(one + 1, 2 * one)]]
    assert times.fewer_milliseconds == [one, 2 * one]
    assert times.sizes["tokens"] == 7


@pytest.mark.parametrize(("heads", "shared"), [(6, 6), (6, 2), (6, 1)])
def test_what_is_timed_is_attention_over_the_shared_heads(small_script, monkeypatch, heads, shared):
    looks = []
    monkeypatch.setitem(small_script, "cpu_milliseconds", lambda look: looks.append(look()) or 0.0)
    small_script["milliseconds"](heads, shared)
    (answer,) = looks
    assert answer.shape == (2 * shared, heads // shared, 3)
