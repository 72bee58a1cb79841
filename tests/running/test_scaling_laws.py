"""A fit finds the law that made its points, and says how far it could be off."""

import numpy as np
import pytest
from softlookup.running.scaling_laws import (
    PowerLaw,
    fit_power_law,
    interval,
    last_two_line,
    pooled_means,
    resampled_means,
    training_work,
)

SIZES = np.array([1e3, 3e3, 1e4, 7e4])


def test_the_law_that_made_the_points_is_found():
    law = PowerLaw(floor=1.3, scale=40.0, exponent=0.37)
    found = fit_power_law(SIZES, law(SIZES))
    assert found.exponent == pytest.approx(0.37)
    assert found.floor == pytest.approx(1.3)
    assert found.scale == pytest.approx(40.0)
    assert found(1e6) == pytest.approx(1.3 + 40 * 1e6**-0.37)


def test_of_noisy_points_no_other_law_is_nearer():
    losses = PowerLaw(1.0, 30.0, 0.4)(SIZES) + np.array([0.02, -0.03, 0.01, 0.02])
    found = fit_power_law(SIZES, losses)
    best = np.sum((found(SIZES) - losses) ** 2)
    for floor, scale, exponent in ((0.01, 0, 0), (0, 0.5, 0), (0, 0, 0.01), (0, 0, -0.01)):
        other = PowerLaw(found.floor + floor, found.scale + scale, found.exponent + exponent)
        assert np.sum((other(SIZES) - losses) ** 2) > best


@pytest.mark.parametrize(
    ("law", "lowered"), [(PowerLaw(1.0, 30.0, 0.4), 0.0), (PowerLaw(0.0, 20.0, 0.2), 1.0)]
)
def test_of_weighted_points_no_other_law_is_nearer(law, lowered):
    losses = law(SIZES) - lowered + np.array([0.04, -0.03, 0.02, -0.03])
    errors = np.array([0.08, 0.02, 0.04, 0.01])

    def missed(law):
        return float(np.sum(((law(SIZES) - losses) / errors) ** 2))

    found = fit_power_law(SIZES, losses, errors)
    best = missed(found)
    assert (found.floor == 0) == (lowered > 0)
    steps = (-1e-3, 0.0, 1e-3)
    for exponent in steps:
        for scale in (-1e-2, -1e-4, 0.0, 1e-4, 1e-2):
            for higher in steps:
                other = PowerLaw(
                    max(found.floor + higher, 0.0),
                    found.scale * (1 + scale),
                    found.exponent + exponent,
                )
                assert missed(other) >= best * (1 - 1e-9)
    # Only how sure the losses are beside each other matters.
    same = fit_power_law(SIZES, losses, 3 * errors)
    assert [same.floor, same.scale] == pytest.approx([found.floor, found.scale])
    alike = fit_power_law(SIZES, losses, [0.7] * 4)
    assert alike.scale == pytest.approx(fit_power_law(SIZES, losses).scale)
    assert abs(found.scale - alike.scale) > 0.1


def test_a_loss_that_is_twice_as_sure_counts_four_times():
    sizes, losses = np.append(SIZES, 2e5), np.array([9.0, 5.0, 4.0, 3.5, 3.1])
    counted = [0, 0, 0, 0, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4]
    four_times = fit_power_law(sizes[counted], losses[counted])
    found = fit_power_law(sizes, losses, [1.0, 2.0, 1.0, 2.0, 1.0])
    for law, other in ((four_times, fit_power_law(sizes, losses)), (four_times, found)):
        assert (law(1e7) == pytest.approx(other(1e7), rel=1e-6)) == (other is found)


def test_a_floor_is_never_below_zero_and_a_scale_neither():
    losses = PowerLaw(0.0, 20.0, 0.2)(SIZES) - 1.0
    found = fit_power_law(SIZES, losses)
    assert found.floor == 0

    def error(law):
        return np.sum((law(SIZES) - losses) ** 2)

    for exponent in np.arange(0.2, 0.5, 0.001):
        falling = SIZES**-exponent
        scale = float(falling @ losses / (falling @ falling))
        assert error(found) <= error(PowerLaw(0.0, scale, float(exponent))) * (1 + 1e-9)
    rising = fit_power_law(SIZES, np.array([1.0, 1.1, 1.2, 1.3]))
    assert rising.scale == 0
    assert rising.floor == pytest.approx(1.15)


def test_the_rival_goes_through_the_last_two_points():
    line = last_two_line(SIZES, [9.0, 5.0, 4.0, 3.0])
    assert line(1e4) == pytest.approx(4.0)
    assert line(7e4) == pytest.approx(3.0)
    assert line(49e4) == pytest.approx(3.0 * 0.75)


