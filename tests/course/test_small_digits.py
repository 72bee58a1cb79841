"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import small_digits
from softlookup.data.digits import deal_out, digits

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "small_digits.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_contestant_of_the_script_is_stored_under_its_terms(script):
    stored = small_digits.load()
    assert [*stored] == [*script["CONTESTANTS"]]
    for name, run in stored.items():
        fitted = name in script["FITTED"]
        _, settings = (script["FITTED"] if fitted else script["NETWORKS"])[name]
        assert [*run.tried] == [*settings]
        longer = fitted or name in script["LONGER"]
        assert [*run.wrong] == [*(script["ROUNDS"] if longer else script["ROUNDS"][:1])]
        assert {len(runs) for runs in run.wrong.values()} == {1 if fitted else len(script["SEEDS"])}


def test_the_setting_is_the_best_on_validation():
    for run in small_digits.load().values():
        assert run.tried[run.chosen] == max(run.tried.values())


def test_what_is_not_wrong_is_right():
    for run in small_digits.load().values():
        assert run.judged_on == len(deal_out(digits(), seed=11).test)
        for rounds, runs in run.wrong.items():
            assert run.right(rounds) == [1 - len(missed) / run.judged_on for missed in runs]
            assert all(0 <= place < run.judged_on for missed in runs for place in missed)


@pytest.mark.parametrize(
    "name", ["logistic regression", "ViT, 1 patch", "averages without either", "fixed mixture"]
)
def test_the_script_runs_with_next_to_no_rounds(script, name):
    result = script["run"](name, deal_out(digits(), seed=11), rounds=(1, 2), seeds=(1,))
    assert len(result["tried"]) == 3
    assert {*result["wrong"]} == {"1", "2"}
    assert 0 < len(result["wrong"]["2"][0]) < 449
