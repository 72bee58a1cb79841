"""Which matrix is the shortest, and which one a way of training turns to: four small pictures.

The chapter on support vector machines draws with them one constraint with three balls that touch
it, cosines with two solutions at once, rows of dots, and two layers that select one after another.
"""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Patch, Polygon
from numpy import ndarray

from softlookup.figures import style

_BOX = {"boxstyle": "round,pad=0.15", "facecolor": style.PAPER, "edgecolor": "none", "alpha": 0.85}


def balls(
    axes: Axes,
    constraint: tuple[float, float],
    touching: Mapping[str, tuple[str, tuple[float, float], str]],
    *,
    title: str,
    labels: tuple[str, str],
) -> None:
    """Draw a half plane a · w ≥ 1, and balls of several norms that have grown until they touch it.

    Args:
        axes: where to draw.
        constraint: a.
        touching: by the norm, ``Frobenius``, ``nuclear`` or ``max-norm`` (in the plane a circle, a
            diamond and a square), what is written beside the point at which its ball touches, that
            point, and a colour.
        title: the finding, as a sentence.
        labels: what is along either axis.

    Raises:
        ValueError: if there is a norm of another name.
    """
    across = np.array([-0.6, 0.6])
    border = (1 - constraint[0] * across) / constraint[1]
    order = np.argsort(border)
    axes.fill_betweenx(border[order], across[order], 2.0, color=style.GRID, alpha=0.6, linewidth=0)
    axes.plot(across, border, color=style.INK, linewidth=2.0)
    for norm, (name, (x, y), colour) in touching.items():
        if norm == "Frobenius":
            ball: Patch = Circle((0, 0), float(np.hypot(x, y)))
        elif norm == "nuclear":
            r = abs(x) + abs(y)
            ball = Polygon([(r, 0), (0, r), (-r, 0), (0, -r)])
        elif norm == "max-norm":
            r = max(abs(x), abs(y))
            ball = Polygon([(r, r), (-r, r), (-r, -r), (r, -r)])
        else:
            raise ValueError(f"there is no ball of {norm!r}; expected Frobenius, nuclear, max-norm")
        ball.set(facecolor="none", edgecolor=colour, linewidth=2.0)
        axes.add_patch(ball)
        axes.plot(x, y, "o", color=colour, markersize=9, zorder=4)
        axes.annotate(
            name,
            (x, y),
            (12, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontweight="bold",
            fontsize=9.5,
            zorder=5,
        )
    axes.set_xlim(-0.42, 0.78)
    axes.set_ylim(-0.42, 0.42)
    axes.set_aspect("equal")
    axes.set(title=title, xlabel=labels[0], ylabel=labels[1])


def turns(
    axes: Axes,
    ways: Mapping[str, tuple[Float[ndarray, "2 2"], str, tuple[float, float]]],
    *,
    title: str,
    labels: tuple[str, str],
    limits: tuple[float, float],
) -> None:
    """Draw an arrow for each way of training, in the plane of cosines with two solutions.

    Args:
        axes: where to draw.
        ways: by name, the cosines with either solution at two times, as two rows; a colour; and
            where its name stands, in points from the arrow's head.
        title: the finding, as a sentence.
        labels: what is along either axis.
        limits: the least and the greatest cosine shown, for both axes.
    """
    axes.plot(limits, limits, color=style.MUTED, linestyle="--", linewidth=1.2)
    axes.annotate(
        "equally near",
        (limits[0] + 0.08 * (limits[1] - limits[0]),) * 2,
        (10, -4),
        textcoords="offset points",
        color=style.MUTED,
        fontsize=9,
    )
    for name, (((x_0, y_0), (x_1, y_1)), colour, offset) in ways.items():
        axes.plot(x_0, y_0, "o", color=colour, markersize=5)
        style.arrow(axes, (x_0, y_0), (x_1, y_1), colour, 2.4)
        axes.annotate(
            name,
            (x_1, y_1),
            offset,
            textcoords="offset points",
            ha="right" if offset[0] < 0 else "left",
            va="center",
            color=colour,
            fontweight="bold",
            fontsize=9.5,
            bbox=_BOX,
        )
    axes.set_xlim(limits)
    axes.set_ylim(limits)
    axes.set_aspect("equal")
    axes.set(title=title, xlabel=labels[0], ylabel=labels[1])


def strips(
    axes: Axes,
    rows: Mapping[str, tuple[Float[ndarray, " dots"], str]],
    *,
    at: float,
    title: str,
    x_label: str,
) -> None:
    """Draw a row of dots for each group, side by side in height where they would lie in one place.

    Args:
        axes: where to draw.
        rows: by name, the lowest first, a value for each dot and a colour.
        at: where an upright line stands.
        title: the finding, as a sentence.
        x_label: what is along x.
    """
    axes.axvline(at, color=style.INK, linewidth=1.6)
    for row, (values, colour) in enumerate(rows.values()):
        across = 0.36 * (((np.arange(len(values)) * 0.618) % 1) * 2 - 1)  # a spread without chance
        axes.plot(values, row + across, "o", color=colour, markersize=5, alpha=0.6)
    axes.set_yticks(range(len(rows)), [*rows])
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.grid(visible=False, axis="y")
    axes.set(title=title, xlabel=x_label)


def two_layers(axes: Axes, groups: int, tokens: int, *, title: str) -> None:
    """Draw how two layers select in one input: W₁ in each group of tokens, W₂ among what comes up.

    The token that W₁ selects in a group is coloured, and so is the one that W₂ selects among those
    that come up; the group that it came from is the one that the first layer's machine knows.

    Args:
        axes: where to draw; its axes are hidden.
        groups: how many groups of tokens the input has, drawn as rows.
        tokens: how many tokens a group has, drawn as squares.
        title: the finding, as a sentence.
    """
    seen, up = groups // 2, tokens + 2.5  # the group looked at, and where what comes up stands
    last = up + 2.5
    for group in range(groups):
        chosen, strong = (3 * group + 2) % tokens, 1.0 if group == seen else 0.45
        for token in range(tokens):
            ink = style.ORANGE if token == chosen else style.GRID
            axes.plot(token, -group, "s", color=ink, markersize=9, alpha=strong)
        axes.plot(up, -group, "s", color=style.ORANGE, markersize=9, alpha=strong)
        style.arrow(axes, (tokens - 0.4, -group), (up - 0.5, -group), style.MUTED, 1.0)
        ink, width = (style.BLUE, 2.2) if group == seen else (style.GRID, 1.0)
        style.arrow(axes, (up + 0.4, -group), (last - 0.5, -seen), ink, width)
    axes.plot(up, -seen, "o", markerfacecolor="none", markeredgecolor=style.BLUE, markersize=17)
    axes.plot(last, -seen, "s", color=style.BLUE, markersize=9)
    for text, x, y, colour in (
        (
            "W₁ selects in each group;\nonly one group is looked at",
            (tokens - 1) / 2,
            1.5,
            style.ORANGE,
        ),
        ("W₂ selects among these,\nwhich move", (up + last) / 2, -groups - 0.6, style.BLUE),
    ):
        axes.annotate(
            text,
            (x, y),
            ha="center",
            va="center",
            color=colour,
            fontweight="bold",
            fontsize=9.5,
        )
    axes.set_xlim(-0.8, last + 1.2)
    axes.set_ylim(-groups - 1.6, 2.4)
    axes.set_axis_off()
    axes.set_title(title)
