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
    assert [*stored.rewards] == [*script["REWARD_STEPS"], "length"]
    assert {len(stored.rewards[judge]) for judge in script["REWARD_STEPS"]} == {
        len(script["SEEDS"])
    }
    assert {*stored.texts} == {"the reference", "one logit raised", *script["SHOWN"]}
    assert {len(stored.texts[way]) for way in script["SHOWN"]} == {len(script["SEEDS"])}
    shown = [stored.begun, *(each.shown for seeds in stored.texts.values() for each in seeds)]
    assert {len(texts) for texts in shown} == {stored.sizes["shown"]}


def test_an_order_holds_the_texts_that_the_reference_has_written():
    stored = preferences.load()
    written = [sorted(counts) for counts in stored.full_stops]
    for seeds in stored.rewards.values():
        for ordered in seeds:
            assert [sorted(counts) for counts in ordered] == written


def test_texts_are_put_in_the_order_of_their_scores(script):
    stop, written = script["STOP"], torch.zeros(3, 1, 36, dtype=torch.long)
    written[1, 0, -1:] = stop  # a full stop in the second text, and two in the third
    written[2, 0, -2:] = stop
    scores = iter(torch.tensor([[0.5], [2.0], [-1.0]]))
    assert script["in_order"](lambda texts: next(scores), written) == [[2, 0, 1]]


def test_a_reward_model_is_fitted_to_raise_what_won(script):
    losses = [
        script["fit_verdicts"](lambda texts: texts[:, 0], (won, lost)).item()
        for won, lost in ((torch.ones(2, 1), torch.zeros(2, 1)), (torch.zeros(2, 1),) * 2)
    ]
    assert losses == pytest.approx([torch.tensor(-1.0).exp().log1p().item(), 0.6931], abs=1e-4)


def test_no_more_full_stops_end_something_than_there_are():
    stored = preferences.load()
    counts, ends = torch.tensor(stored.full_stops), torch.tensor(stored.ends)
    assert ends.min() >= 0
    assert (ends <= counts).all()


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


def test_shares_are_shares_and_nothing_is_nearer_than_the_reference():
    stored = preferences.load()
    for seeds in stored.courses.values():
        for looks in seeds:
            assert all(0 <= each.follows <= 1 and each.distance >= 0 for each in looks)


def test_the_script_runs_with_next_to_no_steps(script):
    ways = (
        "preferences, the judge errs",
        "preferences, its own texts",
        "reinforcement",
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
        prices=(0.3,),
    )
    assert [*result["texts"]] == [
        "the reference",
        "one logit raised",
        "preferences, the judge errs",
    ]
    assert 0 < result["pairs"][0] <= 24
    assert [len(counts) for counts in result["full_stops"]] == [3] * 4
    for ordered in (seeds[0] for seeds in result["rewards"].values()):
        assert [sorted(counts) for counts in ordered] == [*map(sorted, result["full_stops"])]
    assert [*result["at_the_end"]] == [way for way in ways if way in script["ON_MORE_TEXTS"]]
    assert {len(seeds[0]) for seeds in result["at_the_end"].values()} == {2}
    assert [len(ends[0]) for ends in result["at_prices"].values()] == [2]
    for way in ways:
        (end,) = result["courses"][way][0]
        assert len(end) == 4
        assert [len(seen) for seen in result["on_pairs"][way][0]] == [4, 4]


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
    worth, spread, better, worse = script["seen_on"](None, (one, other, before, before))
    assert worth == pytest.approx((3 * 2 + 2 * 1) / 5)
    assert spread == pytest.approx(((9 + 4) / 2) ** 0.5, abs=1e-4)
    assert (better, worse) == (-1.0, -3.5)


