"""Exercises in which the learner measures: what all their checks share.

The learner writes ``report(run)``: ``run`` trains a model and returns its score, and ``report``
answers with an interval for how much one way of doing it gains over another, on average over all
seeds that there are (or over all pages of a text); for where a curve falls; or for the mean loss of
a size that is never trained. It is asked about many invented worlds, whose truth is known and in
which nothing has to be trained, and only then about a real experiment. ``paired_arms``,
``tuned_arms``, ``pages_compared``, ``loads_swept`` and ``sizes_extrapolated`` hold the worlds.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake

Report = Callable[[Callable[..., Any]], tuple[float, float]]

WORLDS = 300
HELD_AT_LEAST, WIDTH_AT_MOST = 0.88, 2.2


@dataclass(frozen=True)
class Answer:
    """What a report said of one experiment, the runs that it asked for, and what they gave."""

    low: float
    high: float
    asked: tuple[tuple[Any, ...], ...]
    given: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def middle(self) -> float:
        """Halfway between the two ends."""
        return (self.low + self.high) / 2

    @property
    def width(self) -> float:
        """From one end to the other."""
        return self.high - self.low


def ask(
    report: Report,
    run: Callable[..., float | Tensor],
    budget: int,
    beyond: str = "you trained more than {} models",
) -> Answer:
    """Ask a report about one experiment, and keep what it asked for.

    Args:
        report: the learner's.
        run: the experiment.
        budget: how many runs are allowed.
        beyond: what to say of more runs, with a pair of braces for the budget.

    Raises:
        Mistake: if it runs more than the budget, or returns no interval.
    """
    asked: list[tuple[Any, ...]] = []
    given: list[float | Tensor] = []

    def recorded(*arguments: Any) -> float | Tensor:
        asked.append(arguments)
        if len(asked) > budget:
            raise Mistake(f"{beyond.format(budget)}; {budget} were allowed")
        given.append(run(*arguments))
        return given[-1]

    ends = report(recorded)
    if isinstance(ends, Tensor | np.ndarray):
        ends = ends.tolist()
    if not isinstance(ends, tuple | list) or len(ends) != 2:
        raise Mistake(f"your report returned {ends!r}; expected two numbers, low and high")
    low, high = (float(end) for end in ends)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise Mistake(f"your interval goes from {low} to {high}; expected two finite numbers")
    if low > high:
        raise Mistake(
            f"your interval ends before it begins, from {low:.3g} to {high:.3g}: return the lower "
            "end first, then the upper (two ends, and no middle with a spread)"
        )
    return Answer(low, high, tuple(asked), tuple(given))


def share_held(answers: list[Answer], gains: list[float]) -> float:
    """The share of worlds whose true gain lies in the interval."""
    held = [a.low <= gain <= a.high for a, gain in zip(answers, gains, strict=True)]
    return sum(held) / len(held)


def lean(answers: list[Answer], gains: list[float]) -> float:
    """By how much the intervals' middles miss to one side, on average; 0 if that may be chance."""
    middles = torch.tensor([each.middle for each in answers], dtype=torch.float64)
    missed = middles - torch.tensor(gains, dtype=torch.float64)
    by_chance = 4 * missed.std() / len(gains) ** 0.5
    return missed.mean().item() if missed.mean().abs() > by_chance else 0.0


def times_needed(answers: list[Answer], needed: float) -> float:
    """How many times as wide as need be the intervals are, on average."""
    return sum(each.width for each in answers) / len(answers) / needed


def require_right_side(answers: list[Answer], gains: list[float]) -> None:
    """The gain is that of the second arm over the first.

    Raises:
        Mistake: if the intervals suit the opposite better.
    """
    opposite = share_held(answers, [-gain for gain in gains])
    if opposite > 0.5 and opposite > share_held(answers, gains):
        raise Mistake("your interval is for the first arm less the second; the gain is asked for")


def require_meant(
    answers: list[Answer], truths: list[float], others: Mapping[str, list[float]]
) -> None:
    """The interval is for what is asked for, and not for something else.

    Args:
        answers: what the report said of each world.
        truths: what is true in each.
        others: what else might be meant, and what is true of that, by the words for it.

    Raises:
        Mistake: with the words for what the intervals suit much better.
    """
    held = share_held(answers, truths)
    for words, other in others.items():
        if share_held(answers, other) > max(0.8, held + 0.1):
            raise Mistake(words)


def name_middle(answers: Sequence[Answer], others: Mapping[str, Sequence[Tensor]]) -> None:
    """The intervals lie about what is asked for, and not about another number of the same runs.

    Args:
        answers: what the report said of each world.
        others: what the middle may be instead, in each world, by the words for it.

    Raises:
        Mistake: with the words for what the middles are.
    """
    middles = torch.tensor([each.middle for each in answers])
    for words, other in others.items():
        if torch.allclose(middles, torch.stack([*other]).to(middles), rtol=1e-3, atol=1e-6):
            raise Mistake(words)


def require_spread(answers: Sequence[Answer]) -> None:
    """The intervals' width depends on how the runs scatter.

    Raises:
        Mistake: if it is the same everywhere, or one share of what the interval lies about.
    """
    widths = torch.tensor([each.width for each in answers])
    shares = widths / 2 / torch.tensor([each.middle for each in answers]).abs()
    if len(answers) > 1 and shares[0] < 1 and torch.allclose(shares, shares[:1], rtol=1e-3):
        raise Mistake(
            f"your interval reaches {shares[0]:.1%} of its middle to each side, whatever the runs "
            "gave: how sure you are is to come from their spread"
        )
    if len(answers) > 1 and torch.allclose(widths, widths[:1], rtol=1e-3, atol=1e-6):
        raise Mistake(
            f"your interval is {widths[0]:.3g} wide whatever the runs gave: its width is to come "
            "from their spread"
        )


