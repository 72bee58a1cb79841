"""Norms and the ways of training that turn to them: as they were judged, and where things lie."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from softlookup.figures import style
from softlookup.figures.norms import balls, strips, turns, two_layers

TOUCHING = {
    "Frobenius": ("W", (0.3, 0.1), style.BLUE),
    "nuclear": ("K and Q", (1 / 3, 0.0), style.ORANGE),
    "max-norm": ("Adam", (0.25, 0.25), style.GREEN),
}
WAYS = {
    "descent": (np.array([[0.98, 0.76], [1.0, 0.78]]), style.BLUE, (-12, 14)),
    "Adam": (np.array([[0.82, 0.90], [0.80, 0.97]]), style.GREEN, (12, 0)),
}
ROWS = {
    "changed": (np.array([1.0, 1.0, 1.05]), style.ORANGE),
    "kept": (np.linspace(1.1, 3, 30), style.BLUE),
}


@pytest.fixture
def axes():
    figure, (axes,) = style.canvas()
    yield axes
    plt.close(figure)


def draw_balls(axes, touching=TOUCHING):
    balls(axes, (3.0, 1.0), touching, title="Three balls", labels=("w₁₁", "w₂₂"))


def draw_turns(axes):
    turns(axes, WAYS, title="One turns", labels=("x", "y"), limits=(0.7, 1.02))


@pytest.mark.mpl_image_compare
def test_norms_look_as_judged() -> Figure:
    style.use_style()
    figure, panels = style.canvas("tall", columns=2, rows=2)
    draw_balls(panels[0])
    two_layers(panels[1], 6, 8, title="Two choices")
    draw_turns(panels[2])
    strips(panels[3], ROWS, at=1.0, title="Who stays", x_label="margin")
    return figure


def test_each_ball_touches_the_line_in_its_point(axes):
    draw_balls(axes)
    dots = [line.get_xydata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert np.allclose(dots @ np.array([3.0, 1.0]), 1.0)
    (circle,) = [patch for patch in axes.patches if isinstance(patch, Circle)]
    assert circle.radius == pytest.approx(10**-0.5)
    diamond, square = [p.get_xy()[:4] for p in axes.patches if not isinstance(p, Circle)]
    assert np.allclose(np.abs(diamond).sum(axis=1), 1 / 3)
    assert np.allclose(np.abs(square), 0.25)
    for corners in (diamond, square):
        assert (corners @ np.array([3.0, 1.0])).max() == pytest.approx(1.0)


def test_what_does_not_fit_is_refused_in_words(axes):
    with pytest.raises(ValueError, match="there is no ball of 'spectral'"):
        draw_balls(axes, {"spectral": ("W", (0.3, 0.1), style.BLUE)})


def test_each_group_sends_one_token_up_and_one_of_them_is_selected(axes):
    two_layers(axes, 6, 8, title="t")
    squares = [line for line in axes.lines if line.get_marker() == "s"]
    first, second = (
        [line for line in squares if line.get_color() == ink] for ink in (style.ORANGE, style.BLUE)
    )
    places = [(line.get_xdata()[0], line.get_ydata()[0]) for line in first]
    for group in range(6):
        below, above = sorted(x for x, y in places if y == -group)
        assert below < 8 < above
    (ring,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) in places
    assert [line.get_ydata()[0] for line in second] == [ring.get_ydata()[0]]


def test_an_arrow_leads_from_the_earlier_to_the_later_cosines(axes):
    draw_turns(axes)
    arrows = [text for text in axes.texts if text.arrow_patch is not None]
    assert [(*text.xyann, *text.xy) for text in arrows] == [
        tuple(way.flatten()) for way, _, _ in WAYS.values()
    ]
    assert axes.get_xlim() == axes.get_ylim()


def test_each_row_of_dots_stays_in_its_own_height(axes):
    strips(axes, ROWS, at=1.0, title="t", x_label="x")
    _, changed, kept = axes.lines
    assert np.abs(changed.get_ydata()).max() < 0.5
    assert np.abs(kept.get_ydata() - 1).max() < 0.5
    assert [label.get_text() for label in axes.get_yticklabels()] == ["changed", "kept"]
    assert changed.get_xdata().tolist() == [1.0, 1.0, 1.05]
