"""The stored runs are those of the script that says how the experts were trained."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import block_race, experts_in_gpt
from softlookup.course.seeding import seed_everything

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
    for name, run in runs.items():
        assert len(run.bits) == len(run.before) == len(run.after) == len(race.SEEDS)
        assert [*map(float, run.tried)] == [*script["RATES"]]
        assert str(run.rate) == min(run.tried, key=run.tried.get)
        model = script["new_model"](name)
        assert run.parameters == sum(each.numel() for each in model.parameters())
    # Whoever copies one arm into two places will be noticed.
    assert len({tuple(run.bits) for run in runs.values()}) == len(runs)


def test_experts_take_the_work_of_the_plain_block_and_hold_the_weights_of_the_wide_one(script):
    runs, plain = experts_in_gpt.load(), script["PLAIN"]
    work, weights = (
        [getattr(run, what) for name, run in runs.items() if name != "all weights used"]
        for what in ("multiplications", "parameters")
    )
    assert max(work) <= 1.002 * block_race.load().multiplications[plain]
    assert min(work) >= 0.998 * block_race.load().multiplications[plain]
    assert weights == [pytest.approx(runs["all weights used"].parameters, rel=0.01)] * len(weights)


def test_the_rates_are_the_plain_blocks_best_and_its_neighbours(script):
    race, plain = block_race.load(), script["PLAIN"]
    tried = [*race.tried[plain]]
    best = tried.index(race.rates[plain])
    assert [*script["RATES"]] == tried[best - 1 : best + 2]


def test_shares_are_those_of_all_choices(script):
    for run in experts_in_gpt.load().values():
        for seed in (*run.before, *run.after):
            for layer in seed:
                assert len(layer) == script["EXPERTS"]
                assert sum(layer) == pytest.approx(1, abs=1e-3)


def test_a_still_router_stays_and_the_others_learn(small_script):
    for arm in small_script["ARMS"]:
        if arm == "all weights used":
            continue
        before = routers(small_script["new_model"], arm)
        model, _, _ = small_script["trained"](arm, 1e-2, 0)
        after = [each.detach() for each in weights_of_routers(model)]
        same = all(torch.equal(*pair) for pair in zip(before, after, strict=True))
        assert same == (arm == "still")


def weights_of_routers(model):
    return [each for name, each in model.named_parameters() if "router" in name]


def routers(new_model, arm):
    """The routers' weights of a model that begins as the trained one does."""
    seed_everything(0)
    return [each.detach().clone() for each in weights_of_routers(new_model(arm))]


def test_the_script_stores_what_each_arm_gives(small_script):
    small_script["main"](["balanced"])
    small_script["main"](["unbalanced"])
    runs = experts_in_gpt.load()
    assert [*runs] == ["balanced", "unbalanced"]
    assert runs["balanced"].bits != runs["unbalanced"].bits
    # At a rate of next to nothing a model learns nothing, and another is chosen.
    assert min(run.rate for run in runs.values()) >= 1e-2
