"""Attention by blocks, amid its work: which blocks are done, and a query's maximum so far."""

from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy import ndarray

from softlookup.figures import style

State = Literal["done", "now", "waiting", "never"]
_LOOKS: dict[State, dict[str, object]] = {
    "done": {"facecolor": "#9cc9e3", "edgecolor": style.PAPER},
    "now": {"facecolor": style.BLUE, "edgecolor": style.PAPER},
    "waiting": {"facecolor": style.PAPER, "edgecolor": style.MUTED},
    "never": {"facecolor": "none", "edgecolor": style.GRID, "hatch": "////"},
}
_WORDS: dict[State, tuple[str, str]] = {
    "done": ("done", style.INK),
    "now": ("now", style.PAPER),
    "waiting": ("later", style.MUTED),
    "never": ("never", style.MUTED),
}


def tiles(
    axes: Axes,
    done: int,
    blocks: int,
    *,
    title: str,
) -> list[list[State]]:
    """Draw the square of queries and keys, cut into blocks, under a causal rule.

    Row after row, from the left to the diagonal, is gone through; what lies wholly in the future
    never is. The first block of each kind says what it is.

    Args:
        axes: where to draw.
        done: how many blocks were gone through; the next one is at work.
        blocks: how many blocks the queries are cut into, and the keys.
        title: what is seen.

    Returns:
        For each block of queries, and for each of keys, what it is drawn as.
    """
    states: list[list[State]] = []
    named: set[State] = set()
    count = 0
    for row in range(blocks):
        states.append([])
        for column in range(blocks):
            state: State = "never"
            if column <= row:
                state = "done" if count < done else "now" if count == done else "waiting"
                count += 1
            states[-1].append(state)
            corner = (column + 0.06, row + 0.06)
            axes.add_patch(Rectangle(corner, 0.88, 0.88, linewidth=1.0, **_LOOKS[state]))  # type: ignore[arg-type]
            if state not in named:
                named.add(state)
                word, colour = _WORDS[state]
                middle = (column + 0.5, row + 0.5)
                axes.annotate(word, middle, color=colour, ha="center", va="center", fontsize=8.5)
    axes.set(
        title=title,
        xlabel="blocks of keys",
        ylabel="blocks of queries",
        xlim=(0, blocks),
        ylim=(blocks, 0),
        xticks=[],
        yticks=[],
    )
    axes.set_aspect("equal")
    axes.grid(False)
    axes.spines[:].set_visible(False)
    return states


def running_notes(
    axes: Axes,
    scores: Float[ndarray, " keys"],
    ends: Int[ndarray, " blocks"],
    maxima: Float[ndarray, " blocks"],
    *,
    title: str,
) -> None:
    """Draw the scores of one query, block by block, with its maximum so far.

    A dot marks each key that sets a new maximum. At each border stands the factor that corrects
    the old sums for it.

    Args:
        axes: where to draw.
        scores: of each key.
        ends: behind how many keys each block ends, growing.
        maxima: the greatest score at the end of each block.
        title: what is seen.

    Raises:
        ValueError: if the last block does not end behind the last key.
    """
    if ends[-1] != scores.size:
        raise ValueError(f"the last block ends behind key {ends[-1]} of {scores.size}")
    starts = np.concatenate(([0], ends[:-1]))
    places = np.arange(scores.size) + 0.5
    axes.vlines(places, np.minimum(0.0, scores), np.maximum(0.0, scores), color=style.MUTED)
    axes.plot(places, scores, "o", color=style.MUTED, markersize=4)
    top = max(scores.max(), maxima.max())
    reach = top - scores.min()
    for start, end, maximum in zip(starts, ends, maxima, strict=True):
        axes.hlines(maximum, start, end, color=style.BLUE, linewidth=2.5)
        if end != ends[-1]:
            axes.axvline(end, color=style.GRID, linewidth=1.2)
    setters = [int(np.abs(scores - maximum).argmin()) for maximum in np.unique(maxima)]
    axes.plot(places[setters], scores[setters], "o", color=style.BLUE, markersize=7)
    for end, old, new in zip(ends, maxima, maxima[1:], strict=False):
        axes.vlines(end, old, new, color=style.BLUE, linewidth=2.5)
        axes.annotate(
            f"old sums\n× {np.exp(old - new):.2g}",
            (end - 0.02 * scores.size, max((old + new) / 2, old + 0.1 * reach)),
            ha="right",
            va="center",
            fontsize=9,
        )
    axes.annotate(
        "maximum\nso far",
        (scores.size + 0.3, maxima[-1]),
        color=style.BLUE,
        va="center",
        fontweight="bold",
        fontsize=9.5,
        annotation_clip=False,
    )
    axes.grid(False)
    axes.set(
        title=title,
        xlabel="keys, in four blocks" if len(ends) == 4 else "keys, in blocks",
        ylabel="score",
        xlim=(0, scores.size),
        ylim=(min(0.0, scores.min() - 0.08 * reach), top + 0.2 * reach),
        xticks=[],
    )
