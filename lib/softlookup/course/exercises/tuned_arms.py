"""A measurement of one arm against another, each at the learning rate that suits it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsInt

import torch
from torch import Tensor

from softlookup.course.exercises.measuring import (
    WORLDS,
    Answer,
    Report,
    ask,
    how_far,
    lean,
    mean_of_few_runs,
    require_held,
    require_meant,
    require_new_runs,
    require_no_waste,
    require_real,
    require_right_side,
)
from softlookup.course.exercises.verdict import Mistake

ARMS = ("post", "pre")
RATES = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
BUDGET = 60
OF_SEED, OF_RUN = 0.1, 0.03

# Fifteen pairs, and the quantile at 0.975 of Student's distribution for them.
_NEEDED = 2 * 2.145 * OF_RUN * 2**0.5 / 15**0.5


@dataclass(frozen=True)
class TunedWorld:
    """An invented race of two arms whose loss depends on the learning rate.

    The first arm cares little about its rate and the second much, so that the best of all its
    runs flatters the first.

    Attributes:
        gain: by how much the second arm's loss is lower, each at its own best rate.
        best: the index of the second arm's best rate.
        number: which world this is; another number draws other luck.
    """

    gain: float
    best: int
    number: int

    def run(self, arm: str, rate: float, seed: SupportsInt) -> float:
        """The held-out loss of one run; the same arguments give the same number.

        Raises:
            Mistake: if there is no such arm or rate.
        """
        require_known(arm, rate)
        step = RATES.index(rate)
        steep = 0.0 if arm == ARMS[0] else 0.08 * (step - self.best) ** 2 - self.gain
        of_run = self._luck(1 + len(RATES) * ARMS.index(arm) + step, int(seed))
        return 2.0 + steep + OF_SEED * self._luck(0, int(seed)) + OF_RUN * of_run

    def lost_at_all_rates(self) -> float:
        """What the second arm's loss has on average over the rates beyond that at its best."""
        return sum(0.08 * (step - self.best) ** 2 for step in range(len(RATES))) / len(RATES)

    def _luck(self, which: int, seed: int) -> float:
        generator = torch.Generator().manual_seed(1 + 4_000_037 * self.number + 11 * seed + which)
        return torch.randn((), generator=generator).item()


def require_known(arm: str, rate: float) -> None:
    """Refuse what is not in the race.

    Raises:
        Mistake: if the arm or the rate is not.
    """
    if arm not in ARMS or rate not in RATES:
        raise Mistake(f"you asked for {arm!r} at rate {rate}; there are {ARMS} and {RATES}")


def measure_tuned(report: Report, run: Callable[..., float], truth: float) -> None:
    """Try a learner's report on invented races, then on a real one.

    Args:
        report: the learner's: from ``run(arm, rate, seed)`` to the two ends of an interval.
        run: the real race, with the same arguments.
        truth: its mean gain, each arm at its best rate, over many more seeds.

    Raises:
        Mistake: if the report tries an arm at one rate only, judges both at one rate, or at a
            bad one, or by the runs that chose it, or by one seed, trains more than ``BUDGET``
            models, is for something else, is too sure, or is wider than it need be.
    """
    worlds = [
        TunedWorld(0.04 * (number % 7 - 3), 1 + number % 3, number) for number in range(WORLDS)
    ]
    gains = [world.gain for world in worlds]
    first = ask(report, worlds[0].run, BUDGET)
    _require_a_search(first)
    require_new_runs(first)
    answers = [ask(report, world.run, BUDGET) for world in worlds]
    require_right_side(answers, gains)
    _require_own_rates(answers, worlds)
    share = "your interval is for a share of the loss; the difference of the losses is asked for"
    at_all = "your interval is for the mean over all rates; compare each arm at its own best rate"
    require_meant(
        answers,
        gains,
        {
            share: [world.gain / 2 for world in worlds],
            at_all: [world.gain - world.lost_at_all_rates() for world in worlds],
        },
    )
    if missed := lean(answers, gains):
        raise Mistake(
            f"your intervals lie too {'high' if missed > 0 else 'low'}, by {abs(missed):.3f} on "
            "average. Was a rate judged by the runs that chose it? The luckiest of several looks "
            "better than it is: choose with some seeds, and judge with others"
        )
    reach = how_far(answers, [_differences(each) for each in answers])
    require_no_waste(answers, _NEEDED, lambda _: _why_wide(len(answers[0].asked), reach))
    require_held(answers, gains, lambda: reach or mean_of_few_runs())
    require_real(ask(report, run, BUDGET), truth)


def _require_a_search(answer: Answer) -> None:
    """Both arms at several rates.

    Raises:
        Mistake: naming the arm that was not searched.
    """
    if not answer.asked:
        raise Mistake("your report trains no model: ask run(arm, rate, seed) for losses")
    for arm in ARMS:
        rates = {rate for a, rate, _ in answer.asked if a == arm}
        if len(rates) < 3:
            raise Mistake(
                f"you tried {arm!r} at {len(rates)} of {len(RATES)} rates: what one rate says "
                "of an arm, another may not"
            )


def _judged(answer: Answer) -> list[tuple[float, int]]:
    """The rate at which each arm is run most, and how often."""
    rates = [[rate for a, rate, _ in answer.asked if a == arm] for arm in ARMS]
    return [Counter(of_arm).most_common(1)[0] for of_arm in rates]


def _differences(answer: Answer) -> Tensor:
    """What the second arm gains, seed by seed, in the runs behind the last of the search."""
    judged = {(arm, rate) for arm, (rate, _) in zip(ARMS, _judged(answer), strict=True)}
    search = [place for place, (*run, _) in enumerate(answer.asked) if tuple(run) not in judged]
    behind = slice(max(search, default=-1) + 1, None)
    losses: dict[str, dict[int, float]] = {arm: {} for arm in ARMS}
    for (arm, _, seed), loss in zip(answer.asked[behind], answer.given[behind], strict=True):
        losses[arm][int(seed)] = loss
    first, second = (losses[arm] for arm in ARMS)
    return torch.tensor([first[seed] - second[seed] for seed in first if seed in second])


def _require_own_rates(answers: list[Answer], worlds: list[TunedWorld]) -> None:
    """Each arm is judged at a rate of its own, and that is mostly its best.

    Raises:
        Mistake: if both are mostly run at the same one, or the second far from its best one.
    """
    judged = [_judged(each) for each in answers]
    chosen = [pair for pair in judged if min(pair[0][1], pair[1][1]) > BUDGET // 10]
    same = sum(first[0] == second[0] for first, second in chosen)
    if len(chosen) > len(answers) // 2 and same > 0.9 * len(chosen):
        raise Mistake(
            "you judge both arms at the same rate. It suits one of them better; give each its own "
            "best one"
        )
    far = [
        abs(RATES.index(second[0]) - world.best)
        for (_, second), world in zip(judged, worlds, strict=True)
        if second[1] > BUDGET // 10
    ]
    if sum(far) > 1.2 * len(answers):
        raise Mistake(
            "the rate at which you judge 'pre' is far from its best one in most races. A lower "
            "loss is better: did you take the greatest?"
        )


def _why_wide(runs: int, reach: str) -> str:
    """The likeliest reason for an interval that is wider than need be."""
    if runs < BUDGET // 2:
        return f"you trained {runs} models, and {BUDGET} were allowed"
    if reach:
        return reach[:1].lower() + reach[1:]
    return (
        "a seed is easy or hard for both arms; take the difference for each seed first, over as "
        "many seeds as your runs allow"
    )
