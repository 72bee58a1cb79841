"""Two stacks and what they hold: as they were judged, with each shape and the memory's road."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.stops import Stop, two_stacks

TOKENS = ["forty", "two"], ["<start>", "zwei", "und"]
WORDS = {"names": ("Encoder", "Decoder"), "tokens": TOKENS, "said": "last row: vierzig"}


def stacks():
    draw = np.random.default_rng(0)
    weights = [draw.dirichlet(np.ones(columns), size=rows) for rows, columns in ((2, 2), (3, 2))]
    encoder = [
        Stop("self-attention", weights[0], "a square", weights=True),
        Stop("memory", draw.normal(size=(2, 10))),
    ]
    decoder = [
        Stop("embedding", draw.normal(size=(3, 10))),
        Stop("cross-attention", weights[1], "a rectangle", weights=True, asks_memory=True),
        Stop("once more", weights[1], weights=True, asks_memory=True),
        Stop("after layer 2", draw.normal(size=(3, 10))),
    ]
    return encoder, decoder


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_two_stacks_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    two_stacks(axes, stacks(), **WORDS, title="One width, one memory", left_out="and feed-forward")
    return figure


def test_each_stop_has_its_shape_and_each_reader_an_arrow():
    _, (axes,) = style.canvas("wide")
    two_stacks(axes, stacks(), **WORDS, title="T")
    texts = [text.get_text() for text in axes.texts]
    assert texts.count("2 × 10") == 1
    assert texts.count("3 × 10") == 2
    assert texts.count("3 × 2") == 2
    assert sum(bool(getattr(text, "arrow_patch", None)) for text in axes.texts) == 2
    plt.close("all")


def test_the_last_stops_stand_at_one_height():
    _, (axes,) = style.canvas("wide")
    two_stacks(axes, stacks(), **WORDS, title="T")
    heights = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert heights["memory"] == heights["after layer 2"] > heights["once more"]
    plt.close("all")


def test_weights_are_drawn_whole_and_of_vectors_every_second_column():
    _, (axes,) = style.canvas("wide")
    encoder, decoder = stacks()
    two_stacks(axes, (encoder, decoder), **WORDS, title="T")
    drawn = [np.asarray(image.get_array()) for image in axes.images]
    assert np.array_equal(drawn[0], encoder[0].values)
    assert np.array_equal(drawn[1], encoder[1].values[:, ::2])
    plt.close("all")


def test_another_number_of_rows_is_refused():
    _, (axes,) = style.canvas("wide")
    encoder, decoder = stacks()
    with pytest.raises(ValueError, match="'memory' has 2 rows; its stack reads 3 tokens"):
        two_stacks(
            axes, (encoder[1:], decoder), **WORDS | {"tokens": (TOKENS[1], TOKENS[1])}, title="T"
        )
    plt.close("all")
