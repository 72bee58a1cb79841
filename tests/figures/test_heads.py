"""The pictures of multi-head attention: as they were judged, and no head without its colour."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.heads import owners, pipeline


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_pipeline_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    pipeline(axes, 3, title="Three heads")
    return figure


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_owners_look_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    owner = np.repeat(np.arange(3), 2)[None].repeat(4, axis=0)
    owners(axes, owner, tokens=["a", "b", "c", "d"], title="Each head has a slice")
    return figure


def test_each_number_wears_its_heads_colour():
    _, (axes,) = style.canvas()
    owner = np.array([[0, 1, 2], [2, 0, 1]])
    owners(axes, owner, tokens=["a", "b"], title="any")
    colours = [patch.get_facecolor()[:3] for patch in axes.patches]
    expected = [to_rgb(style.PALETTE[head]) for head in owner.flat]
    assert np.allclose(colours, expected)
    assert [text.get_text() for text in axes.texts] == ["1", "2", "3", "3", "1", "2"]
    plt.close("all")


@pytest.mark.parametrize("n_heads", [1, 6])
def test_a_pipeline_has_two_to_five_heads(n_heads):
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match=f"n_heads is {n_heads}; expected 2 to 5"):
        pipeline(axes, n_heads, title="any")
    plt.close("all")


def test_owners_need_a_name_a_row_and_a_colour_a_head():
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="2 names and 3 rows"):
        owners(axes, np.zeros((3, 2), dtype=int), tokens=["a", "b"], title="any")
    with pytest.raises(ValueError, match="head 7 has no colour"):
        owners(axes, np.full((2, 2), 6), tokens=["a", "b"], title="any")
    plt.close("all")
