"""A measurement of where a curve falls below one half: it has to be looked for before it is met.

The chapter on the quadratic wall asks how many pairs a state of fixed size holds.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import SupportsInt

import torch

from softlookup.course.exercises.loads_told import (
    MANY_SEEDS,
    name_exchanged,
    reach,
    why_too_sure,
    why_wide,
)
from softlookup.course.exercises.measuring import (
    WIDTH_AT_MOST,
    WORLDS,
    Answer,
    Report,
    ask,
    lean,
    require_held,
    require_no_waste,
    share_held,
    times_needed,
)
from softlookup.course.exercises.verdict import Mistake

BUDGET, MOST_PAIRS, FEWEST_SEEDS = 40, 4096, 3
OF_SEED, QUESTIONS = 0.25, 100

# In octaves: ten states, and the quantile at 0.975 of Student's distribution for them.
_NEEDED = 2 * 2.262 * OF_SEED / 10**0.5

# Of the intervals that are so wide, those that hold the truth more often than this are too wide.
_WIDE, _HELD_TOO_OFTEN = 1.5, 0.98

Run = Callable[[SupportsInt, SupportsInt], float]


@dataclass(frozen=True)
class LoadWorld:
    """An invented memory, which gives back less the more it holds.

    Attributes:
        octaves: the base-2 logarithm of the number of pairs of which half come back, on average.
        steep: how fast the share falls there, in logits an octave.
        number: which world this is; another number draws other luck.
    """

    octaves: float
    steep: float
    number: int

    def run(self, pairs: SupportsInt, seed: SupportsInt) -> float:
        """The share that one state gives back; the same arguments give the same number.

        A seed's state holds more or fewer than others, at every load; and a hundred questions
        have some luck of their own.

        Raises:
            Mistake: if so many pairs cannot be filed.
        """
        filed = require_pairs(pairs)
        own = torch.Generator().manual_seed(1 + 4_000_037 * self.number + 5003 * int(seed))
        holds = self.octaves + OF_SEED * torch.randn((), generator=own).item()
        share = 1 / (1 + math.exp(-self.steep * (holds - math.log2(filed))))
        asked = own.manual_seed(own.initial_seed() + filed)
        return int((torch.rand(QUESTIONS, generator=asked) < share).sum()) / QUESTIONS


def require_pairs(pairs: SupportsInt) -> int:
    """The number of pairs as a whole number.

    Raises:
        Mistake: if it is none, or out of reach.
    """
    filed = int(pairs)
    if filed != pairs or not 1 <= filed <= MOST_PAIRS:
        raise Mistake(f"you filed {pairs} pairs; whole numbers from 1 to {MOST_PAIRS} can be filed")
    return filed


def measure_load(report: Report, run: Run, truth: float) -> None:
    """Try a learner's report on invented memories, then on a real one.

    Args:
        report: the learner's: from ``run(pairs, seed)`` to the two ends of an interval, in pairs.
        run: the real memory, with the same arguments.
        truth: of how many pairs it gives back half, on average over many more seeds.

    Raises:
        Mistake: if the report fills more than ``BUDGET`` states, or one twice, or with too few
            seeds; if it stays on one side of the half, is too sure, is wider than it need be,
            or leans to one side.
    """
    chance = torch.Generator().manual_seed(13)
    drawn = torch.rand(WORLDS, 2, generator=chance, dtype=torch.float64).tolist()
    worlds = [LoadWorld(4 + 4 * a, 2 + 2 * b, number) for number, (a, b) in enumerate(drawn)]
    _require_states(_ask(report, worlds[0].run)[0])
    found = [_ask(report, world.run) for world in worlds]
    sides = [one_side for _, one_side in found if one_side]
    if len(sides) > WORLDS // 10:
        name_exchanged(found[0][0])
        raise Mistake(
            f"in {len(sides)} of {WORLDS} memories every state that you filled gave back "
            f"{sides[0]} than half. Look for the fall first, in steps that double, and measure "
            "where it is"
        )
    truths = [world.octaves for world in worlds]
    answers = [answer for answer, _ in found]
    _require_pairs_and_not_octaves(answers, truths)
    _require_spread(answers)
    # An interval may lie evenly about its middle in pairs or in octaves.
    in_pairs = [math.log2(2**each.low + 2**each.high) - 1 for each in answers]
    evenly = [Answer(middle, middle, ()) for middle in in_pairs]
    if (missed := lean(answers, truths)) * lean(evenly, truths) > 0:
        raise Mistake(
            f"your intervals lie too {'high' if missed > 0 else 'low'}: their middle is "
            f"{2**missed:.2f} times the truth, on average. Was a straight line drawn between loads "
            "that lie far apart, or the first load taken that fell below the half? Ask nearer to "
            "it, from both sides"
        )
    require_no_waste(answers, _NEEDED, lambda _: why_wide(answers, BUDGET))
    width = times_needed(answers, _NEEDED)
    require_held(answers, truths, lambda: why_too_sure(answers, width), of=("load", "memories"))
    far = reach(answers)
    if far and far.to_the_ends and far.seeds >= MANY_SEEDS:
        raise Mistake(f"your interval is {width:.1f} times as wide as it need be. {far.words}")
    if width > _WIDE and share_held(answers, truths) > _HELD_TOO_OFTEN:
        raise Mistake(
            f"your interval is {width:.1f} times as wide as it need be, and held the true load in "
            f"{share_held(answers, truths):.0%} of {WORLDS} memories; 95% was asked for. "
            "Single seeds fall so far apart, from the least of them to the greatest; their mean "
            "is known better, by the root of their number"
        )
    real, _ = _ask(report, run)
    if abs(math.log2(truth) - real.middle) > real.width:
        raise Mistake(
            f"on the real state your interval goes from {2**real.low:.1f} to {2**real.high:.1f} "
            f"pairs, and the mean over many seeds is {truth:.1f}; does your report count on "
            "something that holds in the invented memories alone?"
        )


def _ask(report: Report, run: Run) -> tuple[Answer, str | None]:
    """A report's answer in octaves; and "more" or "less", if all that it saw lay on one side."""
    shares: list[float] = []

    def watched(pairs: SupportsInt, seed: SupportsInt) -> float:
        shares.append(run(pairs, seed))
        return shares[-1]

    answer = ask(report, watched, BUDGET, "you filled more than {} states")
    if not shares:
        raise Mistake("your report fills no state: it is to call `run(pairs, seed)`")
    if answer.low >= 0 and answer.high <= 1:
        raise Mistake(
            f"your interval goes from {answer.low:.3g} to {answer.high:.3g}: is that the share "
            "that comes back? The number of pairs is asked for, of which half comes back"
        )
    if answer.low <= 0:
        raise Mistake(f"your interval begins at {answer.low}; a number of pairs is above zero")
    octaves = Answer(math.log2(answer.low), math.log2(answer.high), answer.asked, answer.given)
    if min(shares) > 0.5:
        return octaves, "more"
    return octaves, "less" if max(shares) < 0.5 else None


