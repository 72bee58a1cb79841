"""The drawings of chapter 1: as they were judged, and with every wire where it belongs."""

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle
from softlookup.figures import sequence_models, style


def count(axes, kind):
    return sum(isinstance(patch, kind) for patch in axes.patches)


@pytest.mark.mpl_image_compare(tolerance=2)
def test_family_tree_looks_as_judged() -> Figure:
    style.use_style()
    figure, axes = style.canvas("wide")
    sequence_models.family_tree(axes[0], title="Four ways to use the words so far")
    return figure


@pytest.mark.mpl_image_compare(tolerance=2)
def test_wiring_looks_as_judged() -> Figure:
    style.use_style()
    figure, axes = style.canvas("wide", columns=3, rows=2)
    sequence_models.wiring(axes)
    return figure


def test_each_model_of_the_tree_is_tied_to_the_words_it_sees():
    _, axes = style.canvas("wide")
    sequence_models.family_tree(axes[0], title="any")
    # Four from the root; 2 words, 4 words, 9 links of a chain, 9 words.
    assert count(axes[0], FancyArrowPatch) == 4 + 2 + 4 + 9 + 9
    assert count(axes[0], Rectangle) == 4 * (9 + 1)
    plt.close("all")


def test_wiring_has_the_cells_and_wires_of_its_network():
    _, axes = style.canvas("wide", columns=3, rows=2)
    sequence_models.wiring(axes)
    cells = [count(axis, (Circle, Rectangle)) for axis in axes]
    wires = [count(axis, FancyArrowPatch) for axis in axes]
    assert cells == [4 + 4 + 2, 3 * 4, 4 * 4, 12, 12, 4]
    one_vector, every_state = 1, 3 * 3
    halves = 2 * 3 + 2 * 2
    assert wires == [
        4 * 4 + 4 * 2,
        2 * 4 + 3,
        3 * 4 + 3 + 2 * 3,
        halves + one_vector,
        halves + every_state,
        0,
    ]
    plt.close("all")


def test_wiring_asks_for_six_axes():
    _, axes = style.canvas("wide", columns=5)
    with pytest.raises(ValueError, match="5 axes; expected 6"):
        sequence_models.wiring(axes)
    plt.close("all")
