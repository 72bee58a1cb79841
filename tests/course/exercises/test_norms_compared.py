"""The race of post-norm against pre-norm, whose outcome is stored."""

import pytest
import torch
from softlookup.course.exercises.norms_compared import MEAN_GAIN, held_out_loss
from softlookup.course.exercises.tuned_arms import ARMS, RATES
from softlookup.course.exercises.verdict import Mistake


def test_the_stored_gain_is_what_training_gives():
    """Of twenty seeds that it was not taken from, at the rates that are best for each."""
    few = {
        (a, r): torch.tensor([held_out_loss(a, r, s) for s in range(5)]).mean()
        for a in ARMS
        for r in RATES
    }
    best = {arm: min(RATES, key=lambda rate: few[arm, rate]) for arm in ARMS}
    assert best["pre"] == 0.03
    gains = torch.tensor(
        [held_out_loss("post", 0.01, s) - held_out_loss("pre", 0.03, s) for s in range(20)]
    )
    standard_error = gains.std().item() / 20**0.5
    assert gains.mean().item() == pytest.approx(MEAN_GAIN, abs=3 * standard_error)
    assert 0 < standard_error < 0.25 * MEAN_GAIN
    # What the exercise rests on: at one rate one arm leads, at another the other.
    assert few["post", 0.01] < few["pre", 0.01]
    assert few["post", 0.03] > few["pre", 0.03]


def test_a_run_repeats_itself_and_leaves_the_readers_draws_alone():
    state = torch.get_rng_state()
    assert held_out_loss("pre", 0.01, 7) == held_out_loss("pre", 0.01, 7)
    assert held_out_loss("pre", 0.01, 7) != held_out_loss("pre", 0.01, 8)
    assert torch.equal(torch.get_rng_state(), state)


def test_what_is_not_in_the_race_is_refused():
    with pytest.raises(Mistake, match=r"'pre' at rate 0.02"):
        held_out_loss("pre", 0.02, 0)
