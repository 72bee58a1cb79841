"""Lines that are labelled where they end, with the spread over seeds as a band."""

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray
from scipy.optimize import isotonic_regression

from softlookup.figures import style


def curves(
    axes: Axes,
    x: Sequence[float] | Float[ndarray, " points"],
    lines: Mapping[str, Sequence[float] | Float[ndarray, "*seeds points"]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    x_scale: str = "linear",
    y_scale: str = "linear",
    y_limits: tuple[float, float] | None = None,
    label_gap: float = 0.055,
    colours: Mapping[str, str] | None = None,
    dashes: Mapping[str, str] | None = None,
) -> None:
    """Draw each line in its own colour and write its name at its right end.

    Args:
        axes: where to draw.
        x: the common abscissa.
        lines: by name, one value for each x, or a row of values for each seed; of several rows
            the mean is drawn, with the range from the least to the greatest as a band.
        title: the finding, as a sentence.
        x_label: what is along x, with its unit.
        y_label: what is along y, with its unit.
        x_scale: ``linear`` or ``log``.
        y_scale: ``linear`` or ``log``.
        y_limits: the lowest and the highest y shown; fitted to the lines where None.
        label_gap: least distance between two names, as a fraction of the axes' height.
        colours: by name, the colour of a line and of its name, where what it shows has one
            throughout a chapter; the others take the palette's in turn.
        dashes: by name, a line's style in Matplotlib's notation, where it is not solid.

    Raises:
        ValueError: if a line has not one value for each x, or there is a colour or a style for a
            line that is not there.
    """
    if strays := {*(colours or {}), *(dashes or {})} - {*lines}:
        raise ValueError(f"there is no line for the looks of {sorted(strays)}")
    taken = dict(zip(lines, itertools.cycle(style.PALETTE))) | {**(colours or {})}
    x = np.asarray(x, dtype=float)
    axes.set_xscale(x_scale)
    axes.set_yscale(y_scale)
    markers = "osD^vP"
    for index, (name, values) in enumerate(lines.items()):
        rows = np.atleast_2d(np.asarray(values, dtype=float))
        if rows.shape[-1] != x.size:
            raise ValueError(f"line {name!r} has {rows.shape[-1]} values; expected {x.size}")
        colour = taken[name]
        marker = markers[index % len(markers)] if x.size <= 24 else None
        dash = (dashes or {}).get(name, "-")
        axes.plot(x, rows.mean(axis=0), dash, color=colour, marker=marker)
        if len(rows) > 1:
            axes.fill_between(
                x, rows.min(axis=0), rows.max(axis=0), color=colour, alpha=0.18, linewidth=0
            )
    if y_limits is not None:
        axes.set_ylim(y_limits)
    _label_ends(axes, x, lines, label_gap, taken)
    axes.set(title=title, xlabel=x_label, ylabel=y_label)


def _label_ends(
    axes: Axes, x: ndarray, lines: Mapping[str, object], gap: float, colours: Mapping[str, str]
) -> None:
    """Write each name beside its line's last point, pushed apart where two would touch."""
    ends = [np.atleast_2d(np.asarray(v, dtype=float)).mean(axis=0)[-1] for v in lines.values()]
    axes.autoscale_view()  # Matplotlib settles the limits lazily, and places depend on them
    to_axes = axes.transData + axes.transAxes.inverted()
    heights = np.array([to_axes.transform((x[-1], end))[1] for end in ends])
    placed = spread_out(heights, gap)
    for index, name in enumerate(lines):
        axes.annotate(
            name,
            (1.01, to_axes.inverted().transform((0.0, placed[index]))[1]),
            xycoords=("axes fraction", "data"),
            color=colours[name],
            va="center",
            fontweight="bold",
            fontsize=9.5,
            annotation_clip=False,
        )


def spread_out(heights: Float[ndarray, " names"], gap: float) -> Float[ndarray, " names"]:
    """Move names as little as possible, in squares, until no two are nearer than the gap.

    Their order stays, and none stands above 1, if there is room for all.
    """
    order = np.argsort(heights, kind="stable")
    steps = gap * np.arange(len(heights))
    # Less one gap for each name below, they only have to be in order.
    placed = np.empty_like(heights)
    placed[order] = isotonic_regression(heights[order] - steps).x + steps
    return placed - max(0.0, float(placed.max()) - 1.0)
