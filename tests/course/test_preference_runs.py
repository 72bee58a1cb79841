"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path

import pytest
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
    assert [*stored.courses] == [*script["WAYS"]]
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
    way = "preferences, the judge errs"
    result = script["run"](
        seeds=(0,), steps=(1, 1), ways=(way,), pairs=24, drafts=3, wanted=4, looks=3
    )
    assert 0 < result["pairs"][0] <= 24
    assert [len(counts) for counts in result["full_stops"]] == [3] * 4
    (soon, late) = result["courses"][way][0]
    assert len(soon) == len(late) == 4
