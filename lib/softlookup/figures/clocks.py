"""Positions in pictures: rows of clocks that turn at different speeds, and tables of numbers.

The chapter on positions draws with them what the sinusoids write into a token.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Circle
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import DIVERGING


def clocks(
    axes: Axes,
    hands: Float[ndarray, "rows positions 2"],
    *,
    positions: Sequence[int],
    rows: Sequence[str],
    title: str,
    position_label: str = "position",
) -> None:
    """Draw a row of clocks for each frequency, with one clock a position.

    Args:
        axes: where to draw.
        hands: how far to the right and how far up the tip of each hand points, from -1 to 1.
        positions: the number beneath each column of clocks.
        rows: a name for each row, the first drawn on top.
        title: the finding, as a sentence.
        position_label: what the columns are.

    Raises:
        ValueError: if there is not one name a row and one number a column.
    """
    if hands.shape[:2] != (len(rows), len(positions)):
        raise ValueError(
            f"the hands have shape {hands.shape}; there are {len(rows)} names of rows and "
            f"{len(positions)} positions"
        )
    radius = 0.42
    for row, line in enumerate(hands):
        colour = style.PALETTE[row % len(style.PALETTE)]
        for column, (right, up) in enumerate(line):
            axes.add_patch(Circle((column, row), radius, fill=False, edgecolor=style.MUTED, lw=0.8))
            # Rows run downwards, so up on the clock is a smaller number.
            tip = (column + radius * right, row - radius * up)
            axes.plot([column, tip[0]], [row, tip[1]], color=colour, lw=2.2)
            axes.plot(column, row, marker="o", markersize=2.5, color=colour)
    axes.set_xticks(range(len(positions)), [str(position) for position in positions])
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.set_aspect("equal")
    axes.set(
        title=title,
        xlabel=position_label,
        xlim=(-0.55, len(positions) - 0.45),
        ylim=(len(rows) - 0.45, -0.55),
    )


def signed_table(
    axes: Axes,
    matrix: Float[ndarray, "rows columns"],
    *,
    title: str,
    row_label: str = "position",
    column_label: str = "column",
    column_names: Sequence[str] | None = None,
    numbers: str | None = None,
    scale: bool = False,
) -> None:
    """Draw numbers from -1 to 1 as colours: orange below zero, blue above, paper between.

    Args:
        axes: where to draw.
        matrix: the numbers.
        title: the finding, as a sentence.
        row_label: what the rows are, counted from 0 downwards.
        column_label: what the columns are, counted from 0.
        column_names: names for the columns in place of numbers.
        numbers: write each number in its cell, in this format, such as ``"+.1f"``.
        scale: draw the scale of the colours beside the table.

    Raises:
        ValueError: if a number lies beyond -1 or 1, or there is not one name a column.
    """
    if np.abs(matrix).max() > 1.0 + 1e-9:
        raise ValueError(f"the greatest size is {np.abs(matrix).max()}; expected at most 1")
    if column_names is not None and len(column_names) != matrix.shape[1]:
        raise ValueError(
            f"there are {len(column_names)} names for {matrix.shape[1]} columns; expected one each"
        )
    image = axes.imshow(
        matrix, cmap=DIVERGING, vmin=-1.0, vmax=1.0, aspect="auto", interpolation="nearest"
    )
    if scale and axes.figure is not None:
        axes.figure.colorbar(image, ax=axes, ticks=[-1.0, 0.0, 1.0], pad=0.02).outline.set_visible(
            False
        )
    axes.grid(False)
    axes.tick_params(length=0)
    if column_names is not None:
        axes.set_xticks(range(len(column_names)), column_names)
    if numbers is not None:
        axes.set_yticks(range(len(matrix)))
        for (row, column), number in np.ndenumerate(matrix):
            axes.text(
                column,
                row,
                format(number, numbers),
                ha="center",
                va="center",
                fontsize=8.5,
                # Only black and white leave no shade between them on which neither reads.
                color="white" if abs(number) > 0.8 else "black",
            )
    axes.set(title=title, xlabel=column_label, ylabel=row_label)
