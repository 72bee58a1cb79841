"""The stored race is that of the script that says how it was run."""

import runpy
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from softlookup.course import recall_race
from softlookup.models.recaller import Recaller

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "recall_race.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.fixture
def small_script(script, monkeypatch, tmp_path):
    """The script with next to nothing of everything, and a store of its own."""
    names = script["main"].__globals__
    small = {
        "SEEDS": (0, 1),
        "RATES": (1e-2, 1e-9),
        "LOADS": (2, 3),
        "TASK": {"n_pairs": 5, "n_keys": 3, "n_values": 2},
        "LONG": 7,
        "TRAINING": {"d_model": 8, "batch_size": 3, "steps": 3},
        "AT_LEAST": 0.0,
    }
    for name, value in small.items():
        monkeypatch.setitem(names, name, value)
    monkeypatch.setattr(recall_race, "STORE", tmp_path / "recall_race.json")
    return names


def test_every_arm_of_the_script_is_stored_under_its_terms(script):
    race = recall_race.load()
    assert race.loads == [*script["LOADS"]]
    assert race.tried == [*script["RATES"]]
    assert race.steps == script["TRAINING"]["steps"]
    assert [*race.recall] == [*script["ARMS"]]
    assert [*race.recall_long] == [arm for arm in script["ARMS"] if "Hyena" not in arm]
    for rows in race.recall.values():
        assert [len(row) for row in rows] == [len(race.loads)] * len(script["SEEDS"])
    assert tuple(race.milliseconds) == script["TIMED"]
    assert {len(times) for times in race.milliseconds.values()} == {script["ROUNDS"]}
    assert [*race.recall_equally_loaded] == [*script["EQUALLY_LOADED"]]
    for rows in race.recall_equally_loaded.values():
        assert [len(row) for row in rows] == [5] * len(script["SEEDS"])
    assert [*race.choosing] == [*race.recall]
    for arm, rates in script["RATES_OF"].items():
        assert race.choosing.pop(arm) == {}
        assert (race.rates[arm],) == rates
    # That one rate is the one that its shorter run chose, or the arms beside it.
    beside = dict.fromkeys(script["MIXED"], ("attention", "window"))
    beside[script["SELECTIVE"]] = ("selective",)
    long = (script["LINEAR"], script["WIDE_HEADS"])
    beside |= dict.fromkeys([script["EIGHT_HEADS"], *script["LONG_MIXED"]], long)
    beside |= dict.fromkeys(script["OTHER_HYENAS"], (script["HYENA"],))
    assert {*beside} == {*script["RATES_OF"]}
    for arm, others in beside.items():
        assert {race.rates[arm]} == {race.rates[each] for each in others}
    for arm, by_rate in race.choosing.items():
        assert [float(rate) for rate in by_rate] == race.tried
        best = max(by_rate.values())
        assert by_rate[str(race.rates[arm])] == best
    # Whoever copies one arm into two places will be noticed.
    rows = [tuple(row) for rows in race.recall.values() for row in rows if min(row) < 0.999]
    assert len({*rows}) == len(rows)


def test_the_control_of_the_wide_heads_has_as_many_weights_and_no_more_state(script):
    def weights(ways, **sizes):
        model = Recaller(ways, 80, 128, 32, **sizes)
        return sum(each.numel() for each in model.parameters())

    assert script["ARMS"][script["WIDE_FEED_FORWARD"]] == script["ARMS"][script["LINEAR"]]
    more = weights(["linear"], d_ff=128) - weights(["linear"])
    assert abs(more - (weights(["linear, wide heads"]) - weights(["linear"]))) <= 32


def test_the_control_of_more_channels_has_as_many_weights_and_no_more_channels(script):
    def weights(arm):
        way, _ = script["ARMS"][arm]
        model = Recaller([way], 80, 128, 32, script["FEED_FORWARD"].get(arm))
        return sum(each.numel() for each in model.parameters())

    control = script["HYENA_FEED_FORWARD"]
    assert script["ARMS"][control] == script["ARMS"][script["HYENA"]]
    assert abs(weights(control) - weights(script["MORE_CHANNELS"])) <= 32


