"""Scores drawn: as judged, a dot for each run and a stroke at the mean."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.scores import scores

ROWS = {"first": [0.91, 0.94, 0.97], "second": [0.80, 0.86]}


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_scores_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    scores(axes, ROWS, title="The first is better", x_label="accuracy")
    return figure


def test_each_run_has_a_dot_and_each_model_its_mean():
    _, (axes,) = style.canvas()
    scores(axes, ROWS, title="any", x_label="any")
    dots, strokes = axes.lines[0::2], axes.lines[1::2]
    for place, (name, values) in enumerate(ROWS.items()):
        assert np.allclose(dots[place].get_xdata(), values)
        assert np.allclose(dots[place].get_ydata(), place)
        assert np.allclose(strokes[place].get_xdata(), np.mean(values))
        assert axes.get_yticklabels()[place].get_text() == name
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first row is the upper one
    plt.close("all")


def test_what_is_highlighted_is_blue_and_the_rest_grey():
    _, (axes,) = style.canvas()
    scores(axes, ROWS, title="any", x_label="any", highlighted=("second",))
    assert [line.get_color() for line in axes.lines] == 2 * [style.MUTED] + 2 * [style.BLUE]
    with pytest.raises(ValueError, match="expected names among"):
        scores(axes, ROWS, title="any", x_label="any", highlighted=("third",))
    plt.close("all")


def test_a_row_has_the_colour_that_it_is_given():
    _, (axes,) = style.canvas()
    given = {"second": style.PURPLE}
    scores(axes, ROWS, title="any", x_label="any", highlighted=("second",), colours=given)
    assert [line.get_color() for line in axes.lines] == 2 * [style.MUTED] + 2 * [style.PURPLE]
    with pytest.raises(ValueError, match="colours are given for"):
        scores(axes, ROWS, title="any", x_label="any", colours={"third": style.PURPLE})
    plt.close("all")


@pytest.mark.parametrize("rows", [{}, {"none": []}])
def test_a_row_has_scores(rows):
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="expected at least one, each with its scores"):
        scores(axes, rows, title="any", x_label="any")
    plt.close("all")


def test_dots_on_each_other_are_counted_where_that_is_asked():
    _, (axes,) = style.canvas()
    rows = {"whole": [4.0, 3.0, 4.0, 4.0], "apart": [1.0, 2.0]}
    scores(axes, rows, title="any", x_label="any", counted=True)
    assert [(text.get_text(), text.xy) for text in axes.texts] == [("×3", (4.0, 0))]
    _, (axes,) = style.canvas()
    scores(axes, rows, title="any", x_label="any")
    assert not axes.texts
    plt.close("all")
