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
        for rows in (arm.before, arm.after):
            assert len(rows) == len(script["SEEDS"])
            assert np.allclose(np.sum(rows, axis=1), 1, atol=0.004)
        assert len(arm.moved) == len(arm.along) == len(script["SEEDS"])
        assert min(arm.moved) > 0
        assert 0 <= min(arm.along) <= max(arm.along) <= 1
    # Whoever copies one arm into two places will be noticed.
    assert len({str(arm.after) for arm in arms.values()}) == len(arms)


def test_every_arm_starts_as_the_stored_one_did(script):
    for name, stored in expert_arms.load().items():
        found = script["arm"](name, seeds=(3,), steps=2)
        assert np.allclose(found["before"][0], stored.before[3], atol=0.01)
        assert not np.allclose(found["after"][0], stored.after[3], atol=0.01)


def test_the_even_starts_are_even(script):
    for name in script["ARMS"]:
        (before,) = script["arm"](name, seeds=(0,), steps=1)["before"]
        assert min(before) > 0.01


def test_a_longer_training_moves_the_router_further(script):
    for steps, more in ((2, 20), (20, 100)):
        (less,) = script["arm"]("balanced", seeds=(0,), steps=steps)["moved"]
        (further,) = script["arm"]("balanced", seeds=(0,), steps=more)["moved"]
        assert less < further
