"""Scores of several models, one dot for each fold or seed: what the mean of a table hides."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from softlookup.figures import style


def scores(
    axes: Axes,
    rows: Mapping[str, Sequence[float]],
    *,
    title: str,
    x_label: str,
    highlighted: Collection[str] | None = None,
    colours: Mapping[str, str] | None = None,
    counted: bool = False,
) -> None:
    """Draw a row for each model: a dot for each run, and an upright stroke at their mean.

    Args:
        axes: where to draw.
        rows: by name, from top to bottom, the scores of a model's runs.
        title: the finding, as a sentence.
        x_label: what is along x, with its unit.
        highlighted: the rows of which the title speaks, in blue; the others are grey. Without it
            each row has a colour of its own.
        colours: by name, the colour of a row, where what it shows has one throughout a chapter.
        counted: whether dots that lie on each other are counted: for scores that are whole numbers.

    Raises:
        ValueError: if there is no model, one without a score, or a highlighted or coloured one
            without a row.
    """
    if not rows or not all(len(values) for values in rows.values()):
        raise ValueError(f"rows are {dict(rows)}; expected at least one, each with its scores")
    if highlighted is not None and not set(highlighted) <= set(rows):
        raise ValueError(f"highlighted is {highlighted}; expected names among {[*rows]}")
    if strays := {*(colours or {})} - {*rows}:
        raise ValueError(f"colours are given for {sorted(strays)}; expected names among {[*rows]}")
    for place, (name, values) in enumerate(rows.items()):
        if highlighted is None:
            colour = style.PALETTE[place % len(style.PALETTE)]
        else:
            colour = style.BLUE if name in highlighted else style.MUTED
        colour = (colours or {}).get(name, colour)
        numbers = np.asarray(values, dtype=float)
        axes.plot(numbers, np.full(len(numbers), place), "o", color=colour, alpha=0.75)
        if counted:
            for value, count in zip(*np.unique(numbers, return_counts=True), strict=True):
                if count > 1:
                    axes.annotate(
                        f"×{count}",
                        (value, place),
                        (5, 2),
                        textcoords="offset points",
                        color=colour,
                        fontsize=8,
                    )
        mean = numbers.mean()
        axes.plot([mean, mean], [place - 0.28, place + 0.28], color=colour, linewidth=2.6)
    axes.set_yticks(range(len(rows)), [*rows])
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set(ylim=(len(rows) - 0.5, -0.5), title=title, xlabel=x_label)
