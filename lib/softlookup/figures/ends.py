"""Where descent ends, from every start: the plane of starts, the ends, their cones, and some ways.

Beside it stands the plane of the tokens, with a street for each token that descent may settle on.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Wedge
from numpy import ndarray

from softlookup.figures import style

COLOURS = (style.BLUE, style.ORANGE, style.PURPLE)
_MARKERS = ("*", "s", "D")
_PLATE = {"boxstyle": "round,pad=0.1", "facecolor": style.PAPER, "edgecolor": "none", "alpha": 0.8}
_TINTS = ("#cfe3ef", "#f1dcc4", "#ead3e0")


def streets(
    axes: Axes,
    tokens: Float[ndarray, "tokens 2"],
    directions: Mapping[int, Float[ndarray, " 2"]],
    *,
    names: Sequence[str],
    title: str,
) -> None:
    """Draw tokens in the plane, and for some of them the empty street in front of its rivals.

    Args:
        axes: where to draw.
        tokens: the places of the tokens, three at most.
        directions: from the number of a token to the direction of widest margin in which it wins;
            drawn as an arrow across its street, from the border on which its nearest rival stands
            to the token.
        names: what is written beside each token.
        title: the finding, as a sentence.

    Raises:
        ValueError: if there is not one name for each token, or there are more than three.
    """
    if len(names) != len(tokens) or len(tokens) > len(COLOURS):
        raise ValueError(
            f"there are {len(tokens)} tokens and {len(names)} names; expected one name for each "
            f"of {len(COLOURS)} tokens at most"
        )
    for token, direction in directions.items():
        unit = direction / np.linalg.norm(direction)
        along = np.array([-unit[1], unit[0]])
        heights = tokens @ unit
        nearest = np.delete(heights, token).max()
        for height in (heights[token], nearest):
            foot = tokens[token] + (height - heights[token]) * unit
            axes.axline(
                tuple(foot),
                tuple(foot + along),
                color=COLOURS[token],
                linestyle="--",
                linewidth=1.2,
            )
        foot = tokens[token] + (nearest - heights[token]) * unit
        style.arrow(axes, tuple(foot), tuple(tokens[token]), COLOURS[token], 2.2, gaps=(0, 8))
    leftmost, lowest = tokens.min(axis=0)
    for place, name, colour, marker in zip(tokens, names, COLOURS, _MARKERS, strict=False):
        axes.plot(*place, marker, color=colour, markersize=15 if marker == "*" else 9)
        axes.annotate(
            name,
            tuple(place),
            (12, -14) if place[1] == lowest else (-8, 15) if place[0] == leftmost else (12, 8),
            textcoords="offset points",
            color=colour,
            fontweight="bold",
            fontsize=10,
            bbox=_PLATE,
        )
    middle = (tokens.min(axis=0) + tokens.max(axis=0)) / 2
    half = 0.72 * (tokens.max(axis=0) - tokens.min(axis=0)).max()
    axes.set_xlim(middle[0] - half, middle[0] + half)
    axes.set_ylim(middle[1] - half, middle[1] + half)
    axes.set_aspect("equal")
    axes.set(title=title, xlabel="first coordinate", ylabel="second coordinate")


def ends(
    axes: Axes,
    reached: Int[ndarray, "rows columns"],
    reach: float,
    directions: Mapping[int, Float[ndarray, " 2"]],
    cones: Mapping[int, tuple[float, float]],
    ways: Sequence[Float[ndarray, "steps 2"]],
    *,
    names: Sequence[str],
    title: str,
    words: Sequence[str] = (),
) -> None:
    """Draw the plane of starts: each is tinted by the token on which descent settles from there.

    Args:
        axes: where to draw.
        reached: for each start of a square grid the number of a token, rows from below upwards.
        reach: how far the grid goes from the origin, to each side.
        directions: from the number of a token to its direction of widest margin, drawn as a
            dashed ray.
        cones: from the number of a token to the half angle of its cone, in radians, and to the
            least distance from the origin; drawn as an outlined sector around the ray.
        ways: the ways that some runs take, each from its start, which is drawn with its number.
        names: what the tokens are called.
        title: the finding, as a sentence.
        words: for each of the ways, what becomes of its start, in a word beside it.
    """
    axes.imshow(
        reached,
        origin="lower",
        extent=(-reach, reach, -reach, reach),
        cmap=ListedColormap(list(_TINTS)),
        vmin=-0.5,
        vmax=len(_TINTS) - 0.5,
        interpolation="nearest",
    )
    axes.grid(visible=False)
    for token, direction in directions.items():
        unit = direction / np.linalg.norm(direction)
        axes.plot(
            *np.outer(unit, (0, 2 * reach)), color=COLOURS[token], linestyle="--", linewidth=1.6
        )
        axes.annotate(
            f"to {names[token]}",
            tuple(0.28 * reach * unit),
            (14 * unit[1], -14 * unit[0]),
            textcoords="offset points",
            ha="center",
            va="center",
            color=COLOURS[token],
            fontweight="bold",
            fontsize=10,
            bbox=_PLATE,
        )
        if token in cones:
            half, least = cones[token]
            angle, spread = np.degrees(np.arctan2(unit[1], unit[0])), np.degrees(half)
            axes.add_patch(
                Wedge(
                    (0, 0),
                    3 * reach,
                    angle - spread,
                    angle + spread,
                    width=3 * reach - least,
                    facecolor="none",
                    edgecolor=COLOURS[token],
                    linewidth=1.4,
                )
            )
    for number, way in enumerate(ways, start=1):
        axes.plot(*way.T, color=style.INK, linewidth=2.2)
        axes.plot(*way[0], "o", color=style.INK, markersize=14)
        axes.annotate(
            str(number),
            tuple(way[0]),
            ha="center",
            va="center",
            color=style.PAPER,
            fontsize=9.5,
            fontweight="bold",
        )
    for way, word in zip(ways, words, strict=False):
        far_left = way[0][0] < -0.3 * reach
        axes.annotate(
            word,
            tuple(way[0]),
            (-12, -10) if far_left else (13, 13),
            textcoords="offset points",
            ha="right" if far_left else "left",
            color=style.INK,
            fontweight="bold",
            fontsize=9.5,
            bbox=_PLATE,
        )
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    axes.set_aspect("equal")
    axes.set(title=title, xlabel="first coordinate of W z", ylabel="second coordinate of W z")
