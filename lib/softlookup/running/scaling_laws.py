"""Scaling laws: a model's loss as a function of its size, and what a budget of work buys.

A law is fitted to losses; it is not derived. So ``interval`` says how far its prediction would move
with other seeds, by ``pooled_means`` or, where there are many seeds, by ``resampled_means``; and
``last_two_line`` is the rival that a law must beat.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

# The exponents among which a fit chooses: every thousandth from 0.001 to 2.
_EXPONENTS = np.arange(1, 2001) / 1000


@dataclass(frozen=True)
class PowerLaw:
    """The loss of a model of n parameters, ``floor + scale / n ** exponent``, in nats a token.

    Attributes:
        floor: what is left of the loss as the size grows without bound.
        scale: the loss above the floor at one parameter.
        exponent: how fast the rest falls.

    Source: Hoffmann et al. 2022, equation 2, for one amount of data.
    """

    floor: float
    scale: float
    exponent: float

    def __call__(self, parameters: ArrayLike) -> NDArray[np.float64]:
        """The loss at a size, or at each of several."""
        sizes = np.asarray(parameters, dtype=float)
        return np.asarray(self.floor + self.scale * sizes**-self.exponent)


def fit_power_law(
    parameters: ArrayLike, losses: ArrayLike, errors: ArrayLike | None = None
) -> PowerLaw:
    """The law with the least sum of squared errors, its floor and scale not below zero.

    For a given exponent the floor and the scale are a straight line's two coefficients, so only the
    exponent is searched for, among the thousandths up to 2.

    Args:
        parameters: the sizes, (sizes).
        losses: the loss at each, (sizes), in nats.
        errors: how far each loss may be off, (sizes), in nats; it counts by one over the square of
            that. Where it is None all count alike.

    Raises:
        ValueError: if there are fewer than three different sizes, a size or a loss or an error is
            not positive, or there are not as many of each.

    Source: Hoffmann et al. 2022, section 3.3, with squares in place of the Huber loss.
    """
    sizes, values = np.asarray(parameters, dtype=float), np.asarray(losses, dtype=float)
    if sizes.ndim != 1 or sizes.shape != values.shape or len(np.unique(sizes)) < 3:
        raise ValueError(
            f"there are sizes of shape {sizes.shape} and losses of shape {values.shape}; expected "
            "one list of each, equally long, with at least three different sizes: the law has "
            "three unknowns"
        )
    if not (np.all(sizes > 0) and np.all(values > 0)):
        raise ValueError("a size or a loss is not positive; expected all of them above 0")
    off = np.ones(len(sizes)) if errors is None else np.asarray(errors, dtype=float)
    if off.shape != sizes.shape or not np.all(off > 0):
        raise ValueError(
            f"the errors have shape {off.shape} and go down to {np.min(off, initial=np.inf)}; "
            f"expected one above 0 for each of {len(sizes)} losses"
        )
    weights = off**-2 / np.sum(off**-2)
    # A row for each exponent: its best floor and scale, at an edge with one of them zero.
    falling = sizes ** -_EXPONENTS[:, None]
    centred = falling - (falling @ weights)[:, None]
    scale = centred @ (weights * values) / (centred**2 @ weights)
    floor = weights @ values - scale * (falling @ weights)
    through_zero = falling @ (weights * values) / (falling**2 @ weights)
    scale = np.where(floor < 0, through_zero, scale)
    floor = np.where(scale < 0, weights @ values, np.maximum(floor, 0))
    scale = np.maximum(scale, 0)
    missed = (floor[:, None] + scale[:, None] * falling - values) ** 2 @ weights
    best = int(np.argmin(missed))
    return PowerLaw(float(floor[best]), float(scale[best]), float(_EXPONENTS[best]))


def last_two_line(parameters: ArrayLike, losses: ArrayLike) -> Callable[[float], float]:
    """The rival of a law: a straight line through the two largest sizes, on log–log axes.

    Args:
        parameters: the sizes, (sizes), in rising order.
        losses: the loss at each, (sizes), in nats.

    Returns:
        From a size to the loss that the line predicts.

    Raises:
        ValueError: if there are fewer than two sizes or they do not rise.
    """
    sizes, values = np.asarray(parameters, dtype=float), np.asarray(losses, dtype=float)
    if len(sizes) < 2 or np.any(np.diff(sizes) <= 0):
        raise ValueError(f"the sizes are {sizes.tolist()}; expected two or more that rise")
    slope = np.log(values[-1] / values[-2]) / np.log(sizes[-1] / sizes[-2])
    return lambda size: float(values[-1] * (size / sizes[-1]) ** slope)


def pooled_means(
    losses: NDArray[np.float64], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Draw the mean of each size as other seeds might have given it: one spread for all sizes.

    Two or three seeds hardly tell how far seeds of one size scatter; those of all sizes together
    tell better, if all scatter alike. Their spread is still a guess, so it is drawn as well, and
    the means have the tails of Student's t.

    Args:
        losses: a row for each size and a column for each seed, (sizes, seeds), in nats.
        generator: draws the spread and the means.
    """
    sizes, seeds = losses.shape
    freedom = sizes * (seeds - 1)
    squares = np.sum((losses - losses.mean(axis=1, keepdims=True)) ** 2)
    error = np.sqrt(squares / generator.chisquare(freedom) / seeds)
    return np.asarray(losses.mean(axis=1) + error * generator.standard_normal(sizes))


