"""The stored runs are those of the script that says how they were made."""

import json
import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import shuffled_digits
from softlookup.data.digits import deal_out, digits

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def script():
    return runpy.run_path(str(BENCHMARKS / "shuffled_digits.py"))


def test_every_run_of_the_script_is_stored_under_its_terms(script):
    assert json.loads(shuffled_digits.STORE.read_text())["shuffled"]["terms"] == script["TERMS"]
    runs = shuffled_digits.load()
    assert sorted(runs) == sorted(script["RUNS"])
    n_validation = len(deal_out(digits(), seed=11).validation.labels)
    assert script["TERMS"]["judged_on"] == n_validation
    for by_seed in runs.values():
        assert len(by_seed) == len(script["TERMS"]["seeds"])
        assert all(0 <= place < n_validation for missed in by_seed for place in missed)
        # Whoever copies one seed's run into another's place will be noticed.
        assert len({str(missed) for missed in by_seed}) > 5


def test_a_shuffle_moves_every_image_alike_and_loses_nothing(script):
    images = torch.arange(2 * 64, dtype=torch.float32).view(2, 1, 8, 8)
    for change in (script["pixels"], script["patches"]):
        first, second = change(images).flatten(1)
        assert torch.equal(second - first, torch.full((64,), 64.0))
        assert not torch.equal(first, images[0].flatten())
        assert torch.equal(first.sort().values, images[0].flatten())
    first, second = script["each_anew"](images).flatten(1)
    assert not torch.equal(second - first, torch.full((64,), 64.0))
    assert torch.equal(second.sort().values, images[1].flatten())


@pytest.mark.parametrize("name", ["CNN, paper at zero, in order", "ViT, patches shuffled"])
def test_a_short_run_of_the_script_learns(script, name):
    (missed,) = script["run"](name, deal_out(digits(), seed=11), seeds=(1,), steps=60)
    assert len(missed) < 200
