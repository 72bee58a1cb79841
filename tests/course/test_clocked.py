"""The stored times are those of the script that takes them, and each was taken by itself."""

import runpy
from pathlib import Path

import pytest
import torch
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
    small |= {"DRAFT_LENGTHS": [3, 5], "LOOKED_UP": 2}
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
    assert times.draft_lengths == script["DRAFT_LENGTHS"]
    assert tuple(times.drafting) == ("target", *script["SCORED"], "two blocks", "n-gram")
    for runs in times.drafting.values():
        assert [len(run) for run in runs] == [len(times.draft_lengths)] * script["RUNS"]
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
    # A run asks six mixers at each of two lengths, generates in two ways, asks a target
    # three times and two drafts.
    names = ("definition", "blocks", "kernel", "Hyena", "window", "linear")
    assert stored.mixing == {
        name: [[at + 1.0, at + 7.0], [at + 25.0, at + 31.0]] for at, name in enumerate(names)
    }
    assert stored.generation == {
        "without the cache": [13.0, 37.0],
        "with the cache": [14.0, 38.0],
    }
    assert stored.draft_lengths == [3, 5]
    assert stored.drafting == {
        "target": [[15.0, 20.0], [39.0, 44.0]],
        "target, three tokens": [[16.0, 21.0], [40.0, 45.0]],
        "target, five tokens": [[17.0, 22.0], [41.0, 46.0]],
        "two blocks": [[18.0, 23.0], [42.0, 47.0]],
        "n-gram": [[9.5, 12.0], [21.5, 24.0]],  # for each of two places
    }
    small_script["main"](["drafting"])
    again = clocked.load()
    assert again.mixing == stored.mixing
    assert again.drafting["target"] == [[49.0, 54.0], [59.0, 64.0]]


def test_with_and_without_the_cache_the_script_writes_the_same(small_script, monkeypatch):
    written = []
    greedy = small_script["greedy"]
    monkeypatch.setitem(small_script, "greedy", lambda *given: written.append(greedy(*given)))
    monkeypatch.setitem(small_script, "cpu_milliseconds", lambda function: function() or 1.0)
    small_script["generation"]()
    without, cached = written
    assert without.tolist() == cached.tolist()


def test_what_a_draft_saves_is_timed_behind_full_caches(small_script, monkeypatch):
    """Each call reads its new tokens behind as many as the caches held before the first."""
    read = small_script["behind"]
    model = small_script["load_small_gpt"]().model
    ids = torch.arange(20)
    with torch.no_grad():
        call = read(model, ids, 12, 3)
        first, again = call(), call()
        whole = model(ids[None, :15])
    torch.testing.assert_close(first, again)
    torch.testing.assert_close(first, whole[:, 12:])
