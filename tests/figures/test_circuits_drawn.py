"""A circuit drawn: as judged, with signs around a pale zero, on its own scale or a given one."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.circuits import circuit

MATRIX = np.eye(5) * 4 - 1 + np.arange(25).reshape(5, 5) / 25


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_a_circuit_looks_as_judged() -> Figure:
    style.use_style()
    figure, (left, right) = style.canvas("wide", columns=2)
    circuit(left, MATRIX, title="own", row_label="asks", column_label="answers", names="abcde")
    masked = np.where(np.tril(np.ones((5, 5))) > 0, MATRIX, np.nan)
    circuit(right, masked, title="masked", row_label="query", column_label="key")
    return figure


def test_zero_is_palest_and_names_fit():
    _, (axes,) = style.canvas()
    circuit(axes, -MATRIX, title="any", row_label="a", column_label="b")
    (image,) = axes.images
    assert image.get_clim() == (-np.abs(MATRIX).max(), np.abs(MATRIX).max())
    assert np.array_equal(image.get_array(), -MATRIX)
    _, (axes,) = style.canvas()
    circuit(axes, MATRIX, title="any", row_label="a", column_label="b", limit=9.0)
    assert axes.images[0].get_clim() == (-9.0, 9.0)
    with pytest.raises(ValueError, match="one for each row and column"):
        circuit(axes, MATRIX, title="any", row_label="a", column_label="b", names="abcd")
    plt.close("all")
