"""The stored losses are those of the script that says how they were measured."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import scaling_law

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "scaling_law.py"


def drawn_texts():
    """Three texts of two characters, of five that there are: something to learn at once."""
    generator = torch.Generator().manual_seed(0)
    texts = [torch.randint(2, (length,), generator=generator) for length in (200, 30, 30)]
    return *texts, 5


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def small_script(script, monkeypatch, tmp_path):
    """The script with next to nothing of everything, and a store of its own."""
    names = script["main"].__globals__
    small = {"fitted": [8, 16], "held_out": [24], "seeds": [0, 1], "window": 8}
    monkeypatch.setitem(names, "TERMS", names["TERMS"] | small | {"batch_size": 2, "steps": 3})
    monkeypatch.setitem(names, "CHOOSING_SEEDS", (7, 8))
    monkeypatch.setitem(names, "RATES", (1e-9, 0.2))
    monkeypatch.setitem(names, "texts", drawn_texts)
    monkeypatch.setattr(scaling_law, "STORE", tmp_path / "scaling_law.json")
    return names


def test_every_size_of_the_script_is_stored_under_its_terms(script):
    runs, terms = scaling_law.load(), script["TERMS"]
    assert [*runs.fitted] == terms["fitted"]
    assert [*runs.held_out] == terms["held_out"]
    assert runs.tokens == terms["steps"] * terms["batch_size"] * terms["window"]
    for width, size in (runs.fitted | runs.held_out).items():
        assert size.parameters == script["parameters"](width)
        assert len(size.losses) == len(terms["seeds"])
        assert [*size.tried] == [*script["RATES"]]
        assert {len(tried) for tried in size.tried.values()} == {len(script["CHOOSING_SEEDS"])}
        assert size.rate_times_width == min(size.tried, key=lambda rate: sum(size.tried[rate]))
        again = len(terms["seeds"]) if width in terms["held_out"] else 0
        assert len(size.at_second_best) == again
    # Whoever copies one size into two places will be noticed.
    losses = {tuple(size.losses) for size in (runs.fitted | runs.held_out).values()}
    assert len(losses) == len(runs.fitted | runs.held_out)


def test_what_is_held_out_is_larger_than_all_that_is_fitted():
    runs = scaling_law.load()
    fitted = [size.parameters for size in runs.fitted.values()]
    assert min(size.parameters for size in runs.held_out.values()) > 1.7 * max(fitted)


def test_the_script_stores_what_each_width_gives(small_script):
    small_script["main"]()
    runs = scaling_law.load()
    assert [*runs.fitted] == [8, 16]
    assert [*runs.held_out] == [24]
    for size in (runs.fitted | runs.held_out).values():
        assert len(set(size.losses)) == 2
        # At a rate of next to nothing a model learns nothing, and the other is chosen.
        assert size.rate_times_width == 0.2
        assert max(size.losses) < min(size.tried[1e-9])
    for size in runs.held_out.values():
        assert min(size.at_second_best) > max(size.losses)


def test_what_is_stored_is_not_run_again_and_what_is_missing_is(small_script, monkeypatch):
    small_script["main"]()
    before, trained, ran = scaling_law.STORE.read_text("utf-8"), small_script["trained"], []

    def noted(width, rate, seed):
        ran.append((width, round(rate * width, 12), seed))
        return trained(width, rate, seed)

    monkeypatch.setitem(small_script, "trained", noted)
    small_script["main"]()
    assert ran == []
    assert scaling_law.STORE.read_text("utf-8") == before

    # A rate below both is worse than the two, so the seeds that are judged stay as they are.
    monkeypatch.setitem(small_script, "RATES", (1e-9, 1e-11, 0.2))
    small_script["main"]()
    assert ran == [(width, 1e-11, seed) for width in (8, 16, 24) for seed in (7, 8)]

    ran.clear()
    monkeypatch.setitem(small_script, "TERMS", small_script["TERMS"] | {"steps": 2})
    small_script["main"]()
    # Widths, rates and seeds, and the second best of one width: under other terms all are run.
    assert len(ran) == 3 * (3 * 2 + 2) + 2
