"""Margins in the plane: a support vector machine, and a query that learns to select.

Both are drawn alike, since they are the same picture: a direction, the line on which what must
win stands, the line on which its nearest rival stands, and the empty street between the two.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style


def machine(
    axes: Axes,
    points: Float[ndarray, "points 2"],
    labels: Int[ndarray, " points"],
    normal: Float[ndarray, " 2"],
    offset: float,
    *,
    title: str,
) -> None:
    """Draw two classes, the line between them, and the street that no point stands in.

    Args:
        axes: where to draw.
        points: the places of the points.
        labels: 1 or -1 for each.
        normal: w, at a right angle to the line w · x + b = 0.
        offset: b.
        title: the finding, as a sentence.

    Raises:
        ValueError: if a label is neither 1 nor -1.
    """
    if not set(labels.tolist()) <= {1, -1}:
        raise ValueError(f"labels are {sorted(set(labels.tolist()))}; expected 1 and -1")
    for label, colour, marker in ((1, style.BLUE, "o"), (-1, style.ORANGE, "s")):
        axes.plot(*points[labels == label].T, marker, color=colour, markersize=7)
    margin = labels * (points @ normal + offset)
    _ring(axes, points[margin < 1 + 1e-3])
    length = float(np.linalg.norm(normal))
    for level, line in ((0.0, "-"), (1.0, "--"), (-1.0, "--")):
        _line(axes, normal / length, (level - offset) / length, line)
    _fit(axes, points)
    _measure(axes, points, normal, offset)
    axes.set(title=title, xlabel="first coordinate", ylabel="second coordinate")


def selection(
    axes: Axes,
    tokens: Float[ndarray, "tokens 2"],
    selected: int,
    direction: Float[ndarray, " 2"],
    paths: Sequence[Float[ndarray, "steps 2"]],
    *,
    names: Sequence[str],
    title: str,
    others: Mapping[str, Float[ndarray, " 2"]] | None = None,
    colours: Sequence[str] | None = None,
) -> None:
    """Draw an input's tokens, the direction of widest margin, and the ways that W z took.

    Args:
        axes: where to draw.
        tokens: the places of the tokens.
        selected: the number of the token that is to win, drawn as a star.
        direction: W z at the widest margin.
        paths: W z during training, once for each start; what leaves the picture is cut off.
        names: what is written beside each token.
        title: the finding, as a sentence.
        others: by name, directions to compare, drawn as rays from the origin.
        colours: one for each token, where a token has its own throughout a chapter; otherwise the
            selected one is blue and all others are orange.

    Raises:
        ValueError: if there is not one name for each token, or the selected one does not exist.
    """
    if len(names) != len(tokens) or not 0 <= selected < len(tokens):
        raise ValueError(
            f"there are {len(tokens)} tokens, {len(names)} names, and token {selected} is "
            "selected; expected one name for each token and one of them selected"
        )
    rivals = np.arange(len(tokens)) != selected
    unit = direction / np.linalg.norm(direction)
    heights = tokens @ unit
    nearest = heights[rivals].max()
    _line(axes, unit, heights[selected], "--")
    _line(axes, unit, nearest, "--")
    axes.axline((0, 0), tuple(unit), color=style.GREEN, linestyle=(0, (5, 3)), linewidth=1.6)
    for label, other in (others or {}).items():
        ray = np.abs(tokens).max() * other / np.linalg.norm(other)
        axes.plot(*np.outer((0, 1), ray).T, color=style.MUTED, linewidth=1.6)
        axes.annotate(
            label,
            tuple(ray),
            (4 * np.sign(round(ray[0], 1)), 3),
            textcoords="offset points",
            ha={-1: "right", 0: "center", 1: "left"}[int(np.sign(round(ray[0], 1)))],
            va="bottom",
            color=style.MUTED,
            fontweight="bold",
            fontsize=9,
            bbox={"boxstyle": "round,pad=0.1", "facecolor": style.PAPER, "edgecolor": "none"},
        )
    for path in paths:
        axes.plot(*path.T, color=style.INK, linewidth=1.8)
        axes.plot(*path[0], "o", color=style.INK, markersize=4)
    inks = colours or [style.ORANGE if rival else style.BLUE for rival in rivals]
    for name, place, rival, ink in zip(names, tokens, rivals, inks, strict=True):
        axes.plot(*place, "s" if rival else "*", color=ink, markersize=7 if rival else 15)
        axes.annotate(
            name,
            tuple(place),
            (9, 6),
            textcoords="offset points",
            color=ink,
            fontweight="bold",
            fontsize=9.5,
        )
    _ring(axes, tokens[rivals & (heights > nearest - 1e-3)])
    _fit(axes, np.vstack([tokens, np.zeros((1, 2))]))
    _name_line(axes, unit, "widest margin")
    axes.set(title=title, xlabel="first coordinate", ylabel="second coordinate")


def _line(axes: Axes, unit: ndarray, height: float, style_of_line: str) -> None:
    """The line of all x with unit · x = height."""
    through = unit * height
    along = np.array([-unit[1], unit[0]])
    solid = style_of_line == "-"
    axes.axline(
        tuple(through),
        tuple(through + along),
        color=style.INK if solid else style.MUTED,
        linestyle=style_of_line,
        linewidth=2.0 if solid else 1.2,
    )


def _measure(axes: Axes, points: ndarray, normal: ndarray, offset: float) -> None:
    """A double arrow across the street, with its width, where the points leave most room."""
    length = float(np.linalg.norm(normal))
    unit = normal / length
    along = np.array([-unit[1], unit[0]])
    places = points @ along
    for place in (0.72 * places.max() + 0.28 * places.min(), places.min(), places.max()):
        middle = place * along - offset / length * unit
        ends = [middle + side / length * unit for side in (-1, 1)]
        if all(np.linalg.norm(points - end, axis=1).min() > 0.3 for end in ends):
            break
    shape = {"arrowstyle": "<->", "color": style.GREEN, "linewidth": 2.0, "shrinkA": 0.0}
    axes.annotate("", tuple(ends[1]), tuple(ends[0]), arrowprops=shape | {"shrinkB": 0.0})
    axes.annotate(
        f"2 / ‖w‖ = {2 / length:.2f}",
        tuple(middle + 0.25 / length * unit),
        (7, 0),
        textcoords="offset points",
        va="center",
        color=style.GREEN,
        fontweight="bold",
        fontsize=9.5,
    )


def _name_line(axes: Axes, unit: ndarray, name: str) -> None:
    """Write a name beside the line of a direction, at its end behind the origin, which is free."""
    ends = [
        (low if part > 0 else high) / part
        for part, (low, high) in zip(unit, (axes.get_xlim(), axes.get_ylim()), strict=True)
        if part
    ]
    place = 0.93 * max(ends) * unit
    inwards = "right" if place[0] > 0 else "left"
    axes.annotate(
        name,
        tuple(place),
        (-8 if inwards == "right" else 8, 0),
        textcoords="offset points",
        ha=inwards,
        va="center",
        color=style.GREEN,
        fontweight="bold",
        fontsize=9.5,
    )


def _ring(axes: Axes, points: Float[ndarray, "points 2"]) -> None:
    axes.plot(
        *points.T, "o", markersize=15, markerfacecolor="none", markeredgecolor=style.INK, mew=1.4
    )


def _fit(axes: Axes, points: ndarray) -> None:
    """Show all points with some room, one unit as long across as up."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    half = 0.64 * (points.max(axis=0) - points.min(axis=0)).max()
    axes.set_xlim(middle[0] - half, middle[0] + half)
    axes.set_ylim(middle[1] - half, middle[1] + half)
    axes.set_aspect("equal")
