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


def test_the_causes_are_asked_for_at_the_rate_of_the_unbalanced_arm(script):
    causes, arm = experts_in_gpt.load_causes(), experts_in_gpt.load()["unbalanced"]
    assert {*causes} == {*script["PARTS"]} - {*script["ARMS"]}
    assert script["CAUSE_RATE"] == arm.rate
    tables = [*causes.values(), arm.after]
    assert not any(np.allclose(tables[one], tables[one - 1], atol=0.02) for one in range(3))


def test_shares_are_those_of_all_choices(script):
    runs, causes = experts_in_gpt.load().values(), experts_in_gpt.load_causes()
    tables = [table for run in runs for table in (run.before, run.after)]
    for table in (*tables, *causes.values()):
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
        small_script["routed"](0, frozen=frozen)
        for name, changed in models.pop().items():
            assert changed == (not frozen or ".experts." not in name)


def test_a_router_reads_its_tokens_less_their_mean(small_script):
    model = small_script["new_model"]()
    router = next(each for each in model.modules() if isinstance(each, small_script["Router"]))
    x = torch.randn(2, 30, small_script["race"].SIZES["d_model"])
    shift = 9 * torch.randn(x.size(-1))
    expected, shifted = router(x - x.mean(dim=(0, 1))).loads(), router(x + shift).loads()
    small_script["hide_shared"](model)
    assert torch.allclose(router(x + shift).loads(), expected)
    assert not torch.allclose(shifted, expected)


def test_the_script_stores_what_each_part_gives(small_script):
    for name in ("balanced", "unbalanced", "experts frozen"):
        small_script["main"]([name])
    runs = experts_in_gpt.load()
    assert [*runs] == ["balanced", "unbalanced"]
    assert [*experts_in_gpt.load_causes()] == ["experts frozen"]
    assert runs["balanced"].bits != runs["unbalanced"].bits
    # At a rate of next to nothing a model learns nothing, and another is chosen.
    assert min(run.rate for run in runs.values()) >= 1e-2
