"""A measurement of one arm against another, in which the seeds' luck must fall out."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, SupportsInt

import torch
from torch import Tensor

from softlookup.course.exercises.measuring import (
    WIDTH_AT_MOST,
    WORLDS,
    Answer,
    Report,
    ask,
    how_far,
    lean,
    mean_of_few_runs,
    name_middle,
    require_held,
    require_no_waste,
    require_real,
    require_right_side,
    require_spread,
)
from softlookup.course.exercises.other_middles import other_middles
from softlookup.course.exercises.verdict import Mistake

CONTROL, TREATED = 1, 2
BUDGET = 24
OF_SEED, OF_RUN = 0.1, 0.02

# Twelve pairs, and the quantile at 0.975 of Student's distribution for them.
_NEEDED = 2 * 2.201 * OF_RUN * 2**0.5 / 12**0.5


@dataclass(frozen=True)
class PairedWorld:
    """An invented experiment with two arms.

    Attributes:
        gain: what the second arm gains over the first, on average over all seeds.
        number: which world this is; another number draws other luck.
    """

    gain: float
    number: int

    def run(self, arm: SupportsInt, seed: SupportsInt) -> float:
        """The score of one run; the same arm and seed give the same number.

        A seed's luck is the same for both arms (an easy draw is easy for both), and each run has
        some of its own.

        Raises:
            Mistake: if there is no such arm.
        """
        if arm not in (CONTROL, TREATED):
            raise Mistake(f"you asked for arm {arm}; there are {CONTROL} and {TREATED}")
        luck = OF_SEED * self._luck(0, int(seed)) + OF_RUN * self._luck(int(arm), int(seed))
        return 0.5 + luck + (self.gain if arm == TREATED else 0.0)

    def _luck(self, arm: int, seed: int) -> float:
        generator = torch.Generator().manual_seed(1 + 4_000_037 * self.number + 3 * seed + arm)
        return torch.randn((), generator=generator).item()


def measure_paired(report: Report, run: Callable[[int, int], float], truth: float) -> None:
    """Try a learner's report on invented worlds, then on a real experiment.

    Args:
        report: the learner's: from ``run(arm, seed)`` to the two ends of an interval.
        run: the real experiment.
        truth: its mean gain, over many more seeds than the report may use.

    Raises:
        Mistake: if the report leaves out the control, does not vary its seeds, trains more than
            ``BUDGET`` models, is too sure, is wider than it need be, or leans to one side.
    """
    worlds = [PairedWorld(0.04 * (number % 7 - 3), number) for number in range(WORLDS)]
    gains = [world.gain for world in worlds]
    _require_a_comparison(ask(report, worlds[0].run, BUDGET))
    answers = [ask(report, world.run, BUDGET) for world in worlds]
    arms = [_by_seed(each) for each in answers]
    gained = [treated - control for control, treated in arms]
    name_middle(answers, other_middles(arms))
    require_spread(answers)
    if missed := lean(answers, gains):
        raise Mistake(
            f"your intervals lie too {'high' if missed > 0 else 'low'}, by {abs(missed):.3f} on "
            "average: is every run counted, the best and the worst alike?"
        )
    require_right_side(answers, gains)
    reach = how_far(answers, gained)
    require_no_waste(answers, _NEEDED, lambda width: _why_wide(answers[0].asked, width, reach))
    require_held(answers, gains, lambda: reach or mean_of_few_runs())
    _require_students(answers, gained)
    require_real(ask(report, run, BUDGET), truth)


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


def _require_students(answers: list[Answer], gained: list[Tensor]) -> None:
    """The quantile is not that of the normal distribution, which needs the spread to be known.

    So few worlds cannot tell it from Student's by how often it holds. Its width can.

    Raises:
        Mistake: if every interval reaches 1.96 standard errors to each side.
    """
    count = len(gained[0])
    if count < 3 or any(len(each) != count for each in gained):
        return
    for of_sample in (1, 0):
        errors = torch.stack([each.std(correction=of_sample) for each in gained]) / count**0.5
        reach = torch.tensor([each.width for each in answers]) / 2 / errors
        if (reach - 1.96).abs().max() < 0.005:
            raise Mistake(
                "your interval reaches 1.96 standard errors to each side, the quantile of the "
                f"normal distribution. You guess the spread from {count} differences, and then "
                "1.96 is too sure: Student's t distribution takes 2.20 with 12, and 2.45 with 7"
            )


def _by_seed(answer: Answer) -> tuple[Tensor, Tensor]:
    """The scores of the control and of the other arm, for the seeds that both were given."""
    scores: dict[int, dict[int, float]] = {CONTROL: {}, TREATED: {}}
    for (arm, seed), score in zip(answer.asked, answer.given, strict=True):
        scores[int(arm)][int(seed)] = score
    both = [seed for seed in scores[CONTROL] if seed in scores[TREATED]]
    control, treated = ([scores[arm][seed] for seed in both] for arm in (CONTROL, TREATED))
    return torch.tensor(control), torch.tensor(treated)


def _why_wide(asked: tuple[tuple[Any, ...], ...], width: float, reach: str) -> str:
    """The likeliest reason for an interval that is so many times as wide as it need be."""
    of_arm = [{seed for a, seed in asked if a == arm} for arm in (CONTROL, TREATED)]
    if len(asked) < BUDGET // 2:
        return f"you trained {len(asked)} models, and {BUDGET} were allowed"
    if of_arm[0] != of_arm[1]:
        return (
            "the two arms have other seeds. An easy seed is easy for both arms: give both the "
            "same seeds, and its luck falls out of the difference"
        )
    if width > 1.8 * WIDTH_AT_MOST:
        return (
            "is the luck of a seed still in it? Take the difference for each seed first, and the "
            "spread of these differences"
        )
    if reach:
        return reach[:1].lower() + reach[1:]
    return "is it the interval in which single runs fall? A mean of many is surer than each of them"
