"""The stored runs are those of the script that says how the experts were trained."""

import runpy
from pathlib import Path

import numpy as np
import pytest
import torch
from softlookup.course import block_race, experts_in_gpt

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def drawn_texts():
    """Three texts of two tokens: of the five in the vocabulary three are never drawn."""
    generator = torch.Generator().manual_seed(0)
    texts = [torch.randint(2, (length,), generator=generator) for length in (200, 32, 32)]
    return *texts, 60, 60


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return runpy.run_path(str(BENCHMARKS / "experts_in_gpt.py"))


@pytest.fixture
def small_script(script, monkeypatch, tmp_path):
    """The script with next to nothing of everything, and a store of its own."""
    names = script["main"].__globals__
    monkeypatch.setitem(names, "RATES", (1e-9, 1e-2))
    race = names["race"]
    monkeypatch.setattr(race, "SEEDS", (0, 1))
    monkeypatch.setattr(race, "texts", drawn_texts)
    sizes = {"vocab_size": 5, "window": 8, "batch_size": 2, "steps": 3}
    monkeypatch.setattr(race, "SIZES", race.SIZES | sizes)
    monkeypatch.setattr(experts_in_gpt, "STORE", tmp_path / "experts_in_gpt.json")
    return names


def test_every_arm_of_the_script_is_stored_under_its_terms(script):
    runs, race = experts_in_gpt.load(), script["race"]
    assert [*runs] == [*script["ARMS"]]
    model = script["new_model"]()
    for run in runs.values():
        assert len(run.bits) == len(run.before) == len(run.after) == len(race.SEEDS)
        assert [*map(float, run.tried)] == [*script["RATES"]]
        assert str(run.rate) == min(run.tried, key=run.tried.get)
        assert run.parameters == sum(each.numel() for each in model.parameters())
    # Whoever copies one arm into two places will be noticed.
    assert len({tuple(run.bits) for run in runs.values()}) == len(runs)


def test_experts_take_the_work_of_the_plain_block(script):
    for run in experts_in_gpt.load().values():
        plain = block_race.load().multiplications[script["PLAIN"]]
        assert run.multiplications == pytest.approx(plain, rel=0.002)


def test_the_rates_are_the_plain_blocks_best_and_half_and_twice_of_it(script):
    best = block_race.load().rates[script["PLAIN"]]
    assert script["RATES"] == (best / 2, best, best * 2)


def test_the_moves_are_those_of_the_unbalanced_arm(script):
    moves, arm = experts_in_gpt.load_moves(), experts_in_gpt.load()["unbalanced"]
    assert {*moves} == {*script["PARTS"]} - {*script["ARMS"]}
    assert script["MOVING_RATE"] == arm.rate
    assert np.allclose(moves["experts learn"].after, arm.after, atol=0.02)
    assert not np.allclose(moves["experts frozen"].after, arm.after, atol=0.02)
    for found in moves.values():
        for lengths in (found.along_mean, found.along_other):
            assert np.shape(lengths) == (len(arm.bits), 2)
            assert 0 <= np.min(lengths) <= np.max(lengths) <= 1


def test_shares_are_those_of_all_choices(script):
    runs, moves = experts_in_gpt.load().values(), experts_in_gpt.load_moves().values()
    tables = [table for run in runs for table in (run.before, run.after)]
    tables += [table for each in moves for table in (each.after, each.less_mean, each.less_other)]
    for table in tables:
        assert np.shape(table)[1:] == (2, script["EXPERTS"])
        assert np.allclose(np.sum(table, axis=-1), 1, atol=1e-3)


def test_frozen_experts_stay_and_the_routers_learn(small_script, monkeypatch):
    models, learned = [], small_script["race"].learned

    def watched(model, *rest):
        before = {name: each.detach().clone() for name, each in model.named_parameters()}
        learned(model, *rest)
        models.append({n: not torch.equal(each, before[n]) for n, each in model.named_parameters()})

    monkeypatch.setattr(small_script["race"], "learned", watched)
    for frozen in (True, False):
        small_script["moved"](frozen, 0)
        for name, changed in models.pop().items():
            assert changed == (not frozen or ".experts." not in name)


def test_what_is_taken_away_lies_along_the_direction_that_is_named(small_script):
    moves = torch.randn(3, 5)
    direction = torch.tensor([0.0, 2.0, 0.0, 0.0, 0.0])
    part = small_script["along"](moves, direction)
    assert torch.equal(part[:, 1], moves[:, 1])
    assert not part[:, [0, 2, 3, 4]].any()


def test_the_script_stores_what_each_part_gives(small_script):
    for name in ("balanced", "unbalanced", "experts frozen"):
        small_script["main"]([name])
    runs = experts_in_gpt.load()
    assert [*runs] == ["balanced", "unbalanced"]
    assert [*experts_in_gpt.load_moves()] == ["experts frozen"]
    assert runs["balanced"].bits != runs["unbalanced"].bits
    # At a rate of next to nothing a model learns nothing, and another is chosen.
    assert min(run.rate for run in runs.values()) >= 1e-2
