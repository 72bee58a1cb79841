"""Drawn pairs are held to their labels, and each scan to its chance, at digits often and seldom."""

import pytest
import torch
from softlookup.course.exercises.pairs_drawn import (
    PAIRS,
    pairs_of,
    require_any_that_fits,
    require_drawn,
    require_even,
    require_partners,
    require_true,
    some_labels,
)
from softlookup.course.exercises.verdict import Mistake

LABELS = some_labels()


def draw_pairs(labels, n, generator):
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    fits = (labels[first][:, None] == labels) == equal[:, None]
    fits[torch.arange(n), first] = False
    return first, torch.multinomial(fits.double(), 1, generator=generator)[:, 0], equal


@pytest.fixture(params=[2, 3, 4, 5], scope="module")
def pairs(request):
    return pairs_of(draw_pairs, LABELS, request.param)


def test_right_pairs_pass_at_any_seed(pairs):
    first, second, equal = pairs
    require_drawn(pairs, pairs_of(draw_pairs, LABELS, 9))
    require_true(*pairs, LABELS)
    require_even(first, equal, LABELS)
    require_partners(first, second, LABELS)
    require_any_that_fits(first, second, equal, LABELS)


def test_a_digit_drawn_before_its_scan_is_refused(pairs):
    first, second, equal = (part.clone() for part in pairs)
    generator = torch.Generator().manual_seed(1)
    step = torch.randint(1, 10, (PAIRS,), generator=generator)
    fits = ((LABELS[first] + step) % 10)[:, None] == LABELS
    drawn = torch.multinomial(fits.double(), 1, generator=generator)[:, 0]
    second = torch.where(equal, second, drawn)
    require_true(first, second, equal, LABELS)
    require_partners(first, second, LABELS)
    with pytest.raises(Mistake, match="you draw a digit, or an offset between digits"):
        require_any_that_fits(first, second, equal, LABELS)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (lambda first, second, equal: (first, second, ~equal), "says the opposite"),
        (lambda first, second, equal: (LABELS[first], LABELS[second], equal), "return digits"),
        (
            lambda first, second, equal: (
                first, second.roll(7), LABELS[first] == LABELS[second.roll(7)],
            ),
            "read off whether",
        ),
        (lambda first, second, equal: (first, second, equal | (first < 3)), "fewer than by chance"),
        (
            lambda first, second, equal: (first, first - 1, (first > -1)),
            "equal and show two digits, as many as by chance",
        ),
    ],
)  # fmt: skip
def test_a_label_that_lies_is_told_how_often(pairs, changed, words):
    with pytest.raises(Mistake, match=words):
        require_true(*changed(*pairs), LABELS)


def test_pairs_that_another_seed_gives_as_well_are_refused(pairs):
    first, _, equal = pairs
    others = pairs_of(draw_pairs, LABELS, 9)
    with pytest.raises(Mistake, match="a generator of your own"):
        require_drawn(pairs, pairs)
    with pytest.raises(Mistake, match="the same scans come first"):
        require_drawn(pairs, (first, *others[1:]))
    with pytest.raises(Mistake, match="the same places hold equal pairs"):
        require_drawn(pairs, (*others[:2], equal))
