"""One lookup with its numbers: a query above the keys, and an answer below the values.

The chapter on attention draws a lookup worked out by hand in this way, and one that was trained.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import DIVERGING

# The measures, in data units: a row is one unit high.
_CELL = 1.15
_STRIP = 6.0
_BAR = 3.0
_GAP = 0.5
_SCORE = 1.5
# Up to this width a vector's numbers are written into its cells; wider ones are strips of colour.
_READABLE = 6


def question_label_content(
    axes: Axes,
    *,
    asker: str,
    entries: Sequence[str],
    query: Float[ndarray, " d_head"],
    keys: Float[ndarray, "entries d_head"],
    scores: Float[ndarray, " entries"],
    weights: Float[ndarray, " entries"],
    values: Float[ndarray, "entries d_value"],
    answer: Float[ndarray, " d_value"],
    title: str,
) -> None:
    """Draw a query above the keys, and from left to right scores, weights and values.

    Each entry is a row. A score stands beside the key that was multiplied with the query, a
    weight is a bar, and the answer stands below the values of which it is the average. Signed
    numbers are coloured, orange below zero and blue above.

    Args:
        axes: where to draw.
        asker: who asks.
        entries: a name for each entry.
        query: the question.
        keys: the label of each entry.
        scores: how well each label answers the question.
        weights: the share of each entry, from 0 to 1.
        values: the content of each entry.
        answer: the average of the values.
        title: what is seen, as a sentence.

    Raises:
        ValueError: if there is not one key, score, weight and value for each entry, or the query
            is not as wide as the keys, or the answer as the values.
    """
    n_entries = len(entries)
    if not n_entries == len(keys) == len(scores) == len(weights) == len(values):
        raise ValueError(
            f"there are {n_entries} entries, {len(keys)} keys, {len(scores)} scores, "
            f"{len(weights)} weights and {len(values)} values; expected as many of each"
        )
    if query.shape != keys.shape[1:] or answer.shape != values.shape[1:]:
        raise ValueError(
            f"the query has shape {query.shape} and a key {keys.shape[1:]}, the answer has shape "
            f"{answer.shape} and a value {values.shape[1:]}; expected the same shapes"
        )
    at_score = _width(keys) + _GAP
    at_weight = at_score + _SCORE + _GAP
    at_value = at_weight + _BAR + _GAP
    end = at_value + _width(values)

    _block(axes, np.vstack([query, keys]), left=0.0, top=n_entries + 1.0, parted=True)
    _block(axes, np.vstack([values, answer]), left=at_value, top=float(n_entries), parted=False)
    axes.text(-0.25, n_entries + 0.9, asker, ha="right", va="center", fontweight="bold")
    for row, entry in enumerate(entries):
        middle = n_entries - row - 0.5
        axes.text(-0.25, middle, entry, ha="right", va="center")
        axes.text(at_score + _SCORE / 2, middle, f"{scores[row]:.2f}", ha="center", va="center")
        length = 0.55 * _BAR * float(weights[row])
        axes.add_patch(Rectangle((at_weight, middle - 0.3), length, 0.6, color=style.BLUE))
        axes.text(at_weight + length + 0.12, middle, f"{weights[row]:.2f}", va="center")

    for x, y, words, side in (
        (0.0, n_entries + 1.75, "query, with the keys below it", "left"),
        (at_score + _SCORE / 2, n_entries + 0.35, "score", "center"),
        (at_weight, n_entries + 0.35, "weight", "left"),
        (at_value, n_entries + 0.35, "values", "left"),
        (at_value - 0.25, -0.9, "answer: their weighted average", "right"),
    ):
        axes.text(x, y, words, ha=side, va="center", fontsize=9.5, color=style.MUTED)
    axes.set_xlim(-0.3 - 0.27 * max(map(len, [asker, *entries])), end + 0.2)
    axes.set_ylim(-1.5, n_entries + 2.1)
    axes.set_axis_off()
    axes.set_title(title)


def _width(rows: Float[ndarray, "rows width"]) -> float:
    """How wide a block of vectors is drawn."""
    return _CELL * rows.shape[1] if rows.shape[1] <= _READABLE else _STRIP


def _block(
    axes: Axes, rows: Float[ndarray, "rows width"], *, left: float, top: float, parted: bool
) -> None:
    """Draw vectors below one another; the first or the last stands a little apart.

    Args:
        axes: where to draw.
        rows: the vectors, the one that stands apart among them.
        left: where the block begins.
        top: its upper edge, without the gap.
        parted: the first stands apart, not the last.
    """
    n_rows, width = rows.shape
    cell = _width(rows) / width
    greatest = max(float(np.abs(rows).max()), 1e-9)
    for row in range(n_rows):
        apart = 0.4 if (row == 0 if parted else row == n_rows - 1) else 0.0
        bottom = top - row - 1 + (apart if parted else -apart)
        for column in range(width):
            number = float(rows[row, column])
            share = number / greatest
            axes.add_patch(
                Rectangle(
                    (left + cell * column, bottom + 0.1),
                    cell,
                    0.8,
                    facecolor=DIVERGING(0.5 + 0.5 * share),
                    edgecolor=style.GRID if width <= _READABLE else "none",
                    linewidth=0.8,
                )
            )
            if width <= _READABLE:
                axes.text(
                    left + cell * (column + 0.5),
                    bottom + 0.5,
                    f"{round(number, 2) + 0.0:.2f}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    # Only black and white leave no shade between them on which neither reads.
                    color="white" if abs(share) > 0.75 else "black",
                )
        if apart or width > _READABLE:
            axes.add_patch(
                Rectangle(
                    (left, bottom + 0.1),
                    cell * width,
                    0.8,
                    facecolor="none",
                    edgecolor=style.INK if apart else style.GRID,
                    linewidth=1.4 if apart else 0.8,
                )
            )
