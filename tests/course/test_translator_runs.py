"""The stored comparisons of translators are those of the script that says how they were made."""

import json
import runpy
from pathlib import Path

import pytest
from softlookup.course import translator_runs

# Of these two seeds are at the floor of the loss, and answer alike.
ALIKE = {"random places, longer": 2}
SCRIPT = Path(__file__).parents[2] / "benchmarks" / "translators.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize(
    "part", ["warm_up", "places", "relative", "recurrent", "marked", "taught", "messages"]
)
def test_every_run_of_the_script_is_stored_under_its_terms(script, part):
    stored = json.loads(translator_runs.STORE.read_text("utf-8"))[part]
    _, names = script["PARTS"][part]
    assert stored["terms"] == script["TERMS"][part]
    runs = getattr(translator_runs, part)()
    assert sorted(runs) == sorted(names)
    for name, by_seed in runs.items():
        assert len(by_seed) in (1, len(script["TERMS"][part]["seeds"]))
        # Whoever copies one seed into three places will be noticed.
        assert len({str(each) for each in by_seed}) == ALIKE.get(name, len(by_seed))


def test_a_run_of_each_part_is_tried_in_small(script, monkeypatch):
    for part, smaller in {
        "warm_up": {"seeds": [0], "steps": 3},
        "places": {"seeds": [0], "steps": 51, "exam": 5},
        "relative": {"seeds": [0], "longer": 51},
        "recurrent": {"seeds": [0], "steps": 51},
        "marked": {"seeds": [0], "steps": 51},
        "taught": {"seeds": [0], "steps": 11},
        "messages": {"seeds": [0]},
    }.items():
        for name, value in smaller.items():
            monkeypatch.setitem(script["TERMS"][part], name, value)
    monkeypatch.setitem(script["TRAININGS"], "few steps", {"steps": 7})
    ((*losses,),) = script["warm_up"]("pre-norm, 0.01 after a climb")
    assert len(losses) == 3
    (placed,) = script["places"]("random places")
    (turned,) = script["relative"]("rotary, longer")
    (wandering,) = script["relative"]("random places, longer")
    assert wandering["loss"] != turned["loss"]
    (looking,) = script["recurrent"]("looks back, 0.01")
    (summing,) = script["recurrent"]("fixed vector, 0.01")
    (rated,) = script["recurrent"]("Transformer, 0.01")
    assert looking["parameters"] == summing["parameters"]
    assert len({each["loss"] for each in (looking, summing, rated)}) == 3
    for name in ("Transformer", "looks back"):
        (told,) = script["marked"](name)
        assert set(told["right"]) == set(looking["right"])
    (taught,) = script["taught"]("a hundred and nothing else")
    assert set(placed["right"]) == set(taught) - {"first half not told"}
    assert set(turned["right"]) == set(placed["right"])
    assert len(placed["lengths"]) == 5
    (answers,) = script["of_messages"]("few steps")
    assert len(answers["exam"]) == len(answers["learned"]) == script["TERMS"]["messages"]["exam"]
    assert answers["by heart"] < 0.5


def test_the_recurrent_translators_have_as_many_parameters_as_the_transformer(script):
    whole = sum(each.numel() for each in script["Transformer"](script["WHOLE"]).parameters())
    runs = translator_runs.recurrent()
    counted = {each["parameters"] for name in runs for each in runs[name] if "parameters" in each}
    assert len(counted) == 1
    assert 0 <= whole - counted.pop() < 200


def test_the_cuts_are_marked_behind_hundred_and_thousand_and_no_and_is_read(script):
    batch = script["marked_cuts"](script["numerals"].encode([577_021, 42]))
    words = [*script["numerals"].ENGLISH.tokens, "|"]
    read = [
        " ".join(words[word] for word in row[:length])
        for row, length in zip(batch.source, batch.source_lengths, strict=True)
    ]
    assert read == ["five hundred | seventy seven thousand | twenty one", "forty two"]
