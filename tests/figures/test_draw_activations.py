"""The data's way drawn: as it was judged, and with every activation where it belongs."""

from collections.abc import Mapping
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.activations import Column, draw_activations


@dataclass(frozen=True)
class Activation:
    label: str
    role: str
    shape: Mapping[str, int]
    values: np.ndarray
    name: str = ""
    weights: np.ndarray | None = None
    memory: str | None = None


def waves(rows, columns, pace):
    return 3 * np.sin(pace * np.arange(rows * columns).reshape(rows, columns) ** 1.3)


def vectors(label, length, pace, role="stream", **more):
    return Activation(label, role, {"length": length, "width": 19}, waves(length, 19, pace), **more)


def ids(length):
    return Activation("token ids", "input", {"length": length}, np.arange(3, 3 + length))


def odds(queries, keys):
    weights = np.exp(waves(queries, keys, 0.7))[None]
    return weights / weights.sum(-1, keepdims=True)


def scores(length, choices):
    shape = {"length": length, "vocabulary": choices}
    return Activation("scores", "output", shape, waves(length, choices, 1.7))


SOURCE = ["forty", "two", "thousand", "three", "hundred"]
TARGET = ["<start>", "zwei", "und"]
ENCODER = [
    ids(5),
    vectors("embedding", 5, 0.31),
    vectors("self-attention", 5, 0.17, "branch", weights=odds(5, 5)),
    vectors("after layer 1", 5, 0.23),
    vectors("last norm", 5, 0.41, name="memory"),
]
DECODER = [
    ids(3),
    vectors("embedding", 3, 0.13),
    vectors("cross-attention", 3, 0.29, "branch", weights=odds(3, 5), memory="memory"),
    vectors("after layer 1", 3, 0.37),
    scores(3, 7),
]
CHOICES = [f"word {place}" for place in range(7)]
COLUMNS = [
    Column("Encoder", ENCODER, tokens=SOURCE),
    Column("Decoder", DECODER, tokens=TARGET, choices=CHOICES),
]


def texts(axes):
    return {text.get_text(): text for text in axes.texts}


@pytest.fixture
def axes():
    _, (axes,) = style.canvas()
    yield axes
    plt.close("all")


@pytest.mark.mpl_image_compare(tolerance=2)
def test_activations_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    draw_activations(axes, COLUMNS, title="What the encoder found, each layer of the decoder reads")
    return figure


@pytest.mark.mpl_image_compare(tolerance=2)
def test_activations_of_an_image_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("narrow")
    pixels = waves(8, 8, 0.05)[None]
    image = Activation("image", "input", {"channels": 1, "height": 8, "width": 8}, pixels)
    classes = Activation("scores", "output", {"classes": 3}, np.array([0.3, 2.1, -0.7]))
    activations = [
        image,
        vectors("patches", 16, 0.31),
        vectors("with class token", 17, 0.19),
        classes,
    ]
    tokens = ["class", *(f"patch {place}" for place in range(1, 17))]
    column = Column("Vision", activations, tokens=tokens, choices=["one", "two", "three"])
    draw_activations(axes, [column], title="An image becomes tokens,\nand tokens one answer")
    return figure


def test_every_activation_is_named_and_measured(axes):
    draw_activations(axes, COLUMNS, title="any")
    drawn = [text.get_text() for text in axes.texts]
    for activation in ENCODER + DECODER:
        assert activation.label in drawn
    assert drawn.count("(length 5, width 19)") == 4
    assert drawn.count("(length 3, width 19)") == 3
    assert {"(length 3)", "(length 5)", "(length 3, vocabulary 7)"} <= {*drawn}


def test_maps_show_the_values_and_say_how_far_the_colours_reach(axes):
    draw_activations(axes, COLUMNS[:1], title="any")
    maps = {image.get_array().shape: image for image in axes.images}
    *_, last = [image for image in axes.images if image.get_array().shape == (5, 19)]
    np.testing.assert_array_equal(last.get_array(), ENCODER[-1].values)
    limit = np.quantile(np.abs(ENCODER[-1].values), 0.99)
    assert last.get_clim() == pytest.approx((-limit, limit))
    assert f"±{limit:.2g}" in texts(axes)
    np.testing.assert_array_equal(maps[5, 5].get_array(), ENCODER[2].weights[0])
    assert f"0 to {ENCODER[2].weights.max():.2g}" in texts(axes)


