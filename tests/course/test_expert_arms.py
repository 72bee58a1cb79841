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
        for rows in (arm.after, arm.less_mean, arm.less_other):
            assert len(rows) == len(script["SEEDS"])
            assert np.allclose(np.sum(rows, axis=1), 1, atol=0.004)
        assert min(arm.moved) > 0
        for lengths in (arm.along_mean, arm.along_other):
            assert len(lengths) == len(script["SEEDS"])
            assert 0 <= min(lengths) <= max(lengths) <= 1
    # Whoever copies one arm into two places will be noticed.
    assert len({str(arm.after) for arm in arms.values()}) == len(arms)


def test_every_memory_starts_even(script):
    chapter = script["chapter"]()
    for seed in script["SEEDS"]:
        x, _, model = chapter["begun"](seed)
        assert min(chapter["shares_of"](model, x)) > 0.01


def test_an_arm_that_is_run_anew_is_the_stored_one(script):
    stored = expert_arms.load()["experts frozen"]
    found = script["arm"]("experts frozen", seeds=(3,))
    assert np.allclose(found["after"][0], stored.after[3], atol=0.05)
    assert np.allclose(found["less_mean"][0], stored.less_mean[3], atol=0.05)


def test_a_longer_training_moves_the_router_further(script):
    for steps, more in ((2, 20), (20, 100)):
        (less,) = script["arm"]("balancing loss", seeds=(0,), steps=steps)["moved"]
        (further,) = script["arm"]("balancing loss", seeds=(0,), steps=more)["moved"]
        assert less < further
