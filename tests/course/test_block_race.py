"""The stored race is that of the script that says how it was run."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import block_race

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "block_race.py"


def drawn_texts():
    """Three texts of two tokens: of the five in the vocabulary three are never drawn."""
    generator = torch.Generator().manual_seed(0)
    texts = [torch.randint(2, (length,), generator=generator) for length in (200, 30, 30)]
    return *texts, 60, 60


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def small_script(script, monkeypatch, tmp_path):
    """The script with next to nothing of everything, and a store of its own."""
    names = script["main"].__globals__
    small = {"SEEDS": (0, 1), "RATES": (1e-9, 1e-2), "texts": drawn_texts}
    for name, value in small.items():
        monkeypatch.setitem(names, name, value)
    sizes = {"vocab_size": 5, "window": 8, "batch_size": 2, "steps": 3}
    monkeypatch.setitem(names, "SIZES", names["SIZES"] | sizes)
    monkeypatch.setattr(block_race, "STORE", tmp_path / "block_race.json")
    return names


def test_every_arm_of_the_script_is_stored_under_its_terms(script):
    race = block_race.load()
    assert race.sizes == script["SIZES"]
    assert [*race.bits] == [*script["ARMS"]]
    for name, bits in race.bits.items():
        assert len(bits) == len(script["SEEDS"])
        assert {*script["RATES"]} <= {*race.tried[name]}
        assert sorted(race.tried[name]) == [*race.tried[name]]
        assert race.rates[name] == min(race.tried[name], key=race.tried[name].get)
        assert race.widths[name] == script["fair_width"](name)
        assert race.parameters[name] == script["parameters"](name, race.widths[name])
    # Whoever copies one arm into two places will be noticed.
    assert len({tuple(bits) for bits in race.bits.values()}) == len(race.bits)


def test_the_arms_are_of_equal_size_and_work(script):
    race = block_race.load()
    assert max(race.parameters.values()) <= 1.002 * min(race.parameters.values())
    assert max(race.multiplications.values()) <= 1.05 * min(race.multiplications.values())


def test_every_rate_lies_within_those_that_were_tried():
    """At an end of the grid another rate might have done better."""
    race = block_race.load()
    for name, rate in race.rates.items():
        assert min(race.tried[name]) < rate < max(race.tried[name])


def test_where_the_best_rate_is_at_an_end_further_ones_are_tried(small_script, monkeypatch):
    monkeypatch.setitem(small_script, "RATES", (0.25, 0.5))
    monkeypatch.setitem(small_script, "trained", lambda arm, rate, seed: (arm, rate))
    for best, rates in ((2.0, [0.25, 0.5, 1.0, 2.0, 4.0]), (0.125, [0.0625, 0.125, 0.25, 0.5])):
        monkeypatch.setitem(small_script, "validation_bits", lambda m, b=best: abs(m[1] - b))
        assert [*small_script["tried"]("GPT-2")] == rates


def test_the_tables_begin_as_they_are_named(script):
    models = {arm: script["new_model"](arm, 4) for arm in script["ARMS"]}
    tokens = torch.zeros(1, script["SIZES"]["window"], dtype=torch.long)

    def spread(model):
        x = model.embedding(tokens)
        return (model.positions(x) - x).std().item()

    assert spread(models["GPT-2"]) == pytest.approx(0.02, rel=0.25)
    for arm in ("no positions", "table from zero"):
        assert spread(models[arm]) == 0
    learns = models["table from zero"].positions.table
    assert learns.requires_grad
    assert learns.shape == models["GPT-2"].positions.table.shape
    for arm, model in models.items():
        x = torch.randn(1, 1, 3, 24)
        turns = not torch.equal(model.positions.rotate(x), x)
        assert turns == (arm not in ("GPT-2", "table from zero", "no positions"))


def test_the_script_stores_what_each_arm_gives(small_script):
    small_script["main"](["SwiGLU"])
    small_script["main"](["GPT-2"])
    race = block_race.load()
    assert [*race.bits] == ["GPT-2", "SwiGLU"]
    assert race.bits["GPT-2"] != race.bits["SwiGLU"]
    assert all(len(bits) == 2 and min(bits) > 0 for bits in race.bits.values())
    # At a rate of next to nothing a model learns nothing, and another is chosen.
    assert min(race.rates.values()) >= 1e-2


def test_other_terms_begin_another_store(small_script, monkeypatch):
    small_script["main"](["SwiGLU"])
    monkeypatch.setitem(small_script, "SEEDS", (0,))
    small_script["main"](["two heads"])
    assert [*block_race.load().bits] == ["two heads"]
