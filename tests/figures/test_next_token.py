import numpy as np
import pytest
from softlookup.figures import style
from softlookup.figures.next_token import next_token, surprises

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


ABOVE, BELOW = np.array([7.0, 1.0, 2.0, 9.0]), np.array([6.0, 0.5, 8.0, 3.0])
WRITTEN = ["·A", "·number", "·came", "."]


@pytest.mark.mpl_image_compare
def test_surprises_look_as_judged():
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    notes = {(1, 1): "neither", (2, 2): "the first", (3, 3): "the second"}
    who = ("one model", "another")
    surprises(axes, ABOVE, BELOW, names=WRITTEN, who=who, title="At different tokens", notes=notes)
    return figure


def test_bars_are_the_surprises_and_only_what_is_noted_stands_out():
    _, (axes,) = style.canvas("narrow")
    surprises(axes, ABOVE, BELOW, names=WRITTEN, who=("a", "b"), title="", notes={(1, 2): "here"})
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx([*ABOVE, *-BELOW])
    assert [bar.get_alpha() == 1 for bar in axes.patches] == [False, True, True, False] * 2
    middles = [bar.get_x() + bar.get_width() / 2 for bar in axes.patches]
    assert middles[:4] == pytest.approx(middles[4:])
    written = {text.get_text(): text.get_position() for text in axes.texts}
    assert [written[name][0] for name in WRITTEN] == pytest.approx(middles[:4])
    # The note stands at the longest bar, which hangs down.
    assert written["here"][1] < -max(BELOW[1:3])


def test_tokens_that_are_kept_among_the_others_are_counted():
    _, (axes,) = style.canvas("narrow")
    next_token(axes, BEFORE, AFTER, names=NAMES, title="", shown=2)
    assert "1 of these kept" in [text.get_text() for text in axes.texts]


def test_doors_of_surprises():
    _, (axes,) = style.canvas("narrow")
    with pytest.raises(ValueError, match="4 and 3 surprises for 4 tokens"):
        surprises(axes, ABOVE, BELOW[:3], names=WRITTEN, who=("a", "b"), title="", notes={})
