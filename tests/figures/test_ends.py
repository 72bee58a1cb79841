"""Where descent ends: as it was judged, and with streets, rays and cones where they belong."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Wedge
from softlookup.figures import style
from softlookup.figures.ends import COLOURS, ends, streets

TOKENS = np.array([[1.0, 0.5], [-1.0, 0.1], [-0.5, -0.4]])
DIRECTIONS = {0: np.array([1.5, 0.9]), 1: np.array([-0.5, 0.5])}
CONES = {0: (np.radians(60), 10.0), 1: (np.radians(10), 10.0)}
NAMES = "abc"


@pytest.fixture
def axes():
    figure, (axes,) = style.canvas()
    yield axes
    plt.close(figure)


def draw_ends(axes):
    side = np.linspace(-20, 20, 41)
    across, up = np.meshgrid(side, side)
    reached = np.where(np.arctan2(up, across) > np.radians(121), 1, 0)
    ways = [
        np.outer(np.linspace(10, 40, 20), (np.cos(angle), np.sin(angle))) for angle in (2, 2.5, 4.8)
    ]
    words = ("crosses", "stays", "leaves")
    told = {"names": NAMES, "title": "Two starts, two ends", "words": words}
    ends(axes, reached, 20.0, DIRECTIONS, CONES, ways, **told)


@pytest.mark.mpl_image_compare
def test_ends_look_as_judged() -> Figure:
    style.use_style()
    figure, (left, right) = style.canvas("wide", columns=2)
    streets(
        left, TOKENS, DIRECTIONS, names=NAMES, title="Two streets: in front of a, in front of b"
    )
    draw_ends(right)
    return figure


def test_a_street_runs_from_the_token_to_its_nearest_rival(axes):
    streets(axes, TOKENS, DIRECTIONS, names=NAMES, title="t")
    for token, direction in DIRECTIONS.items():
        unit = direction / np.linalg.norm(direction)
        borders = [
            float(unit @ line.get_xy1())
            for line in axes.lines
            if hasattr(line, "get_xy1") and line.get_color() == COLOURS[token]
        ]
        rivals = np.delete(TOKENS @ unit, token)
        assert borders == pytest.approx([TOKENS[token] @ unit, rivals.max()])


def test_a_cone_lies_around_its_ray_and_begins_at_its_distance(axes):
    draw_ends(axes)
    wedges = [patch for patch in axes.patches if isinstance(patch, Wedge)]
    for wedge, (token, direction) in zip(wedges, DIRECTIONS.items(), strict=True):
        angle, half = np.degrees(np.arctan2(direction[1], direction[0])), CONES[token][0]
        assert (wedge.theta1 + wedge.theta2) / 2 == pytest.approx(angle)
        assert wedge.theta2 - wedge.theta1 == pytest.approx(2 * np.degrees(half))
        assert wedge.r - wedge.width == pytest.approx(10.0)


def test_the_grid_is_drawn_with_its_first_row_below(axes):
    draw_ends(axes)
    (image,) = axes.images
    assert image.origin == "lower"
    assert image.get_extent() == [-20, 20, -20, 20]
    assert len([line for line in axes.lines if line.get_marker() == "o"]) == 3


def test_each_start_has_its_word_on_the_side_with_room(axes):
    draw_ends(axes)
    words = {text.get_text(): text for text in axes.texts}
    assert words["stays"].get_ha() == "right"
    assert words["stays"].xy[0] < -6
    assert words["crosses"].get_ha() == words["leaves"].get_ha() == "left"


def test_names_that_do_not_fit_are_refused(axes):
    with pytest.raises(ValueError, match="expected one name for each of 3 tokens"):
        streets(axes, TOKENS, DIRECTIONS, names="ab", title="t")
