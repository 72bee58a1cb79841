import numpy as np
import pytest
from softlookup.figures import style
from softlookup.figures.next_token import next_token

NAMES = ["of", "the", "a", "is", "in", "to", "and"]
BEFORE = np.array([0.05, 0.4, 0.2, 0.02, 0.15, 0.1, 0.08])
AFTER = np.array([0.0, 0.5, 0.25, 0.0, 0.25, 0.0, 0.0])


@pytest.mark.mpl_image_compare
def test_next_token():
    style.use_style()
    figure, panels = style.canvas("wide", columns=2)
    next_token(panels[0], BEFORE, BEFORE, names=NAMES, title="As it is", shown=4)
    next_token(panels[1], BEFORE, AFTER, names=NAMES, title="Top 3", shown=4, name_tokens=False)
    return figure


def test_bars_are_the_probabilities_in_the_order_of_the_model():
    _, (axes,) = style.canvas("narrow")
    next_token(axes, BEFORE, AFTER, names=NAMES, title="", shown=4)
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == pytest.approx([0.5, 0.25, 0.25, 0.0, 0.0, 0.4, 0.2, 0.15, 0.1, 0.15])
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["the", "a", "in", "to", "3 others"]
    # What is ruled out is crossed: one token, and all the others.
    assert [line.get_ydata()[0] for line in axes.lines] == [3, 4]


def test_doors():
    _, (axes,) = style.canvas("narrow")
    with pytest.raises(ValueError, match="7 and 6 probabilities for 7 names, of which 4"):
        next_token(axes, BEFORE, AFTER[:6], names=NAMES, title="", shown=4)
    with pytest.raises(ValueError, match="of which 7 are to be shown"):
        next_token(axes, BEFORE, AFTER, names=NAMES, title="", shown=7)
