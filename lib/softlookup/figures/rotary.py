"""Rotary positions in pictures: the hands of a query and a key, and their score by offset.

The chapter on positions draws with them why two hands that turn together keep their angle.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Arc, Circle
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.curves import curves

QUERY, KEY, ANGLE = style.BLUE, style.ORANGE, style.PURPLE


def turned_hands(
    axes: Axes,
    queries: Float[ndarray, "dials 2"],
    keys: Float[ndarray, "dials 2"],
    *,
    places: Sequence[tuple[int, int]],
    title: str,
    columns: int = 2,
) -> None:
    """Draw a dial for each pair of places, with the query's hand, the key's, and their angle.

    Args:
        axes: where to draw.
        queries: how far to the right and how far up the tip of each query's hand points.
        keys: the same for the keys.
        places: where the query and the key of each dial stand, written beneath it.
        title: the finding, as a sentence.
        columns: how many dials stand side by side.

    Raises:
        ValueError: if there is not one query, one key and one pair of places a dial.
    """
    if not len(queries) == len(keys) == len(places):
        raise ValueError(
            f"there are {len(queries)} queries, {len(keys)} keys and {len(places)} pairs of "
            "places; expected one of each for a dial"
        )
    longest = max(np.linalg.norm(queries, axis=1).max(), np.linalg.norm(keys, axis=1).max())
    across, down = 2.9, 3.0
    for number, (query, key, (i, j)) in enumerate(zip(queries, keys, places, strict=True)):
        x, y = across * (number % columns), -down * (number // columns)
        axes.add_patch(Circle((x, y), 1.0, fill=False, edgecolor=style.MUTED, lw=0.8))
        for name, hand, colour in (("q", query, QUERY), ("k", key, KEY)):
            tip = hand / longest
            axes.plot([x, x + tip[0]], [y, y + tip[1]], color=colour, lw=2.4)
            outside = 1.17 * hand / np.linalg.norm(hand)
            axes.text(
                x + outside[0],
                y + outside[1],
                name,
                color=colour,
                ha="center",
                va="center",
                fontweight="bold",
            )
        start, length = _arc(query, key)
        axes.add_patch(
            Arc((x, y), 0.8, 0.8, theta1=start, theta2=start + length, color=ANGLE, lw=1.8)
        )
        middle = np.deg2rad(start + length / 2)
        axes.text(
            x + 0.66 * np.cos(middle),
            y + 0.66 * np.sin(middle),
            f"{length:.0f}°",
            color=ANGLE,
            ha="center",
            va="center",
            fontsize=9,
        )
        axes.text(x, y - 1.42, f"i = {i}, j = {j}", ha="center", va="center")
    rows = -(-len(places) // columns)
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set(
        title=title,
        xlim=(-1.35, across * (columns - 1) + 1.35),
        ylim=(-down * (rows - 1) - 1.65, 1.35),
    )


def score_by_offset(
    axes: Axes,
    offsets: Sequence[int],
    lines: Mapping[str, Float[ndarray, " offsets"]],
    *,
    dots: Sequence[tuple[int, float]],
    title: str,
    x_label: str = "offset i − j (tokens)",
    y_label: str = "score",
) -> None:
    """Draw scores against the offset of query and key, with some of them as dots.

    Args:
        axes: where to draw.
        offsets: the common abscissa.
        lines: by name, a score for each offset.
        dots: the offset and the score of each dot; equal ones lie on each other.
        title: the finding, as a sentence.
        x_label: what is along x, with its unit.
        y_label: what is along y, with its unit.
    """
    curves(axes, offsets, lines, title=title, x_label=x_label, y_label=y_label)
    axes.plot(
        [offset for offset, _ in dots],
        [score for _, score in dots],
        "o",
        color=ANGLE,
        markersize=8,
        zorder=3,
    )


def _arc(query: Float[ndarray, " 2"], key: Float[ndarray, " 2"]) -> tuple[float, float]:
    """Where the smaller angle between two hands begins, and how wide it is, in degrees."""
    start, end = (float(np.rad2deg(np.arctan2(up, right))) for right, up in (key, query))
    length = (end - start) % 360.0
    return (start, length) if length <= 180.0 else (end, 360.0 - length)
