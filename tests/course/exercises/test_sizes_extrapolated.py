"""A forecast of a size that nobody trains is tried in worlds whose law is known."""

import numpy as np
import pytest
from softlookup.course.exercises.sizes_extrapolated import (
    BUDGET,
    FLOORS,
    SIZES,
    TARGET,
    SizedWorld,
    invented,
    measure_extrapolated,
)
from softlookup.course.exercises.verdict import Mistake
from softlookup.running.scaling_laws import PowerLaw

LAW = PowerLaw(0.2, 2.0, 0.5)
TRUTH = float(LAW(TARGET))
REAL = SizedWorld(LAW, 0.03, 1000).run


def measured(run, sizes=SIZES, seeds=10):
    return np.array([[run(size, seed) for seed in range(seeds)] for size in sizes])


def forecast(sizes, losses, quantile=2.26):
    """From every exponent as far as a law may go that fits nearly as well as the best."""
    sizes, exponents = np.array(sizes), np.linspace(0.1, 1.3, 130)[:, None]
    means, errors = losses.mean(axis=1), losses.std(axis=1, ddof=1) / losses.shape[1] ** 0.5
    x = sizes**-exponents - TARGET**-exponents
    design = np.stack([np.ones_like(x), x], axis=2) / errors[:, None]
    spreads = np.linalg.inv(design.swapaxes(1, 2) @ design)
    lines = spreads @ design.swapaxes(1, 2) @ (means / errors)[:, None]
    missed = (((design @ lines)[:, :, 0] - means / errors) ** 2).sum(axis=1)
    half = np.sqrt(spreads[:, 0, 0] * np.maximum(quantile**2 - (missed - missed.min()), 0))
    kept, middle = half > 0, lines[:, 0, 0]
    return (middle - half)[kept].min(), (middle + half)[kept].max()


def honest(run, quantile=2.26, sizes=SIZES, seeds=10):
    return forecast(sizes, measured(run, sizes, seeds), quantile)


def scaled(by):
    return lambda run: tuple(end * by for end in honest(run))


def straight(run):
    x = np.log(np.array(SIZES) / TARGET).repeat(10)
    line, spread = np.polyfit(x, np.log(measured(run)).ravel(), 1, cov=True)
    half = 2 * spread[1, 1] ** 0.5
    return np.exp(line[1] - half), np.exp(line[1] + half)


def no_floor_below_zero(run):
    """Cut at what the best law without a floor foretells: hardly any lower, and often higher."""
    losses = measured(run)
    low, high = forecast(SIZES, losses)
    x, y = np.log(np.array(SIZES) / TARGET), np.log(losses.mean(axis=1))
    return max(low, min(np.exp(np.polyfit(x, y, 1)[1]), high)), high


WRONG = {
    "the size in question": (lambda run: honest(run, sizes=(4, 16, 512)), "you trained size 512"),
    "no such size": (lambda run: run(5, 0), "you asked for size 5"),
    "over the budget": (lambda run: honest(run, seeds=11), f"more than {BUDGET} models"),
    "two sizes": (lambda run: honest(run, sizes=(64, 128)), "you trained 2 of 6 sizes"),
    "one seed": (lambda run: measured(run, seeds=1)[-2:, 0].tolist()[::-1], "with one seed"),
    "a seed twice": (
        lambda run: forecast(SIZES, measured(lambda size, seed: run(size, seed // 2))),
        "you trained size 4 with seed 0 2 times",
    ),
    "a straight line": (straight, r"by 0.0[56]. on average, and where it has none they lie right"),
    "lucky runs": (scaled(0.95), "too low, by 0.01. on average: is every run counted"),
    "too high": (scaled(1.2), "where the loss has no floor, your intervals lie too high"),
    "few runs": (lambda run: honest(run, 12.7, seeds=2), "you trained 12 models, and 60 were"),
    "large ones": (lambda run: honest(run, sizes=SIZES[3:], seeds=20), "sizes go from 32 to 128"),
    "single runs": (lambda run: honest(run, 2.26 * 10**0.5), "is the scatter of single runs in it"),
    "one standard error": (lambda run: honest(run, 1), "one standard error to either side"),
    "no floor below zero": (no_floor_below_zero, "does your fit forbid a floor"),
    "hardly any room": (lambda run: honest(run, 1.7), "leave some room for that"),
}


@pytest.mark.parametrize(("report", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_report_is_named(report, words):
    with pytest.raises(Mistake, match=words):
        measure_extrapolated(report, REAL, TRUTH)


@pytest.mark.parametrize(("sizes", "seeds"), [(SIZES, 10), (SIZES[1:], 12), (SIZES[::2], 20)])
def test_an_honest_report_passes(sizes, seeds):
    measure_extrapolated(lambda run: honest(run, sizes=sizes, seeds=seeds), REAL, TRUTH)


def test_real_models_may_contradict():
    with pytest.raises(Mistake, match=r"the mean loss of size 512 is 0.400"):
        measure_extrapolated(honest, REAL, 0.4)


def test_a_world_repeats_itself_and_follows_its_law():
    world = SizedWorld(LAW, 0.04, 5)
    assert world.run(8, 3) == world.run(8, 3)
    losses = np.array([world.run(8, seed) for seed in range(1500)])
    assert losses.mean() == pytest.approx(float(LAW(8)), rel=0.004)
    assert losses.std() == pytest.approx(0.04 * float(LAW(8)), rel=0.1)
    assert np.corrcoef(losses, [world.run(16, seed) for seed in range(1500)])[0, 1] < 0.1


def test_a_third_of_the_worlds_has_no_floor():
    worlds = invented()
    assert [sum(each.law.floor == floor for each in worlds) for floor in FLOORS] == [100] * 3
    kinds = {(each.law.floor, each.law.exponent, each.luck) for each in worlds}
    assert len(kinds) == 18


def test_the_width_that_is_needed_is_that_of_the_best_law():
    """Of 200 draws of means, a fit that knows how they scatter misses as far as it says."""
    world = SizedWorld(LAW, 0.02, 0)
    drawing, means = np.random.default_rng(0), LAW(np.array(SIZES))
    losses = means + 0.02 * means / 10**0.5 * drawing.standard_normal((200, len(SIZES)))
    exponents = np.linspace(0.2, 0.8, 200)[:, None]
    x = np.array(SIZES) ** -exponents - TARGET**-exponents
    design = np.stack([np.ones_like(x), x], axis=2) / means[:, None]
    lines = np.linalg.pinv(design) @ (losses / means).T
    missed = ((design @ lines - (losses / means).T) ** 2).sum(axis=1)
    best = lines[missed.argmin(axis=0), 0, np.arange(200)]
    assert 2 * 1.96 * best.std() == pytest.approx(world.width_needed(), rel=0.15)
