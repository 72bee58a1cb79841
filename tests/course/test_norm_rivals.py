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
    assert [*stored] == [*script["PARTS"]]
    for name, runs in stored.items():
        assert {len(each) for each in vars(runs).values()} == {len(script["seeds_of"](name))}
        assert all(0 <= share <= 1 for share in runs.recalled)
        assert min(runs.largest) > 0
    # Whoever copies one arm into two places will be noticed.
    assert len({str(runs.largest) for runs in stored.values()}) == len(stored)


def test_chapter_and_store_have_twelve_seeds_of_each_arm_between_them(script):
    chapter = script["chapter"]()
    for kind in chapter["KINDS"]:
        here = () if kind in chapter["KEPT_ALONE"] else chapter["SEEDS"]
        assert sorted([*here, *script["seeds_of"](kind)]) == [*range(12)]


def test_a_run_of_the_script_ends_about_as_the_stored_one_did(script):
    """Kinds of processor drift apart, but little where the norm holds the scores."""
    kind = "queries and keys normed"
    seeds = script["seeds_of"](kind)[:1]
    again = script["arm"](kind, script["chapter"]()["HIGH"], seeds=seeds)
    stored = norm_rivals.load()[kind]
    assert again["largest"][0] == pytest.approx(stored.largest[0], rel=0.4)
    assert again["recalled"][0] == pytest.approx(stored.recalled[0], abs=0.1)
