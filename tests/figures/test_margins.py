"""Margins in the plane: as they were judged, and with the lines where they belong."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from softlookup.figures import style
from softlookup.figures.margins import machine, selection

POINTS = np.array([[2.0, 2.0], [3.0, 1.0], [3.0, 3.0], [0.0, 0.0], [-1.0, 1.0]])
LABELS = np.array([1, 1, 1, -1, -1])
TOKENS = np.array([[0.2, 1.0], [1.2, 0.6], [-0.9, -0.2]])
DIRECTION = np.array([-0.488, 1.28])
NAMES = ("a", "b", "c")


@pytest.fixture
def axes():
    figure, (axes,) = style.canvas()
    yield axes
    plt.close(figure)


def draw_selection(axes, selected=0, names=NAMES):
    along = np.outer(np.linspace(0, 3, 31), DIRECTION)
    paths = [along + np.array([across, 0.0]) for across in (0.1, -0.2)]
    title = "It turns to the widest street"
    others = {"(a)": np.array([0.0, 1.0]), "(b)": TOKENS[0], "(d)": np.array([-0.16, 0.65])}
    told = {"names": names, "title": title, "others": others}
    selection(axes, TOKENS, selected, DIRECTION, paths, **told)


@pytest.mark.mpl_image_compare
def test_margins_look_as_judged() -> Figure:
    style.use_style()
    figure, (left, right) = style.canvas("wide", columns=2)
    machine(left, POINTS, LABELS, np.array([0.5, 0.5]), -1.0, title="The border is ringed")
    draw_selection(right)
    return figure


def test_the_three_lines_of_a_machine_keep_its_equation(axes):
    normal, offset = np.array([0.5, 0.5]), -1.0
    machine(axes, POINTS, LABELS, normal, offset, title="t")
    lines = [line for line in axes.lines if hasattr(line, "get_xy1")]
    levels = [
        [float(normal @ line.get_xy1() + offset), float(normal @ line.get_xy2() + offset)]
        for line in lines
    ]
    assert np.allclose(levels, [[0, 0], [1, 1], [-1, -1]])


def test_the_points_on_the_street_are_ringed_and_no_others(axes):
    machine(axes, POINTS, LABELS, np.array([0.5, 0.5]), -1.0, title="t")
    (ring,) = [line for line in axes.lines if line.get_markersize() == 15]
    assert {tuple(point) for point in ring.get_xydata()} == {(2, 2), (3, 1), (0, 0), (-1, 1)}


def test_the_width_of_the_street_is_written_across_it(axes):
    normal, offset = np.array([0.5, 0.5]), -1.0
    machine(axes, POINTS, LABELS, normal, offset, title="t")
    (arrow,) = [text for text in axes.texts if text.arrow_patch is not None]
    assert sorted(float(normal @ end + offset) for end in (arrow.xy, arrow.xyann)) == (
        pytest.approx([-1, 1])
    )
    assert "2 / ‖w‖ = 2.83" in [text.get_text() for text in axes.texts]


def test_a_direction_to_compare_is_a_ray_with_its_name_at_the_end(axes):
    draw_selection(axes)
    rays = [
        line
        for line in axes.lines
        if line.get_color() == style.MUTED and len(line.get_xdata()) == 2
    ]
    assert all(
        line.get_xydata()[0].tolist() == [0, 0] for line in rays if line.get_linestyle() == "-"
    )
    sides = {text.get_text(): text.get_ha() for text in axes.texts}
    assert (sides["(a)"], sides["(b)"], sides["(d)"]) == ("center", "left", "right")


def test_the_street_of_a_selection_runs_from_the_star_to_its_nearest_rival(axes):
    draw_selection(axes)
    unit = DIRECTION / np.linalg.norm(DIRECTION)
    streets = [
        line
        for line in axes.lines
        if line.get_linestyle() == "--" and line.get_color() == style.MUTED
    ]
    heights = [float(unit @ line.get_xy1()) for line in streets]
    assert heights == pytest.approx([unit @ TOKENS[0], max(unit @ TOKENS[1], unit @ TOKENS[2])])
    (star,) = [line for line in axes.lines if line.get_marker() == "*"]
    assert star.get_xydata().tolist() == [TOKENS[0].tolist()]
    assert axes.get_aspect() == 1.0


def test_each_token_takes_the_colour_that_is_its_own(axes):
    inks = (style.GREEN, style.PURPLE, style.INDIGO)
    selection(axes, TOKENS, 0, DIRECTION, [], names=NAMES, title="t", colours=inks)
    drawn = [
        line.get_color()
        for line in axes.lines
        if line.get_marker() in ("*", "s") and len(line.get_xdata()) == 1
    ]
    assert drawn == [*inks]
    assert [text.get_color() for text in axes.texts if text.get_text() in NAMES] == [*inks]


def test_the_direction_is_named_within_the_picture_and_each_path_begins_with_a_dot(axes):
    draw_selection(axes)
    (name,) = [text for text in axes.texts if text.get_text() == "widest margin"]
    unit = DIRECTION / np.linalg.norm(DIRECTION)
    assert name.xy[0] * unit[1] == pytest.approx(name.xy[1] * unit[0])
    assert axes.get_xlim()[0] < name.xy[0] < axes.get_xlim()[1]
    assert axes.get_ylim()[0] < name.xy[1] < axes.get_ylim()[1]
    assert len([line for line in axes.lines if line.get_markersize() == 4]) == 2


def test_what_does_not_fit_is_refused_in_words(axes):
    with pytest.raises(ValueError, match="expected one name for each token"):
        draw_selection(axes, names=("a", "b"))
    with pytest.raises(ValueError, match="token 3 is selected"):
        draw_selection(axes, selected=3)
    with pytest.raises(ValueError, match="expected 1 and -1"):
        machine(axes, POINTS, LABELS * 2, np.ones(2), 0.0, title="t")
