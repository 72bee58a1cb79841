"""Exercises in which the learner measures: a report is tried where the truth is known.

The learner writes ``report(run)``. ``run(arm, seed)`` trains a model of one of two arms and
returns its score; ``report`` answers with an interval for the mean gain of the second arm over the
first, over all seeds that there are. It is tried on invented worlds, whose true gain is known, and
where nothing has to be trained; only then on a real one.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsInt

import numpy as np
import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake

Run = Callable[[int, int], float]
Report = Callable[[Run], tuple[float, float]]

CONTROL, TREATED = 1, 2
BUDGET = 24
WORLDS = 300

# Of Student's distribution with so many degrees of freedom, the quantile at 0.975.
_QUANTILE_11 = 2.201
_HELD_AT_LEAST, _WIDTH_AT_MOST = 0.88, 2.2


@dataclass(frozen=True)
class World:
    """An invented experiment of which the truth is known.

    Attributes:
        gain: what the second arm gains over the first, on average over all seeds.
        of_seed: the spread that a seed gives to both arms alike: an easy draw is easy for both.
        of_run: the spread of a single run by itself.
        number: which world this is; another number draws other seeds' luck.
    """

    gain: float
    of_seed: float
    of_run: float
    number: int

    def run(self, arm: int, seed: int) -> float:
        """The score of one run: the same arm and seed give the same number."""
        luck = self._luck(0, seed) * self.of_seed + self._luck(arm, seed) * self.of_run
        return 0.5 + luck + (self.gain if arm == TREATED else 0.0)

    def _luck(self, arm: int, seed: int) -> float:
        generator = torch.Generator().manual_seed(1 + 4_000_037 * self.number + 3 * seed + arm)
        return torch.randn((), generator=generator).item()


@dataclass(frozen=True)
class Answer:
    """What a report said of one experiment, and which runs it asked for."""

    low: float
    high: float
    asked: tuple[tuple[int, int], ...]


def measure(report: Report, run: Run, truth: float) -> None:
    """Try a learner's report on invented worlds, then on a real experiment.

    Args:
        report: the learner's: from ``run(arm, seed)`` to the interval's two ends.
        run: the real experiment.
        truth: its mean gain, over many more seeds than the report may use.

    Raises:
        Mistake: if the report leaves out the control, does not vary its seeds, trains more than
            ``BUDGET`` models, is too sure, is wider than it need be, or looks from one side.
    """
    worlds = [World(0.04 * (number % 7 - 3), 0.1, 0.02, number) for number in range(WORLDS)]
    _require_a_comparison(_answer(report, worlds[0].run))
    answers = [_answer(report, world.run) for world in worlds]
    _require_no_lean(answers, worlds)
    held = _share_held(answers, [world.gain for world in worlds])
    if _share_held(answers, [-world.gain for world in worlds]) > held:
        raise Mistake("your interval is for the first arm less the second; the gain is asked for")
    _require_no_waste(answers, worlds[0].of_run)
    if held < _HELD_AT_LEAST:
        raise Mistake(
            f"your interval held the true gain in {held:.0%} of {WORLDS} worlds; expected 95%. It "
            "is too sure: what is uncertain is a mean of few runs, whose spread itself is guessed"
        )
    real = _answer(report, run)
    # A right interval misses now and then, and then by little.
    if abs(truth - (real.low + real.high) / 2) > real.high - real.low:
        raise Mistake(
            f"on the real model your interval goes from {real.low:.3f} to {real.high:.3f}, and "
            f"the mean gain over many seeds is {truth:.3f}; does your report count on something "
            "that holds in the invented worlds alone?"
        )


def _answer(report: Report, run: Run) -> Answer:
    """Ask a report about one experiment, and keep what it asked for."""
    asked: list[tuple[int, int]] = []

    def recorded(arm: SupportsInt, seed: SupportsInt) -> float:
        if arm not in (CONTROL, TREATED):
            raise Mistake(f"you asked for arm {arm}; there are {CONTROL} and {TREATED}")
        asked.append((int(arm), int(seed)))
        if len(asked) > BUDGET:
            raise Mistake(f"you trained more than {BUDGET} models; {BUDGET} were allowed")
        return run(*asked[-1])

    ends = report(recorded)
    if isinstance(ends, Tensor | np.ndarray):
        ends = ends.tolist()
    if not isinstance(ends, tuple | list) or len(ends) != 2:
        raise Mistake(f"your report returned {ends!r}; expected two numbers, low and high")
    low, high = (float(end) for end in ends)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise Mistake(f"your interval goes from {low} to {high}; expected two finite numbers")
    if low > high:
        raise Mistake("your interval ends before it begins: return the lower end first")
    return Answer(low, high, tuple(asked))


def _require_a_comparison(answer: Answer) -> None:
    """Both arms, several seeds, and no run twice.

    Raises:
        Mistake: naming what is missing.
    """
    seeds = {arm: {seed for a, seed in answer.asked if a == arm} for arm in (CONTROL, TREATED)}
    for arm, name in ((CONTROL, "the control"), (TREATED, "the model in question")):
        if not seeds[arm]:
            raise Mistake(f"you never trained {name}, arm {arm}: a gain over what?")
    if min(map(len, seeds.values())) < 3:
        raise Mistake(
            "you trained an arm with fewer than three seeds: from so few runs nobody can tell "
            "how far another run would fall from them"
        )
    repeated, times = Counter(answer.asked).most_common(1)[0]
    if times > 1:
        raise Mistake(
            f"you trained arm {repeated[0]} with seed {repeated[1]} {times} times: the same seed "
            "gives the same model, so these are no new runs"
        )


def _share_held(answers: list[Answer], truths: list[float]) -> float:
    pairs = zip(answers, truths, strict=True)
    return sum(answer.low <= truth <= answer.high for answer, truth in pairs) / len(answers)


def _require_no_lean(answers: list[Answer], worlds: list[World]) -> None:
    """The middle of the interval may miss, but not always to the same side.

    Raises:
        Mistake: if it does: whoever picks the runs that please leans so.
    """
    middles = torch.tensor([(each.low + each.high) / 2 for each in answers], dtype=torch.float64)
    missed = middles - torch.tensor([each.gain for each in worlds], dtype=torch.float64)
    if missed.mean().abs() > 4 * missed.std() / len(worlds) ** 0.5:
        side = "high" if missed.mean() > 0 else "low"
        raise Mistake(
            f"your intervals lie too {side}, by {missed.mean().abs():.3f} on average: is every "
            "run counted, the best and the worst alike?"
        )


def _require_no_waste(answers: list[Answer], of_run: float) -> None:
    """The interval is about as narrow as pairs of runs allow.

    Raises:
        Mistake: if it is much wider, with the likeliest reason.
    """
    pairs = BUDGET // 2
    needed = 2 * _QUANTILE_11 * of_run * 2**0.5 / pairs**0.5
    width = sum(each.high - each.low for each in answers) / len(answers)
    if width <= _WIDTH_AT_MOST * needed:
        return
    asked = answers[0].asked
    of_arm = [{seed for a, seed in asked if a == arm} for arm in (CONTROL, TREATED)]
    if len(asked) < BUDGET // 2:
        reason = f"you trained {len(asked)} models, and {BUDGET} were allowed"
    elif of_arm[0] != of_arm[1]:
        reason = (
            "the two arms have other seeds. An easy seed is easy for both arms: give both the "
            "same seeds, and its luck falls out of the difference"
        )
    elif width > 1.8 * _WIDTH_AT_MOST * needed:
        reason = (
            "is the luck of a seed still in it? Take the difference for each seed first, and the "
            "spread of these differences"
        )
    else:
        reason = (
            "is it the interval in which single runs fall? A mean of many is surer than each of "
            "them"
        )
    raise Mistake(f"your interval is {width / needed:.1f} times as wide as it need be: {reason}")
