"""The stored sweeps are those of the script that says how they were made."""

import json
import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import open_runs
from torch import nn

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


def test_every_continued_run_is_stored_and_begins_as_the_shorter_one_did(script):
    terms, _, names = script["PARTS"]["continued"]
    stored = json.loads(open_runs.STORE.read_text())["continued"]
    assert stored["terms"] == json.loads(json.dumps(terms))
    runs, before = open_runs.continued(), open_runs.skips()
    assert sorted(runs) == sorted(names)
    for name, run in runs.items():
        steps = terms["steps"][int(name.split()[-2])]
        assert run.rate == before.runs[name].rate
        for longer, curve in zip(run.curves, before.runs[name].curves, strict=True):
            assert len(longer) == 1 + steps // before.every
            # Processors round differently, and training carries that on.
            assert longer[0] == pytest.approx(curve[0], abs=1e-3)
            assert longer[1] == pytest.approx(curve[1], abs=0.01)
        assert_told_by_cycles(run, terms)


def assert_told_by_cycles(run, terms):
    for rows, apart in zip(run.said, run.apart, strict=True):
        assert [len(row) for row in rows] == [*range(1, 1 + terms["n_symbols"])]
        assert all(0 <= share <= 1 for row in rows for share in (*row, sum(row) - 1e-3))
        assert len(apart) == 1 + terms["blocks"]
        assert all(0 <= share <= 1 for share in apart)


def test_every_run_that_was_taught_something_first_is_stored_under_its_terms(script):
    terms, _, names = script["PARTS"]["taught"]
    stored = json.loads(open_runs.STORE.read_text())["taught"]
    assert stored["terms"] == json.loads(json.dumps(terms))
    runs = open_runs.taught()
    assert sorted(runs) == sorted(names)
    for name, run in runs.items():
        assert run.rate == open_runs.skips().runs[f"{name.split(', ')[0]}, 3 hops"].rate
        lengths = [len(curve) for curve in run.curves]
        assert lengths == [1 + terms["steps"]["then"] // terms["every"]] * len(terms["seeds"])
        assert_told_by_cycles(run, terms)


class CycleReader(nn.Module):
    """Answers what lies three hops on; its one block makes the tokens of a cycle alike."""

    def __init__(self):
        super().__init__()
        self.stack = nn.Module()
        self.stack.blocks = nn.ModuleList([nn.Identity()])

    def embed(self, keys, values):
        return torch.eye(keys.size(1))[keys]

    def forward(self, keys, values):
        leads_to = values.gather(1, keys.argsort(dim=1))
        on = least = keys
        for _ in range(keys.size(1)):
            on = leads_to.gather(1, on)
            least = least.minimum(on)
        self.stack.blocks[0](torch.eye(keys.size(1))[least])
        for _ in range(3):
            keys = leads_to.gather(1, keys)
        return torch.eye(keys.size(1))[keys]


def test_answers_and_differences_are_counted_by_cycles(script):
    exam = script["pairs"](300, 3, torch.Generator().manual_seed(0))
    said = script["answers_by_cycle"](CycleReader(), exam)
    assert said == [[float(hops == 3 % length) for hops in range(length)] for length in range(1, 9)]
    before, after = script["differences_on_cycles"](CycleReader(), exam)
    assert 0.5 < before < 1
    assert after == 0


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


def test_a_short_continued_run_says_what_it_answers(script, monkeypatch):
    terms = script["continued"].__globals__["CONTINUED"]
    monkeypatch.setitem(terms, "steps", {3: 20})
    monkeypatch.setitem(terms, "seeds", [0])
    found = script["continued"]("own key 6, 3 hops")
    assert open_runs.Continued(**found).rate == open_runs.skips().runs["own key 6, 3 hops"].rate
    assert [len(each[0]) for each in (found["curves"], found["said"], found["apart"])] == [2, 8, 7]


def test_what_was_taught_first_is_kept_when_the_question_changes(script, monkeypatch):
    terms = script["taught"].__globals__
    monkeypatch.setitem(terms["SKIPS"], "blocks", 2)
    monkeypatch.setitem(terms["TAUGHT"], "steps", {"first": 100, "then": 1})
    monkeypatch.setitem(terms["TAUGHT"], "seeds", [0])
    taught = [script["taught"](f"skip, {first} and then 3 hops")["said"][0] for first in (1, 3)]
    # On a cycle of two, one hop and three lead to the same answer; on longer ones they do not.
    assert [taught[0][3][hops] > 0.9 for hops in range(4)] == [False, True, False, False]
    assert taught[1][3][3] > 0.5


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