def test_several_heads_are_shown_by_their_mean(axes):
    heads = np.concatenate([odds(5, 5), np.full((2, 5, 5), 0.2)])
    activations = [ENCODER[0], vectors("attention", 5, 0.17, "branch", weights=heads)]
    draw_activations(axes, [Column("any", activations, tokens=SOURCE)], title="any")
    np.testing.assert_allclose(axes.images[0].get_array(), heads.mean(0))


def test_the_winner_is_the_largest_score_of_the_last_token(axes):
    draw_activations(axes, COLUMNS[1:], title="any")
    last = DECODER[-1].values[-1]
    odds_ = np.exp(last) / np.exp(last).sum()
    winner = texts(axes)[CHOICES[int(last.argmax())]]
    assert winner.get_fontweight() == "bold"
    assert winner.get_position()[1] == min(
        text.get_position()[1] for name, text in texts(axes).items() if name.startswith("word")
    )
    assert f"{odds_.max():.2f}" in texts(axes)
    assert sum(name.startswith("word") for name in texts(axes)) == 5


def test_activations_of_one_name_stand_in_one_row_in_the_order_of_each_column(axes):
    draw_activations(axes, COLUMNS, title="any")
    heights = {}
    for text in axes.texts:
        heights.setdefault(text.get_text(), []).append(text.get_position()[1])
    for label in ("token ids", "embedding", "after layer 1"):
        assert len(heights[label]) == 2
        assert len({*heights[label]}) == 1
    for way in (ENCODER, DECODER):
        tops = [heights[activation.label][0] for activation in way]
        assert tops == sorted(tops)
        assert len({*tops}) == len(tops)


def test_a_row_is_shared_even_where_a_name_comes_again(axes):
    def layers(*labels):
        return [ids(3), *(vectors(label, 3, 0.3) for label in labels)]

    first = layers("a", "b", "a", "b", "c")
    second = layers("a", "x", "b", "a", "x", "b", "c")
    third = layers("b", "a")
    columns = [Column("", activations, tokens=TARGET) for activations in (first, second, third)]
    draw_activations(axes, columns, title="any")
    rows = {"a": [], "b": [], "c": [], "x": []}
    for text in axes.texts:
        rows.get(text.get_text(), []).append(text.get_position()[1])
    assert [len({*rows[label]}) for label in "abcx"] == [2, 2, 1, 2]


def test_the_memory_leads_to_its_reader_alone(axes):
    draw_activations(axes, COLUMNS, title="any")
    violet = [line for line in axes.lines if line.get_color() == style.PURPLE]
    assert len(violet) == 1
    reader = texts(axes)["cross-attention"].get_position()
    (x, y) = violet[0].get_xydata()[-1]
    assert x < reader[0]
    assert 0.1 < y - reader[1] < 0.3  # below the arrow that leaves the line
    start = violet[0].get_xydata()[0]
    assert start[1] > texts(axes)["last norm"].get_position()[1]


def test_each_branch_comes_back_with_a_plus(axes):
    draw_activations(axes, COLUMNS, title="any")
    assert sum(line.get_marker() == "+" for line in axes.lines) == 2


@pytest.mark.parametrize(
    ("size", "columns"),
    [("narrow", COLUMNS[:1]), ("normal", COLUMNS), ("normal", [*COLUMNS, COLUMNS[1]])],
)
def test_nothing_overlaps_and_nothing_leaves_the_paper(size, columns):
    style.use_style()
    figure, (axes,) = style.canvas(size)
    draw_activations(axes, columns, title="any")
    figure.canvas.draw()
    paper = figure.bbox
    boxes = [(text.get_text(), text.get_window_extent()) for text in axes.texts if text.get_text()]
    for place, (name, box) in enumerate(boxes):
        assert paper.x0 <= box.x0, name
        assert box.x1 <= paper.x1, name
        assert paper.y0 <= box.y0, name
        assert box.y1 <= paper.y1, name
        for other, second in boxes[:place]:
            assert not box.overlaps(second), (name, other)
    plt.close("all")


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ([], "at least one"),
        ([Column("empty", [], tokens=[])], "each with its activations"),
        ([Column("short", ENCODER, tokens=SOURCE[1:])], "'short' has 4 names of tokens"),
        ([Column("none", DECODER, tokens=TARGET)], "0 of choices; expected 3 and 7"),
        ([Column("many", ENCODER, tokens=SOURCE, choices=CHOICES)], "7 of choices; .* 5 and 0"),
    ],
)
def test_what_cannot_be_drawn_is_told(axes, columns, told):
    with pytest.raises(ValueError, match=told):
        draw_activations(axes, columns, title="any")