def test_the_fixed_layer_has_about_as_many_weights_that_learn(script):
    def learned(arm):
        model = Recaller([script["ARMS"][arm][0]], 80, 128, 32)
        return sum(each.numel() for each in model.mixing[0].parameters() if each.requires_grad)

    assert script["ARMS"][script["FIXED"]][1] == script["ARMS"][script["SELECTIVE"]][1]
    assert (learned(script["SELECTIVE"]), learned(script["FIXED"])) == (9920, 9664)


def test_the_control_is_trained_with_its_wide_feed_forward(script, small_script, monkeypatch):
    made = []

    def recaller(*sizes):
        made.append(sizes[-1])
        return Recaller(*sizes)

    monkeypatch.setitem(small_script, "Recaller", recaller)
    small_script["main"]([small_script["WIDE_FEED_FORWARD"], small_script["LINEAR"]])
    assert {*made[:4]} == {script["FEED_FORWARD"][script["WIDE_FEED_FORWARD"]]} == {128}
    assert {*made[4:]} == {None}


def test_more_long_texts_judge_the_arms_of_which_a_few_hundredths_are_said(
    small_script, monkeypatch
):
    judged = []

    def recalled(model, load, seed, n_pairs, batch_size=128):
        judged.append((n_pairs, batch_size))
        return 0.5

    monkeypatch.setitem(small_script, "recalled", recalled)
    small_script["main"](["window"])
    assert {*judged} == {(5, 128), (7, 4)}
    small_script["main"]([small_script["LINEAR"]])
    assert {*judged} == {(5, 128), (7, 4), (7, 48)}


def test_two_lengths_are_compared_where_as_many_keys_are_filed(script, monkeypatch):
    """A model that is right until a place answers every question before it, and none behind."""
    names = script["main"].__globals__
    monkeypatch.setitem(names, "TASK", {"n_pairs": 40, "n_keys": 8, "n_values": 3})
    monkeypatch.setitem(names, "LOADS", (2, 4, 8))
    test = script["texts"](6, 4, torch.Generator().manual_seed(script["TEST_TEXTS"]), 40)
    filed = (test.targets[:, ::2] < 0).cumsum(1).repeat_interleave(2, dim=1)
    beginning = iter(range(0, 6, 4))

    def until(place, fewest):
        def model(tokens):
            begin = next(beginning)
            rows = slice(begin, begin + len(tokens))
            right = test.targets[rows].clamp(min=0)
            right[:, place:] = 0  # a key, and no value
            right[filed[rows] < fewest] = 0
            return F.one_hot(right, 11)

        return model

    shares = script["recalled_equally_loaded"](until(40, 3), 4, 40, 6, [10, 20, 40])
    assert shares == [1.0, 0.0]
    beginning = iter(range(0, 6, 4))
    (short,) = script["recalled_equally_loaded"](until(80, 4), 4, 40, 6, [0, 40])
    asked = (test.targets >= 0) & (filed >= 3)
    assert short == pytest.approx(float((filed[asked] == 4).double().mean()))
    assert 0 < short < 1


def test_the_stretches_of_a_long_text_double(small_script, monkeypatch):
    asked = []

    def equally_loaded(model, load, n_pairs, count, ends):
        asked.append((load, n_pairs, count, ends))
        return [0.5] * (len(ends) - 1)

    monkeypatch.setitem(small_script, "recalled_equally_loaded", equally_loaded)
    monkeypatch.setitem(small_script, "LONG", 40)
    small_script["main"]([small_script["LINEAR"]])
    assert asked[:2] == [(3, 5, 1024, [0, 5]), (2, 40, 48, [5, 10, 20, 40])]
    assert recall_race.load().recall_equally_loaded[small_script["LINEAR"]] == [[0.5] * 4] * 2


