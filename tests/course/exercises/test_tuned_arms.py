"""A report on two arms, each at its best rate, is tried in races whose outcome is known."""

import pytest
import torch
from softlookup.course.exercises.tuned_arms import (
    ARMS,
    BUDGET,
    RATES,
    TunedWorld,
    measure_tuned,
)
from softlookup.course.exercises.verdict import Mistake

TRUTH = 0.3


def real(arm, rate, seed):
    """A stand-in for training: both arms do best at the second rate."""
    own = TRUTH + 0.001 * (-1) ** seed if arm == "pre" else 0.0
    return 1.0 + 0.1 * seed + abs(RATES.index(rate) - 1) - own


def interval(gains, quantile=2.14):
    gains = torch.tensor(gains, dtype=torch.float64)
    half_width = quantile * gains.std() / len(gains) ** 0.5
    return gains.mean() - half_width, gains.mean() + half_width


def best_rates(run, seeds=range(3)):
    return [min(RATES, key=lambda r: sum(run(arm, r, s) for s in seeds)) for arm in ARMS]


def honest(run, quantile=2.14, seeds=range(3, 18)):
    post, pre = best_rates(run)
    return interval([run("post", post, s) - run("pre", pre, s) for s in seeds], quantile)


def one_rate(run):
    return interval([run("post", 0.01, s) - run("pre", 0.01, s) for s in range(30)])


def one_arm_tuned(run):
    rates = [run("pre", rate, 0) for rate in RATES]
    pre = RATES[rates.index(min(rates))]
    return interval([run("post", 0.01, s) - run("pre", pre, s) for s in range(15)])


def one_rate_after_a_search(run):
    best = min(RATES, key=lambda r: sum(run(arm, r, s) for arm in ARMS for s in range(3)))
    return interval([run("post", best, s) - run("pre", best, s) for s in range(3, 18)])


def judged_by_what_chose(run):
    losses = {(a, r): [run(a, r, s) for s in range(6)] for a in ARMS for r in RATES}
    post, pre = ([losses[a, r] for r in RATES] for a in ARMS)
    pairs = zip(min(post, key=sum), min(pre, key=sum), strict=True)
    return interval([a - b for a, b in pairs], 2.57)


def unpaired(run):
    post, pre = best_rates(run)
    one = torch.tensor([run("post", post, s) for s in range(3, 18)])
    two = torch.tensor([run("pre", pre, s) for s in range(18, 33)])
    gain, half_width = one.mean() - two.mean(), 2.05 * ((one.var() + two.var()) / 15) ** 0.5
    return gain - half_width, gain + half_width


def at_the_worst(run):
    post, pre = (max(RATES, key=lambda r: sum(run(arm, r, s) for s in range(3))) for arm in ARMS)
    return interval([run("post", post, s) - run("pre", pre, s) for s in range(3, 18)])


def one_seed(run):
    post, pre = best_rates(run)
    return interval([run("post", post, 7) - run("pre", pre, 7) for _ in range(15)])


def at_all_rates(run):
    gains = [[run("post", r, s) - run("pre", r, s) for r in RATES] for s in range(6)]
    return interval([sum(each) / len(RATES) for each in gains], 2.57)


def as_a_share(run):
    post, pre = best_rates(run)
    return interval([run("post", post, s) / run("pre", pre, s) - 1 for s in range(3, 18)])


def test_an_honest_report_passes():
    measure_tuned(honest, real, TRUTH)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (one_rate, "you tried 'post' at 1 of 5 rates"),
        (one_arm_tuned, "you tried 'post' at 1 of 5 rates"),
        (one_rate_after_a_search, "you judge both arms at the same rate"),
        (judged_by_what_chose, "too low, by 0.01. on average. Was a rate judged by the runs"),
        (unpaired, "3.. times as wide as it need be: a seed is easy or hard for both"),
        (lambda run: honest(run, quantile=0.8), "It is too sure"),
        (lambda run: [-end for end in honest(run)][::-1], "the first arm less the second"),
        (lambda run: honest(run, seeds=range(40)), f"more than {BUDGET} models"),
        (lambda run: (-0.1, 0.1), "trains no model"),
        (at_the_worst, "far from its best one in most races"),
        (one_seed, r"you ran \('post', [0-9.]+, 7\) 15 times over"),
        (at_all_rates, "for the mean over all rates"),
        (as_a_share, "for a share of the loss"),
        (lambda run: honest(run, quantile=2.14 * 15**0.5), "reaches 2.14 standard deviations"),
        (lambda run: honest(run, quantile=1.0), "reaches 1.00 standard errors"),
        (lambda run: run("middle", 0.01, 0), "you asked for 'middle' at rate 0.01"),
        (lambda run: run("pre", 0.02, 0), "you asked for 'pre' at rate 0.02"),
    ],
)
def test_a_report_is_told_what_is_wrong(report, words):
    with pytest.raises(Mistake, match=words):
        measure_tuned(report, real, TRUTH)


def test_few_runs_are_told_of():
    def few(run):
        rates = [min(RATES[1:4], key=lambda r: run(arm, r, 0)) for arm in ARMS]
        gains = [run("post", rates[0], s) - run("pre", rates[1], s) for s in (1, 2, 3)]
        return interval(gains, 4.3)

    with pytest.raises(Mistake, match="you trained 12 models, and 60 were allowed"):
        measure_tuned(few, real, TRUTH)


def test_what_holds_in_the_races_must_hold_in_training():
    with pytest.raises(Mistake, match="on the real model"):
        measure_tuned(honest, real, TRUTH + 0.1)


def test_a_race_is_what_it_says():
    world = TunedWorld(gain=0.2, best=3, number=5)
    assert world.run("pre", 0.01, 4) == world.run("pre", 0.01, 4)

    def mean(arm, rate):
        return torch.tensor([world.run(arm, rate, seed) for seed in range(1500)]).mean().item()

    flat, steep = ([mean(arm, rate) for rate in RATES] for arm in ARMS)
    assert max(flat) - min(flat) < 0.01
    assert steep.index(min(steep)) == 3
    assert min(flat) - min(steep) == pytest.approx(0.2, abs=0.01)
    assert steep[1] - steep[3] == pytest.approx(0.32, abs=0.01)
    # A seed's luck is in both arms, and each run has some of its own.
    gains = [world.run("post", 0.01, s) - world.run("pre", 0.01, s) for s in range(1500)]
    assert torch.tensor(gains).std() == pytest.approx(0.03 * 2**0.5, rel=0.1)
