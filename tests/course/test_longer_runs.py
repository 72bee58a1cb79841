"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import longer_runs
from softlookup.data.byte_pairs import BytePairs
from softlookup.pretrained import small_gpt

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "gpt_against_n_grams.py"
WITH_GPTS = ("GPT", "two GPTs", "GPT and short cache", "GPT and long cache")


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_run_of_the_script_is_stored_under_its_terms(script):
    runs = longer_runs.load()
    assert runs.sizes == script["SIZES"]
    assert [tuple(each) for each in runs.runs] == [*script["RUNS"]]
    assert runs.text == script["digest"](*script["texts"]())
    assert runs.validation.keys() == runs.test.keys()
    assert not any(runs.validation[name] == runs.test[name] for name in runs.test)
    for part in (runs.validation, runs.test):
        for name in WITH_GPTS:
            # Whoever copies one number into three places will be noticed.
            assert len({*part[name]}) == len(part[name]) == len(script["RUNS"])
    assert len(runs.cpu_seconds) == len(script["RUNS"])


def test_the_stored_n_grams_and_the_shipped_model_are_measured_as_stored(script, monkeypatch):
    """On the validation text: the test text is the chapter's to open."""
    train_text, validation, _ = script["texts"]()
    small = small_gpt.load_small_gpt()
    tokens = small.tokens
    read, ids = tokens.encode(train_text), tokens.encode(validation)
    losses = script["network_losses"](small.model, read, ids)
    bits = losses.sum().item() / torch.tensor(2.0).log().item() / len(validation)
    stored = longer_runs.load().validation
    assert bits == pytest.approx(stored["GPT"][0], rel=1e-4)


def test_the_script_learns_and_measures(script, monkeypatch, tmp_path):
    """The script runs: the same way, with next to nothing of everything."""
    own = script["learn"].__globals__
    tiny = {"vocab_size": 300, "window": 16, "d_model": 8, "n_heads": 2, "n_layers": 1}
    tiny |= {"steps": 60, "long_cache": 64}
    for name, value in tiny.items():
        monkeypatch.setitem(own["SIZES"], name, value)
    monkeypatch.setitem(own, "KEPT", tmp_path)
    train_text, validation, _ = (text[:20_000] for text in script["texts"]())
    for run in (0, 1):
        script["learn"](run, train_text)
    found = script["measured"]((0, 1), train_text, train_text, validation[:2_000])
    assert all(1 < bits < 8 for several in found.values() for bits in several)
    assert len(found["GPT"]) == 2
    assert found["n-gram"][0] < found["GPT"][0]
    kept = small_gpt.unpacked((tmp_path / "gpt_0.safetensors").read_bytes())
    assert kept.tokens.merged == BytePairs(train_text, 300).merged
