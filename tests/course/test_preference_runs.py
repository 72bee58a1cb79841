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
    assert script["STEPS"] > stored.looked_at[-1]
    for kept in (stored.courses, stored.at_the_end):
        assert [*kept] == [*script["WAYS"]]
        assert {len(seeds) for seeds in kept.values()} == {len(script["SEEDS"])}
    looks = {len(seen) for seeds in stored.courses.values() for seen in seeds}
    assert looks == {len(script["LOOKED_AT"])}
    assert len(stored.repeated) == len(script["SEEDS"])
    assert len(stored.full_stops) == stored.sizes["beginnings"]
    assert {len(counts) for counts in stored.full_stops} == {stored.sizes["drafts"]}
    ends = [stored.reference, *(end for seeds in stored.at_the_end.values() for end in seeds)]
    assert {len(texts) for texts in (stored.begun, *(end.shown for end in ends))} == {5}
    assert stored.reference.distance == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("It ends. It ends.", [True, True]),
        ("(It ends.)\n", [True]),
        ("about 0.8 of it", [False]),
        ("and so on ..", [False, False]),
        ("it.ends", [False]),
        ("nothing", []),
    ],
)
def test_full_stops_are_told_apart_by_what_stands_beside_them(script, text, ends):
    beginning = torch.zeros(script["BEGINNING"], dtype=torch.long)
    ids = torch.cat(
        [script["tokens"].encode(each) for each in text.replace(".", "\0.\0").split("\0") if each]
    )
    assert script["ends_something"](torch.cat([beginning, ids])) == ends


def test_the_script_runs_with_next_to_no_steps(script):
    ways = (
        "preferences",
        "preferences, repeated pairs",
        "plain fine-tuning, three times the rate",
    )
    smaller = {"drawn": 24, "drafts": 3, "beginnings": 4, "looks": 1, "looks_at_the_end": 2}
    result = script["run"](seeds=(0,), steps=2, ways=ways, **smaller)
    assert 0 < result["repeated"][0] <= 24
    assert [len(counts) for counts in result["full_stops"]] == [3] * 4
    for way in ways:
        (full_stops, distance, empty, shown) = result["at_the_end"][way][0]
        assert 0 <= empty <= full_stops
        assert distance > 0
        assert len(shown) == 5


def test_fresh_pairs_are_seen_once_and_repeated_ones_again(script, monkeypatch):
    names, seen = script["course_of"].__globals__, []

    def note_batches(model, loss, batches, steps, **others):
        seen.extend(int(place) for _ in range(steps) for place in next(batches))

    monkeypatch.setitem(names, "train", note_batches)
    monkeypatch.setitem(names, "judged", lambda pairs, judge, drawing: pairs[0])
    look = SimpleNamespace(on_its_way=lambda model: None, at_the_end=lambda model: None)
    for repeated, most in ((False, 1), (True, 6)):
        seen.clear()
        way = script["Way"](repeated=repeated)
        script["course_of"](way, [torch.arange(10 if repeated else 48)], look, 0, steps=6)
        assert len(seen) == 48
        assert max(map(seen.count, seen)) == most


def test_fresh_pairs_are_as_many_as_are_wanted_and_begin_with_those_of_the_first_draw(script):
    ids = script["texts_of_the_book"]()[0]
    first, fresh = script["pairs_enough"](ids, 0, 20, 12)
    assert {len(each) for each in fresh} == {20}
    texts = {tuple(text.tolist()) for text in fresh[0]}
    assert len(texts) == 20
    for few, many in zip(first, fresh, strict=True):
        assert few.equal(many[: len(few)])


@pytest.mark.parametrize(
    ("way", "rate"), [("preferences", 1e-4), ("plain fine-tuning, three times the rate", 3e-4)]
)
def test_a_training_is_looked_at_between_its_steps_as_its_rate_rises_and_falls(
    script, monkeypatch, way, rate
):
    names, used = script["course_of"].__globals__, []

    def note_rates(*_, steps, learning_rate, schedule, **others):
        used.extend(learning_rate * schedule(step, steps) for step in range(steps))

    monkeypatch.setitem(names, "train", note_rates)
    looks = iter(range(9))
    look = SimpleNamespace(on_its_way=lambda model: next(looks), at_the_end=lambda model: "end")
    seen, end = script["course_of"](script["WAYS"][way], [torch.zeros(8)], look, 0)
    assert len(used) == 60
    assert used[:5] == pytest.approx([rate * step / 5 for step in range(1, 6)])
    assert max(used) == used[5] == pytest.approx(rate)
    assert used[-1] < 0.01 * rate
    assert (seen, end) == ([0, 1, 2], "end")


def test_a_coin_tells_nothing_of_the_reward_and_a_noisy_judge_something(script):
    gaps = torch.tensor([-1.0, 1.0]).repeat_interleave(4000)
    for judge, wins in (("tosses_a_coin", [0.5, 0.5]), ("is_noisy", [0.27, 0.73])):
        found = script[judge](gaps, torch.Generator().manual_seed(0)).double()
        assert found.view(2, -1).mean(dim=1).tolist() == pytest.approx(wins, abs=0.03)
