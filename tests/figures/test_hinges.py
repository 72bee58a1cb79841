"""Hinges and their average: as they were judged, and the average that of all of them."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.hinges import SHOWN_AT_MOST, average_of_hinges

Z = np.linspace(-np.pi, np.pi, 101)


def hinges(units: int) -> np.ndarray:
    corners = np.linspace(0, np.pi, units)[:, None]
    return 1 - 2 * np.pi * np.cos(corners) * np.maximum(0, Z - corners)


def drawn(axes, units):
    average_of_hinges(
        axes,
        Z,
        hinges(units),
        np.cos(Z),
        title=f"{units} hinges",
        curve_name="cosine",
        y_limits=(-6, 6),
    )


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_average_of_hinges_looks_as_judged() -> Figure:
    style.use_style()
    figure, panels = style.canvas("wide", columns=2, share_y=True)
    drawn(panels[0], 4)
    drawn(panels[1], 40)
    return figure


@pytest.mark.parametrize("units", [3, SHOWN_AT_MOST + 5])
def test_the_average_is_that_of_all_hinges(units):
    _, (axes,) = style.canvas()
    drawn(axes, units)
    *single, curve, average = axes.lines
    assert len(single) == min(units, SHOWN_AT_MOST)
    assert np.allclose(average.get_ydata(), hinges(units).mean(axis=0))
    assert np.allclose(curve.get_ydata(), np.cos(Z))
    plt.close("all")
