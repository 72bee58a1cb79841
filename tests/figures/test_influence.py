"""The squares of influence: as they were judged, and honest about zero."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.influence import influence, influence_scale


def triangle() -> np.ndarray:
    return np.tril(np.arange(1.0, 26.0).reshape(5, 5))


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_influence_looks_as_judged() -> Figure:
    style.use_style()
    figure, axes = style.canvas("wide", columns=2)
    matrix = triangle()
    influence(axes[0], matrix, title="Places", forbidden=matrix == 0)
    influence(axes[1], matrix, title="Words", tokens=["A", "robot", "must", "obey", "the"])
    return figure


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_influence_on_one_scale_looks_as_judged() -> Figure:
    style.use_style()
    figure, axes = style.canvas("wide", columns=2)
    for panel, factor in zip(axes, (1, 2), strict=True):
        influence(panel, factor * triangle(), title=f"Times {factor}", strongest=50.0)
    influence_scale(figure, axes, 50.0, label="influence of an input")
    return figure


def test_the_scale_shows_the_colours_of_the_squares():
    figure, axes = style.canvas("wide", columns=2)
    influence(axes[0], triangle(), title="any", strongest=25.0)
    influence_scale(figure, axes, 25.0)
    bar = figure.axes[-1].collections[-1]
    drawn = axes[0].images[0]
    darkest = drawn.cmap(drawn.norm(drawn.get_array()[4, 4]))
    assert bar.cmap(bar.norm(25.0)) == pytest.approx(darkest)
    assert bar.cmap(bar.norm(0.0)) == pytest.approx(drawn.cmap(0.22), abs=0.01)
    plt.close("all")


def test_little_is_told_from_none():
    _, axes = style.canvas()
    influence(axes[0], np.array([[0.0, 1e-9], [1e-3, 5.0]]), title="any")
    shown = axes[0].images[0].get_array()
    assert shown[0, 0] == 0.0
    assert shown[0, 1] > 0.2
    assert shown[0, 1] < shown[1, 0] < shown[1, 1] == 1.0
    plt.close("all")


def test_panels_on_one_scale_can_be_compared():
    _, axes = style.canvas("wide", columns=2)
    influence(axes[0], triangle(), title="any", strongest=50.0)
    influence(axes[1], 2 * triangle(), title="any", strongest=50.0)
    half, whole = (panel.images[0].get_array()[4, 4] for panel in axes)
    assert half == pytest.approx(0.22 + 0.78 / 2)
    assert whole == pytest.approx(1.0)
    plt.close("all")


def test_each_forbidden_place_gets_its_dot():
    _, axes = style.canvas()
    forbidden = np.triu(np.ones((5, 5), dtype=bool), 1)
    influence(axes[0], triangle(), title="any", forbidden=forbidden)
    dots = {(line.get_ydata()[0], line.get_xdata()[0]) for line in axes[0].lines}
    assert dots == {(row, column) for row in range(5) for column in range(row + 1, 5)}
    plt.close("all")


def test_no_influence_anywhere_is_drawn_as_none():
    _, axes = style.canvas()
    influence(axes[0], np.zeros((2, 3)), title="any")
    assert not axes[0].images[0].get_array().any()
    plt.close("all")


def test_bad_input_is_refused_in_words():
    _, axes = style.canvas()
    with pytest.raises(ValueError, match="none below 0"):
        influence(axes[0], -triangle(), title="any")
    with pytest.raises(ValueError, match="a positive number"):
        influence_scale(axes[0].figure, axes, 0.0)
    with pytest.raises(ValueError, match="2 names"):
        influence(axes[0], triangle(), title="any", tokens=["a", "b"])
    plt.close("all")
