"""A model's inside drawn: as judged, each number in its cell and each guess above its token."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.looking_inside import head_scores, lens

SCORES = np.array(
    [[0.1, 0.9, 0.3, 0.2, 0.0], [0.4, 0.2, 1.0, 0.6, 0.5], [0.7, 0.05, 0.3, 0.8, 0.2]]
)
GUESSES = [["e", "␣", "t"], ["h", "e", "␣"]]


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_head_scores_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    head_scores(axes, SCORES, title="Head 3 of layer 2 stands out")
    return figure


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_lens_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    lens(
        axes,
        np.array([[0.1, 0.3, 0.2], [0.9, 0.8, 0.5]]),
        GUESSES,
        layers=["embedding", "layer 1"],
        tokens=["t", "h", "e"],
        title="The last layer knows",
    )
    return figure


def test_each_number_stands_in_its_cell():
    _, (axes,) = style.canvas()
    head_scores(axes, 10 * SCORES, title="any", limits=(0.0, 10.0), digits=1)
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert written[(1, 0)] == "9.0"
    assert written[(2, 1)] == "10.0"
    assert written[(0, 2)] == "7.0"
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first layer is the upper row
    assert np.array_equal(axes.images[0].get_array(), 10 * SCORES)
    assert axes.images[0].get_clim() == (0.0, 10.0)
    axes.clear()
    head_scores(axes, SCORES, title="any", digits=0)
    assert not axes.texts
    head_scores(axes, SCORES, title="any", written_from=0.6)
    assert sorted(text.get_text() for text in axes.texts) == [
        "0.60",
        "0.70",
        "0.80",
        "0.90",
        "1.00",
    ]
    with pytest.raises(ValueError, match="expected the lower one first"):
        head_scores(axes, SCORES, title="any", limits=(1.0, 0.0))
    plt.close("all")


def test_each_guess_stands_above_its_token():
    _, (axes,) = style.canvas()
    names = {"layers": ["in", "out"], "tokens": ["t", "h", "e"], "title": "any"}
    lens(axes, np.full((2, 3), 0.5), GUESSES, **names)
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert written[(0, 0)] == "e"
    assert written[(2, 1)] == "␣"
    assert axes.get_ylim()[0] < axes.get_ylim()[1]  # the text comes in at the bottom
    for probabilities, guesses in ((np.ones((3, 2)), GUESSES), (np.ones((2, 3)), [["a"], ["b"]])):
        with pytest.raises(ValueError, match="the layers and the tokens"):
            lens(axes, probabilities, guesses, **names)
    plt.close("all")