@pytest.mark.parametrize("draw_means", [pooled_means, resampled_means])
def test_an_interval_lies_about_the_prediction_and_ends_where_seeds_agree(draw_means):
    law = PowerLaw(1.3, 40.0, 0.37)
    noise = np.random.default_rng(0).normal(scale=0.02, size=(4, 5))
    losses = law(SIZES)[:, None] + noise

    def predict(sizes, means):
        return float(fit_power_law(sizes, means)(1e6))

    def ends(table, **how):
        drawing = np.random.default_rng(1)
        return interval(SIZES, table, predict, draw_means=draw_means, generator=drawing, **how)

    low, high = ends(losses, draws=200, share=0.9)
    assert low < predict(SIZES, losses.mean(axis=1)) < high
    assert 0.002 < high - low < 0.4
    low, high = ends(np.repeat(law(SIZES)[:, None], 3, axis=1), draws=20)
    assert low == pytest.approx(high)


def test_resampled_means_come_from_the_same_seeds_at_every_size():
    losses = np.array([[10.0, 11.0], [20.0, 21.0]])
    source = np.random.default_rng(0)
    drawn = np.array([resampled_means(losses, source) for _ in range(50)])
    assert {*np.unique(drawn[:, 0])} == {10.0, 10.5, 11.0}
    assert (drawn[:, 1] == drawn[:, 0] + 10).all()


def test_pooled_means_scatter_alike_whatever_the_seeds_of_one_size_did():
    # The second size's seeds agree by luck. Deviations of 1 and -1 in one of two sizes: a spread
    # of one, with two degrees of freedom.
    losses = np.array([[9.0, 11.0], [20.0, 20.0]])
    source = np.random.default_rng(0)
    drawn = np.array([pooled_means(losses, source) for _ in range(4000)])
    assert np.median(drawn, axis=0) == pytest.approx([10.0, 20.0], abs=0.05)
    # Half of a Student's t of two degrees of freedom lies within 0.816 standard errors.
    within = np.abs(drawn - [10.0, 20.0]) < 0.816 * np.sqrt(1 / 2)
    assert within.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.03)


def test_of_three_seeds_a_pooled_interval_holds_the_truth_and_a_resampled_one_too_seldom():
    def held(draw_means):
        source, truth = np.random.default_rng(0), np.array([4.0, 3.0, 2.5, 2.0])
        hits = []
        for _ in range(100):
            losses = truth[:, None] + source.normal(scale=0.1, size=(4, 3))
            low, high = interval(
                SIZES,
                losses,
                lambda sizes, means: float(means[-1]),
                draw_means=draw_means,
                generator=source,
                draws=100,
            )
            hits.append(low <= 2.0 <= high)
        return np.mean(hits)

    assert held(pooled_means) > 0.9
    assert held(resampled_means) < 0.8


def test_an_interval_leaves_as_many_draws_out_on_either_side():
    # The mean of two drawn seeds is 0, 1/2 or 1 in a quarter, a half and a quarter of the draws.
    def ends(share):
        return interval(
            [1.0],
            np.array([[0.0, 1.0]]),
            lambda sizes, means: float(means[0]),
            draw_means=resampled_means,
            generator=np.random.default_rng(0),
            draws=2000,
            share=share,
        )

    assert ends(0.6) == (0.0, 1.0)
    assert ends(0.4) == (0.5, 0.5)


def test_the_work_of_gpt_3():
    # Brown et al. 2020, table D.1: 3.14e23 for 175 billion parameters and 300 billion tokens.
    assert training_work(174.6e9, 300e9) == pytest.approx(3.14e23, rel=0.005)


def test_what_is_no_sweep_is_refused():
    with pytest.raises(ValueError, match="at least three different sizes"):
        fit_power_law([1e3, 1e4], [2.0, 1.0])
    with pytest.raises(ValueError, match="at least three different sizes"):
        fit_power_law(SIZES, [2.0, 1.0])
    with pytest.raises(ValueError, match="not positive"):
        fit_power_law(SIZES, [2.0, 1.0, 0.0, 1.0])
    for errors in ([0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.0]):
        with pytest.raises(ValueError, match="expected one above 0 for each of 4 losses"):
            fit_power_law(SIZES, [4.0, 3.0, 2.0, 1.0], errors)
    with pytest.raises(ValueError, match="expected two or more that rise"):
        last_two_line([2.0, 1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="two seeds or more"):
        interval(
            SIZES,
            np.ones((4, 1)),
            lambda *_: 1.0,
            draw_means=pooled_means,
            generator=np.random.default_rng(0),
            draws=2,
        )
