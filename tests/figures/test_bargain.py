"""Costs against gains: as it was judged, and every name at its point."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.bargain import bargain

POINTS = {"dear": (200.0, 1.0), "cheap": (2.0, 0.9), "in between": (20.0, 0.4)}
WORDS = {"title": "Cheap is not worse", "cost_label": "time (ms)", "gain_label": "share recalled"}


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_bargain_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("narrow")
    bargain(axes, POINTS, **WORDS)
    return figure


def test_every_point_stands_at_its_cost_and_gain_with_its_name():
    _, (axes,) = style.canvas("narrow")
    bargain(axes, POINTS, **WORDS)
    drawn = [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines]
    assert drawn == list(POINTS.values())
    assert {text.get_text(): text.xy for text in axes.texts} == POINTS
    plt.close("all")


def test_the_lower_of_two_close_points_has_its_name_below():
    _, (axes,) = style.canvas("narrow")
    close = {"above": (2.0, 0.9), "below": (2.2, 0.85), "far to the right": (20.0, 0.8)}
    bargain(axes, close, **WORDS)
    sides = {text.get_text(): text.get_va() for text in axes.texts}
    assert sides == {"above": "bottom", "below": "top", "far to the right": "bottom"}
    plt.close("all")


def test_a_cost_of_nothing_is_refused():
    _, (axes,) = style.canvas("narrow")
    with pytest.raises(ValueError, match="cost of 'free' is 0"):
        bargain(axes, {"free": (0.0, 1.0)}, **WORDS)
    plt.close("all")
