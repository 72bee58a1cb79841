"""Random neurons with the best readout, whose mean loss at a forbidden size is stored."""

import numpy as np
import pytest
from softlookup.course.exercises.random_neurons import (
    MEAN_LOSS,
    NOISE,
    held_out_loss,
    loss_of_neurons,
)
from softlookup.course.exercises.sizes_extrapolated import SIZES, TARGET
from softlookup.course.exercises.verdict import Mistake


def test_the_stored_loss_is_that_of_the_size_in_question():
    """Of eight seeds that it was not taken from."""
    losses = np.array([loss_of_neurons(TARGET, seed) for seed in range(8)])
    standard_error = losses.std(ddof=1) / 8**0.5
    assert losses.mean() == pytest.approx(MEAN_LOSS, abs=3 * standard_error)
    assert standard_error < 0.01 * MEAN_LOSS


def test_what_is_above_the_noise_falls_as_a_power_and_the_loss_does_not():
    means = np.array([np.mean([held_out_loss(size, s) for s in range(12)]) for size in SIZES])
    exponent, _ = np.polyfit(np.log(SIZES[2:]), np.log(means[2:] - NOISE), 1)
    assert exponent == pytest.approx(-0.5, abs=0.1)
    assert pytest.approx(MEAN_LOSS, abs=0.006) == (
        NOISE + (means[-1] - NOISE) * (TARGET / SIZES[-1]) ** exponent
    )
    line = np.polyfit(np.log(SIZES), np.log(means), 1)
    assert np.exp(np.polyval(line, np.log(TARGET))) < MEAN_LOSS - 0.01


def test_the_closed_form_is_what_a_fit_to_many_inputs_comes_to():
    """A readout that is fitted to drawn inputs loses, on other inputs, hardly more."""
    drawing, features = np.random.default_rng(1), 2000
    weights = np.random.default_rng(3).standard_normal((4, features))
    inputs = drawing.standard_normal((3000, features)) * np.arange(1, features + 1) ** -0.75
    seen, answers = inputs @ weights.T, inputs.sum(axis=1)
    readout = np.linalg.lstsq(seen[:1500], answers[:1500])[0]
    lost = ((answers - seen @ readout)[1500:] ** 2).mean() / (answers[1500:] ** 2).mean()
    assert lost + NOISE == pytest.approx(loss_of_neurons(4, 3), rel=0.1)


def test_a_run_repeats_itself():
    assert held_out_loss(16, 7) == held_out_loss(16, 7)
    assert held_out_loss(16, 7) != held_out_loss(16, 8)


def test_the_size_in_question_is_refused():
    with pytest.raises(Mistake, match="you trained size 512"):
        held_out_loss(TARGET, 0)
