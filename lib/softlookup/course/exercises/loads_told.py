"""Why an interval for a load is too wide or too sure, as far as its questions and its ends tell.

The chapter on the quadratic wall asks for one; ``loads_swept`` tries it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median, quantiles

from softlookup.course.exercises.measuring import Answer
from softlookup.course.exercises.verdict import Mistake

# Student's distribution at 0.975, by the number of seeds.
STUDENT = {3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}

# From the least to the greatest of so many seeds lies more than a mean that is 95% sure.
MANY_SEEDS = 7


@dataclass(frozen=True)
class Bracket:
    """Between which loads a seed was seen to fall below the half, in octaves, and its shares."""

    below: float
    above: float
    share_below: float
    share_above: float

    def places(self) -> list[float]:
        """Where a report may say that this seed falls."""
        crossed = (self.share_below - 0.5) / max(self.share_below - self.share_above, 1e-9)
        return [
            (self.below + self.above) / 2,
            math.log2((2**self.below + 2**self.above) / 2),
            self.below + crossed * (self.above - self.below),
            self.below,
            self.above,
        ]


@dataclass(frozen=True)
class Reach:
    """How far intervals reach: as far as the seeds do, or so many standard errors to each side."""

    seeds: int
    errors: float
    to_the_ends: bool

    @property
    def words(self) -> str:
        """It, as a sentence that says what is wrong with it; an empty one if nothing is."""
        if self.to_the_ends:
            return (
                "It goes from the least of your seeds to the greatest. Single seeds fall there; "
                "their mean is known better than each of them, by the root of their number"
            )
        if self.errors > 1.5 * self.seeds**0.5:
            return (
                f"It reaches {self.errors / self.seeds**0.5:.2f} standard deviations to each side. "
                "Single seeds fall there; their mean has a standard error: divide by the root of "
                "their number"
            )
        return (
            f"It reaches {self.errors:.2f} standard errors to each side; of {self.seeds} seeds 19 "
            f"means out of 20 lie within {STUDENT.get(self.seeds, 2.1):.2f} of them"
        )


def by_seed(answer: Answer) -> dict[int, list[tuple[float, float]]]:
    """What each seed gave back: loads in octaves and shares, in the order of the loads."""
    found: dict[int, list[tuple[float, float]]] = {}
    for (pairs, seed), share in zip(answer.asked, answer.given, strict=True):
        found.setdefault(int(seed), []).append((math.log2(int(pairs)), float(share)))
    return {seed: sorted(each) for seed, each in found.items()}


def brackets(answer: Answer) -> list[Bracket]:
    """Where seeds fell, of those that were seen on both sides of the half."""
    found = []
    for each in by_seed(answer).values():
        high = [one for one in each if one[1] > 0.5]
        low = [one for one in each if high and one[0] > high[-1][0]]
        if high and low:
            found.append(Bracket(high[-1][0], low[0][0], high[-1][1], low[0][1]))
    return found


def reach(answers: Sequence[Answer]) -> Reach | None:
    """How far intervals reach, if the spread of the places where their seeds fell tells it."""
    fallen = [(each, brackets(each)) for each in answers]
    fallen = [(each, found) for each, found in fallen if len(found) > 2]
    if len(fallen) < 0.9 * len(answers):
        return None
    seeds = int(median(len(found) for _, found in fallen))
    best: tuple[float, Reach] | None = None
    for kind in range(5):
        ranges, errors = [], []
        for answer, found in fallen:
            places = [bracket.places()[kind] for bracket in found]
            mean = sum(places) / len(places)
            squares = sum((place - mean) ** 2 for place in places)
            if squares > 1e-6:
                error = (squares / (len(places) - 1) / len(places)) ** 0.5
                ranges.append(answer.width / (max(places) - min(places)))
                errors.append(answer.width / 2 / error)
        for ratios, to_the_ends in ((ranges, True), (errors, False)):
            if len(ratios) < 0.5 * len(answers):
                continue
            low, middle, high = quantiles(ratios, n=4)
            spread = (high - low) / max(middle, 1e-9)
            if to_the_ends and abs(middle - 1) > 0.03:
                continue
            if spread < 0.1 and (best is None or spread < best[0]):
                best = spread, Reach(seeds, middle, to_the_ends)
    return best[1] if best else None


def name_exchanged(answer: Answer) -> None:
    """Tell a report that searches among the seeds, and files as many pairs as it has seeds.

    Raises:
        Mistake: if its seeds are more, and larger, than its numbers of pairs.
    """
    pairs, seeds = ({int(each[place]) for each in answer.asked} for place in (0, 1))
    if len(seeds) > len(pairs) and max(seeds) > 8 * max(pairs):
        raise Mistake(
            f"you file {min(pairs)} to {max(pairs)} pairs, with seeds up to {max(seeds)}: are the "
            "two exchanged? It is run(pairs, seed)"
        )


def why_wide(answers: Sequence[Answer], budget: int) -> str:
    """The likeliest reason for intervals that are wider than need be."""
    asked = answers[0].asked
    loads = sorted({int(pairs) for pairs, _ in asked})
    step = min(more / fewer for fewer, more in pairwise(loads)) if len(loads) > 1 else math.inf
    if len(asked) < budget // 2:
        return f"you filled {len(asked)} states, and {budget} were allowed"
    if step > 1.5:
        return (
            f"is it the step between two loads? Yours lie a factor of {step:.1f} apart or more; "
            "ask between them"
        )
    far = reach(answers)
    if far and (far.to_the_ends or far.errors > STUDENT.get(far.seeds, 2.1) + 0.3):
        return far.words[0].lower() + far.words[1:]
    return (
        "is it the interval in which single seeds fall? Their mean is known better than each of "
        "them"
    )


def why_too_sure(answers: Sequence[Answer], times_needed: float) -> str:
    """The likeliest reason why intervals so many times as wide as need be miss the truth."""
    points = sum(each.width < 1e-6 for each in answers) / len(answers)
    if points > 0.1:
        return (
            f"In {points:.0%} of the memories it is a single number, for all seeds gave the same: "
            "the loads at which you ask lie further apart than the seeds do. Ask between them, or "
            "say where a line between two loads meets the half"
        )
    loads = [median(len(seen) for seen in by_seed(each).values()) for each in answers]
    if median(loads) < 2:
        return (
            "You asked most seeds at one load alone. That says how much comes back there, and not "
            "at which load half of it would: ask each seed at several, from both sides"
        )
    beside = _share(answers, lambda seen: min(seen) > 0.5 or max(seen) < 0.5)
    # Of the seeds that are left where some were not seen to fall, the spread tells little.
    if beside < 0.15 and (far := reach(answers)):
        return far.words
    if times_needed < 0.4:
        return (
            "The questions to one state are answered by the same keys; what is drawn anew is a "
            "seed. How far do the seeds lie apart?"
        )
    if beside > 0.15:
        return (
            f"Of {beside:.0%} of the seeds that you searched you saw one side of their fall alone: "
            "they hold more, or fewer, than the loads among which you looked. Look further to "
            "both sides"
        )
    if times_needed < 0.8:
        return (
            "One standard error to either side of a mean holds the truth two times out of three; "
            "19 times out of 20 it takes a little more than two, each of them the spread over the "
            f"root of the number of seeds. Yours is {times_needed:.1f} times as wide as need be"
        )
    return "What is uncertain is a mean over few seeds, whose spread itself is guessed"


def _share(answers: Sequence[Answer], of: Callable[[list[float]], bool]) -> float:
    """The share of seeds, of those asked three times or more, of which something is true."""
    found = [
        of([share for _, share in seen])
        for each in answers
        for seen in by_seed(each).values()
        if len(seen) > 2
    ]
    return sum(found) / len(found) if found else 0.0
