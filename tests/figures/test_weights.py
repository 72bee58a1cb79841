"""A matrix of weights: each number in its row and column, and forbidden places crossed out."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.weights import SEQUENTIAL, weights
from test_style import contrast

QUERIES, KEYS = ["who", "where"], ["Anna", "moved", "Oslo"]
MATRIX = np.array([[0.7, 0.2, 0.1], [0.05, 0.15, 0.8]])


@pytest.fixture
def axes():
    figure, (axes,) = style.canvas()
    yield axes
    plt.close(figure)


def draw(axes, matrix=MATRIX, queries=QUERIES, keys=KEYS, **more):
    weights(axes, matrix, queries=queries, keys=keys, title="A finding", **more)
    return {
        (round(text.get_position()[1]), round(text.get_position()[0])): text for text in axes.texts
    }


@pytest.mark.mpl_image_compare
def test_weights_look_as_judged() -> Figure:
    style.use_style()
    figure, (left, right) = style.canvas("wide", columns=2)
    draw(left)
    words = ["<s>", "a", "robot", "must", "obey", "the", "orders"]
    causal = np.tril(np.ones((7, 7)))
    weights(
        right,
        causal / causal.sum(axis=1, keepdims=True),
        queries=words,
        keys=words,
        title="Each looks back",
        forbidden=causal == 0,
        numbers=False,
    )
    return figure


def test_each_weight_is_written_in_its_row_and_column(axes):
    written = {place: text.get_text() for place, text in draw(axes).items()}
    assert written == {
        (row, column): f"{MATRIX[row, column]:.2f}" for row in range(2) for column in range(3)
    }


def test_rows_are_queries_and_columns_are_keys(axes):
    draw(axes)
    assert [label.get_text() for label in axes.get_yticklabels()] == QUERIES
    assert [label.get_text() for label in axes.get_xticklabels()] == KEYS
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("query", "key")
    assert axes.images[0].get_array().tolist() == MATRIX.tolist()


def test_the_shade_does_not_depend_on_the_other_weights(axes):
    draw(axes, np.full((2, 3), 0.5))
    assert axes.images[0].get_clim() == (0.0, 1.0)


def test_forbidden_places_are_crossed_out(axes):
    forbidden = np.array([[False, True, True], [False, False, True]])
    texts = draw(axes, forbidden=forbidden)
    crossed = {place for place, text in texts.items() if text.get_text() == "×"}
    assert crossed == {(0, 1), (0, 2), (1, 2)}
    assert len(texts) == 6


def test_many_cells_have_no_numbers_unless_asked_for(axes):
    names = [str(place) for place in range(9)]
    many = np.full((9, 9), 1 / 9)
    assert not draw(axes, many, names, names)
    assert len(draw(axes, many, names, names, numbers=True)) == 81


def test_few_cells_have_none_if_not_wanted(axes):
    assert not draw(axes, numbers=False)


@pytest.mark.parametrize("weight", np.linspace(0, 1, 101).round(2))
def test_each_number_reads_on_its_shade(axes, weight):
    texts = draw(axes, np.array([[weight]]), ["q"], ["k"])
    shade = SEQUENTIAL(weight)[:3]
    assert contrast(texts[0, 0].get_color(), shade) >= 4.5, (weight, to_rgb(shade))


def test_names_that_do_not_match_are_refused_in_words(axes):
    with pytest.raises(ValueError, match=r"\(2, 3\); there are 3 queries and 2 keys"):
        draw(axes, MATRIX, KEYS, QUERIES)
