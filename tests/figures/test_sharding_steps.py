"""Steps of sharding: what is drawn as held is what each worker holds, and adds up to the whole."""

from itertools import pairwise

import pytest
from matplotlib.colors import to_hex
from softlookup.figures import style
from softlookup.figures.sharding_steps import PARTS, STEPS, WORKERS, sharding_steps
from softlookup.parallel.traffic import gather_bytes


@pytest.fixture
def axes():
    _, (drawn,) = style.canvas("wide")
    sharding_steps(drawn, title="any")
    return drawn


def test_each_step_divides_one_part_more():
    assert [step.total for step in STEPS] == [16, 10, 7, 4]


def test_a_step_sends_halves_of_an_all_reduce_one_more_where_weights_are_borrowed():
    half = gather_bytes(1, WORKERS)
    assert [step.sends for step in STEPS] == [2 * half, 2 * half, 2 * half, 3 * half]


def test_the_filled_heights_of_a_worker_are_its_bytes(axes):
    filled = [each for each in axes.patches if to_hex(each.get_facecolor()) != style.PAPER]
    for group, step in enumerate(STEPS):
        for worker in range(WORKERS):
            left = 5.4 * group + worker
            heights = [each.get_height() for each in filled if each.get_x() == left]
            assert sum(heights) == pytest.approx(step.total)


def test_what_is_divided_is_held_once_and_the_shares_do_not_overlap(axes):
    for place, part in enumerate(PARTS):
        last = [
            each
            for each in axes.patches
            if to_hex(each.get_facecolor()) == part.colour and each.get_x() >= 5.4 * 3
        ]
        ends = sorted((each.get_y(), each.get_y() + each.get_height()) for each in last)
        bottom = sum(each.size for each in PARTS[:place])
        assert ends[0][0] == bottom
        assert ends[-1][1] == pytest.approx(bottom + part.size)
        assert all(one[1] == pytest.approx(two[0]) for one, two in pairwise(ends))
