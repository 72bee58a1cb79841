"""The stored runs are those of the script that says how they were run."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import norm_rivals

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "norm_rivals.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_arm_of_the_script_is_stored_with_all_its_seeds(script):
    stored = norm_rivals.load()
    seeds = len(script["chapter"]()["NINE_MORE"])
    assert [*stored] == [*script["PARTS"]]
    for runs in stored.values():
        assert {len(each) for each in vars(runs).values()} == {seeds}
        assert all(0 <= share <= 1 for share in runs.recalled)
        assert min(runs.largest) > 0
    # Whoever copies one arm into two places will be noticed.
    assert len({str(runs.largest) for runs in stored.values()}) == len(stored)


def test_the_seeds_are_others_than_those_of_the_chapter(script):
    chapter = script["chapter"]()
    assert not {*chapter["NINE_MORE"]} & {*chapter["SEEDS"]}


def test_a_run_of_the_script_ends_about_as_the_stored_one_did(script):
    """Kinds of processor drift apart, but little where the norm holds the scores."""
    seed = script["chapter"]()["NINE_MORE"][0]
    again = script["arm"]("queries and keys normed", script["chapter"]()["HIGH"], seeds=[seed])
    stored = norm_rivals.load()["queries and keys normed"]
    assert again["largest"][0] == pytest.approx(stored.largest[0], rel=0.4)
    assert again["recalled"][0] == pytest.approx(stored.recalled[0], abs=0.1)
