"""Translators side by side: how many words each finds, and how often two in a row can follow.

The chapter on encoder and decoder draws a dictionary, the nearest sentence and the Transformer.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style

_MARKERS = "osD^vP"


def words_and_fluency(
    axes: Axes,
    translators: Mapping[str, Sequence[tuple[float, float]] | Float[ndarray, "runs 2"]],
    *,
    title: str,
    x_label: str,
    y_label: str,
) -> None:
    """Draw each translator as a mark for each of its runs, with its name above or beneath.

    Args:
        axes: where to draw.
        translators: by name, for each run the share of words found and the share of neighbours
            that are the language's, both from 0 to 1.
        title: the finding, as a sentence.
        x_label: what is along x.
        y_label: what is along y.

    Raises:
        ValueError: if a share is not from 0 to 1.
    """
    drawn = {
        name: np.asarray(runs, dtype=float).reshape(-1, 2) for name, runs in translators.items()
    }
    for index, (name, points) in enumerate(drawn.items()):
        if not ((points >= 0) & (points <= 1)).all():
            raise ValueError(f"{name} has the shares {points.tolist()}; expected 0 to 1")
        colour = style.PALETTE[index % len(style.PALETTE)]
        axes.plot(*points.T, _MARKERS[index % len(_MARKERS)], color=colour, markersize=9)
        centre = points.mean(axis=0)
        away = [other.mean(axis=0) - centre for rival, other in drawn.items() if rival != name]
        # Where somebody stands close above, the name goes beneath.
        below = any(abs(x) < 0.35 and 0 < y < 0.25 for x, y in away)
        axes.annotate(
            name,
            (centre[0], points[:, 1].min() if below else points[:, 1].max()),
            xytext=(0, -10 if below else 10),
            textcoords="offset points",
            ha="center",
            va="top" if below else "bottom",
            color=colour,
            fontsize=10,
            fontweight="bold",
        )
    axes.set(xlim=(0, 1.05), ylim=(0, 1.15), title=title, xlabel=x_label, ylabel=y_label)
    axes.set_xticks((0, 0.25, 0.5, 0.75, 1))
    axes.set_yticks((0, 0.25, 0.5, 0.75, 1))
