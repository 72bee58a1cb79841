"""The stored arms are those of the script that says how they were run."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from softlookup.course import expert_arms

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "expert_arms.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_arm_of_the_script_is_stored_with_all_its_seeds(script):
    arms = expert_arms.load()
    assert [*arms] == [*script["PARTS"]]
    for arm in arms.values():
        assert len(arm.after) == len(arm.loss) == len(script["SEEDS"])
        assert np.allclose(np.sum(arm.after, axis=1), 1, atol=0.004)
        assert min(arm.loss) > 0
    # Whoever copies one arm into two places will be noticed.
    assert len({str(arm.after) for arm in arms.values()}) == len(arms)


def test_every_memory_starts_even(script):
    chapter = script["chapter"]()
    for seed in script["SEEDS"]:
        x, _, model = chapter["begun"](seed)
        assert min(chapter["shares_of"](model, x)) > 0.01


def test_an_arm_that_is_run_anew_is_the_stored_one(script):
    stored = expert_arms.load()["only the router learns"]
    found = script["arm"]("only the router learns", seeds=(3,))
    assert np.allclose(found["after"][0], stored.after[3], atol=0.05)
    assert np.allclose(found["loss"][0], stored.loss[3], atol=0.05)


def test_a_hidden_mean_starts_even_and_facts_without_one_share_nothing(script):
    chapter = script["chapter"]()
    x, _, model = chapter["begun"](0, hidden=True)
    assert min(chapter["shares_of"](model, x)) > 0.01
    x, _, _ = chapter["begun"](0, times=0)
    assert x.mean(dim=0).norm() < 0.1 * x.norm(dim=1).mean()


def test_a_longer_training_learns_more(script):
    for steps, more in ((2, 20), (20, 100)):
        (before,) = script["arm"]("balancing loss", seeds=(0,), steps=steps)["loss"]
        (after,) = script["arm"]("balancing loss", seeds=(0,), steps=more)["loss"]
        assert after < before
