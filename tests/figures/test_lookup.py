"""The drawings of chapter 2: as they were judged, and with the numbers that they were given."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch
from softlookup.figures import lookup, style

DRAWERS = {
    "query": "Kilimandscharo",
    "keys": ["Fuji", "Kilimanjaro", "Everest"],
    "values": ["3,776 m", "5,895 m", "8,849 m"],
    "weights": [0.1, 0.7, 0.2],
    "title": "Each drawer opens as far as its label answers",
}
LABELS = {"title": "t", "x_label": "x (s)", "y_label": "y (m)"}


def _readings():
    hours = np.linspace(0.0, 12.0, 17)
    return hours, np.sin(hours) + 0.2 * np.cos(7 * hours)


@pytest.mark.mpl_image_compare(tolerance=2)
def test_cabinet_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    lookup.cabinet(axes, **DRAWERS)
    return figure


@pytest.mark.mpl_image_compare(tolerance=2)
def test_regression_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    grid = np.linspace(0.0, 12.0, 101)
    lookup.regression(
        axes,
        _readings(),
        grid,
        {"temperature 10": 0.1 * np.cos(grid), "temperature 0.02": np.sin(grid)},
        title="Too hot it is the mean",
        x_label="time (hours)",
        y_label="height of the water (m)",
    )
    return figure


def test_a_drawer_stands_open_in_proportion_to_its_weight():
    _, (axes,) = style.canvas("normal")
    lookup.cabinet(axes, **DRAWERS)
    fronts = [patch.get_x() for patch in axes.patches if isinstance(patch, FancyBboxPatch)]
    closed = fronts[0] - (fronts[1] - fronts[0]) / (0.7 - 0.1) * 0.1
    assert [front - closed for front in fronts] == pytest.approx(
        [weight * (fronts[1] - fronts[0]) / 0.6 for weight in DRAWERS["weights"]]
    )
    plt.close("all")


def test_the_first_key_is_the_top_drawer_and_every_text_is_there():
    _, (axes,) = style.canvas("normal")
    lookup.cabinet(axes, **DRAWERS)
    height = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert height["Fuji"] > height["Kilimanjaro"] > height["Everest"]
    for key, value in zip(DRAWERS["keys"], DRAWERS["values"], strict=True):
        assert height[key] == height[value]
    assert "query: Kilimandscharo" in height
    plt.close("all")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"values": ["3,776 m"]}, "3 keys, 1 values and 3 weights"),
        ({"weights": [0.1, 1.7, 0.2]}, "expected numbers from 0 to 1"),
    ],
)
def test_cabinet_refuses_what_does_not_fit(changed, words):
    _, (axes,) = style.canvas("normal")
    with pytest.raises(ValueError, match=words):
        lookup.cabinet(axes, **(DRAWERS | changed))
    plt.close("all")


def test_regression_draws_the_points_and_each_line_under_its_name():
    _, (axes,) = style.canvas("wide")
    hours, heights = _readings()
    grid = np.linspace(0.0, 12.0, 101)
    lookup.regression(
        axes, (hours, heights), grid, {"flat": 0 * grid, "wave": np.sin(grid)}, **LABELS
    )
    points, flat, wave = axes.lines
    np.testing.assert_array_equal(points.get_xydata(), np.stack([hours, heights], axis=-1))
    np.testing.assert_array_equal(flat.get_ydata(), 0 * grid)
    np.testing.assert_array_equal(wave.get_ydata(), np.sin(grid))
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["flat", "wave"]
    plt.close("all")


def test_regression_refuses_a_line_that_does_not_fit_the_grid():
    _, (axes,) = style.canvas("wide")
    with pytest.raises(ValueError, match=r"'short' has 7 values.*expected 101"):
        lookup.regression(
            axes, _readings(), np.linspace(0, 12, 101), {"short": np.zeros(7)}, **LABELS
        )
    plt.close("all")
