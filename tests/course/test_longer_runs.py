"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path

import pytest
from softlookup.course import longer_runs

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "gpt_against_n_grams.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_seed_of_the_script_is_stored_under_its_terms(script):
    runs = longer_runs.load()
    assert runs.sizes == script["SIZES"]
    assert tuple(sorted(runs.gpt)) == tuple(sorted(runs.cpu_seconds)) == script["SEEDS"]
    # Whoever copies one number into three places will be noticed.
    assert len({*runs.gpt.values()}) == len(runs.gpt)


def test_the_stored_n_gram_is_the_best_of_this_text(script):
    runs = longer_runs.load()
    texts = script["texts"]()
    found = script["best_n_gram"](*texts)
    assert script["digest"](*texts) == runs.text
    assert runs.best_n_gram == pytest.approx(found, abs=1e-9)


def test_one_step_of_the_script_learns(script, monkeypatch):
    """The script runs: the same way, with next to nothing of everything."""
    sizes = script["gpt"].__globals__["SIZES"]
    tiny = {"vocab_size": 300, "window": 16, "d_model": 8, "n_heads": 2, "n_layers": 1, "steps": 60}
    for name, value in tiny.items():
        monkeypatch.setitem(sizes, name, value)
    train_text, test_text = script["texts"]()
    bits, seconds = script["gpt"](train_text[:20_000], test_text[:2_000], seed=0)
    assert 2 < bits < 8
    assert seconds > 0
