"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path
from types import SimpleNamespace

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
    assert stored.looked_at == [*script["LOOKED_AT"]]
    assert script["STEPS"] == stored.looked_at[-1]
    assert [*stored.raised] == [*script["RAISED"]]
    assert [*stored.courses] == [*script["ALL"]]
    assert [*stored.on_pairs] == [*script["ALL"]]
    assert [*stored.at_the_end] == [*script["ON_MORE_TEXTS"]]
    for kept in (stored.courses, stored.at_the_end, stored.on_pairs):
        assert {len(seeds) for seeds in kept.values()} == {len(script["SEEDS"])}
    looks = {len(seen) for seeds in stored.courses.values() for seen in seeds}
    assert looks == {len(script["LOOKED_AT"])}
    assert len(stored.pairs) == len(script["SEEDS"])
    assert len(stored.full_stops) == stored.sizes["beginnings"]
    assert {len(counts) for counts in stored.full_stops} == {stored.sizes["drafts"]}
    assert {*stored.texts} == {"the reference", *script["SHOWN"]}
    assert {len(stored.texts[way]) for way in script["SHOWN"]} == {len(script["SEEDS"])}
    shown = [stored.begun, *(each.shown for seeds in stored.texts.values() for each in seeds)]
    assert {len(texts) for texts in shown} == {stored.sizes["shown"]}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("It ends. It ends.", (2, 0, 0)),
        ("(It ends.)\n", (1, 0, 0)),
        ("about 0.8 of it", (0, 1, 0)),
        ("and so on ..", (0, 0, 2)),
        ("it.ends", (0, 0, 1)),
        ("nothing", (0, 0, 0)),
    ],
)
def test_full_stops_are_told_apart_by_what_stands_beside_them(script, text, kinds):
    beginning = torch.zeros(script["BEGINNING"], dtype=torch.long)
    ids = torch.cat(
        [script["tokens"].encode(each) for each in text.replace(".", "\0.\0").split("\0") if each]
    )
    assert script["full_stops_by_kind"](torch.cat([beginning, ids])) == kinds


def test_the_script_runs_with_next_to_no_steps(script):
    ways = (
        "preferences, the judge errs",
        "preferences, it never errs",
        "plain fine-tuning, three times the rate",
    )
    result = script["run"](
        seeds=(0,),
        steps=2,
        ways=ways,
        pairs=24,
        drafts=3,
        wanted=4,
        looks=3,
        counted=1,
    )
    assert [*result["texts"]] == [
        "the reference",
        "preferences, the judge errs",
        "preferences, it never errs",
    ]
    assert 0 < result["pairs"][0] <= 24
    assert [len(counts) for counts in result["full_stops"]] == [3] * 4
    assert [*result["at_the_end"]] == [way for way in ways if way in script["ON_MORE_TEXTS"]]
    assert {len(seeds[0]) for seeds in result["at_the_end"].values()} == {2}
    for way in ways:
        (end,) = result["courses"][way][0]
        assert len(end) == 2
        assert [len(seen) for seen in result["on_pairs"][way][0]] == [3, 3]


def test_on_more_texts_a_model_has_about_the_full_stops_and_the_distance_that_few_tell():
    stored = preferences.load()
    for way, seeds in stored.at_the_end.items():
        for (full_stops, distance), run in zip(seeds, stored.courses[way], strict=True):
            assert full_stops == pytest.approx(run[-1].full_stops, abs=0.15)
            assert distance == pytest.approx(run[-1].distance, rel=0.25)


@pytest.mark.parametrize(
    ("way", "rate"),
    [("preferences, the judge errs", 1e-4), ("plain fine-tuning, three times the rate", 3e-4)],
)
def test_a_training_is_looked_at_between_its_steps_as_its_rate_rises_and_falls(
    script, monkeypatch, way, rate
):
    names, used = script["course_of"].__globals__, []

    def note_rates(*_, steps, learning_rate, schedule, **others):
        used.extend(learning_rate * schedule(step, steps) for step in range(steps))

    monkeypatch.setitem(names, "train", note_rates)
    seen_at = []
    look = SimpleNamespace(at=lambda model: seen_at.append(None) or len(seen_at))
    _, seen = script["course_of"](way, [torch.zeros(8)], look, 0)
    assert len(used) == 60
    assert used[:5] == pytest.approx([rate * step / 5 for step in range(1, 6)])
    assert max(used) == used[5] == rate
    assert used[-1] < 0.01 * rate
    assert seen == [1, 2, 3, 4, 5]


def test_what_is_seen_on_pairs_is_the_slope_and_what_became_of_either_text(script, monkeypatch):
    names = script["seen_on"].__wrapped__.__globals__
    monkeypatch.setitem(names, "reward", lambda texts: texts[:, 0].double())
    monkeypatch.setitem(names, "log_probability", lambda model, texts: texts[:, 1].double())
    # By two full stops and by one; the better text moves from -4 to -5, the worse to -8 and -7.
    one, other = torch.tensor([[3, -5], [0, -7]]), torch.tensor([[1, -8], [1, -5]])
    before = torch.tensor([-4.0, -4.0])
    worth, better, worse = script["seen_on"](None, (one, other, before, before))
    assert worth == pytest.approx((3 * 2 + 2 * 1) / 5)
    assert (better, worse) == (-1.0, -3.5)


def test_a_coin_tells_nothing_of_the_reward(script):
    gaps = torch.tensor([-5.0, 5.0]).repeat_interleave(2000)
    wins = script["tosses_a_coin"](gaps, torch.Generator().manual_seed(0)).double()
    assert wins.view(2, -1).mean(dim=1).tolist() == pytest.approx([0.5, 0.5], abs=0.05)