def _require_states(answer: Answer) -> None:
    """Several seeds, and no state twice.

    Raises:
        Mistake: naming what is missing.
    """
    counts = Counter((int(pairs), int(seed)) for pairs, seed in answer.asked)
    seeds = {seed for _, seed in counts}
    if len(seeds) < FEWEST_SEEDS:
        raise Mistake(
            f"the number of seeds that you used is {len(seeds)}. Another seed draws other keys, "
            "and holds more of them or fewer: from so few nobody can tell how much that matters"
        )
    (pairs, seed), times = counts.most_common(1)[0]
    if times > 1 and pairs in (1, MOST_PAIRS):
        raise Mistake(
            f"your search ran on to {pairs} pairs, where no more can be tried, and asked {times} "
            f"times there: is a comparison turned? Where more than half comes back, the half "
            "is at more pairs"
        )
    if times > 1:
        raise Mistake(
            f"you filed {pairs} pairs with seed {seed} {times} times: the same seed draws the same "
            "keys, so it says the same each time"
        )


def _require_pairs_and_not_octaves(answers: list[Answer], truths: list[float]) -> None:
    """The interval is in pairs.

    Raises:
        Mistake: if its logarithms were returned.
    """
    undone = [Answer(2**each.low, 2**each.high, each.asked) for each in answers]
    if share_held(undone, truths) > share_held(answers, truths):
        raise Mistake("your interval is for the logarithm of a number of pairs; return the number")
    for base in (math.e, 10.0):
        smaller = 1 / math.log2(base)
        other = [Answer(smaller * a.low, smaller * a.high, a.asked) for a in answers]
        if share_held(other, truths) > max(0.5, share_held(answers, truths)):
            raise Mistake(
                f"your logarithms are to the base 2, and you undo them to the base {base:.3g}: "
                "2 to their power is a number of pairs"
            )


def _require_spread(answers: list[Answer]) -> None:
    """The interval's width depends on what the seeds gave, and so does where it lies.

    Raises:
        Mistake: if it is the same everywhere, in pairs or as a factor.
    """
    ends = torch.tensor([[each.low, each.high] for each in answers], dtype=torch.float64)
    if (ends - ends[:1]).abs().max() < 1e-3:
        low, high = (2 ** ends[0]).tolist()
        raise Mistake(
            f"your interval goes from {low:.4g} to {high:.4g} pairs whatever the memory gave back"
        )
    factors, widths = ends.diff().flatten(), (2**ends).diff().flatten()
    if widths.abs().max() < 1e-6:
        raise Mistake(
            "your interval is a single number, and says nothing of how sure you are: how far do "
            "the seeds lie apart?"
        )
    narrow = factors[0] < WIDTH_AT_MOST * _NEEDED
    if narrow and (factors - factors[0]).abs().max() < 1e-3:
        raise Mistake(
            f"your interval ends at {2 ** factors[0].item():.3g} times its beginning whatever the "
            "memory gave back: its width is to come from how far the seeds lie apart"
        )
    if (widths - widths[0]).abs().max() < 1e-3:
        raise Mistake(
            f"your interval is {widths[0]:.3g} pairs wide whatever the memory gave back: its width "
            "is to come from how far the seeds lie apart"
        )
