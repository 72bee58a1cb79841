"""The stored times are those of the script that takes them."""

import runpy
from pathlib import Path

import pytest
import torch
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
    assert [*times.milliseconds] == [*script["PROGRAMS"]]
    for runs in times.milliseconds.values():
        assert [len(run) for run in runs] == [len(times.shared)] * script["RUNS"]
        # Whoever copies one run into five places will be noticed.
        assert len({*map(tuple, runs)}) == script["RUNS"]
    assert len({*times.added_up_milliseconds}) == script["RUNS"]


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
    # In each run the shared heads of both programs, then the sum.
    one = len(small_script["SHARED"])
    for place, runs in enumerate(times.milliseconds.values()):
        starts = [1 + place * one + run * (2 * one + 1) for run in range(2)]
        assert runs == [[*range(start, start + one)] for start in starts]
    assert times.added_up_milliseconds == [2 * one + 1, 4 * one + 2]
    assert times.sizes["tokens"] == 7


@pytest.mark.parametrize(("heads", "shared"), [(6, 6), (6, 2), (6, 1)])
def test_both_programs_compute_the_same_attention(script, heads, shared):
    query = torch.randn(2, heads, 1, 3)
    key, value = torch.randn(2, 2, shared, 7, 3)
    kernel, written_out = (program(query, key, value) for program in script["PROGRAMS"].values())
    assert torch.allclose(written_out, kernel, atol=1e-6)


@pytest.mark.parametrize("name", ["kernel", "written out"])
@pytest.mark.parametrize(("heads", "shared"), [(6, 6), (6, 2), (6, 1)])
def test_what_is_timed_is_one_new_token_in_every_text(
    small_script, monkeypatch, heads, shared, name
):
    looks = []
    monkeypatch.setitem(small_script, "cpu_milliseconds", lambda look: looks.append(look()) or 0.0)
    small_script["milliseconds"](small_script["PROGRAMS"][name], shared, heads)
    (answer,) = looks
    assert answer.shape == (2, heads, 1, 3)
