"""Who stands where: several models on two texts, as two marks in a row for each model.

The chapter on the next word draws with it what was chosen on one text and tested on the other.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from softlookup.figures import style


def standings(
    axes: Axes,
    rows: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    title: str,
    x_label: str,
    marks: tuple[str, str] = ("validation", "test"),
    as_given: bool = False,
) -> None:
    """Draw a row for each model, the least at the bottom: a ring and a dot, joined by a line.

    Args:
        axes: where to draw.
        rows: by name, the measurements on the first text and those on the second, one for each
            run; the mean is marked, and a bar reaches from the least to the greatest.
        title: the finding, as a sentence.
        x_label: what is measured, with its unit.
        marks: what the ring and the dot stand for.
        as_given: draw the rows in the order in which they are given, the first at the top; it
            suits changes that were made one after the other.

    Raises:
        ValueError: if there is no row, or a row has no measurement on one of the texts.
    """
    if not rows or not all(len(each) for pair in rows.values() for each in pair):
        raise ValueError("there is nothing to draw; expected rows, each with measurements of both")
    names = [*rows]
    if not as_given:
        names.sort(key=lambda name: -float(np.mean(rows[name][0])))
    for place, name in enumerate(names):
        means = [float(np.mean(each)) for each in rows[name]]
        axes.plot(means, [place, place], color=style.MUTED, linewidth=1.2, zorder=1)
        for each, mean, colour, filled in zip(
            rows[name], means, (style.ORANGE, style.BLUE), (False, True), strict=True
        ):
            axes.plot([min(each), max(each)], [place, place], color=colour, linewidth=4, alpha=0.5)
            face = colour if filled else style.PAPER
            axes.plot(mean, place, "o", color=colour, markerfacecolor=face, markersize=7)
        axes.annotate(
            f"{means[1]:.3f}",
            (1.01, place),
            xycoords=("axes fraction", "data"),
            va="center",
            color=style.BLUE,
            fontsize=9,
        )
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.set(title=title, xlabel=x_label, ylim=(len(names) - 0.4, -0.9))
    for mark, colour, at in zip(marks, (style.ORANGE, style.BLUE), (0.72, 0.9), strict=True):
        ring = "○" if colour == style.ORANGE else "●"
        axes.text(at, 0.96, f"{ring} {mark}", color=colour, transform=axes.transAxes, ha="center")
