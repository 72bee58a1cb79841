"""The drawing of one lookup: as it was judged, and with the numbers that it was given."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.question_label_content import question_label_content

KEYS = np.array([[0.0, 0.25], [1.5, -0.5], [0.75, 2.25]])
VALUES = np.array([[1.0, 0.0, -2.0], [0.5, 3.0, 0.0], [4.0, -1.0, 2.5]])
QUERY, SCORES, WEIGHTS = (
    np.array([-1.75, 3.5]),
    np.array([0.11, -4.4, 6.6]),
    np.array([0.1, 0.2, 0.7]),
)
LOOKUP = {
    "asker": "on asks",
    "entries": ["The", "cat", "sat"],
    "query": QUERY,
    "keys": KEYS,
    "scores": SCORES,
    "weights": WEIGHTS,
    "values": VALUES,
    "answer": WEIGHTS @ VALUES,
    "title": "With a question of its own, on finds sat",
}


@pytest.mark.mpl_image_compare(tolerance=2)
def test_a_lookup_with_its_numbers_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    question_label_content(axes, **LOOKUP)
    return figure


@pytest.mark.mpl_image_compare(tolerance=2)
def test_a_lookup_among_wide_vectors_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    wave = np.sin(np.arange(4 * 31).reshape(4, 31) ** 2 / 97)
    question_label_content(
        axes, **LOOKUP | {"query": wave[0], "keys": wave[1:], "values": wave[1:], "answer": wave[0]}
    )
    return figure


def test_each_number_stands_in_the_row_of_its_entry():
    _, (axes,) = style.canvas("wide")
    question_label_content(axes, **LOOKUP)
    rows = {}
    for text in axes.texts:
        rows.setdefault(round(text.get_position()[1], 3), set()).add(text.get_text())
    for row, name in enumerate(LOOKUP["entries"]):
        written = next(texts for texts in rows.values() if name in texts)
        numbers = [*KEYS[row], SCORES[row], WEIGHTS[row], *VALUES[row]]
        assert {f"{number:.2f}" for number in numbers} <= written
    height = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert height["3.50"] > height["2.25"]  # the query is above the keys
    assert height[f"{LOOKUP['answer'][0]:.2f}"] < height["4.00"]  # and the answer below the values
    plt.close("all")


def test_a_bar_is_as_long_as_its_weight():
    _, (axes,) = style.canvas("wide")
    question_label_content(axes, **LOOKUP)
    bars = [patch for patch in axes.patches if patch.get_height() == 0.6]
    lengths = np.array([bar.get_width() for bar in bars])
    np.testing.assert_allclose(lengths / lengths.sum(), WEIGHTS)
    plt.close("all")


def test_wide_vectors_are_strips_without_numbers():
    _, (axes,) = style.canvas("wide")
    wide = np.full((3, 31), 7.77)
    question_label_content(axes, **LOOKUP | {"query": wide[0], "keys": wide})
    assert "7.77" not in {text.get_text() for text in axes.texts}
    plt.close("all")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"weights": WEIGHTS[:2]}, "3 entries, 3 keys, 3 scores, 2 weights and 3 values"),
        ({"query": QUERY[:1]}, r"the query has shape \(1,\) and a key \(2,\)"),
        ({"answer": QUERY}, r"the answer has shape \(2,\) and a value \(3,\)"),
    ],
)
def test_what_does_not_fit_is_refused(changed, words):
    _, (axes,) = style.canvas("wide")
    with pytest.raises(ValueError, match=words):
        question_label_content(axes, **(LOOKUP | changed))
    plt.close("all")
