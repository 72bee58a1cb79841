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


def require_even(first: Tensor, labels: Tensor, equal: Tensor) -> None:
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
