"""The stored times are those of the script that takes them, and each was taken by itself."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.alternatives.delta_rule import delta_rule
from softlookup.course import clocked
from softlookup.models import recaller

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
    small |= {"RACED_WIDTH": 4, "RACED_LENGTHS": [7, 13], "DRAFT_LENGTHS": [3, 5], "LOOKED_UP": 2}
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
    assert times.raced_lengths == script["RACED_LENGTHS"]
    assert tuple(times.raced) == script["RACED"]
    for runs in times.raced.values():
        assert [len(run) for run in runs] == [len(times.raced_lengths)] * script["RUNS"]
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
    # A run asks six mixers at each of two lengths, generates in two ways, asks six layers, a
    # target three times and two drafts.
    names = ("definition", "blocks", "kernel", "Hyena", "window", "linear")
    assert stored.mixing == {
        name: [[at + 1.0, at + 7.0], [at + 37.0, at + 43.0]] for at, name in enumerate(names)
    }
    assert stored.generation == {
        "without the cache": [13.0, 49.0],
        "with the cache": [14.0, 50.0],
    }
    assert stored.raced_lengths == [7, 13]
    assert stored.raced == {
        name: [[at + 15.0, at + 21.0], [at + 51.0, at + 57.0]]
        for at, name in enumerate(small_script["RACED"])
    }
    assert stored.draft_lengths == [3, 5]
    assert stored.drafting == {
        "target": [[27.0, 32.0], [63.0, 68.0]],
        "target, three tokens": [[28.0, 33.0], [64.0, 69.0]],
        "target, five tokens": [[29.0, 34.0], [65.0, 70.0]],
        "two blocks": [[30.0, 35.0], [66.0, 71.0]],
        "n-gram": [[15.5, 18.0], [33.5, 36.0]],  # for each of two places
    }
    small_script["main"](["raced"])
    again = clocked.load()
    assert again.mixing == stored.mixing
    assert again.raced["attention"] == [[73.0, 79.0], [85.0, 91.0]]


def test_what_raced_is_timed_in_the_shape_that_raced(small_script, monkeypatch):
    shapes = []

    def mixing_layer(way, width, length):
        layer = recaller.mixing_layer(way, width, length)
        if way == "Hyena":  # has no heads
            return layer
        mix = layer.mix

        def watched(*heads):
            shapes.append((way, *heads[0].shape))
            return mix(*heads)

        layer.mix = watched
        return layer

    monkeypatch.setitem(small_script, "mixing_layer", mixing_layer)
    monkeypatch.setitem(
        small_script, "cpu_milliseconds", lambda layer, **_: float(layer().size(-2))
    )
    taken = small_script["raced"](torch.Generator().manual_seed(0))
    assert {*map(tuple, taken.values())} == {(7.0, 13.0)}
    d_heads = {"attention": 2, "linear": 2, "linear, wide heads": 4, "window": 2}
    assert shapes == [(way, 1, 2, n, d_head) for n in (7, 13) for way, d_head in d_heads.items()]


def test_the_delta_rule_is_timed_by_chunks_that_give_what_it_gives(script):
    query, key, value = torch.randn(3, 2, 23, 5, dtype=torch.float64)
    rate = torch.rand(2, 23, dtype=torch.float64)
    by_chunks = script["delta_rule_by_chunks"](query, key, value, rate, size=7)
    torch.testing.assert_close(by_chunks, delta_rule(query, key, value, rate))


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