def resampled_means(
    losses: NDArray[np.float64], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Draw the means from other seeds: as many as there are, with replacement.

    The same seeds are drawn for every size, since a seed may have the same luck at all of them. It
    assumes nothing of how sizes scatter, and wants many seeds: of n the drawn means have a variance
    too small by (n - 1) / n, and none lies beyond the seeds.

    Args:
        losses: a row for each size and a column for each seed, (sizes, seeds), in nats.
        generator: draws the seeds.

    Source: Efron and Tibshirani 1993, the bootstrap.
    """
    columns = generator.integers(losses.shape[1], size=losses.shape[1])
    return np.asarray(losses[:, columns].mean(axis=1))


def interval(
    parameters: ArrayLike,
    losses: ArrayLike,
    predict: Callable[[NDArray[np.float64], NDArray[np.float64]], float],
    *,
    draw_means: Callable[[NDArray[np.float64], np.random.Generator], NDArray[np.float64]],
    generator: np.random.Generator,
    draws: int = 1000,
    share: float = 0.95,
) -> tuple[float, float]:
    """An interval of a prediction: the mean of each size is drawn anew, and the law refitted.

    It holds what the choice of seeds could have changed. It does not hold the error of a law of
    the wrong form.

    Args:
        parameters: the sizes, (sizes).
        losses: a row for each size and a column for each seed, (sizes, seeds), in nats.
        predict: from the sizes and a mean loss for each to the prediction.
        draw_means: ``pooled_means`` or ``resampled_means``.
        generator: what it draws with.
        draws: how many times.
        share: the share of the draws that the interval holds.

    Returns:
        The lower and the upper end.

    Raises:
        ValueError: if there are fewer than two seeds.

    Source: Efron and Tibshirani 1993, the percentile interval.
    """
    sizes, table = np.asarray(parameters, dtype=float), np.asarray(losses, dtype=float)
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(
            f"the losses have shape {table.shape}; expected (sizes, seeds), with two seeds or more"
        )
    predicted = [predict(sizes, draw_means(table, generator)) for _ in range(draws)]
    low, high = np.quantile(predicted, [(1 - share) / 2, (1 + share) / 2])
    return float(low), float(high)


def training_work(parameters: float, tokens: float) -> float:
    """The floating-point operations of a training, about ``6 N D``.

    Each token multiplies and adds with each weight once forwards and twice backwards. Left out is
    attention's own work, the scores and the averages, which has no weights.

    Args:
        parameters: those of the model, without its tables of embeddings.
        tokens: how many it is trained on, repeated ones included.

    Source: Kaplan et al. 2020, section 2.1.
    """
    return 6.0 * parameters * tokens
