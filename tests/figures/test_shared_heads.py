"""Heads that share: each line leads from a head to the keys and values that it reads."""

import numpy as np
import pytest
from softlookup.figures import style
from softlookup.figures.shared_heads import shared_heads


@pytest.mark.parametrize(("shared", "read"), [(6, [0, 1, 2, 3, 4, 5]), (2, [1] * 3 + [4] * 3)])
def test_neighbours_read_the_same(shared, read):
    _, (axes,) = style.canvas()
    shared_heads(axes, 6, shared, title="any")
    ends = [line.get_xdata() for line in axes.lines]
    assert np.allclose([start for start, _ in ends], range(6))
    assert np.allclose([end for _, end in ends], read)
    assert [text.get_text() for text in axes.texts].count("Q") == 6
    assert [text.get_text() for text in axes.texts].count("K") == shared


def test_a_line_has_the_colour_of_what_it_reads():
    _, (axes, unshared) = style.canvas("wide", columns=2)
    shared_heads(axes, 4, 2, title="any")
    assert [line.get_color() for line in axes.lines] == [style.PALETTE[0]] * 2 + [
        style.PALETTE[1]
    ] * 2
    shared_heads(unshared, 4, 4, title="any")
    assert [line.get_color() for line in unshared.lines] == [style.MUTED] * 4


@pytest.mark.parametrize("shared", [0, 4, 7])
def test_refuses_heads_that_cannot_be_shared_out(shared):
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="expected the second to divide the first"):
        shared_heads(axes, 6, shared, title="any")
