"""Who stands where: by how much each model is ahead of one of them, on a text, in groups.

The chapter on the next word draws with it what was chosen on one text and tested on another.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from softlookup.figures import style

Runs = Sequence[float]


def standings(
    axes: Axes,
    groups: Mapping[str, Mapping[str, tuple[Runs, Runs]]],
    *,
    than: float,
    title: str,
    x_label: str,
    marks: tuple[str, str] = ("test", "validation"),
    colours: Sequence[str] = style.PALETTE,
) -> None:
    """Draw a row for each model, in groups: a dot at what it saves, and its numbers at the right.

    Args:
        axes: where to draw.
        groups: by the group's name and the model's, the measurements on the text that is drawn
            and those on another, one for each run. The mean is a dot, and each of several runs
            a small one.
        than: the measurement that lies at zero; less is better, and lies to the right.
        title: the finding, as a sentence.
        x_label: what is saved, with its unit.
        marks: the two texts, as they head the columns of numbers.
        colours: one for each group.

    Raises:
        ValueError: if there is no group, a group without rows or a row without measurements.
    """
    rows = [pair for group in groups.values() for pair in group.values()]
    if not all(groups.values()) or not rows or not all(len(e) for pair in rows for e in pair):
        raise ValueError("there is nothing to draw; expected rows, each with measurements of both")
    heights: list[float] = []
    place = 0.0
    for colour, group in zip(colours, groups.values(), strict=False):
        for drawn, beside in group.values():
            saved = [than - each for each in drawn]
            if len(saved) > 1:
                axes.plot(saved, [place] * len(saved), "o", color=colour, markersize=4, alpha=0.5)
            axes.plot(float(np.mean(saved)), place, "o", color=colour, markersize=9)
            for number, at, ink in ((drawn, 1.02, colour), (beside, 1.17, style.MUTED)):
                _beside(axes, f"{np.mean(number):.2f}", at, place, ink)
            heights.append(place)
            place += 1
        place += 0.6
    for mark, at in zip(marks, (1.02, 1.17), strict=True):
        _beside(axes, mark, at, -1.0, style.MUTED)
    axes.axvline(0.0, color=style.INK, linewidth=1, linestyle="--", zorder=1)
    axes.set_yticks(heights, [name for group in groups.values() for name in group])
    axes.set_ylim(heights[-1] + 0.7, -0.7)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.set(title=title, xlabel=x_label)


def _beside(axes: Axes, text: str, at: float, place: float, colour: str) -> None:
    """Write a text to the right of the axes, beside a row."""
    axes.annotate(
        text,
        (at, place),
        xycoords=("axes fraction", "data"),
        va="center",
        color=colour,
        fontsize=9,
        annotation_clip=False,
    )
