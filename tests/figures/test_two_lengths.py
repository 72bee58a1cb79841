"""Recall against load at two lengths: solid and dashed, each name at its line."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.two_lengths import two_lengths

SHORT_LOADS, LONG_LOADS = np.array([7.5, 14.0, 28.0]), np.array([8.0, 16.0, 62.0])
SHORT = {
    "keeps": (SHORT_LOADS, np.array([[1.0, 1.0, 1.0], [1.0, 0.98, 0.96]])),
    "fades": (SHORT_LOADS, np.array([[0.9, 0.7, 0.5], [1.0, 0.8, 0.6]])),
    "short alone": (SHORT_LOADS, np.array([[0.4, 0.3, 0.2], [0.3, 0.3, 0.3]])),
}
LONG = {
    "keeps": (LONG_LOADS, np.array([[1.0, 1.0, 0.98]])),
    "fades": (LONG_LOADS, np.array([[0.9, 0.7, 0.2]])),
}
WORDS = {"title": "One way keeps", "x_label": "keys filed", "y_label": "share recalled"}


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_two_lengths_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    two_lengths(axes, SHORT, LONG, **WORDS)
    return figure


def test_means_are_drawn_solid_for_short_texts_and_dashed_for_long_ones():
    _, (axes,) = style.canvas("normal")
    two_lengths(axes, SHORT, LONG, **WORDS)
    drawn = {(line.get_color(), line.get_linestyle()): line for line in axes.lines}
    assert len(drawn) == len(SHORT) + len(LONG)
    for lines, dashes in ((SHORT, "-"), (LONG, "--")):
        for name, colour in zip(SHORT, style.PALETTE, strict=False):
            if name in lines:
                loads, rows = lines[name]
                line = drawn[colour, dashes]
                np.testing.assert_array_equal(line.get_xdata(), loads)
                np.testing.assert_allclose(line.get_ydata(), rows.mean(axis=0))
    plt.close("all")


def test_each_name_stands_at_the_end_of_its_line():
    _, (axes,) = style.canvas("normal")
    two_lengths(axes, SHORT, LONG, **WORDS)
    places = {text.get_text(): text.xy for text in axes.texts}
    assert places["keeps"] == pytest.approx((1.01, 0.98 / 1.08))
    assert places["fades"] == pytest.approx((1.01, 0.2 / 1.08))
    assert places["short alone"] == pytest.approx((28.0 * 1.06, 0.25))
    plt.close("all")


def test_a_long_line_without_a_short_one_is_refused():
    _, (axes,) = style.canvas("normal")
    with pytest.raises(ValueError, match=r"\['stray'\] have a line for long texts"):
        two_lengths(axes, SHORT, {"stray": SHORT["keeps"]}, **WORDS)
    plt.close("all")
