"""Bytes of caches that are wrong are traced to the one part of the formula that gives them."""

from functools import partial
from itertools import combinations

import pytest
import torch
from softlookup.course.exercises.cache_bytes import SLIPS, bytes_of_caches, in_cases, of_one_group
from softlookup.course.exercises.slips import name_slips
from softlookup.course.exercises.verdict import Mistake

CASES = ((8192, 30, 6, 1024, 4, 256), (700, 48, 6, 1024, 8, 128), (5000, 12, 1, 64, 2, 32))


def test_one_layer_in_every_so_many_keeps_the_whole_text():
    assert bytes_of_caches((100, 6, 3, 10, 5, 7)) == 4 * 5 * 7 * (2 * 100 + 4 * 10)
    assert bytes_of_caches((8, 6, 3, 10, 5, 7)) == 4 * 5 * 7 * 6 * 8


def test_no_two_mistakes_give_the_same_bytes():
    results = [
        in_cases(CASES, **{part: value}) for part, each in SLIPS.items() for value in each.values()
    ]
    assert not any(torch.equal(one, other) for one, other in combinations(results, 2))


def test_two_mistakes_are_named_together():
    got = in_cases(CASES, heads=0, near=lambda layers, far: 0)
    with pytest.raises(Mistake, match=r"two mistakes\. Each of the `shared`.*left them out$"):
        name_slips(got, partial(in_cases, CASES), SLIPS, alike=torch.equal)


def test_one_group_of_layers_is_known():
    groups = torch.tensor([5, 8, 12])
    assert of_one_group(in_cases(CASES) / groups, CASES)
    assert not of_one_group(in_cases(CASES), CASES)