def test_the_script_stores_what_each_arm_gives(small_script):
    """It runs in small: with the same steps and with more."""
    arms = ["linear", "linear, 4 times the steps", "Hyena"]
    small_script["main"](arms[:2])
    small_script["main"](arms[2:])
    race = recall_race.load()
    assert [*race.recall] == ["linear", "Hyena", "linear, 4 times the steps"]
    assert [*race.recall_long] == ["linear", "linear, 4 times the steps"]
    for rows in race.recall.values():
        assert [len(row) for row in rows] == [2, 2]
        assert all(0 <= share <= 1 for row in rows for share in row)
    assert race.recall["linear"] != race.recall_long["linear"]
    assert race.recall["linear"] != race.recall["linear, 4 times the steps"]


def test_the_rate_is_the_best_on_texts_for_choosing(small_script, monkeypatch):
    """With a rate of next to nothing a model learns nothing, and the other is chosen."""
    monkeypatch.setitem(small_script, "TRAINING", {"d_model": 8, "batch_size": 16, "steps": 150})
    small_script["main"](["attention"])
    race = recall_race.load()
    assert race.rates["attention"] == 1e-2
    assert np.mean(race.recall["attention"]) > 0.6


def test_an_arm_with_one_rate_is_trained_at_that_alone(small_script, monkeypatch):
    """No run chooses it: each seed trains once."""
    runs = []

    def trained(model, batches, steps, rate):
        runs.append((steps, rate))
        return model

    monkeypatch.setitem(small_script, "trained", trained)
    selective = small_script["SELECTIVE"]
    monkeypatch.setitem(small_script, "RATES_OF", {selective: (5e-3,)})
    small_script["main"]([selective])
    assert runs == [(4 * 3, 5e-3)] * 2
    race = recall_race.load()
    assert race.rates == {selective: 5e-3}
    assert race.choosing == {selective: {}}


def test_whole_models_are_timed_in_rounds_and_the_times_outlast_a_new_arm(
    small_script, monkeypatch
):
    calls = []

    def count(function, **arguments):
        assert function().shape == (1, 2 * 7, 5)
        calls.append(arguments)
        return float(len(calls))

    monkeypatch.setitem(small_script, "cpu_milliseconds", count)
    small_script["main"](["window", small_script["TIMES"], "linear"])
    times = recall_race.load().milliseconds
    width, rounds = len(small_script["TIMED"]), small_script["ROUNDS"]
    assert times == {
        arm: [1.0 + place + width * turn for turn in range(rounds)]
        for place, arm in enumerate(small_script["TIMED"])
    }
    assert [*recall_race.load().recall] == ["linear", "window"]


def test_eight_narrow_heads_hold_about_as_much_as_two_wide_ones_and_one_head_half(script):
    def state(way):
        layer = Recaller([way], 80, 128, 32).mixing[0]
        query, _, value = layer.heads(torch.zeros(1, 1, 32))
        return query.size(1) * query.size(-1) * (value.size(-1) + 1)

    arms = (script["EIGHT_HEADS"], script["WIDE_HEADS"], script["ONE_HEAD"], script["LINEAR"])
    assert [state(script["ARMS"][arm][0]) for arm in arms] == [2176, 2112, 1056, 544]


def test_other_terms_begin_another_store(small_script, monkeypatch):
    small_script["main"](["linear"])
    monkeypatch.setitem(small_script, "LOADS", (3,))
    small_script["main"](["window"])
    assert [*recall_race.load().recall] == ["window"]


def test_an_arm_of_two_ways_mixes_by_the_one_and_then_by_the_other(small_script, monkeypatch):
    made = []

    def recaller(ways, *sizes):
        made.append([*ways])
        return Recaller(ways, *sizes)

    monkeypatch.setitem(small_script, "Recaller", recaller)
    monkeypatch.setitem(small_script, "ARMS", {"both": ("window then attention", 1)})
    small_script["main"](["both"])
    assert made == [["window", "attention"]] * 4
