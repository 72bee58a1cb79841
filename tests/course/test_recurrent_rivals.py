"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import recurrent_rivals

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "recurrent_rivals.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_rival_of_the_script_is_stored_under_its_terms(script):
    stored = recurrent_rivals.load()
    assert [*stored.notes] == [*script["NOTES"]]
    for name, (_, seeds, _) in script["NOTES"].items():
        assert [len(row) for row in stored.notes[name]] == [6] * len(seeds)
    assert {lag: [*arms] for lag, arms in stored.recall.items()} == {
        lag: [*arms] for lag, arms in script["RECALL"].items()
    }
    for arms in stored.recall.values():
        assert {len(shares) for shares in arms.values()} == {len(script["SEEDS"])}
    assert [*stored.translation] == [*script["TRANSLATION"]]
    for reached in stored.translation.values():
        assert len(reached.new) == 5
        assert all(0 <= share <= 1 for share in (*reached.new, reached.learned))


def test_every_part_runs_with_next_to_no_steps(script):
    assert len(script["run_notes"]("LSTM, long notes alone", steps=2)[0]) == 6
    assert len(script["run_notes"]("RNN, gain 1.5, rate 0.003", steps=2)[0]) == 6
    for lag, arms in script["RECALL"].items():
        for name in arms:
            (share,) = script["run_recall"](lag, name, seeds=(0,), steps=2)
            assert 0 <= share <= 0.4
    reached = script["run_translation"]("three times as wide", steps=2)
    assert reached["new"] == pytest.approx([0] * 5, abs=0.1)


def test_the_wide_translator_is_stored_with_its_parameters(script):
    reached = script["run_translation"]("three times as wide", steps=1)
    stored = recurrent_rivals.load().translation["three times as wide"]
    assert reached["parameters"] == stored.parameters
