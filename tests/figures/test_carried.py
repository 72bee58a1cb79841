"""One sentence carried through a layer: as it was judged, with the numbers in the right rows."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from softlookup.figures import style
from softlookup.figures.carried import ANSWERS, ASKS, Steps, carried

WORDS = ["the", "robot", "obeys", "it", "."]


def steps() -> Steps:
    generator = np.random.default_rng(3)
    x = generator.normal(size=(5, 7))
    query, key, value = (x @ generator.normal(size=(7, width)) for width in (3, 3, 2))
    scores = query @ key.T / np.sqrt(3)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return Steps(x, query, key, value, scores, weights, weights @ value)


def drawn(**changes) -> Figure:
    style.use_style()
    settings = {"words": WORDS, "asks": 3, "answers": 1, "read_off": WORDS, "title": "it is robot"}
    return carried(steps(), **(settings | changes))


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_a_carried_sentence_looks_as_judged() -> Figure:
    return drawn()


def test_every_number_of_the_row_that_asks_is_written_down():
    axes = drawn().findobj(plt.Axes)
    found, weights = steps(), next(each for each in axes if "softmax" in each.get_title(loc="left"))
    written = [text.get_text() for text in weights.texts]
    assert written == [f"{weight:.2f}" for weight in found.weights[3]]
    key = next(each for each in axes if each.get_title(loc="left").startswith("K"))
    assert [float(text.get_text()) for text in key.texts] == pytest.approx(found.key[1], abs=0.05)
    plt.close("all")


def test_the_row_that_asks_and_the_row_that_answers_are_framed():
    figure = drawn()
    frames = {
        each.get_title(loc="left")[:1]: {
            (patch.get_y() + 0.5, patch.get_edgecolor())
            for patch in each.patches
            if isinstance(patch, Rectangle)
        }
        for each in figure.findobj(plt.Axes)
    }
    asks, answers = (3.0, to_rgba(ASKS)), (1.0, to_rgba(ANSWERS))
    assert frames["X"] == {asks, answers}
    assert frames["K"] == frames["V"] == {answers}
    assert frames["Q"] == frames["s"] == frames["Y"] == {asks}
    plt.close("all")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"words": WORDS[:4]}, "x has 5 rows; expected 4"),
        ({"read_off": WORDS[:3]}, "there are 3 readings; expected 5"),
        ({"asks": 5}, "token 5 does not exist"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        drawn(**changes)
    plt.close("all")
