"""Who stands where: each model's bits on one axis, on the text it was chosen by and on another.

The chapter on the next word draws with it what was chosen on one text and tested on another.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from softlookup.figures import style

Runs = Sequence[float]

# Where the two columns of numbers begin, in points to the right of the axes.
FIRST, SECOND = 8, 88


def standings(
    axes: Axes,
    rows: Mapping[str, tuple[Runs, Runs]],
    *,
    colours: Mapping[str, str],
    title: str,
    x_label: str,
    marks: tuple[str, str] = ("validation", "test"),
) -> None:
    """Draw a row for each model: a filled dot on one text, a hollow one on another.

    Args:
        axes: where to draw.
        rows: by the model's name, from the top, what it measured on the first text and on the
            second, one number for each run. The mean is a dot with its number beside the axes,
            and each of several runs a small dot. Of the second text there may be none.
        colours: each model's colour, of its name and its dots.
        title: the finding, as a sentence.
        x_label: what was measured, with its unit.
        marks: the two texts, as they head the columns of numbers, if there are two.

    Raises:
        ValueError: if there are no rows, or a row has nothing of the first text.
    """
    if not rows or not all(first for first, _ in rows.values()):
        raise ValueError("there is nothing to draw; expected rows, each with a measurement")
    tested = any(second for _, second in rows.values())
    places = range(len(rows))
    for place, (name, (first, second)) in zip(places, rows.items(), strict=True):
        colour = colours[name]
        if second:
            ends = (float(np.mean(first)), float(np.mean(second)))
            axes.plot(ends, (place, place), "-", color=colour, linewidth=1, alpha=0.35)
        for runs, face, at in ((first, colour, FIRST), (second, style.PAPER, SECOND)):
            if not runs:
                continue
            if len(runs) > 1:
                axes.plot(runs, [place] * len(runs), "o", color=colour, markersize=4, alpha=0.5)
            mean = float(np.mean(runs))
            axes.plot(mean, place, "o", color=colour, markerfacecolor=face, markersize=9)
            _beside(axes, f"{mean:.2f}", at, place, colour)
    if tested:
        for mark, sign, at in zip(marks, "●○", (FIRST, SECOND), strict=True):
            _beside(axes, f"{sign} {mark}", at, -1.0, style.MUTED)
    axes.set_yticks(places, list(rows))
    for label, name in zip(axes.get_yticklabels(), rows, strict=True):
        label.set_color(colours[name])
    axes.set_ylim(len(rows) - 0.4, -1.4 if tested else -0.6)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.set(title=title, xlabel=x_label)


def _beside(axes: Axes, text: str, points: float, place: float, colour: str) -> None:
    """Write a text to the right of the axes, beside a row."""
    axes.annotate(
        text,
        (1, place),
        (points, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center",
        color=colour,
        fontsize=9,
        annotation_clip=False,
    )
