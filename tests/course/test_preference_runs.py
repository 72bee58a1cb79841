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
    assert stored.choosing == script["CHOOSING"]
    assert [*stored.at_the_end] == [*stored.rates] == [*script["WAYS"]]
    assert {len(seeds) for seeds in stored.at_the_end.values()} == {len(script["SEEDS"])}
    assert len(stored.full_stops) == stored.sizes["beginnings"]
    assert {len(counts) for counts in stored.full_stops} == {stored.sizes["drafts"]}


def test_each_rate_is_the_best_of_those_tried_and_none_at_an_edge(script):
    stored = preferences.load()
    assert [*stored.at_each_rate] == [*script["WAYS"]]
    for name, tried in stored.at_each_rate.items():
        worth = {rate: script["worth"](*seen) for rate, *seen in tried}
        assert {*script["RATES"]} <= {*worth}
        assert stored.rates[name] == max(worth, key=worth.__getitem__)
        assert min(worth) < stored.rates[name] < max(worth)


def test_the_reference_has_about_as_many_full_stops_on_both_sets_of_beginnings():
    stored = preferences.load()
    counts = [count for texts in stored.full_stops for count in texts]
    assert stored.reference_where_chosen == pytest.approx(sum(counts) / len(counts), abs=0.1)


def test_rates_are_tried_until_the_best_is_not_the_last(script):
    def reached(rate):
        return 100.0 - abs(rate - 2.7e-3) * 1e4, 0.0

    found, best = script["try_rates"](reached)
    assert best == 2.7e-3
    assert max(found) == 8.1e-3


def test_a_rate_that_takes_a_model_too_far_is_worth_less_than_one_that_wins_nothing(script):
    assert script["worth"](1.0, 4.9) == 1.0
    assert script["worth"](9.0, 5.1) < script["worth"](0.0, 0.0)


def test_the_script_runs_with_next_to_no_steps(script, monkeypatch):
    ways = ("preferences, β = 1", "plain fine-tuning")
    monkeypatch.setitem(
        script["run"].__globals__, "try_rates", lambda reached: ({1e-4: reached(1e-4)}, 1e-4)
    )
    smaller = {"drawn": 24, "drafts": 3, "beginnings": 4, "looks": 2}
    result = script["run"](seeds=(0,), steps=2, ways=ways, **smaller)
    assert [len(counts) for counts in result["full_stops"]] == [3] * 4
    assert 0 <= result["reference_where_chosen"] < 24
    for way in ways:
        full_stops, distance, better, worse = result["at_the_end"][way][0]
        assert result["rates"][way] == 1e-4
        assert better != worse
        assert full_stops >= 0
        assert distance > 0


def test_no_pair_is_seen_twice(script, monkeypatch):
    names, seen = script["trained"].__globals__, []

    def note_batches(model, loss, batches, steps, **others):
        seen.extend(int(place) for _ in range(steps) for place in next(batches))

    monkeypatch.setitem(names, "train", note_batches)
    monkeypatch.setitem(names, "judged", lambda pairs, drawing: pairs[0])
    script["trained"](1.0, [torch.arange(48)], 1e-4, 0, steps=6)
    assert sorted(seen) == [*range(48)]


def test_pairs_are_as_many_as_are_wanted(script):
    pairs = script["pairs_enough"](script["texts_of_the_book"]()[0], 0, 20, 12)
    assert {len(each) for each in pairs} == {20}
    assert len({tuple(text.tolist()) for text in pairs[0]}) == 20


def test_what_moved_is_told_apart_by_the_reward(script):
    pairs = script["pairs_of"](
        script["texts_of_the_book"]()[0], torch.Generator().manual_seed(0), 40
    )
    one, other, of_one, of_other = pairs
    first = script["reward"](one) > script["reward"](other)
    shifted = of_one - 1.0 * first, of_other - 1.0 * ~first  # as if the better ones had gained one
    assert script["moved"](script["gpt"], (one, other, *shifted)) == pytest.approx([1, 0], abs=1e-3)


def test_a_noisy_judge_prefers_the_better_text_in_73_of_100_verdicts(script):
    gaps = torch.tensor([-1.0, 1.0]).repeat_interleave(4000)
    found = script["is_noisy"](gaps, torch.Generator().manual_seed(0)).double()
    assert found.view(2, -1).mean(dim=1).tolist() == pytest.approx([0.27, 0.73], abs=0.03)
