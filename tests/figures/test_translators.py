"""The picture of translators: as it was judged, and with its numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.translators import words_and_fluency

TRANSLATORS = {
    "people": [(1.0, 0.8)],
    "a dictionary": [(0.6, 0.3)],
    "a network": np.array([[0.4, 0.9], [0.35, 0.95]]),
}
LABELS = {"x_label": "words found", "y_label": "neighbours known"}


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_translators_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    words_and_fluency(axes, TRANSLATORS, title="One has the words, one the grammar", **LABELS)
    return figure


def test_every_run_has_its_mark_and_every_translator_its_name():
    _, (axes,) = style.canvas()
    words_and_fluency(axes, TRANSLATORS, title="t", **LABELS)
    drawn = [line.get_xydata().tolist() for line in axes.lines]
    assert drawn == [[list(run) for run in runs] for runs in TRANSLATORS.values()]
    assert [text.get_text() for text in axes.texts] == list(TRANSLATORS)
    assert [text.get_color() for text in axes.texts] == [line.get_color() for line in axes.lines]
    plt.close("all")


def test_a_name_goes_beneath_where_somebody_stands_above():
    _, (axes,) = style.canvas()
    crowded = {"above": [(0.5, 0.9)], "below": [(0.45, 0.8)], "apart": [(0.9, 0.7)]}
    words_and_fluency(axes, crowded, title="t", **LABELS)
    assert [text.get_va() for text in axes.texts] == ["bottom", "top", "bottom"]
    plt.close("all")


def test_shares_are_from_zero_to_one():
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="expected 0 to 1"):
        words_and_fluency(axes, {"x": [(0.5, 1.2)]}, title="t", **LABELS)
    plt.close("all")
