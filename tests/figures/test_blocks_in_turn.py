"""Attention by blocks, half-way: as it was judged, and what is drawn."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.blocks_in_turn import running_notes, tiles

SCORES = np.sin(np.arange(12.0)) + np.arange(12.0) / 6
ENDS = np.array([3, 6, 9, 12])
MAXIMA = np.maximum.accumulate(SCORES)[ENDS - 1]


def notes(axes):
    running_notes(axes, SCORES, ENDS, MAXIMA, title="one query")


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_blocks_in_turn_look_as_judged() -> Figure:
    style.use_style()
    figure, panels = style.canvas("wide", columns=2)
    tiles(panels[0], 7, 5, title="the blocks")
    notes(panels[1])
    return figure


def test_the_blocks_of_the_future_are_never_gone_through():
    _, (axes,) = style.canvas()
    states = tiles(axes, 2, 3, title="")
    assert states == [
        ["done", "never", "never"],
        ["done", "now", "never"],
        ["waiting", "waiting", "waiting"],
    ]
    assert len(axes.patches) == 9
    plt.close("all")


def test_the_maximum_of_each_block_and_the_keys_that_set_it_are_drawn():
    _, (axes,) = style.canvas()
    notes(axes)
    lines = [line.get_segments()[0] for line in axes.collections[1:]]
    steps = [start[1] for start, end in lines if start[0] != end[0]]
    assert steps == pytest.approx(list(MAXIMA))
    (setters,) = (line for line in axes.lines if line.get_color() == style.BLUE)
    np.testing.assert_allclose(setters.get_ydata(), np.unique(MAXIMA))
    np.testing.assert_allclose(SCORES[setters.get_xdata().astype(int)], np.unique(MAXIMA))
    texts = [text.get_text() for text in axes.texts]
    factors = np.exp(-np.diff(MAXIMA))
    assert texts[:3] == [f"old sums\n× {factor:.2g}" for factor in factors]
    plt.close("all")


def test_blocks_that_leave_out_a_key_are_refused():
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="behind key 9 of 12"):
        running_notes(axes, SCORES, ENDS[:3], MAXIMA[:3], title="")
    plt.close("all")