def test_reinforcement_pushes_the_text_that_gains_more_after_the_price_is_paid(script, monkeypatch):
    names = script["reinforce"].__globals__
    texts, log_probabilities = torch.zeros(2, 36, dtype=torch.long), torch.tensor([-3.0, -5.0])
    log_probabilities.requires_grad_()
    of_reference = torch.tensor([-4.5, -5.0])
    monkeypatch.setitem(names, "write", lambda model, prompts, drawing: texts)
    monkeypatch.setitem(names, "reward", lambda texts: torch.tensor([2.0, 1.0]))
    monkeypatch.setitem(
        names,
        "log_probability",
        lambda model, texts: of_reference if model is names["gpt"] else log_probabilities,
    )
    script["reinforce"](None, (texts[:1], None)).backward()
    # The first has one full stop more, and has become likelier by a nat and a half: too dear.
    ahead = 1.0 - script["SIZES"]["strength"] * 1.5
    assert log_probabilities.grad.tolist() == pytest.approx([-ahead / 2, ahead / 2])


def test_a_coin_tells_nothing_of_the_reward(script):
    gaps = torch.tensor([-5.0, 5.0]).repeat_interleave(2000)
    wins = script["tosses_a_coin"](gaps, torch.Generator().manual_seed(0)).double()
    assert wins.view(2, -1).mean(dim=1).tolist() == pytest.approx([0.5, 0.5], abs=0.05)


@pytest.mark.parametrize("unlike", [True, False])
def test_of_its_own_texts_the_model_learns_from_those_alone_that_the_judge_tells_apart(
    script, monkeypatch, unlike
):
    names = script["prefer_its_own"].__globals__
    # Two beginnings, each continued twice; both texts of the first are worth the same.
    texts = torch.arange(4)[:, None].expand(4, 36)
    rewards = torch.tensor([1.0, 9.0 if unlike else 1.0, 1.0, 1.0])
    log_probabilities = torch.full((4,), -3.0, requires_grad=True)
    monkeypatch.setitem(names, "write", lambda model, prompts, drawing: texts)
    monkeypatch.setitem(names, "reward", lambda shown: rewards[shown[:, 0]])
    monkeypatch.setitem(
        names,
        "log_probability",
        lambda model, shown: (
            torch.full((len(shown),), -3.0)
            if model is names["gpt"]
            else log_probabilities[shown[:, 0]]
        ),
    )
    loss = script["prefer_its_own"](None, (texts[:2], torch.Generator().manual_seed(0)))
    loss.backward()
    # Of the second beginning one text has eight full stops more: it wins, and is pushed up.
    pushed = [0.0, -0.5, 0.0, 0.5] if unlike else [0.0] * 4
    assert log_probabilities.grad.tolist() == pytest.approx(pushed)


def test_the_other_prices_are_those_of_the_script_and_a_lower_one_leads_further(script):
    stored = preferences.load()
    assert tuple(stored.at_prices) == script["OTHER_PRICES"]
    assert {len(seeds) for seeds in stored.at_prices.values()} == {len(script["SEEDS"])}
    by_price = {stored.sizes["strength"]: stored.at_the_end[script["ERRING"]], **stored.at_prices}
    for ends in zip(*(by_price[price] for price in sorted(by_price)), strict=True):
        distances = [distance for _, distance in ends]
        assert distances == sorted(distances, reverse=True)


def test_at_another_price_the_loss_is_that_of_this_price(script, monkeypatch):
    asked = []
    monkeypatch.setitem(script["prefer"].__globals__, "log_probability", lambda model, texts: texts)
    monkeypatch.setitem(
        script["prefer"].__globals__,
        "preference_loss",
        lambda *_, strength: asked.append(strength),
    )
    monkeypatch.setitem(
        script["course_of"].__globals__,
        "train",
        lambda model, loss, *_, **others: loss(model, (None,) * 4),
    )
    look = SimpleNamespace(at=lambda model: None)
    for price in (None, 0.3):
        script["course_of"](script["ERRING"], [torch.zeros(8)], look, 0, price=price)
    assert asked == [script["SIZES"]["strength"], 0.3]
