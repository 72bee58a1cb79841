"""A forecast for a size that is never trained: what small models say of a large one's mean loss.

In the invented worlds the loss follows a power law, above a floor or without one. The chapter on
training past one machine asks for an interval that holds the large model's mean loss.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsInt

import numpy as np
import torch

from softlookup.course.exercises.measuring import (
    WORLDS,
    Answer,
    Report,
    ask,
    lean,
    require_held,
    require_no_waste,
    require_spread,
    share_held,
    times_needed,
)
from softlookup.course.exercises.sizes_told import why_wide
from softlookup.course.exercises.verdict import Mistake
from softlookup.running.scaling_laws import PowerLaw

SIZES, TARGET = (4, 8, 16, 32, 64, 128), 512
BUDGET = 60
FLOORS, EXPONENTS, LUCKS = (0.0, 0.1, 0.3), (0.4, 0.5, 0.6), (0.02, 0.04)

# As shares of the width that is needed: a lean that spoils no interval, and the least by which a
# straight line misses a floor. The luckiest of ten runs of each size lean by half of it.
_LEAN_AT_MOST, _LINE_FROM = 0.3, 0.7


@dataclass(frozen=True)
class SizedWorld:
    """An invented family of models whose mean loss follows a power law of their size.

    Attributes:
        law: the mean loss of each size.
        luck: the standard deviation of a run's loss, as a share of the mean.
        number: which world this is; another number draws other luck.
    """

    law: PowerLaw
    luck: float
    number: int

    def run(self, size: SupportsInt, seed: SupportsInt) -> float:
        """The held-out loss of one run; the same arguments give the same number.

        Raises:
            Mistake: if the size may not be trained.
        """
        require_known(size)
        place = 1 + 4_000_037 * self.number + 11 * int(seed) + SIZES.index(int(size))
        drawn = torch.randn((), generator=torch.Generator().manual_seed(place)).item()
        return float(self.law(int(size))) * (1 + self.luck * drawn)

    def width_needed(self) -> float:
        """Of an interval that rests on ``BUDGET`` runs, shared evenly among all sizes."""
        at = np.array([*SIZES, TARGET], dtype=float)
        falling = at**-self.law.exponent
        moved = np.stack([np.ones(len(at)), falling, -self.law.scale * falling * np.log(at)], 1)
        spreads = self.luck * self.law(at[:-1]) / (BUDGET / len(SIZES)) ** 0.5
        known = moved[:-1] / spreads[:, None]
        variance = moved[-1] @ np.linalg.solve(known.T @ known, moved[-1])
        return float(2 * 1.96 * variance**0.5)


def require_known(size: SupportsInt) -> None:
    """Refuse a size that may not be trained.

    Raises:
        Mistake: if it is the one to be foretold, or none of those that there are.
    """
    if size == TARGET:
        raise Mistake(
            f"you trained size {TARGET}: that is the run which is too dear, and is to be foretold"
        )
    if size not in SIZES:
        raise Mistake(f"you asked for size {size}; there are {SIZES}")


def invented() -> list[SizedWorld]:
    """The worlds: floors, exponents and luck of several kinds, in turns."""
    worlds = []
    for number in range(WORLDS):
        exponent = EXPONENTS[number // len(FLOORS) % len(EXPONENTS)]
        law = PowerLaw(FLOORS[number % len(FLOORS)], SIZES[0] ** exponent, exponent)
        worlds.append(SizedWorld(law, LUCKS[number // 9 % len(LUCKS)], number))
    return worlds


def measure_extrapolated(report: Report, run: Callable[..., float], truth: float) -> None:
    """Try a learner's report in invented worlds, then on real models.

    Args:
        report: the learner's: from ``run(size, seed)`` to the two ends of an interval.
        run: the real models, with the same arguments.
        truth: their mean loss at size ``TARGET``.

    Raises:
        Mistake: if the report trains the size in question, fewer than three sizes, one seed of
            each, or more than ``BUDGET`` models; if it sees no floor, or one where there is none;
            if it is too sure, or wider than it need be.
    """
    worlds = invented()
    means = [float(world.law(TARGET)) for world in worlds]
    _require_a_design(ask(report, worlds[0].run, BUDGET))
    answers = [ask(report, world.run, BUDGET) for world in worlds]
    needed = sum(world.width_needed() for world in worlds) / len(worlds)
    require_spread(answers)
    _require_the_size(worlds, answers, means)
    require_no_waste(answers, needed, lambda _: why_wide(answers, BUDGET))
    _require_the_law(worlds, answers, means, needed)
    require_held(
        answers,
        means,
        lambda: _why_too_sure(worlds, answers, means, needed),
        of=("mean", "worlds"),
    )
    real = ask(report, run, BUDGET)
    if abs(truth - real.middle) > real.width:
        raise Mistake(
            f"of the real models your interval goes from {real.low:.3f} to {real.high:.3f}, and "
            f"the mean loss of size {TARGET} is {truth:.3f}; does your report count on something "
            "that holds in the invented worlds alone?"
        )


def _require_a_design(answer: Answer) -> None:
    """Three sizes, several seeds, and no run twice.

    Raises:
        Mistake: naming what is missing.
    """
    runs = [(int(size), int(seed)) for size, seed in answer.asked]
    seeds: dict[int, set[int]] = defaultdict(set)
    for size, seed in runs:
        seeds[size].add(seed)
    if len(seeds) < 3:
        raise Mistake(
            f"you trained {len(seeds)} of {len(SIZES)} sizes: a law with a floor, a scale and an "
            "exponent has three unknowns, and through two points a straight line always goes"
        )
    (size, seed), times = Counter(runs).most_common(1)[0]
    if times > 1:
        raise Mistake(
            f"you trained size {size} with seed {seed} {times} times: the same seed gives the "
            "same model, so these are no new runs"
        )
    if max(map(len, seeds.values())) == 1:
        raise Mistake(
            "you trained each size with one seed: what is law and what is luck of a seed, nobody "
            "can tell from that"
        )


def _require_the_size(worlds: list[SizedWorld], answers: list[Answer], means: list[float]) -> None:
    """The intervals lie about the mean loss of the size in question.

    Raises:
        Mistake: if those of another size lie much nearer to their middles.
    """
    middles = np.array([each.middle for each in answers])
    missed = np.abs(middles - means).mean()
    for size in (SIZES[-1], TARGET // 2, TARGET * 2, TARGET * 4):
        others = np.array([float(world.law(size)) for world in worlds])
        if np.abs(middles - others).mean() < missed / 3:
            raise Mistake(
                f"your intervals lie about the mean loss of size {size}; that of {TARGET} is asked "
                "for, four times the largest that you may train"
            )


def _require_the_law(
    worlds: list[SizedWorld], answers: list[Answer], means: list[float], needed: float
) -> None:
    """The intervals lie about right in worlds with a floor, and in those without.

    Raises:
        Mistake: if they lean to one side, with the likeliest reason.
    """

    def leans(among: list[bool]) -> float:
        chosen = [place for place, each in enumerate(among) if each]
        missed = lean([answers[place] for place in chosen], [means[place] for place in chosen])
        return missed if abs(missed) > _LEAN_AT_MOST * needed else 0.0

    floors = [world.law.floor > 0 for world in worlds]
    above, without = leans(floors), leans([not each for each in floors])
    if above < -_LINE_FROM * needed and without == 0:
        raise Mistake(
            f"where the loss has a floor, your intervals lie too low, by {-above:.3f} on average, "
            "and where it has none they lie right: you went on along a straight line. On "
            "logarithmic axes a law with a floor bends"
        )
    if without > 0:
        raise Mistake(
            f"where the loss has no floor, your intervals lie too high, by {without:.3f} on "
            "average: how high the floor is, if there is one, only the losses can say"
        )
    if missed := above or without:
        raise Mistake(
            f"your intervals lie too {'high' if missed > 0 else 'low'}, by {abs(missed):.3f} on "
            "average: is every run counted, the best and the worst alike?"
        )


def _why_too_sure(
    worlds: list[SizedWorld], answers: list[Answer], means: list[float], needed: float
) -> str:
    """The likeliest reason for an interval that misses the truth too often."""
    flat = [place for place, world in enumerate(worlds) if world.law.floor == 0]
    held_there = share_held([answers[place] for place in flat], [means[place] for place in flat])
    if times_needed(answers, needed) < 0.75:
        return (
            "So narrow is an interval that takes the floor or the exponent for known, or that goes "
            "one standard error to either side. With other seeds another law would have fitted "
            "best: ask what all laws foretell that fit nearly as well"
        )
    if held_there < share_held(answers, means) - 0.04:
        return (
            f"Where the loss has no floor it is {held_there:.0%}: does your fit forbid a floor "
            "below zero? Then half of its errors are cut off there, and your interval with them"
        )
    return (
        "How far the runs of a size scatter is itself guessed from a few of them, "
        "and drawn anew these scatter a little less: leave some room for that"
    )
