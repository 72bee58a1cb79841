"""Demands on drawn pairs of scans: each part of the right kind, and every scan with its chance."""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake

PAIRS = 4000
# More than three standard deviations of a share of 4,000 pairs.
CHANCE = 0.03
# How many partners of a kind a scan meets at least in some thirty draws from as many or more.
LEAST_MET = 8

# From labels, a number and a generator to the first scans, the second, and whether they are equal.
Pairs = Callable[[Tensor, int, torch.Generator], tuple[Tensor, Tensor, Tensor]]


def some_labels() -> Tensor:
    """Ten digits, some of them often and some seldom, in no order."""
    many = torch.tensor([24, 18, 12, 10, 9, 8, 7, 6, 5, 4])
    labels = torch.arange(10).repeat_interleave(many)
    return labels[torch.randperm(len(labels), generator=torch.Generator().manual_seed(1))]


def pairs_of(draw_pairs: Pairs, labels: Tensor, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """The learner's pairs, each part of the right kind."""
    drawn = draw_pairs(labels, PAIRS, torch.Generator().manual_seed(seed))
    if not isinstance(drawn, tuple | list) or len(drawn) != 3:
        raise Mistake("return three tensors: the first scans, the second, and which are equal")
    first, second, equal = drawn
    for name, part in (("first", first), ("second", second), ("equal", equal)):
        if not isinstance(part, Tensor) or part.shape != (PAIRS,):
            shape = tuple(part.shape) if isinstance(part, Tensor) else type(part).__name__
            raise Mistake(f"`{name}` is {shape}; asked for {PAIRS} pairs, ({PAIRS},) is expected")
    if equal.dtype != torch.bool:
        raise Mistake(f"`equal` holds {equal.dtype}; `broken` returns truth values, torch.bool")
    for name, places in (("first", first), ("second", second)):
        if places.is_floating_point() or not 0 <= int(places.min()) <= int(places.max()) < len(
            labels
        ):
            raise Mistake(f"`{name}` has to hold places of scans, from 0 to {len(labels) - 1}")
    return first, second, equal


def require_drawn(pairs: tuple[Tensor, ...], others: tuple[Tensor, ...]) -> None:
    """Another seed gives other pairs."""
    if all(map(torch.equal, pairs, others)):
        raise Mistake(
            "another seed gives the same pairs: you make a generator of your own; draw from the "
            "one that is given"
        )
    if torch.equal(pairs[2], others[2]):
        raise Mistake(
            "with another seed the same places hold equal pairs; draw for each pair whether it is "
            "to be equal, as `broken` does, or its place gives the answer away"
        )
    if torch.equal(pairs[0], others[0]):
        raise Mistake(
            "with another seed the same scans come first, in the same order; draw them, as "
            "`broken` does"
        )


def require_true(first: Tensor, second: Tensor, equal: Tensor, labels: Tensor) -> None:
    """Two scans are never the same one, every label is true, and half of the pairs are equal."""
    true, twice = labels[first] == labels[second], first == second
    chance = float((labels.bincount() / len(labels)).square().sum())
    share = float(equal.double().mean())
    told = f"{share:.0%} of your pairs are equal; `broken` has half of them so"
    if torch.cat([first, second]).max() <= labels.max():
        raise Mistake(
            "your scans are all among the first ten: do you return digits, labels[first]? The "
            "places of the scans are asked for"
        )
    if torch.equal(equal, ~true):
        raise Mistake(
            "your third tensor says the opposite: it is True where the two digits are equal"
        )
    if torch.equal(equal, true) and abs(share - chance) < CHANCE / 2:
        raise Mistake(
            f"{told}. You draw two scans and read off whether their digits are equal, as few are "
            "by chance; draw first whether they are to be equal, and then a scan that fits"
        )
    _require_no_scan_twice(twice, equal, true)
    _require_no_lie(equal, true, chance)
    if abs(share - 0.5) > CHANCE:
        raise Mistake(
            f"{told}, and a model that always says 'different' should be right half the time"
        )


def _require_no_scan_twice(twice: Tensor, equal: Tensor, true: Tensor) -> None:
    """No pair is one scan twice."""
    if twice[equal].all() and (lying := int((~equal & true).sum())):
        raise Mistake(
            "two things of `broken` are still there: in all equal pairs both are one scan, and "
            f"{lying} of the pairs that you call different show the same digit"
        )
    if twice[equal].all():
        raise Mistake(
            "your equal pairs are one scan twice: a model has to compare pixels, not digits, to "
            "see it"
        )
    if twice[equal].any():
        raise Mistake(
            "in some of your pairs both are the same scan; among the scans that fit the first, "
            "it fits itself, and must be taken out"
        )


def _require_no_lie(equal: Tensor, true: Tensor, chance: float) -> None:
    """No pair is called equal or different that is not."""
    same_digit, two_digits = int((~equal & true).sum()), int((equal & ~true).sum())
    if same_digit:
        told = f"of {PAIRS} pairs, {same_digit} are called different and show the same digit"
        if same_digit > 0.7 * chance * int((~equal).sum()):
            raise Mistake(
                f"{told}, as many as by chance: the second scan was drawn without a look at the "
                "first one's label"
            )
        raise Mistake(
            f"{told}, fewer than by chance: you keep most of them out, and not all. One more try "
            "is not enough, nor is a small weight; what does not fit has a weight of 0"
        )
    if two_digits > 0.7 * (1 - chance) * int(equal.sum()):
        raise Mistake(
            f"{two_digits} pairs are called equal and show two digits, as many as by chance: their "
            "second scan was drawn without a look at the first one's label"
        )
    if two_digits:
        raise Mistake(
            f"{two_digits} pairs are called equal and show two digits, fewer than by chance: what "
            "becomes of a scan that is the last of its digit, or whose draw did not fit?"
        )


def require_even(first: Tensor, equal: Tensor, labels: Tensor) -> None:
    """Every scan comes first as often as any other, in equal pairs and in different ones."""
    shares = labels.bincount() / len(labels)
    for called, chosen in (("equal", first[equal]), ("different", first[~equal])):
        drawn = labels[chosen].bincount(minlength=len(shares)) / len(chosen)
        if (drawn - shares).abs().max() > 2 * CHANCE:
            digit = int((drawn - shares).abs().argmax())
            raise Mistake(
                f"{shares[digit]:.0%} of the scans show a {digit}, and {drawn[digit]:.0%} of the "
                f"first scans of your {called} pairs: which digit comes first now tells "
                "something of the answer. In `broken` every scan is first equally often"
            )


def require_any_that_fits(first: Tensor, second: Tensor, equal: Tensor, labels: Tensor) -> None:
    """Of the scans that differ from the first one's digit, each comes second equally often."""
    many = labels.bincount()
    fits = many.expand(len(many), -1) * ~torch.eye(len(many), dtype=torch.bool)
    expected = (fits / fits.sum(1, keepdim=True))[labels[first[~equal]]].mean(0)
    drawn = labels[second[~equal]].bincount(minlength=len(many)) / int((~equal).sum())
    if (drawn - expected).abs().max() > 2 * CHANCE:
        digit = int((drawn - expected).abs().argmax())
        raise Mistake(
            f"a {digit} comes second in {drawn[digit]:.0%} of your different pairs, and in "
            f"{expected[digit]:.0%} if every scan that fits has the same chance: you draw a digit, "
            "or an offset between digits, and then a scan of it, so that scans of rare digits come "
            "too often. Draw the scan itself from all that fit"
        )


def require_partners(first: Tensor, second: Tensor, labels: Tensor) -> None:
    """Every scan has many partners, of its own digit and of the others."""
    partners = len(torch.unique(second))
    if partners < len(labels):
        raise Mistake(
            f"only {partners} of {len(labels)} scans ever come second; in `broken` every scan can"
        )
    one = int((labels == 0).nonzero()[0])
    partner = second[first == one]
    same_digit = labels[partner] == labels[one]
    for kind, chosen in (("its own digit", partner[same_digit]), ("others", partner[~same_digit])):
        if (met := len(torch.unique(chosen))) < LEAST_MET:
            raise Mistake(
                f"scan {one} had a partner of {kind} {len(chosen)} times, always one of the same "
                f"{met}; draw its partner anew each time, from all that fit"
            )
    for digit in range(3):
        met_digits = labels[second[labels[first] == digit]]
        if missed := set(labels.tolist()) - set(met_digits.tolist()):
            raise Mistake(
                f"a {digit} is never followed by {' or '.join(map(str, sorted(missed)))}: draw the "
                "second scan from all that fit, and not from one digit that the first one settles"
            )
