"""The hands of rotary positions: as they were judged, and true to the numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Arc
from softlookup.figures import style
from softlookup.figures.rotary import score_by_offset, turned_hands

PLACES = [(3, 0), (5, 2), (9, 6), (9, 3)]


def hands(places, angle: float, speed: float = 0.3) -> np.ndarray:
    """A hand that starts at an angle, and turns to the left by the speed at every place."""
    turned = angle + speed * np.asarray(places)
    return np.stack([np.cos(turned), np.sin(turned)], axis=-1)


def queries_and_keys() -> tuple[np.ndarray, np.ndarray]:
    return hands([i for i, _ in PLACES], 0.5), hands([j for _, j in PLACES], 0.2)


@pytest.mark.mpl_image_compare(tolerance=2)
def test_turned_hands_look_as_judged() -> Figure:
    style.use_style()
    figure, panels = style.canvas("wide", columns=2)
    queries, keys = queries_and_keys()
    turned_hands(panels[0], queries, keys, places=PLACES, title="Hands turn together")
    offsets = range(-20, 21)
    far = np.array(offsets)
    waves = {"one": np.cos(0.3 * far + 0.3), "two": 0.5 * np.cos(0.1 * far)}
    dots = [(3, float(np.cos(1.2))), (6, float(np.cos(2.1)))]
    score_by_offset(panels[1], offsets, waves, dots=dots, title="A wave")
    return figure


def test_a_hand_points_where_its_vector_does():
    _, (axes,) = style.canvas("normal")
    queries, keys = queries_and_keys()
    turned_hands(axes, queries, keys, places=PLACES, title="any")
    drawn = [np.diff(line.get_xydata(), axis=0)[0] for line in axes.lines]
    np.testing.assert_allclose(drawn[0::2], queries)
    np.testing.assert_allclose(drawn[1::2], keys)
    plt.close("all")


def test_equal_offsets_show_equal_angles_and_others_another():
    _, (axes,) = style.canvas("normal")
    turned_hands(axes, *queries_and_keys(), places=PLACES, title="any")
    spans = [patch.theta2 - patch.theta1 for patch in axes.patches if isinstance(patch, Arc)]
    degrees = np.rad2deg(0.3 + 0.3 * np.array([3, 3, 3, 6]))
    assert spans == pytest.approx(degrees.tolist())
    written = {text.get_text() for text in axes.texts}
    assert {"i = 9, j = 3", "69°", "120°"} <= written
    plt.close("all")


def test_the_smaller_angle_is_drawn():
    _, (axes,) = style.canvas("normal")
    turned_hands(axes, hands([0], 3.0), hands([0], -3.0), places=[(0, 0)], title="any")
    (arc,) = [patch for patch in axes.patches if isinstance(patch, Arc)]
    assert arc.theta2 - arc.theta1 == pytest.approx(np.rad2deg(2 * np.pi - 6.0))
    plt.close("all")


def test_dots_stand_at_their_offsets():
    _, (axes,) = style.canvas("normal")
    score_by_offset(axes, [0, 1, 2], {"a": np.array([1.0, 2.0, 4.0])}, dots=[(1, 2.0)], title="t")
    assert axes.lines[-1].get_xydata().tolist() == [[1.0, 2.0]]
    plt.close("all")


def test_a_dial_needs_a_query_a_key_and_places():
    _, (axes,) = style.canvas("normal")
    with pytest.raises(ValueError, match="1 queries, 2 keys and 1 pairs"):
        turned_hands(axes, hands([0], 0.0), hands([0, 1], 0.0), places=[(0, 0)], title="any")
    plt.close("all")
