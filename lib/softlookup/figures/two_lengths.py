"""Recall against load, in texts of two lengths on one pair of axes."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.curves import spread_out

# The loads, and for each seed the share at each of them.
Line = tuple[Float[ndarray, " _"], Float[ndarray, "_ _"]]


def two_lengths(
    axes: Axes,
    short: Mapping[str, Line],
    long: Mapping[str, Line],
    *,
    title: str,
    x_label: str,
    y_label: str,
    label_gap: float = 0.06,
) -> None:
    """Draw each way's line solid for short texts and dashed for long ones, in one colour.

    Drawn is the mean over the seeds, with the range from the least to the greatest as a band. A
    way's name stands at the right end of its longer line, or, where it has no line for long
    texts, beside the end of its short one.

    Args:
        axes: where to draw.
        short: by name, the line in short texts.
        long: the same in long texts; of each name in ``short`` or not.
        title: the finding, as a sentence.
        x_label: what is along x; the axis is logarithmic.
        y_label: what is along y.
        label_gap: least distance between two names at the right, as a fraction of the height.

    Raises:
        ValueError: if a line for long texts has no line for short ones.
    """
    if alone := [name for name in long if name not in short]:
        raise ValueError(f"{alone} have a line for long texts and none for short ones")
    axes.set_xscale("log")
    axes.set_ylim(0.0, 1.08)
    markers = "osD^vP"
    colours = dict(zip(short, style.PALETTE, strict=False))
    for index, name in enumerate(short):
        for lines, dashes, fill in ((short, "-", colours[name]), (long, "--", style.PAPER)):
            if name not in lines:
                continue
            loads, rows = lines[name]
            axes.plot(
                loads,
                rows.mean(axis=0),
                dashes,
                color=colours[name],
                marker=markers[index % len(markers)],
                markerfacecolor=fill,
            )
            axes.fill_between(
                loads,
                rows.min(axis=0),
                rows.max(axis=0),
                color=colours[name],
                alpha=0.15,
                linewidth=0,
            )
    heights = np.array([long[name][1].mean(axis=0)[-1] for name in long]) / 1.08
    for name, height in zip(long, spread_out(heights, label_gap), strict=True):
        _name(axes, name, (1.01, height), ("axes fraction", "axes fraction"), colours[name])
    for name in short:
        if name not in long:
            loads, rows = short[name]
            end = (float(loads[-1]) * 1.06, float(rows.mean(axis=0)[-1]))
            _name(axes, name, end, ("data", "data"), colours[name])
    axes.set(title=title, xlabel=x_label, ylabel=y_label)


def _name(
    axes: Axes, name: str, place: tuple[float, float], coordinates: tuple[str, str], colour: str
) -> None:
    axes.annotate(
        name,
        place,
        xycoords=coordinates,
        color=colour,
        va="center",
        fontweight="bold",
        fontsize=9.5,
        annotation_clip=False,
    )
