"""The palette reads on its paper, and is told apart by eyes that see fewer colours."""

import itertools
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from chapters import ROOT
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from softlookup.figures import style

# Machado, Oliveira and Fernandes 2009, severity 1.0; they act on linear RGB.
VISION = {
    "all colours": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}
# sRGB to CIE XYZ under D65 (IEC 61966-2-1); the middle row is WCAG's relative luminance.
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
NAMES = ("BLUE", "ORANGE", "GREEN", "PURPLE", "INK", "INDIGO")
# In CIE L*a*b*, about 2.3 is just noticeable side by side; 10 tells two thin lines apart.
APART = 10.0


def linear(colour):
    """A colour's linear RGB (WCAG 2.2, relative luminance)."""
    value = np.array(to_rgb(colour))
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    dark, light = sorted(TO_XYZ[1] @ linear(colour) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb):
    """CIE L*a*b* of a linear RGB colour, relative to D65 white."""
    t = TO_XYZ @ np.clip(rgb, 0, 1) / TO_XYZ.sum(axis=1)
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one, other, vision):
    """The CIE 1976 difference of two colours as an eye sees them."""
    return np.linalg.norm(lab(vision @ linear(one)) - lab(vision @ linear(other)))


def test_the_measures_know_black_and_white():
    assert contrast("black", "white") == pytest.approx(21)
    assert contrast("#777777", "white") == pytest.approx(4.48, abs=0.005)
    assert lab(linear("white")) == pytest.approx([100, 0, 0], abs=0.01)
    assert lab(linear("red")) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


@pytest.mark.parametrize("vision", VISION.values(), ids=VISION)
def test_no_vision_colours_what_is_grey(vision):
    assert vision.sum(axis=1) == pytest.approx(1, abs=2e-5)


def test_a_red_and_a_green_that_deuteranopes_confuse_are_found():
    assert distance("#a3473a", "#6f6a1e", VISION["all colours"]) > 30
    assert distance("#a3473a", "#6f6a1e", VISION["deuteranopia"]) < APART


def test_the_palette_is_made_of_the_named_colours():
    assert tuple(getattr(style, name) for name in NAMES) == style.PALETTE


@pytest.mark.parametrize("name", NAMES)
def test_each_colour_reads_as_a_line_and_as_its_name(name):
    """A line asks for 3 to 1 (WCAG 2.2, 1.4.11), the name at its end for 4.5 (1.4.3)."""
    assert contrast(getattr(style, name), style.PAPER) >= 4.5


def test_labels_read():
    assert contrast(style.MUTED, style.PAPER) >= 4.5


@pytest.mark.parametrize("vision", VISION.values(), ids=VISION)
@pytest.mark.parametrize(("one", "other"), [*itertools.combinations(NAMES, 2)])
def test_no_two_colours_are_confused(one, other, vision):
    assert distance(getattr(style, one), getattr(style, other), vision) >= APART


@pytest.mark.parametrize("vision", VISION.values(), ids=VISION)
def test_more_weight_is_darker_to_every_eye(vision):
    shades = LinearSegmentedColormap.from_list("", style.SEQUENTIAL_STOPS)(np.linspace(0, 1, 101))
    lightness = [lab(vision @ linear(shade[:3]))[0] for shade in shades]
    assert np.all(np.diff(lightness) < 0)


@pytest.mark.parametrize("vision", VISION.values(), ids=VISION)
def test_the_two_signs_are_told_apart_and_nought_is_paper(vision):
    shades = LinearSegmentedColormap.from_list("", style.DIVERGING_STOPS, N=201)
    assert shades(0.5)[:3] == pytest.approx(to_rgb(style.PAPER), abs=0.01)
    for value in np.linspace(0.25, 0.5, 6):
        assert distance(shades(0.5 - value)[:3], shades(0.5 + value)[:3], vision) >= APART


def test_the_site_has_the_colours_of_the_figures():
    css = (ROOT / "book/_static/palette.css").read_text("utf-8")
    light = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", css.split("}")[0]))
    assert light == {
        name.lower(): getattr(style, name) for name in ("PAPER", "MUTED", "GRID", *NAMES)
    }


@pytest.mark.parametrize(
    ("size", "inches"),
    [("narrow", (4.2, 3.2)), ("normal", (6.4, 3.8)), ("wide", (8.6, 3.8)), ("tall", (6.4, 6.0))],
)
def test_a_canvas_has_one_of_four_sizes(size, inches):
    figure, axes = style.canvas(size, columns=3, rows=2)
    assert tuple(figure.get_size_inches()) == inches
    places = [each.get_subplotspec().colspan.start for each in axes]
    assert places == [0, 1, 2, 0, 1, 2]
    plt.close("all")


def test_axes_share_their_scale_when_asked():
    _, (left, right) = style.canvas(columns=2, share_y=True)
    left.set_ylim(0, 7)
    assert right.get_ylim() == (0, 7)
    plt.close("all")


def test_an_unknown_size_is_refused_in_words():
    with pytest.raises(ValueError, match=r"size is 'huge'; expected one of .*'narrow'"):
        style.canvas("huge")


@pytest.mark.mpl_image_compare
def test_style_looks_as_judged() -> Figure:
    style.use_style()
    figure, (axes,) = style.canvas("wide")
    x = np.linspace(0, 1, 11)
    for index, name in enumerate(NAMES):
        axes.plot(x, index + x**2, marker="osD^vP"[index])
        axes.text(1.02, index + 1, name.lower(), color=getattr(style, name), va="center")
    axes.set(title="Six colours, each with its marker", xlabel="x (any unit)", ylabel="y")
    return figure


def test_an_arrow_points_at_its_end_and_keeps_its_gaps():
    figure, (axes,) = style.canvas()
    axes.set(xlim=(0, 10), ylim=(0, 10))
    for gaps in ((0.0, 0.0), (12.0, 40.0)):
        style.arrow(axes, (1, 5), (9, 5), gaps=gaps)
    figure.canvas.draw()
    points = 72 / figure.dpi
    left, right = (axes.transData.transform((x, 5))[0] * points for x in (1, 9))
    for drawn, (tail, head) in zip(axes.texts, ((0.0, 0.0), (12.0, 40.0)), strict=True):
        shaft, tip = (
            each.vertices[:, 0] for each in drawn.arrow_patch._get_path_in_displaycoord()[0]
        )
        assert shaft.min() * points == pytest.approx(left + tail, abs=1.5)
        assert tip.max() * points == pytest.approx(right - head, abs=3.0)
        assert tip.mean() > shaft.mean()
