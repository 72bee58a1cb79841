"""Models that train in a millisecond: random neurons, whose best readout has a closed form.

What the inputs carry falls as a power of their rank, so the loss falls as a power of the number of
neurons (Maloney et al. 2022). A part of what is asked for is noise, which no model removes.
"""

from typing import SupportsInt

import numpy as np

from softlookup.course.exercises.sizes_extrapolated import require_known

FEATURES, DECAY = 2000, 1.5
NOISE = 0.1

# The mean loss of size 512 over seeds 1000 to 1059; its standard error is 0.0002.
MEAN_LOSS = 0.1527


def held_out_loss(size: SupportsInt, seed: SupportsInt) -> float:
    """The loss of so many random neurons on all inputs that there are, their readout the best one.

    Args:
        size: how many neurons, one of ``sizes_extrapolated.SIZES``.
        seed: of the neurons' weights; the same seed, the same loss.

    Raises:
        Mistake: if the size may not be trained.
    """
    require_known(size)
    return loss_of_neurons(int(size), int(seed))


def loss_of_neurons(size: int, seed: int) -> float:
    """The mean squared error of the best linear readout of so many linear random neurons.

    An input has independent features; the variance of the i-th is i to the power of ``-DECAY``. The
    answer is their sum, scaled to variance one, and noise of variance ``NOISE``. A neuron sums the
    first ``FEATURES`` of them, each with a random weight; what the rest carries stays in the loss.

    Args:
        size: how many neurons.
        seed: of their weights.
    """
    variances = np.arange(1, FEATURES + 1) ** -DECAY
    weights = np.random.default_rng(seed).standard_normal((size, FEATURES))
    of_neurons = weights * variances @ weights.T
    with_answer = weights @ variances
    readout = np.linalg.solve(of_neurons, with_answer)
    # What all features carry together; beyond ``FEATURES`` an integral gives their sum.
    carried = variances.sum() + (FEATURES + 0.5) ** (1 - DECAY) / (DECAY - 1)
    return float(1 + NOISE - readout @ with_answer / carried)
