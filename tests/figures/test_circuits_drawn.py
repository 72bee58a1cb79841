"""A circuit drawn: as judged, signs around a pale zero, and one pair of heads marked."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.circuits import circuit, compositions

MATRIX = np.eye(5) * 4 - 1 + np.arange(25).reshape(5, 5) / 25
PAIRS = {
    "by the query": np.array([[0.2, 0.25], [0.15, 0.3], [0.22, 0.18]]),
    "by the key": np.array([[0.1, 0.2], [0.3, 0.8], [0.25, 0.2]]),
}
NAMED = {"chance": (0.17, 0.24), "marked": (1, 1), "marked_name": "writer and finder"}


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_a_circuit_looks_as_judged() -> Figure:
    style.use_style()
    figure, (left, right) = style.canvas("wide", columns=2)
    circuit(left, MATRIX, title="own", row_label="asks", column_label="answers", names="abcde")
    masked = np.where(np.tril(np.ones((5, 5))) > 0, MATRIX, np.nan)
    circuit(right, masked, title="masked", row_label="query", column_label="key")
    return figure


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_compositions_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    compositions(axes, PAIRS, title="The second head reads the first by its keys", **NAMED)
    return figure


def test_zero_is_palest_and_names_fit():
    _, (axes,) = style.canvas()
    circuit(axes, -MATRIX, title="any", row_label="a", column_label="b")
    (image,) = axes.images
    assert image.get_clim() == (-np.abs(MATRIX).max(), np.abs(MATRIX).max())
    assert np.array_equal(image.get_array(), -MATRIX)
    with pytest.raises(ValueError, match="one for each row and column"):
        circuit(axes, MATRIX, title="any", row_label="a", column_label="b", names="abcd")
    plt.close("all")


def test_the_marked_pair_is_drawn_apart():
    _, (axes,) = style.canvas()
    compositions(axes, PAIRS, title="any", **NAMED)
    drawn = [line.get_xdata().ravel().tolist() for line in axes.lines]
    assert [len(each) for each in drawn] == [5, 1, 5, 1]
    assert drawn[1] == [0.3]
    assert drawn[3] == [0.8]
    assert 0.8 not in drawn[2]
    with pytest.raises(ValueError, match="the lower end first"):
        compositions(axes, PAIRS, title="any", **{**NAMED, "chance": (0.3, 0.1)})
    with pytest.raises(ValueError, match="at least one row"):
        compositions(axes, {}, title="any", **NAMED)
    plt.close("all")
