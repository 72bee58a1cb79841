"""The drawings of chapter 3: as they were judged, names apart, lines as thick as their weights."""

import itertools

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox
from softlookup.figures import style, tokens

GROUPS = {"fruit": ["apple", "pear", "plum"], "city": ["Rome", "Oslo"]}
POINTS = np.array([[0.0, 0.0], [0.04, 0.0], [0.02, 0.05], [1.0, 1.0], [0.9, -0.6]])
WORDS = ["river", "bank", "money"]
WEIGHTS = np.array([[0.7, 0.2, 0.1], [0.25, 0.05, 0.7], [0.0, 0.4, 0.6]])


def draw_map() -> tuple[Figure, Axes]:
    style.use_style()
    figure, axes = style.canvas("normal")
    tokens.word_map(
        axes[0],
        POINTS,
        GROUPS,
        emphasised=["pear"],
        title="Two kinds lie apart",
        x_label="first direction",
        y_label="second direction",
    )
    return figure, axes[0]


@pytest.mark.mpl_image_compare(tolerance=2)
def test_word_map_looks_as_judged() -> Figure:
    return draw_map()[0]


@pytest.mark.mpl_image_compare(tolerance=2)
def test_connections_look_as_judged() -> Figure:
    style.use_style()
    figure, axes = style.canvas("normal")
    tokens.connections(axes[0], WEIGHTS, words=WORDS, highlighted=1, title="bank takes from money")
    return figure


def test_names_of_crowded_points_do_not_cover_each_other():
    figure, axes = draw_map()
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in axes.texts if isinstance(text, Annotation)]
    assert len(boxes) == 5
    for first, second in itertools.combinations(boxes, 2):
        assert Bbox.intersection(first, second) is None


def test_each_name_stands_at_its_own_point():
    _, axes = draw_map()
    names = [word for group in GROUPS.values() for word in group]
    places = {text.get_text(): text.xy for text in axes.texts if isinstance(text, Annotation)}
    for name, point in zip(names, POINTS, strict=True):
        assert places[name] == pytest.approx(tuple(point))


def test_a_line_runs_from_key_to_query_and_is_thicker_for_a_larger_weight():
    _, axes = style.canvas("normal")
    tokens.connections(axes[0], WEIGHTS, words=WORDS, highlighted=1, title="any")
    width = {
        (int(line.get_xdata()[0]), int(line.get_xdata()[1])): line.get_linewidth()
        for line in axes[0].lines
    }
    # Query 2 gives key 0 nothing, so there is no line from token 0 up to output 2.
    assert len(width) == 8
    assert (0, 2) not in width
    assert width[2, 1] == pytest.approx(width[0, 0])
    assert width[2, 1] > width[0, 1] > width[1, 1]
    blue = [line for line in axes[0].lines if line.get_color() == style.BLUE]
    assert {int(line.get_xdata()[1]) for line in blue} == {1}


@pytest.mark.parametrize(
    ("weights", "highlighted", "message"),
    [(WEIGHTS[:2], 1, "one row and one column"), (WEIGHTS, 3, "expected 0 to 2")],
)
def test_connections_refuse_what_does_not_fit(weights, highlighted, message):
    _, axes = style.canvas("normal")
    with pytest.raises(ValueError, match=message):
        tokens.connections(axes[0], weights, words=WORDS, highlighted=highlighted, title="any")


def test_a_map_refuses_points_without_words():
    _, axes = style.canvas("normal")
    with pytest.raises(ValueError, match="4 points and 5 words"):
        tokens.word_map(axes[0], POINTS[:4], GROUPS, title="any", x_label="x", y_label="y")