def require_new_runs(answer: Answer) -> None:
    """The same run is not asked for again and again.

    Raises:
        Mistake: naming the run that is.
    """
    run, times = Counter(map(repr, answer.asked)).most_common(1)[0]
    if times > 2:
        raise Mistake(
            f"you ran {run} {times} times over: the same seed gives the same number, so that its "
            "spread says nothing. Take another seed each time"
        )


def how_far(answers: Sequence[Answer], samples: Sequence[Tensor], each: str = "run") -> str:
    """How far intervals reach, in a sentence, if their width is a multiple of a known spread.

    Args:
        answers: what the report said of each world.
        samples: the numbers in each world whose mean is in question.
        each: what one of these numbers belongs to.

    Returns:
        The sentence; an empty one if the widths have another origin.
    """
    widths = torch.tensor([answer.width for answer in answers])
    count = len(samples[0])
    if count < 2 or any(len(sample) != count for sample in samples):
        return ""
    surer = f"There single {each}s lie; the mean of several is surer"
    ends = {
        f"from the least of the {each}s to the greatest": (0.0, 1.0),
        f"from one quantile of the {each}s to another": (0.025, 0.975),
    }
    for words, (low, high) in ends.items():
        ranges = torch.stack([sample.quantile(high) - sample.quantile(low) for sample in samples])
        if (widths / ranges - 1).abs().max() < 1e-3:
            return f"It goes {words}. {surer}, by the root of their number"
    spreads = torch.stack([sample.std() for sample in samples])
    squared = widths / spreads.square()
    if squared.std() < 1e-3 * squared.mean():
        return f"It follows the variance of the {each}s; take the root, the standard deviation"
    reach = widths / 2 / spreads
    if reach.std() > 1e-3 * reach.mean():
        return ""
    deviations, errors = float(reach.mean()), float(reach.mean()) * count**0.5
    if deviations > 1.5:
        return (
            f"It reaches {deviations:.2f} standard deviations to each side. {surer} and has a "
            "standard error: divide by the root of their number"
        )
    told = f"It reaches {errors:.2f} standard errors to each side"
    if count > 5 and 0.9 < errors * count**0.5 < 5 and errors < 0.9:
        return f"{told}: is the standard deviation divided by {count}, and not by its root?"
    if 1.9 < errors * 2**0.5 < 2.25 and count > 5:
        return (
            f"{told}: did you count each {each} of both arms, {2 * count}? There are {count} "
            "differences, and it is their number whose root divides"
        )
    return f"{told}; 95% takes 2.14 of them with 15 {each}s, 4.30 with 3, and about 2 with many"


def require_reach(answers: Sequence[Answer], samples: Sequence[Tensor], each: str = "run") -> None:
    """Many runs' interval reaches about two standard errors to each side, if it reaches by these.

    Worlds that hold the truth too often, or just often enough, cannot tell. The width can.

    Raises:
        Mistake: if it always reaches under 1.85 or over 2.5 of them.
    """
    count = len(samples[0])
    if count < 10 or any(len(sample) != count for sample in samples):
        return
    errors = torch.stack([sample.std() for sample in samples]) / count**0.5
    reach = torch.tensor([answer.width for answer in answers]) / 2 / errors
    if reach.std() < 1e-3 * reach.mean() and not 1.85 < reach.mean() < 2.5:
        told = how_far(answers, samples, each)
        raise Mistake(f"your interval is no interval of 95%. {told}")


def require_no_waste(answers: list[Answer], needed: float, reason: Callable[[float], str]) -> None:
    """The interval is about as narrow as the runs allow.

    Args:
        answers: what the report said of each world.
        needed: how wide a good report's interval is, on average.
        reason: told how many times as wide these are, gives the likeliest reason.

    Raises:
        Mistake: if it is much wider.
    """
    width = times_needed(answers, needed)
    if width > WIDTH_AT_MOST:
        raise Mistake(f"your interval is {width:.1f} times as wide as it need be: {reason(width)}")


def mean_of_few_runs() -> str:
    """Why an interval is too sure where nothing better can be said."""
    return "What is uncertain is a mean of few runs, whose spread itself is guessed"


def require_held(
    answers: list[Answer],
    truths: list[float],
    reason: Callable[[], str] = mean_of_few_runs,
    of: tuple[str, str] = ("gain", "worlds"),
) -> None:
    """The interval holds the truth about as often as it promises.

    Args:
        answers: what the report said of each world.
        truths: what is true in each.
        reason: gives the likeliest reason, as a sentence.
        of: what is asked for, and what the worlds are called.

    Raises:
        Mistake: if it is too sure.
    """
    held = share_held(answers, truths)
    if held < HELD_AT_LEAST:
        truth, worlds = of
        raise Mistake(
            f"your interval held the true {truth} in {held:.0%} of {len(truths)} {worlds}; "
            f"expected 95%. It is too sure. {reason()}"
        )


def require_real(answer: Answer, truth: float) -> None:
    """What holds in invented worlds holds in training.

    Raises:
        Mistake: if the true gain is further from the middle than the interval is wide. (A right
            interval misses now and then, and then by little.)
    """
    if abs(truth - answer.middle) > answer.width:
        raise Mistake(
            f"on the real model your interval goes from {answer.low:.3f} to {answer.high:.3f}, "
            f"and the mean gain over many seeds is {truth:.3f}; does your report count on "
            "something that holds in the invented worlds alone?"
        )
