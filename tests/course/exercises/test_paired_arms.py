"""A report on two arms is tried in worlds whose truth is known, and told what is wrong."""

import numpy as np
import pytest
import torch
from softlookup.course.exercises.measuring import ask
from softlookup.course.exercises.paired_arms import BUDGET, PairedWorld, measure_paired
from softlookup.course.exercises.verdict import Mistake

TRUTH = 0.03


def real(arm, seed):
    """A stand-in for training: the gain of arm 2 over arm 1 is the truth, give or take."""
    return 0.5 + 0.1 * seed + (TRUTH + 0.001 * (-1) ** seed if arm == 2 else 0.0)


def paired(run, seeds=range(12), quantile=2.2):
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in seeds], dtype=torch.float64)
    half_width = quantile * gains.std() / len(gains) ** 0.5
    return gains.mean() - half_width, gains.mean() + half_width


@pytest.mark.parametrize("kind", [tuple, list, torch.tensor, np.array])
def test_an_honest_interval_passes_whatever_holds_it(kind):
    measure_paired(lambda run: kind([float(end) for end in paired(run)]), real, TRUTH)


def shifted(run):
    low, high = paired(run)
    return low + 0.02, high + 0.02


def fixed(run):
    low, high = paired(run)
    return (low + high) / 2 - 0.02, (low + high) / 2 + 0.02


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (lambda run: paired(run, quantile=1.0), r"too sure\. It reaches 1\.00 standard errors"),
        (
            lambda run: paired(run, quantile=1.96),
            "1.96 standard errors .* guess the spread from 12",
        ),
        (lambda run: paired(run, quantile=1.96 * (11 / 12) ** 0.5), "1.96 standard errors"),
        (lambda run: paired(run, quantile=12.0), r"5\.4 times as wide as it need be"),
        (shifted, "lie too high, by 0.020 on average"),
        (lambda run: [-end for end in paired(run)][::-1], "the first arm less the second"),
        (lambda run: [100 * end for end in paired(run)], "in per cent"),
        (fixed, r"is 0\.04 wide whatever the runs gave"),
        (lambda run: (run(2, 0), run(2, 0) + 1), "never trained the control, arm 1"),
        (lambda run: (run(1, 0), run(1, 0) + 1), "never trained the model in question, arm 2"),
        (lambda run: paired(run, [4, 5]), "fewer than three seeds"),
        (lambda run: paired(run, [4, 5, 6, 4]), "trained arm 2 with seed 4 2 times"),
        (lambda run: paired(run, range(13)), f"more than {BUDGET} models"),
        (lambda run: run(3, 0), "you asked for arm 3; there are 1 and 2"),
    ],
)
def test_a_report_is_told_what_is_wrong(report, words):
    with pytest.raises(Mistake, match=words):
        measure_paired(report, real, TRUTH)


def test_what_holds_in_the_worlds_must_hold_in_training():
    with pytest.raises(Mistake, match=r"on the real model your interval goes from 0\.02"):
        measure_paired(paired, real, TRUTH + 0.1)


def test_a_budget_may_be_used_to_the_last_model():
    measure_paired(lambda run: paired(run, range(BUDGET // 2)), real, TRUTH)


def test_a_world_repeats_itself_and_its_gain_is_the_mean_of_many():
    world = PairedWorld(gain=0.2, number=17)
    assert world.run(1, 5) == world.run(1, 5)
    gains = torch.tensor([world.run(2, seed) - world.run(1, seed) for seed in range(2000)])
    assert gains.mean() == pytest.approx(0.2, abs=4 * 0.02 * 2**0.5 / 2000**0.5)
    # What a seed gives to both arms is not in their difference.
    assert gains.std() == pytest.approx(0.02 * 2**0.5, rel=0.1)
    scores = torch.tensor([world.run(1, seed) for seed in range(2000)])
    assert scores.std() == pytest.approx((0.1**2 + 0.02**2) ** 0.5, rel=0.1)
    other = PairedWorld(gain=0.2, number=18)
    assert other.run(1, 5) != world.run(1, 5)


def test_the_worlds_differ_in_what_is_true():
    """A report that always lies about one number, however wide, is found out."""
    with pytest.raises(Mistake, match="never trained"):
        measure_paired(lambda run: (-0.2, 0.2), real, TRUTH)

    def blind(run):
        low, high = paired(run)
        return (low - high) / 2, (high - low) / 2

    with pytest.raises(Mistake, match="lies about 0, whatever the runs gave"):
        measure_paired(blind, real, TRUTH)


def test_a_report_may_ask_with_seeds_of_any_whole_number_type():
    assert ask(paired, real, BUDGET).asked[0] == (2, 0)
    measure_paired(lambda run: paired(run, np.arange(12)), real, TRUTH)
