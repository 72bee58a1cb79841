"""The race of one head against two, whose outcome is stored."""

import pytest
import torch
from softlookup.course.exercises.heads_compared import MEAN_GAIN, right_after_thirty_steps


def test_the_stored_gain_is_what_training_gives():
    """Of fifty seeds that it was not taken from."""
    gains = torch.tensor(
        [right_after_thirty_steps(2, s) - right_after_thirty_steps(1, s) for s in range(50)]
    )
    standard_error = gains.std().item() / 50**0.5
    assert gains.mean().item() == pytest.approx(MEAN_GAIN, abs=3 * standard_error)
    assert 0 < standard_error < 0.25 * MEAN_GAIN


def test_a_run_repeats_itself_and_leaves_the_readers_draws_alone():
    state = torch.get_rng_state()
    assert right_after_thirty_steps(2, 7) == right_after_thirty_steps(2, 7)
    assert right_after_thirty_steps(2, 7) != right_after_thirty_steps(2, 8)
    assert torch.equal(torch.get_rng_state(), state)
