"""Rows of recall: full dots for few keys, hollow ones for many, and what each layer keeps."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.recall_rows import ASIDE, Row, recall_rows

ROWS = {
    "sum": Row([0.8, 0.7], [0.5, 0.6, 0.55], style.ORANGE, "544", "n"),
    "all of it": Row([1.0, 1.0], [1.0], style.BLUE, "64 n"),
    "short alone": Row([0.3], [], style.INK, cost="n log n"),
}
WORDS = {"title": "The sum keeps less, and recalls less", "marks": ("30 keys", "62 keys")}
HEADINGS = {"kept_label": "numbers kept", "cost_label": "time"}


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_recall_rows_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    recall_rows(axes, ROWS, **WORDS, **HEADINGS)
    return figure


def test_few_keys_are_full_dots_and_many_keys_hollow_ones_beneath_them():
    _, (axes,) = style.canvas()
    recall_rows(axes, ROWS, **WORDS)
    dots = [line for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
    drawn = {
        (line.get_ydata()[0], line.get_markerfacecolor()): [*line.get_xdata()] for line in dots
    }
    assert drawn == {
        (0 - ASIDE, style.ORANGE): [0.8, 0.7],
        (0 + ASIDE, style.PAPER): [0.5, 0.6, 0.55],
        (1 - ASIDE, style.BLUE): [1.0, 1.0],
        (1 + ASIDE, style.PAPER): [1.0],
        (2 - ASIDE, style.INK): [0.3],
    }
    plt.close("all")


def test_a_line_joins_the_medians():
    _, (axes,) = style.canvas()
    recall_rows(axes, ROWS, **WORDS)
    joined = [line for line in axes.lines if line.get_marker() in ("", "None", None)]
    np.testing.assert_allclose(joined[0].get_xdata(), [0.75, 0.55])
    plt.close("all")


def test_what_is_kept_and_what_it_takes_stand_in_the_layers_row():
    _, (axes,) = style.canvas()
    recall_rows(axes, ROWS, **WORDS, **HEADINGS)
    told = {text.get_text(): text.xy[1] for text in axes.texts if text.get_text()}
    assert {"544": 0, "64 n": 1, "n": 0, "n log n": 2}.items() <= told.items()
    assert {told["numbers kept"], told["time"], told["●  30 keys"], told["○  62 keys"]} == {-1}
    assert [label.get_text() for label in axes.get_yticklabels()] == [*ROWS]
    plt.close("all")


@pytest.mark.parametrize("rows", [{}, {"sum": Row([], [0.5], style.ORANGE)}])
def test_a_row_without_runs_is_refused(rows):
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="nothing to draw"):
        recall_rows(axes, rows, **WORDS)
    plt.close("all")
