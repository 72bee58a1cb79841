"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import far_digits
from softlookup.data.digits import deal_out, digits

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "far_digits.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_every_contestant_of_the_script_is_stored_under_its_terms(script):
    stored = far_digits.load()
    assert stored.sizes == script["SIZES"]
    assert [*stored.contestants] == [*script["CONTESTANTS"]]
    for name, run in stored.contestants.items():
        make, settings = script["CONTESTANTS"][name]
        assert [*run.tried] == [*settings]
        assert len(run.test) == len(script["SEEDS"])
        assert run.parameters == sum(p.numel() for p in make(run.width).parameters())


def test_the_setting_is_the_best_on_validation():
    for run in far_digits.load().contestants.values():
        assert run.tried[run.width, run.learning_rate] == max(run.tried.values())


def test_the_script_runs_with_next_to_no_steps(script):
    parts = deal_out(digits(), seed=11)
    judged, tested = (script["drawn"](part, 1) for part in (parts.validation, parts.second_test))
    result = script["run"]("linear", parts, judged, tested, steps=9, seeds=(1,))
    assert len(result["tried"]) == 3
    assert result["parameters"] == 2 * (24 * 24 + 1)
    assert 0.3 < result["test"][0] < 0.7


def test_training_and_test_canvases_are_drawn_from_different_scans():
    parts = deal_out(digits(), seed=11)
    sets = [
        {tuple(image.flatten().tolist()) for image in part.images}
        for part in (parts.training, parts.validation, parts.test, parts.second_test)
    ]
    assert sum(map(len, sets)) == len(torch.unique(digits().images.flatten(1), dim=0))


def test_the_kept_vit_is_right_about_as_often_as_the_stored_one(script):
    stored = far_digits.load().contestants["ViT"]
    model = script["vit"](stored.width)
    model.load_state_dict(far_digits.weights())
    tested = script["drawn"](deal_out(digits(), seed=11).second_test, 2)
    assert script["share_right"](model.eval(), tested) == pytest.approx(stored.test[0], abs=0.01)
