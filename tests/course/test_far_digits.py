"""The stored runs are those of the script that says how they were made."""

import runpy
from pathlib import Path

import pytest
import torch
from softlookup.course import far_digits
from softlookup.data import canvases
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
        _, choosing, seeds = script["terms"](name)
        assert [*run.tried] == [*settings]
        assert all(len(shares) == len(choosing) for shares in run.tried.values())
        assert len(run.test) == len(seeds)
        assert len(run.apart) in (0, len(seeds))
        assert run.parameters == sum(p.numel() for p in make(run.width).parameters())


def test_nobody_is_judged_on_a_seed_that_chose_the_setting(script):
    for name in script["CONTESTANTS"]:
        _, choosing, seeds = script["terms"](name)
        assert not {*choosing} & {*seeds}


def test_the_setting_is_the_best_on_validation_in_the_mean():
    for run in far_digits.load().contestants.values():
        means = {setting: sum(shares) for setting, shares in run.tried.items()}
        assert means[run.width, run.learning_rate] == pytest.approx(max(means.values()))


def test_the_script_runs_with_next_to_no_steps(script):
    parts = deal_out(digits(), seed=11)
    judged, tested = (script["drawn"](part, 1) for part in (parts.validation, parts.second_test))
    terms = {"steps": 9, "choosing": (0, 11), "seeds": (1, 2, 3)}
    result = script["run"]("linear", parts, judged, tested, **terms)
    assert [len(shares) for _, _, *shares in result["tried"]] == [2, 2, 2]
    assert result["parameters"] == 2 * (24 * 24 + 1)
    assert len(result["test"]) == len(result["apart"]) == 3
    assert all(0.3 < share < 0.7 for share in result["test"] + result["apart"])


def test_squares_are_apart_where_neither_a_side_nor_a_corner_joins_them(script):
    images = torch.full((3, 1, 24, 24), -1.0)
    images[:, :, :8, :8] = 1.0
    images[0, :, 8:16, 8:16] = 1.0  # at a corner
    images[1, :, 8:16, 16:] = 1.0  # two columns to the right
    images[2, :, 16:, :8] = 1.0  # two rows down
    judged = canvases.Canvases(images, torch.tensor([1, 1, 0]))
    always_equal = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(576, 2))
    torch.nn.init.zeros_(always_equal[1].weight)
    always_equal[1].bias.data = torch.tensor([0.0, 1.0])
    assert script["share_apart"](always_equal, judged) == 0.5
    assert script["share_right"](always_equal, judged) == pytest.approx(2 / 3)


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
