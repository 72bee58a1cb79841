"""Pictures of pictures: as they were judged, every pixel where it belongs."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.patches import spread, strip


def gradient(height, width):
    return np.random.default_rng(0).random((height, width, 3))


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_spread_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    spread(axes, gradient(15, 35), 5, gap=2, title="Patches apart")
    return figure


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_strip_looks_as_judged() -> Figure:
    style.use_style()
    figure, panels = style.canvas("tall", rows=3)
    numbers = np.random.default_rng(0).standard_normal((4, 5, 5))
    for axes, kind in zip(panels, ("ink", "share", "signed"), strict=True):
        strip(axes, [*numbers], names=["a", "b", "c", "d"], title=f"As {kind}", kind=kind)
    return figure


@pytest.mark.mpl_image_compare(tolerance=2, style="default")
def test_strip_with_a_scale_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("normal")
    numbers = np.random.default_rng(0).random((2, 5, 5))
    strip(
        axes,
        [*numbers],
        names=["a", "b"],
        title="With a scale",
        kind="share",
        limits=(0.0, 1.0),
        scale="share",
    )
    return figure


def test_a_scale_tells_the_limits_of_the_colours():
    figure, (axes,) = style.canvas()
    limits = (0.25, 0.75)
    strip(axes, [np.zeros((2, 2))], names=["a"], title="any", limits=limits, scale="share")
    (bar,) = [each for each in figure.axes if each is not axes]
    assert bar.get_ylabel() == "share"
    assert bar.get_ylim() == limits
    plt.close("all")


def test_spread_moves_patches_apart_and_changes_none():
    _, (axes,) = style.canvas()
    image = gradient(15, 37)  # the last two columns fill no patch
    spread(axes, image, 5, gap=2, title="any")
    drawn = axes.images[0].get_array()
    assert drawn.shape == (3 * 7 - 2, 7 * 7 - 2, 3)
    assert np.array_equal(drawn[7:12, 14:19], image[5:10, 10:15])
    assert np.allclose(drawn[5:7], to_rgb(style.PAPER))
    assert np.allclose(drawn[:, 5:7], to_rgb(style.PAPER))
    plt.close("all")


def test_strip_draws_every_picture_on_one_scale():
    _, (axes,) = style.canvas()
    pictures = [np.full((2, 2), 1.0), np.full((3, 3), -4.0)]
    strip(axes, pictures, names=["up", "down"], title="any", kind="signed")
    assert [np.array(image.get_array()).mean() for image in axes.images] == [1.0, -4.0]
    assert {image.get_clim() for image in axes.images} == {(-4.0, 4.0)}
    assert [text.get_text() for text in axes.texts] == ["up", "down"]
    strip(axes, pictures, names=["up", "down"], title="any", limits=(0.0, 2.0))
    assert axes.images[-1].get_clim() == (0.0, 2.0)
    plt.close("all")


def test_doors():
    _, (axes,) = style.canvas()
    with pytest.raises(ValueError, match="4 × 9 pixels and patch_size is 5"):
        spread(axes, gradient(4, 9), 5, gap=1, title="any")
    with pytest.raises(ValueError, match="1 names and 2 pictures"):
        strip(axes, [np.zeros((2, 2))] * 2, names=["a"], title="any")
    with pytest.raises(ValueError, match="0 names and 0 pictures"):
        strip(axes, [], names=[], title="any")
    plt.close("all")
