"""Tokens drawn: as points on a map, and joined by the weights between them."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.transforms import Bbox, BboxBase
from numpy import ndarray

from softlookup.figures import style

# Where a word may stand beside its point, in order of preference: shift in points, alignment.
_PLACES = (
    (7, 0, "left", "center"),
    (-7, 0, "right", "center"),
    (0, 7, "center", "bottom"),
    (0, -7, "center", "top"),
    (5, 4, "left", "bottom"),
    (-5, 4, "right", "bottom"),
    (5, -4, "left", "top"),
    (-5, -4, "right", "top"),
)

# Thinner lines would not be seen on the site; they would only blur what is.
_LEAST_WEIGHT = 0.005


def word_map(
    axes: Axes,
    points: Float[ndarray, "words 2"],
    groups: Mapping[str, Sequence[str]],
    *,
    emphasised: Sequence[str] = (),
    title: str,
    x_label: str,
    y_label: str,
) -> None:
    """Draw words as points, each kind in its own colour and shape, each name beside its point.

    A name takes, of eight places, the first at which it covers the least of points, names and
    whatever lies outside the axes.

    Args:
        axes: where to draw.
        points: a place for each word, in the order of the groups.
        groups: by kind, its words.
        emphasised: words to set in bold.
        title: the finding, as a sentence.
        x_label: what is along x, with its unit.
        y_label: what is along y, with its unit.

    Raises:
        ValueError: if there is not one point for each word.
    """
    names = [word for group in groups.values() for word in group]
    if len(points) != len(names):
        raise ValueError(f"there are {len(points)} points and {len(names)} words; expected as many")
    start = 0
    colours: list[str] = []
    for index, (kind, group) in enumerate(groups.items()):
        part = points[start : start + len(group)]
        start += len(group)
        colour = style.PALETTE[index % len(style.PALETTE)]
        colours += [colour] * len(group)
        axes.plot(*part.T, "osD^vP"[index % 6], color=colour, label=kind)
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
    axes.margins(0.16)
    axes.legend(loc="best", handletextpad=0.2)
    _write_names(axes, points, names, colours, emphasised)


def connections(
    axes: Axes,
    weights: Float[ndarray, "queries keys"],
    *,
    words: Sequence[str],
    highlighted: int,
    title: str,
) -> None:
    """Draw a line from each token below to each output above, as thick as its weight.

    Args:
        axes: where to draw.
        weights: each row one query, each column one key; rows sum to one.
        words: the tokens; token i stands below, its output y_i above.
        highlighted: the output whose lines are coloured and bear their weights.
        title: the finding, as a sentence.

    Raises:
        ValueError: if the weights are not one row and one column a word, or no output is
            highlighted.
    """
    if weights.shape != (len(words), len(words)):
        raise ValueError(
            f"weights have shape {weights.shape}; there are {len(words)} words, "
            "expected one row and one column for each"
        )
    if not 0 <= highlighted < len(words):
        raise ValueError(f"highlighted is {highlighted}; expected 0 to {len(words) - 1}")
    for query, row in enumerate(weights):
        for key, weight in enumerate(row):
            if weight < _LEAST_WEIGHT:
                continue
            chosen = query == highlighted
            axes.plot(
                (key, query),
                (0.0, 1.0),
                color=style.BLUE if chosen else style.GRID,
                linewidth=0.8 + 7.0 * float(weight),
                solid_capstyle="round",
                zorder=2 if chosen else 1,
            )
    for key, weight in enumerate(weights[highlighted]):
        axes.text(key, -0.30, f"{weight:.2f}", ha="center", color=style.BLUE, fontweight="bold")
    for place, word in enumerate(words):
        chosen = place == highlighted
        axes.text(place, -0.07, word, ha="center", va="top")
        axes.text(
            place,
            1.07,
            f"new {word}",
            ha="center",
            va="bottom",
            color=style.BLUE if chosen else style.MUTED,
            fontweight="bold" if chosen else "normal",
        )
    axes.set_xlim(-0.6, len(words) - 0.4)
    axes.set_ylim(-0.36, 1.22)
    axes.set_axis_off()
    axes.set_title(title)


def _write_names(
    axes: Axes,
    points: Float[ndarray, "words 2"],
    names: Sequence[str],
    colours: Sequence[str],
    emphasised: Sequence[str],
) -> None:
    """Write each name where it covers the least of what is there already."""
    figure = axes.figure
    figure.canvas.draw()
    taken: list[BboxBase] = [
        Bbox.from_bounds(x - 6, y - 6, 12, 12) for x, y in axes.transData.transform(points)
    ]
    legend = axes.get_legend()
    if legend is not None:
        taken.append(legend.get_window_extent())
    ground = axes.get_window_extent()
    crowded = np.argsort([-_neighbours(points, place) for place in range(len(points))])
    for place in crowded:
        label = axes.annotate(
            names[place],
            tuple(points[place]),
            xytext=(0, 0),
            textcoords="offset points",
            color=colours[place],
            fontsize=9.5,
            fontweight="bold" if names[place] in emphasised else "normal",
        )
        covered = []
        for x, y, horizontal, vertical in _PLACES:
            label.set(position=(x, y), ha=horizontal, va=vertical)
            box = label.get_window_extent()
            outside = box.width * box.height - _overlap(box, ground)
            covered.append(outside + sum(_overlap(box, other) for other in taken))
        x, y, horizontal, vertical = _PLACES[int(np.argmin(covered))]
        label.set(position=(x, y), ha=horizontal, va=vertical)
        taken.append(label.get_window_extent())


def _neighbours(points: Float[ndarray, "words 2"], place: int) -> int:
    """How many points lie close by, on the scale of the whole map."""
    reach = 0.12 * float(np.ptp(points, axis=0).max())
    return int((np.linalg.norm(points - points[place], axis=1) < reach).sum())


def _overlap(first: BboxBase, second: BboxBase) -> float:
    """The area that two boxes share, in square pixels."""
    shared = Bbox.intersection(first, second)
    return 0.0 if shared is None else float(shared.width * shared.height)
