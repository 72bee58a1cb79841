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


def shares_by_kind(
    axes: Axes,
    kinds: Sequence[str],
    translators: Mapping[str, Sequence[Sequence[float]] | Float[ndarray, "kinds runs"]],
    *,
    title: str,
    x_label: str,
) -> None:
    """Draw a row for each kind of sentence, and in it what each translator gets right.

    Args:
        axes: where to draw.
        kinds: the kinds from top to bottom.
        translators: by name, for each kind the shares of its runs, from 0 to 1.
        title: the finding, as a sentence.
        x_label: what is along x.

    Raises:
        ValueError: if a translator has not a row of shares for each kind.
    """
    spread = np.linspace(-0.3, 0.3, len(translators)) if len(translators) > 1 else np.zeros(1)
    for index, (name, rows) in enumerate(translators.items()):
        if len(rows) != len(kinds):
            raise ValueError(f"{name} has shares for {len(rows)} kinds; expected {len(kinds)}")
        colour = style.PALETTE[index % len(style.PALETTE)]
        for place, shares in enumerate(rows):
            axes.plot(
                shares,
                np.full(len(shares), place + spread[index]),
                _MARKERS[index % len(_MARKERS)],
                color=colour,
                markersize=7,
                clip_on=False,
                label=name if place == 0 else None,
            )
    axes.set_yticks(range(len(kinds)), kinds)
    axes.set(xlim=(-0.03, 1.03), ylim=(len(kinds) - 0.5, -0.5), xlabel=x_label)
    axes.grid(axis="y", visible=False)
    # One row of names, or two where they would be wider than the axes.
    columns = len(translators) if len(translators) < 5 else -(-len(translators) // 2)
    axes.set_title(title, pad=32 if columns == len(translators) else 52)
    legend = axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.1, 1.0),
        ncols=columns,
        frameon=False,
        columnspacing=1.0,
        handletextpad=0.1,
        fontsize=10,
    )
    for text, index in zip(legend.get_texts(), range(len(translators)), strict=True):
        text.set_color(style.PALETTE[index % len(style.PALETTE)])
        text.set_fontweight("bold")
