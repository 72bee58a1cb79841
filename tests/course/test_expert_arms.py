"""The stored arms are those of the script that says how they were run."""

import runpy
from pathlib import Path

import numpy as np
import pytest
import torch
from softlookup.course import expert_arms
from softlookup.course.costs import multiplications

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "expert_arms.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_arm_of_the_script_is_stored_with_all_its_seeds(script):
    arms = expert_arms.load()
    assert [*arms] == [*script["PARTS"]]
    for name, arm in arms.items():
        assert len(arm.known) == len(script["SEEDS"])
        assert all(0 <= share <= 1 for share in arm.known)
        if name != "one network":
            for rows in (arm.before, arm.after):
                assert len(rows) == len(script["SEEDS"])
                assert np.allclose(np.sum(rows, axis=1), 1, atol=0.004)
    # Whoever copies one arm into two places will be noticed. Where all is known, by its shares.
    rows = [str(arm.known if min(arm.known) < 1 else arm.after) for arm in arms.values()]
    assert len({*rows}) == len(rows)


def test_the_terms_are_those_of_the_chapter(script):
    """An arm of the script, in small, is what the chapter's own function gives."""
    chapter = script["chapter"]()
    for name, make in (("router alone learns", "router_alone"), ("hidden", "hidden")):
        ours = script["arm"](name, seeds=(3,), steps=2)
        theirs = chapter["run_arm"](chapter[make], (3,), steps=2)
        assert ours["known"] == pytest.approx(theirs.known, abs=1e-4)
        assert np.allclose(ours["after"], theirs.after, atol=1e-4)


def test_every_arm_runs_with_next_to_no_steps(script):
    for name, (_, terms) in script["ARMS"].items():
        found = script["arm"](name, seeds=(0,), steps=2)
        assert 0 <= found["known"][0] < 0.5
        if name == "one network":
            assert [*found] == ["known"]
        elif "still" in name:
            assert found["before"] == found["after"]
        if terms.get("common") == 3.0 and name == "even start":
            assert min(found["before"][0]) > 0.01


def test_the_routers_start_as_their_names_say(script):
    def shares(name):
        return np.array(script["arm"](name, seeds=(0,), steps=1)["before"][0])

    assert (shares("uneven start") < 0.01).sum() >= 2
    even = shares("even start")
    assert (even > 0.01).all()
    assert (shares("four shut, still")[:4] == 0).all()
    for name in ("hidden", "hidden and scaled"):
        assert np.allclose(shares(name), even)


def test_a_long_step_of_the_bias_is_a_step_along_the_mean(script):
    x = 2 + torch.randn(50, 16, generator=torch.Generator().manual_seed(0))
    for long, times in ((False, 1.0), (True, x.mean(dim=0).abs().sum().item())):
        torch.manual_seed(0)
        router = script["hidden_with_bias"](x, long=long).router
        before = router(x).probabilities.log()
        with torch.no_grad():
            router.shift[2] += 0.1
        rise = router(x).probabilities.log() - before
        assert torch.allclose(rise[:, 2] - rise[:, 0], torch.tensor(0.1 * times), atol=1e-4)


def test_one_network_does_as_much_work_and_a_little_more(script):
    x = torch.randn(64, 16)
    by_experts, by_one = (
        multiplications(lambda make=make: make(x)(x))
        for make in (script["chapter"]()["experts"], script["one_network"])
    )
    assert 1 <= by_one / by_experts <= 1.04
