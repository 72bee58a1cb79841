"""The drawn stream: as it was judged, and with each part where the names say."""

from itertools import pairwise

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.residual_stream import residual_stream

POST = [["attention"], "norm", ["feed-forward"], "norm"]
PRE = [["norm", "attention"], ["norm", "feed-forward"]]


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_residual_stream_looks_as_judged() -> Figure:
    style.use_style()
    figure, axes = style.canvas("wide", rows=2)
    residual_stream(axes[0], POST, title="Behind")
    residual_stream(axes[1], PRE, title="In front")
    return figure


@pytest.mark.parametrize(("parts", "on_the_stream"), [(POST, 2), (PRE, 0)])
def test_norms_stand_where_they_are_named(parts, on_the_stream):
    _, axes = style.canvas()
    residual_stream(axes[0], parts, title="any")
    norms = [text for text in axes[0].texts if text.get_text() == "norm"]
    assert len(norms) == 2
    assert sum(text.get_position()[1] == 0.0 for text in norms) == on_the_stream
    plt.close("all")


def test_each_branch_is_added_once():
    _, axes = style.canvas()
    residual_stream(axes[0], [["f"], "g", ["h"], ["i"]], title="any")
    assert sum(text.get_text() == "+" for text in axes[0].texts) == 3
    plt.close("all")


def test_boxes_do_not_overlap():
    _, axes = style.canvas()
    residual_stream(axes[0], PRE + POST, title="any")
    for height in {box.get_y() for box in axes[0].patches if hasattr(box, "get_y")}:
        row = sorted(
            (box.get_x(), box.get_x() + box.get_width())
            for box in axes[0].patches
            if hasattr(box, "get_y") and box.get_y() == height
        )
        assert all(left[1] < right[0] for left, right in pairwise(row))
    plt.close("all")


@pytest.mark.parametrize("parts", [[], [["attention"], []]])
def test_nothing_to_draw_is_refused(parts):
    _, axes = style.canvas()
    with pytest.raises(ValueError, match="no empty branch"):
        residual_stream(axes[0], parts, title="any")
    plt.close("all")
