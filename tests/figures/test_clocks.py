"""Clocks and signed tables: as they were judged, and true to the numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.clocks import clocks, signed_table


def hands() -> np.ndarray:
    """Three clocks at five positions; the first makes a quarter turn a position."""
    angles = np.outer([np.pi / 2, np.pi / 7, np.pi / 29], np.arange(5))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1)


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_clocks_and_table_look_as_judged() -> Figure:
    style.use_style()
    figure, axes = style.canvas("wide", columns=2)
    clocks(axes[0], hands(), positions=range(5), rows=["fast", "slow", "slower"], title="Clocks")
    matrix = hands().transpose(1, 0, 2).reshape(5, 6)
    signed_table(axes[1], matrix, title="The same as numbers", numbers="+.1f")
    return figure


def test_a_hand_starts_upright_and_turns_clockwise():
    _, axes = style.canvas()
    clocks(axes[0], hands(), positions=range(5), rows=["a", "b", "c"], title="any")
    lines = [line for line in axes[0].lines if len(line.get_xdata()) == 2]
    (from_x, to_x), (from_y, to_y) = lines[0].get_xdata(), lines[0].get_ydata()
    assert (from_x, from_y) == (0, 0)
    assert to_x == pytest.approx(0)
    assert to_y < 0  # the axis runs downwards, so this is up
    (from_x, to_x), (from_y, to_y) = lines[1].get_xdata(), lines[1].get_ydata()
    assert (from_x, from_y) == (1, 0)
    assert to_x > 1.3
    assert to_y == pytest.approx(0)
    plt.close("all")


def test_each_row_of_clocks_has_its_own_place():
    _, axes = style.canvas()
    clocks(axes[0], hands(), positions=[0, 2, 4, 6, 8], rows=["a", "b", "c"], title="any")
    centres = {patch.center for patch in axes[0].patches}
    assert centres == {(column, row) for column in range(5) for row in range(3)}
    assert [label.get_text() for label in axes[0].get_xticklabels()] == ["0", "2", "4", "6", "8"]
    plt.close("all")


def test_zero_is_paper_and_the_sign_is_the_colour():
    _, axes = style.canvas()
    signed_table(axes[0], np.array([[-1.0, 0.0, 1.0]]), title="any")
    image = axes[0].images[0]
    below, zero, above = (image.cmap(image.norm(number))[:3] for number in (-1.0, 0.0, 1.0))
    assert zero == pytest.approx(to_rgb(style.PAPER), abs=0.02)
    assert below == pytest.approx(to_rgb(style.ORANGE), abs=0.02)
    assert above == pytest.approx(to_rgb(style.BLUE), abs=0.02)
    plt.close("all")


def test_bad_input_is_refused_in_words():
    _, axes = style.canvas()
    with pytest.raises(ValueError, match="2 names of rows"):
        clocks(axes[0], hands(), positions=range(5), rows=["a", "b"], title="any")
    with pytest.raises(ValueError, match="at most 1"):
        signed_table(axes[0], np.array([[1.5]]), title="any")
    with pytest.raises(ValueError, match="1 names for 2 columns"):
        signed_table(axes[0], np.zeros((3, 2)), title="any", column_names=["one"])
    plt.close("all")
