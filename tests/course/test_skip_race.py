"""The stored race is that of the script that says how it was run."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import skip_race

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "skip_race.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_arm_of_the_script_is_stored_under_its_terms(script):
    race = skip_race.load()
    assert {name: [*runs] for name, runs in race.without_skip.items()} == {
        name: [*script["RATES"]] for name in script["WITHOUT_SKIP"]
    }
    assert [*race.with_skip] == [*script["WITH_SKIP"]]
    assert [*race.begun] == [*script["BEGUN"]]
    by_rate = {norm: [*runs] for norm, runs in race.places.items()}
    assert by_rate == {norm: [script["SMALL"], script["LARGE"]] for norm in ("pre", "post")}
    assert [*race.all_alike] == [*script["RATES"]]
    threes = [race.mostly_itself, race.fresh_adam]
    threes += [*race.with_skip.values(), *race.after_ten.values(), *race.begun.values()]
    threes += [runs for by_rate in race.places.values() for runs in by_rate.values()]
    assert {len(runs) for runs in threes} == {len(script["SEEDS"])}
    ones = [share for runs in race.without_skip.values() for share in runs.values()]
    shares = [*ones, race.longer, *race.all_alike.values(), *(s for runs in threes for s in runs)]
    assert all(0 <= share <= 1 for share in shares)


def test_every_part_runs_with_next_to_no_steps(script):
    less = {"steps": 1}
    guesses = [script["longer"](**less)]
    guesses += [
        s for runs in script["without_skip"](rates=(1e-3,), **less).values() for s in runs.values()
    ]
    for part in ("with_skip", "after_ten", "begun"):
        guesses += [share for runs in script[part](seeds=(0,), **less).values() for share in runs]
    guesses += [
        share
        for by_rate in script["places"](seeds=(0,), **less).values()
        for runs in by_rate.values()
        for share in runs
    ]
    guesses += script["fresh_adam"](seeds=(0,), steps=11)
    near = script["near_identity"](seeds=(0,), rates=(1e-3,), **less)
    guesses += [*near["mostly at itself"], *near["at all alike"].values()]
    assert all(share < 0.4 for share in guesses)


def test_a_start_near_the_identity_ends_with_its_part(script):
    begin = script["chapter"]()["begin"]
    script["near_identity"](seeds=(), rates=(1e-3,), steps=1)
    assert script["chapter"]()["begin"] is begin


def test_a_fresh_adam_begins_after_the_tenth_step_at_the_smaller_rate(script):
    functions, trainings = script["chapter"](), []
    train = functions["train"]
    functions["train"] = lambda *_, steps, learning_rate, **__: trainings.append(
        (steps, learning_rate)
    )
    try:
        script["fresh_adam"](seeds=(0,))
    finally:
        functions["train"] = train
    assert trainings == [(10, script["LARGE"]), (90, script["SMALL"])]
