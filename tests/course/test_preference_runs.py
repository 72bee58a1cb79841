"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import preferences

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "preferences.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_the_store_holds_every_run_of_the_script_under_its_terms(script):
    stored = preferences.load()
    assert stored.sizes == script["SIZES"]
    assert stored.steps == [*script["STEPS"]]
    assert [*stored.raised] == [*script["RAISED"]]
    assert stored.slower == [script["SLOWER_RATE"], *script["SLOWER_STEPS"]]
    assert [*stored.courses] == [*script["ALL"]]
    assert {len(seeds) for seeds in stored.courses.values()} == {len(script["SEEDS"])}
    assert len(stored.pairs) == len(script["SEEDS"])
    assert len(stored.full_stops) == stored.sizes["beginnings"]
    assert {len(counts) for counts in stored.full_stops} == {stored.sizes["drafts"]}


def test_shares_are_shares_and_nothing_is_nearer_than_the_reference():
    stored = preferences.load()
    for seeds in stored.courses.values():
        for looks in seeds:
            assert all(0 <= each.follows <= 1 and each.distance >= 0 for each in looks)


def test_the_script_runs_with_next_to_no_steps(script):
    ways = ("preferences, the judge errs", "reinforcement, slower")
    result = script["run"](
        seeds=(0,), steps=(1, 1), ways=ways, pairs=24, drafts=3, wanted=4, looks=3
    )
    assert 0 < result["pairs"][0] <= 24
    assert [len(counts) for counts in result["full_stops"]] == [3] * 4
    for way in ways:
        (soon, late) = result["courses"][way][0]
        assert len(soon) == len(late) == 4


def test_reinforcement_pushes_the_text_that_gains_more_after_the_price_is_paid(script, monkeypatch):
    names = script["reinforce"].__globals__
    texts, log_probabilities = torch.zeros(2, 36, dtype=torch.long), torch.tensor([-3.0, -5.0])
    log_probabilities.requires_grad_()
    of_reference = torch.tensor([-4.5, -5.0])
    monkeypatch.setitem(names, "write", lambda model, prompts, drawing: texts)
    monkeypatch.setitem(names, "reward", lambda texts: torch.tensor([2.0, 1.0]))
    monkeypatch.setitem(
        names,
        "log_probability",
        lambda model, texts: of_reference if model is names["gpt"] else log_probabilities,
    )
    script["reinforce"](None, (texts[:1], None)).backward()
    # The first has one full stop more, and has become likelier by a nat and a half: too dear.
    ahead = 1.0 - script["SIZES"]["strength"] * 1.5
    assert log_probabilities.grad.tolist() == pytest.approx([-ahead / 2, ahead / 2])
