"""Lines with their names at their ends: the numbers are those that were given."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.curves import curves, spread_out

LABELS = {"title": "A finding", "x_label": "lag (tokens)", "y_label": "accuracy"}


@pytest.fixture
def axes():
    figure, (axes,) = style.canvas()
    yield axes
    plt.close(figure)


def names_of(axes):
    axes.figure.canvas.draw()
    return {
        text.get_text(): axes.transAxes.inverted().transform(text.get_window_extent().get_points())
        for text in axes.texts
    }


@pytest.mark.mpl_image_compare
def test_curves_look_as_judged() -> Figure:
    style.use_style()
    figure, (left, right) = style.canvas("wide", columns=2)
    lags = [1, 2, 4, 8, 16, 32]
    seeds = np.array([[1, 1, 0.9, 0.5, 0.3, 0.2], [1, 1, 1, 0.7, 0.3, 0.1]])
    curves(
        left,
        lags,
        {"recurrent": seeds, "attention": [1, 1, 1, 0.99, 1, 0.98], "guessing": [0.1] * 6},
        title="Recurrence forgets",
        x_label="lag (tokens)",
        y_label="accuracy",
        x_scale="log",
        y_limits=(0, 1.05),
    )
    x = np.linspace(0, 1, 50)
    curves(
        right,
        x,
        {"a": np.exp(-x), "b": np.exp(-x) + 0.01, "c": np.exp(-x) + 0.02},
        title="Close ends, names apart",
        x_label="time (s)",
        y_label="left (share)",
    )
    return figure


def test_several_rows_are_drawn_as_mean_and_range(axes):
    rows = np.array([[1.0, 2.0, 6.0], [3.0, 2.0, 0.0], [2.0, 5.0, 0.0]])
    curves(axes, [0, 1, 2], {"line": rows}, **LABELS)
    assert axes.lines[0].get_ydata().tolist() == [2.0, 3.0, 2.0]
    edge = axes.collections[0].get_paths()[0].vertices
    band = {x: set(edge[edge[:, 0] == x, 1]) for x in (0, 1, 2)}
    assert band == {0: {1.0, 3.0}, 1: {2.0, 5.0}, 2: {0.0, 6.0}}


def test_one_row_has_no_band(axes):
    curves(axes, [0, 1], {"line": [1, 2]}, **LABELS)
    assert not axes.collections


def test_each_line_has_its_own_colour_marker_and_name(axes):
    lines = {name: [0, index] for index, name in enumerate("abcdef")}
    curves(axes, [0, 1], lines, **LABELS)
    assert len({line.get_color() for line in axes.lines}) == 6
    assert len({line.get_marker() for line in axes.lines}) == 6
    named = {text.get_text(): text.get_color() for text in axes.texts}
    assert named == dict(zip("abcdef", style.PALETTE, strict=True))


def test_a_line_has_the_colour_and_the_style_that_are_given(axes):
    lines = {name: [0, index] for index, name in enumerate("abc")}
    looks = {"colours": {"b": style.INK}, "dashes": {"b": ":", "c": "--"}}
    curves(axes, [0, 1], lines, **looks, **LABELS)
    assert [line.get_color() for line in axes.lines] == [style.BLUE, style.INK, style.GREEN]
    assert [line.get_linestyle() for line in axes.lines] == ["-", ":", "--"]
    assert [text.get_color() for text in axes.texts] == [style.BLUE, style.INK, style.GREEN]


@pytest.mark.parametrize("looks", ["colours", "dashes"])
def test_looks_of_a_line_that_is_not_there_are_refused(axes, looks):
    with pytest.raises(ValueError, match=r"no line for the looks of \['b'\]"):
        curves(axes, [0, 1], {"a": [1, 2]}, **{looks: {"b": "-"}}, **LABELS)


def test_many_points_have_no_markers(axes):
    curves(axes, range(25), {"line": range(25)}, **LABELS)
    assert axes.lines[0].get_marker() in (None, "None")


@pytest.mark.parametrize("y_scale", ["linear", "log"])
def test_a_name_stands_at_its_lines_end(axes, y_scale):
    curves(axes, [1, 2], {"low": [5, 1], "high": [5, 9]}, y_scale=y_scale, **LABELS)
    boxes = names_of(axes)
    to_axes = axes.transData + axes.transAxes.inverted()
    for name, end in (("low", 1), ("high", 9)):
        (left, below), (_, above) = boxes[name]
        assert left >= 1.0
        assert (below + above) / 2 == pytest.approx(to_axes.transform((2, end))[1], abs=0.02)


def test_names_of_lines_that_end_together_do_not_overlap(axes):
    lines = {name: [index, 1.0] for index, name in enumerate(("one", "two", "three", "four"))}
    curves(axes, [0, 1], lines, **LABELS)
    boxes = sorted((box[0, 1], box[1, 1]) for box in names_of(axes).values())
    assert all(above[0] >= below[1] for below, above in pairwise(boxes))


def test_names_do_not_leave_the_axes_at_the_top(axes):
    curves(axes, [0, 1], {"a": [0, 10], "b": [0, 10], "c": [0, 10]}, y_limits=(0, 10), **LABELS)
    assert max(box[:, 1].mean() for box in names_of(axes).values()) <= 1.0 + 1e-6


def test_what_is_asked_for_is_written(axes):
    curves(axes, [1, 10], {"a": [1, 2]}, x_scale="log", y_limits=(0, 7), **LABELS)
    assert axes.get_title(loc=plt.rcParams["axes.titlelocation"]) == "A finding"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("lag (tokens)", "accuracy")
    assert axes.get_xscale() == "log"
    assert axes.get_ylim() == (0, 7)


def test_a_line_of_another_length_is_refused_in_words(axes):
    with pytest.raises(ValueError, match="line 'short' has 2 values; expected 3"):
        curves(axes, [0, 1, 2], {"short": [1, 2]}, **LABELS)


@pytest.mark.parametrize(
    ("heights", "expected"),
    [
        ([0.2, 0.5, 0.8], [0.2, 0.5, 0.8]),
        # Two that touch part from their middle, in their order.
        ([0.52, 0.5], [0.56, 0.46]),
        # A crowd stands around its middle, and who is far from it stays.
        ([0.5, 0.5, 0.5, 0.9], [0.4, 0.5, 0.6, 0.9]),
        # What leaves the top comes down together.
        ([0.98, 1.0], [0.9, 1.0]),
    ],
)
def test_names_move_as_little_as_need_be(heights, expected):
    assert spread_out(np.array(heights), 0.1) == pytest.approx(expected)
