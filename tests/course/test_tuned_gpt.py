"""The stored search and its best GPT are those of the script that says how they were made."""

import json
import runpy
from pathlib import Path

import pytest
from softlookup.course import longer_runs, tuned_gpt
from softlookup.data.byte_pairs import BytePairs

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def script():
    return runpy.run_path(str(BENCHMARKS / "tuned_gpt.py"))


def made_small(script, monkeypatch, sizes):
    """The script's names, with sizes of next to nothing."""
    own = script["main"].__globals__
    tiny = {"vocab_size": 300, "window": 16, "d_model": 8, "n_heads": 2, "n_layers": 1}
    for whole in (own["SIZES"], own["untuned"].SIZES):
        for name, value in (tiny | sizes).items():
            monkeypatch.setitem(whole, name, value)
    return own


def test_everything_that_was_tried_is_stored_under_its_terms(script):
    found = tuned_gpt.load()
    assert found.sizes == script["SIZES"] == longer_runs.load().sizes
    assert found.fine_tuning == script["FINE_TUNING"]
    assert found.tried == script["TRIED"]
    assert found.text == longer_runs.load().text
    # Whoever copies one number into three places will be noticed.
    assert len({*found.tried_validation}) == len(found.tried_validation) == len(found.tried)
    assert found.seeds == [*script["SEEDS"]]
    for part in (found.validation, found.test):
        for name, several in part.items():
            assert len({*several}) == len(several) == (1 if name == "two GPTs" else 2)
    for rows in (found.behind_by_chapter, *found.second_half.values()):
        assert [len(row) for row in rows] == [4, 4]
        assert len({str(row) for row in rows}) == len(rows)


def test_the_best_is_chosen_on_the_validation_text_alone():
    found = tuned_gpt.load()
    assert found.best in found.tried
    assert found.validation["GPT"][0] == pytest.approx(min(found.tried_validation), rel=1e-3)
    other = [1.0 for _ in found.tried_validation]
    other[3] = 0.5
    changed = tuned_gpt.TunedGPT(**(vars(found) | {"tried_validation": other}))
    assert changed.best == found.tried[3]


def test_a_table_at_a_rate_of_its_own_begins_as_another_and_moves_further(script, monkeypatch):
    own = made_small(script, monkeypatch, {"steps": 51})
    ids = BytePairs("abracadabra " * 50, 300).encode("abracadabra " * 50)
    setting = script["TRIED"][0] | {"learning_rate": 1e-5, "weight_decay": 0.0, "dropout": 0.0}
    one, many = (
        script["trained"](ids, 0, setting | {"table_times": times}).embedding.table
        for times in (1, 100)
    )
    script["seed_everything"](0)
    begun = own["untuned"].new_gpt(0.0).embedding.table
    moved = [(table - begun).abs().mean().item() for table in (one, many)]
    assert 20 * moved[0] < moved[1]


def test_the_script_searches_and_stores(script, monkeypatch, tmp_path, capsys):
    """The script runs: the same way, with next to nothing of everything."""
    own = made_small(script, monkeypatch, {"steps": 60, "long_cache": 64, "order": 2})
    monkeypatch.setitem(own["FINE_TUNING"], "window", 16)
    monkeypatch.setitem(own, "KEPT", tmp_path)
    monkeypatch.setitem(own, "TRIED", script["TRIED"][:2])
    monkeypatch.setattr(tuned_gpt, "STORE", tmp_path / "store.json")
    train_text, *_ = own["untuned"].texts()
    short = train_text[:20_000], *(f"{line}\nIt is read.\n" * 3 for line in ("One", "Two"))
    monkeypatch.setattr(own["untuned"], "texts", lambda: short)
    monkeypatch.setitem(own, "FIRST_LINES", ("One", "Two"))
    script["main"]([0])
    assert not tuned_gpt.STORE.exists()
    script["main"](range(2))
    found = json.loads(tuned_gpt.STORE.read_text())
    assert found["validation"]["GPT"][0] == min(found["tried_validation"])
    assert [len(row) for row in found["behind_by_chapter"]] == [2, 2]
    assert found["second_half"]["left alone"] != found["second_half"]["fine-tuned"]
