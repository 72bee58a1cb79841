"""The stored runs of adapters are those of the script that says how they were made."""

import json
import runpy
from pathlib import Path

import pytest
from softlookup.course import adapter_ranks

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "adapter_ranks.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_arm_of_the_script_is_stored_under_its_terms(script):
    stored = json.loads(adapter_ranks.STORE.read_text())
    assert stored["terms"] == script["TERMS"]
    arms = adapter_ranks.load()
    assert tuple(arms) == script["ARMS"]
    for arm in arms.values():
        assert {*script["TERMS"]["rates"]} <= {*arm.at_each_rate}
        assert arm.at_each_rate[arm.rate] == max(arm.at_each_rate.values())
        # The rate that was chosen is none at an edge of those tried.
        assert min(arm.at_each_rate) < arm.rate < max(arm.at_each_rate)
        assert len(arm.right) == len(script["TERMS"]["seeds"])
        # Whoever copies one number into three places will be noticed, but for the floor and the
        # ceiling, where three seeds may well agree.
        assert len({*arm.right}) > 1 or max(arm.right) < 0.05 or min(arm.right) > 0.95


def test_the_learning_rate_goes_on_where_the_best_is_the_last_one_tried(script, monkeypatch):
    scope = script["try_rates"].__globals__
    monkeypatch.setitem(scope, "fine_tuned", lambda arm, rate, seed: (rate, None))
    monkeypatch.setitem(scope, "share_right", lambda rate, asked: -abs(rate - 0.016))
    reached, best = script["try_rates"]("rank 1")
    assert best == 0.016
    assert max(reached) == 0.032


def test_the_arms_train_as_many_numbers_as_are_stored(script):
    for name, arm in adapter_ranks.load().items():
        model = script["start"](name, script["torch"].Generator())
        assert script["count_trained"](model) == arm.parameters


@pytest.mark.parametrize(
    ("arm", "scale"),
    [
        ("rank 8", 2.0),
        ("rank 128", 0.125),
        ("rank 128, factor 2", 2.0),
        ("rank 128, A begun larger", 0.125),
    ],
)
def test_an_adapter_has_the_factor_of_its_name_and_else_that_of_one_alpha(script, arm, scale):
    model = script["start"](arm, script["torch"].Generator())
    assert {adapter.scale for adapter in script["adapted"](model)} == {scale}


def test_an_adapter_that_begins_larger_is_begun_with_the_same_numbers_times_four(script):
    first = {
        arm: script["adapted"](script["start"](arm, script["torch"].Generator().manual_seed(0)))[0]
        for arm in ("rank 128", "rank 128, A begun larger")
    }
    usual, larger = first.values()
    assert larger.down.equal(4 * usual.down)
    assert larger.up.equal(usual.up)
    assert larger.up.abs().max() == 0


def test_an_output_layer_of_its_own_begins_as_the_table_and_is_all_that_learns(script):
    model = script["start"]("the output layer alone", script["torch"].Generator())
    untouched = script["load_small_gpt"]().model
    ids = script["torch"].arange(12)[None]
    assert model(ids).equal(untouched(ids))
    model(ids).sum().backward()
    learns = [name for name, each in model.named_parameters() if each.grad is not None]
    assert learns == ["embedding.output"]


def test_an_adapter_of_the_whole_rank_has_no_limit(script):
    torch = script["torch"]
    generator = torch.Generator().manual_seed(0)
    model = script["start"]("rank 128, factor 2", generator)
    for adapter in script["adapted"](model):
        with torch.no_grad():
            adapter.up.normal_(generator=generator)
        smaller = min(adapter.in_features, adapter.out_features)
        assert torch.linalg.matrix_rank(adapter.change().double(), rtol=1e-9) == smaller


def test_a_short_run_of_the_script_learns_something(script, monkeypatch):
    """The script runs: the same way, with next to nothing of everything."""
    terms = script["fine_tuned"].__globals__["TERMS"]
    for name, value in {"limit": 12, "learned": 10, "asked": 10, "steps": 30}.items():
        monkeypatch.setitem(terms, name, value)
    # Of ten numbers that are asked, eight at least were taught.
    assert script["share_right"](*script["fine_tuned"]("all weights", 0.001, 0)) >= 0.5
