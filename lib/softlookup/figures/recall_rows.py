"""What each layer keeps, and what it recalls with few keys filed and with many: a row for each.

The chapter on the quadratic wall draws all its layers on this one chart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from softlookup.figures import style

ASIDE = 0.1  # how far above or below a row's middle its dots stand, in rows


@dataclass(frozen=True)
class Row:
    """What is told of one layer.

    Attributes:
        few: the share recalled with few keys, one for each run: full dots.
        many: the same with many keys: hollow dots. Empty where that was not asked.
        colour: the layer's own.
        kept: how many numbers it keeps, in words.
        cost: what it takes in time, in words.
    """

    few: Sequence[float]
    many: Sequence[float]
    colour: str
    kept: str = ""
    cost: str = ""


def recall_rows(
    axes: Axes,
    rows: Mapping[str, Row],
    *,
    title: str,
    marks: tuple[str, str],
    kept_label: str = "",
    cost_label: str = "",
    ends: tuple[float, float] = (0.0, 1.0),
) -> None:
    """Draw a row for each layer, in the order given, the first at the top.

    A thin line joins the median of the full dots to that of the hollow ones.

    Args:
        axes: where to draw.
        rows: by name.
        title: the finding, as a sentence.
        marks: what the full dots and the hollow ones stand for.
        kept_label: the heading over what is kept.
        cost_label: the heading over the times.
        ends: the least and the greatest share that the axis shows.

    Raises:
        ValueError: if there is no row, or one without full dots.
    """
    if not rows or not all(len(row.few) for row in rows.values()):
        raise ValueError("there is nothing to draw; expected rows, each with its runs")
    few, many = marks
    for place, row in enumerate(rows.values()):
        middles = [float(np.median(each)) for each in (row.few, row.many) if len(each)]
        levels = [place - ASIDE, place + ASIDE][: len(middles)]
        axes.plot(middles, levels, color=row.colour, linewidth=1.0, alpha=0.5)
        for shares, level, face in ((row.few, levels[0], row.colour), (row.many, levels[-1], None)):
            axes.plot(
                shares,
                [level] * len(shares),
                "o",
                color=row.colour,
                markerfacecolor=face or style.PAPER,
                markersize=6,
                clip_on=False,
            )
        _told(axes, -0.02, place, row.kept, row.colour, "right")
        _told(axes, 1.03, place, row.cost, style.INK, "left")
    _told(axes, -0.02, -1, kept_label, style.MUTED, "right")
    _told(axes, 1.03, -1, cost_label, style.MUTED, "left")
    _told(axes, 0.0, -1, f"●  {few}", style.INK, "left")
    _told(axes, 0.5, -1, f"○  {many}", style.INK, "left")
    axes.set_yticks(range(len(rows)), [*rows])
    for name, row in zip(axes.get_yticklabels(), rows.values(), strict=True):
        name.set_color(row.colour)
    # What is kept stands between the names and the axis.
    axes.tick_params(axis="y", length=0, pad=64 if any(row.kept for row in rows.values()) else 6)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    # The names reach far to the left of the axes, and the title begins where they do.
    axes.figure.suptitle(title, x=0.02, ha="left", fontsize=11.5, fontweight="bold")
    axes.set(xlabel="share recalled", xlim=ends, ylim=(len(rows) - 0.4, -1.4))


def _told(axes: Axes, x: float, place: float, text: str, colour: str, side: str) -> None:
    axes.annotate(
        text,
        (x, place),
        xycoords=("axes fraction", "data"),
        color=colour,
        ha=side,
        va="center",
        fontsize=9.5,
        annotation_clip=False,
    )
