"""The stored sweeps are those of the script that says how they were made."""

import json
import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import open_runs

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "open_questions.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize(("part", "load"), [("skips", open_runs.skips), ("race", open_runs.race)])
def test_every_run_of_the_script_is_stored_under_its_terms(script, part, load):
    terms, _, names = script["PARTS"][part]
    stored = json.loads(open_runs.STORE.read_text())[part]
    assert stored["terms"] == json.loads(json.dumps(terms))
    sweep = load()
    assert sorted(sweep.runs) == sorted(names)
    assert sweep.every == terms["every"]
    for run in sweep.runs.values():
        assert sorted(run.at_each_rate) == terms["rates"]
        assert run.rate in terms["rates"]
        assert len(run.curves) == len(terms["seeds"])
        # Whoever copies one curve into three places will be noticed.
        ends = {tuple(curve) for curve in run.curves}
        assert len(ends) == len(run.curves) or max(map(max, run.curves)) < 0.2


def test_every_reader_of_order_is_stored_under_the_terms_of_the_script(script):
    terms, _, names = script["PARTS"]["order"]
    assert json.loads(open_runs.STORE.read_text())["order"]["terms"] == terms
    runs = open_runs.order()
    assert sorted(runs) == sorted(names)
    for by_seed in runs.values():
        assert [len(shares) for shares in by_seed] == [len(terms["questions"])] * len(
            terms["seeds"]
        )
        assert all(0 <= share <= 1 for shares in by_seed for share in shares)
    three_rates = [runs[f"mask, depth 2, 200 steps at {rate}"] for rate in (0.003, 0.01, 0.03)]
    assert len({str(each) for each in three_rates}) == 3


def test_a_short_training_tells_a_reader_with_positions_more_than_one_with_neither(script):
    told, untold = (
        script["order"](f"{told_by}, depth 1, 60 steps at 0.03")
        for told_by in ("positions", "nothing")
    )
    place = script["ORDER"]["questions"].index("place")
    assert min(shares[place] for shares in told) > max(shares[place] for shares in untold)


def test_the_race_weighs_what_the_script_weighs(script):
    runs = open_runs.race().runs
    for name in ("Transformer", "LSTM"):
        assert script["weigh"](name) == (runs[name].parameters, runs[name].multiplications)


def test_the_race_was_run_at_the_best_rate_of_its_own_seed():
    for run in open_runs.race().runs.values():
        assert run.at_each_rate[run.rate] == max(run.at_each_rate.values())


def test_a_short_run_of_the_script_learns(script, monkeypatch):
    """The script runs: the same way, with next to nothing of everything."""
    terms = script["learning_curve"].__globals__["SKIPS"]
    monkeypatch.setitem(terms, "blocks", 2)
    monkeypatch.setitem(terms, "steps", {2: 60})
    monkeypatch.setitem(terms, "every", 30)
    for start in script["STARTS"]:
        torch.manual_seed(0)
        curve = script["learning_curve"](start, 2, 0.01, seed=0)
        assert len(curve) == 3
        assert all(0 <= share <= 1 for share in curve)
        if start == "skip":
            assert curve[-1] > 0.5


def test_a_chain_of_one_head_begins_as_one_of_four_does(script):
    """Its scores are zero but for the bias, so it mixes tokens as four equal heads do."""
    first = script["pairs"](3, 2, torch.Generator().manual_seed(0))
    outputs = []
    for start, heads in (("diagonal bias 4", 4), ("one head and diagonal bias 4", 1)):
        torch.manual_seed(0)
        model = script["chain"](start, first)
        assert {block.self_attention.attention.n_heads for block in model.stack.blocks} == {heads}
        with torch.no_grad():
            outputs.append(model(first.keys, first.values))
    torch.testing.assert_close(*outputs)
