"""The pictures of one average of two values: as they were judged, and with their numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from softlookup.figures import mixtures, style

RECORDS = [f"n{i}: {i % 3}" for i in range(5)]
WEIGHTS = np.array([0.1, 0.5, 0.05, 0.3, 0.05])
LABELS = {"title": "t", "x_label": "x", "y_label": "y"}


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_looks_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    mixtures.looks(axes, WEIGHTS, asked=(1, 3), records=RECORDS, title="One head, two records")
    return figure


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_cuts_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    along = np.linspace(0.0, 1.0, 101)
    margin = -np.cos(3 * np.pi * along)
    cases = [("(a, a)", 0.0, -1.0, False), ("(a, b)", 0.3, 0.9, True), ("(b, b)", 0.8, -0.3, True)]
    mixtures.cuts(
        axes, along, margin, cases=cases, title="Cut three times", x_label="share", y_label="b"
    )
    return figure


def test_the_records_that_were_asked_for_are_coloured_and_numbered():
    _, (axes,) = style.canvas()
    mixtures.looks(axes, WEIGHTS, asked=(3, 1), records=RECORDS, title="t", name_records=False)
    bars = [patch.get_facecolor()[:3] for patch in axes.patches]
    assert np.allclose([bar.get_height() for bar in axes.patches], WEIGHTS)
    assert np.allclose(bars[3], to_rgb(style.BLUE))
    assert np.allclose(bars[1], to_rgb(style.ORANGE))
    assert {bars[i] for i in (0, 2, 4)} == {to_rgb(style.GRID)}
    assert [text.get_text() for text in axes.texts] == ["first: 0.30", "second: 0.50"]
    assert [label.get_text() for label in axes.get_xticklabels()] == [""] * 5
    plt.close("all")


@pytest.mark.parametrize(
    ("margin", "b_is_right", "told"),
    [(0.4, True, "right"), (0.4, False, "wrong"), (-0.4, True, "wrong"), (-0.4, False, "right")],
)
def test_a_case_is_right_where_the_sign_of_its_margin_says_so(margin, b_is_right, told):
    _, (axes,) = style.canvas()
    line = np.array([-1.0, 1.0])
    mixtures.cuts(
        axes, np.array([0.0, 1.0]), line, cases=[("c", 0.5, margin, b_is_right)], **LABELS
    )
    assert [text.get_text() for text in axes.texts] == [f"c\n{told}"]
    plt.close("all")


def test_names_places_and_margins_have_to_fit():
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="4 names and 5 weights"):
        mixtures.looks(axes, WEIGHTS, asked=(1, 3), records=RECORDS[:4], title="t")
    with pytest.raises(ValueError, match="expected places from 0 to 4"):
        mixtures.looks(axes, WEIGHTS, asked=(1, 5), records=RECORDS, title="t")
    with pytest.raises(ValueError, match="3 points and 2 margins"):
        mixtures.cuts(axes, np.zeros(3), np.zeros(2), cases=[], **LABELS)
    plt.close("all")
