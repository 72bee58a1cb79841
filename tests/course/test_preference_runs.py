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
    assert len(stored.repeated) == len(script["SEEDS"])
    assert len(stored.full_stops) == stored.sizes["beginnings"]
    assert {len(counts) for counts in stored.full_stops} == {stored.sizes["drafts"]}


def test_each_rate_is_the_best_of_those_tried_and_none_at_an_edge(script):
    stored = preferences.load()
    assert [*stored.at_each_rate] == [*script["CHOSEN_FOR"]]
    for name, tried in stored.at_each_rate.items():
        way = script["WAYS"][name]
        worth = {rate: way.worth(*seen) for rate, *seen in tried}
        assert {*script["RATES"]} <= {*worth}
        assert stored.rates[name] == max(worth, key=worth.__getitem__)
        assert min(worth) < stored.rates[name] < max(worth)
    for name, way in script["WAYS"].items():
        of_strength = [n for n, w in script["CHOSEN_FOR"].items() if w.strength == way.strength]
        assert stored.rates[name] == stored.rates[of_strength[0]]


def test_rates_are_tried_until_the_best_is_not_the_last(script):
    def reached(rate):
        return 100.0 - abs(rate - 2.7e-3) * 1e4, 0.0

    found, best = script["try_rates"](script["IMITATING"], reached)
    assert best == 2.7e-3
    assert max(found) == 8.1e-3
    assert script["Way"](strength=3.0).worth(1.0, 0.25) == 0.25
    assert script["IMITATING"].worth(1.0, 0.25) == 1.0


def test_the_script_runs_with_next_to_no_steps(script, monkeypatch):
    ways = ("preferences, repeated pairs", "preferences, a judge without noise")
    monkeypatch.setitem(
        script["run"].__globals__, "try_rates", lambda way, reached: ({1e-4: reached(1e-4)}, 1e-4)
    )
    smaller = {"drawn": 24, "drafts": 3, "beginnings": 4, "looks": 2}
    result = script["run"](seeds=(0,), steps=2, ways=ways, **smaller)
    assert 0 < result["repeated"][0] <= 24
    assert [len(counts) for counts in result["full_stops"]] == [3] * 4
    for way in ways:
        full_stops, distance, better, worse = result["at_the_end"][way][0]
        assert result["rates"][way] == 1e-4
        assert better != worse
        assert full_stops >= 0
        assert distance > 0


def test_fresh_pairs_are_seen_once_and_repeated_ones_again(script, monkeypatch):
    names, seen = script["trained"].__globals__, []

    def note_batches(model, loss, batches, steps, **others):
        seen.extend(int(place) for _ in range(steps) for place in next(batches))

    monkeypatch.setitem(names, "train", note_batches)
    monkeypatch.setitem(names, "judged", lambda pairs, judge, drawing: pairs[0])
    for repeated, most in ((False, 1), (True, 6)):
        seen.clear()
        way = script["Way"](repeated=repeated)
        script["trained"](way, [torch.arange(10 if repeated else 48)], 1e-4, 0, steps=6)
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


def test_a_judge_without_noise_has_the_mean_loss_over_the_verdicts(script):
    drawing = torch.Generator().manual_seed(0)
    pairs = script["pairs_of"](script["texts_of_the_book"]()[0], drawing, 40)
    one, other, of_one, of_other = pairs
    gap = script["reward"](one) - script["reward"](other)
    either = [
        script["prefer"](script["gpt"], [*batch, None], 0.3)
        for batch in ((one, other, of_one + 1, of_other), (other, one, of_other, of_one + 1))
    ]
    batch = script["judged"]((one, other, of_one + 1, of_other), script["never_errs"], drawing)
    assert batch[-1].tolist() == pytest.approx(gap.sigmoid().tolist())
    half = [*batch[:-1], torch.full_like(batch[-1], 0.5)]
    assert script["prefer"](script["gpt"], half, 0.3).item() == pytest.approx(
        sum(each.item() for each in either) / 2, rel=1e-5
    )


def test_what_moved_is_told_apart_by_the_reward(script):
    pairs = script["pairs_of"](
        script["texts_of_the_book"]()[0], torch.Generator().manual_seed(0), 40
    )
    one, other, of_one, of_other = pairs
    first = script["reward"](one) > script["reward"](other)
    shifted = of_one - 1.0 * first, of_other - 1.0 * ~first  # as if the better ones had gained one
    assert script["moved"](script["gpt"], (one, other, *shifted)) == pytest.approx([1, 0], abs=1e-3)


def test_a_coin_tells_nothing_of_the_reward_and_a_noisy_judge_something(script):
    gaps = torch.tensor([-1.0, 1.0]).repeat_interleave(4000)
    for judge, wins in (("tosses_a_coin", [0.5, 0.5]), ("is_noisy", [0.27, 0.73])):
        found = script[judge](gaps, torch.Generator().manual_seed(0)).double()
        assert found.view(2, -1).mean(dim=1).tolist() == pytest.approx(wins, abs=0.03)
