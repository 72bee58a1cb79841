"""What workers send, drawn: the numbers in the pictures are those of the methods themselves."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle
from softlookup.figures import style
from softlookup.figures.shared_training import (
    HELD,
    product_in_two,
    ring_rounds,
    ring_states,
    sends_in_time,
    step_in_buckets,
)


def filled(axes, colour):
    patches = [each for each in axes.patches if isinstance(each, Rectangle)]
    return sum(to_hex(each.get_facecolor()) == colour for each in patches)


@pytest.mark.parametrize("workers", [2, 3, 5])
def test_the_ring_ends_with_every_sum_at_every_worker(workers):
    held = np.random.default_rng(0).normal(size=(workers, workers))
    states = ring_states(held)
    assert len(states) == 1 + 2 * (workers - 1)
    np.testing.assert_allclose(states[-1], np.tile(held.sum(axis=0), (workers, 1)))
    # Half-way every part's sum is complete at one worker, and no worker has two.
    complete = np.isclose(states[workers - 1], held.sum(axis=0))
    assert (complete.sum(axis=0) == 1).all()
    assert (complete.sum(axis=1) == 1).all()


def test_each_round_changes_one_part_of_each_worker():
    states = ring_states(np.array(HELD, dtype=float))
    for before, after in pairwise(states):
        assert ((before != after).sum(axis=1) == 1).all()


def test_what_arrived_in_a_round_is_filled_and_dark_where_the_sum_is_complete():
    _, (axes,) = style.canvas("normal")
    ring_rounds(axes, title="any")
    assert filled(axes, "#f0c79b") == 3
    assert filled(axes, style.ORANGE) == 0 + 0 + 3 + 3 + 3


def test_an_arrow_leads_from_what_is_outlined_to_what_it_changes():
    _, (axes,) = style.canvas("normal")
    ring_rounds(axes, title="any")
    boxes = [each for each in axes.patches if isinstance(each, Rectangle)]
    outlined = {
        (each.get_x(), round(each.get_y() / -1.55))
        for each in boxes
        if each.get_facecolor()[3] == 0 and to_hex(each.get_edgecolor()) == style.INK
    }
    states = ring_states(np.array(HELD, dtype=float))
    sent = sorted((turn, *divmod(int(x), 4)) for x, turn in outlined)
    got = [
        (turn, (worker - 1) % 3, part)
        for turn, (before, after) in enumerate(pairwise(states))
        for worker, part in zip(*np.nonzero(before != after), strict=True)
    ]
    assert sent == sorted(got)
    heads = [each.xy for each in axes.texts if not each.get_text()]
    arrived = sorted((round(-y / 1.55 - 1), *divmod(int(x), 4)) for x, y in heads)
    assert arrived == sorted((turn, (worker + 1) % 3, part) for turn, worker, part in got)


def test_the_parts_of_a_product_add_up_in_the_picture():
    _, (axes,) = style.canvas("normal")
    product_in_two(axes, title="any")
    gives = [
        int(text.get_text())
        for text in axes.texts
        if text.get_text().lstrip("-").isdigit() and text.get_position()[0] > 12
    ]
    whole, first, second, added = np.reshape(gives, (4, 2))
    assert whole.tolist() == (first + second).tolist() == added.tolist() == [11, 7]
    # Alone all of both matrices; of each worker a column of one and a row of the other.
    assert filled(axes, style.BLUE) == 8 + 4 + 4


@pytest.mark.parametrize("buckets", [1, 2, 6])
@pytest.mark.parametrize("sends", [0.5, 3, 6, 9, 40])
def test_what_sticks_out_is_the_last_send_or_what_the_queue_leaves(buckets, sends):
    backward = 6
    placed = sends_in_time(buckets, backward, sends)
    exposed = placed[-1][1] - backward
    assert exposed == pytest.approx(max(sends / buckets, sends - (1 - 1 / buckets) * backward))
    for bucket, (begins, ends) in enumerate(placed):
        assert begins >= (bucket + 1) * backward / buckets - 1e-12
        assert ends - begins == pytest.approx(sends / buckets)
    assert all(one[1] <= two[0] + 1e-12 for one, two in pairwise(placed))


def test_the_drawn_step_says_what_is_exposed():
    _, (axes,) = style.canvas("wide")
    step_in_buckets(axes, 6, 6, 9, title="any")
    said = [text.get_text() for text in axes.texts]
    assert "exposed: 4" in said
    assert "opens\nat $t/k$" in said
    dark = [each for each in axes.patches if each.get_fill() and each.get_alpha() == 1]
    of_sends = [each for each in dark if to_hex(each.get_facecolor()) == style.ORANGE]
    assert sum(each.get_width() for each in of_sends) == pytest.approx(4)
