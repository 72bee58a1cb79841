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
    sides = {text.get_text(): text.get_ha() for text in axes.texts}
    assert sides == {"dear": "right", "cheap": "left", "in between": "left"}
    plt.close("all")


def test_a_cost_of_nothing_is_refused():
    _, (axes,) = style.canvas("narrow")
    with pytest.raises(ValueError, match="cost of 'free' is 0"):
        bargain(axes, {"free": (0.0, 1.0)}, **WORDS)
    plt.close("all")
