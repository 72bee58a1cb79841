"""Who moves whom: a square of influences, with the places that a mask forbids left bare."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import SEQUENTIAL

# How dark the least influence is drawn that is not zero, from 0 to 1.
FAINTEST = 0.22


def influence(
    axes: Axes,
    matrix: Float[ndarray, "outputs inputs"],
    *,
    title: str,
    forbidden: Bool[ndarray, "outputs inputs"] | None = None,
    output_label: str = "output",
    input_label: str = "input",
    tokens: Sequence[str] | None = None,
    strongest: float | None = None,
) -> None:
    """Draw how strongly each input moves each output.

    A place without any influence at all stays the colour of paper; the least that is not zero
    is drawn visibly darker, so that "little" and "none" cannot be confused.

    Args:
        axes: where to draw.
        matrix: the influences, none below zero.
        title: the finding, or the name of the mask.
        forbidden: True where a mask forbids looking; such places get a small dot.
        output_label: what the rows are.
        input_label: what the columns are.
        tokens: names for rows and columns of a square; places counted from 1 by default.
        strongest: the influence that is drawn darkest, the same for panels that are to be
            compared; by default the matrix's own greatest.

    Raises:
        ValueError: if an influence is negative, or the names do not match the matrix.
    """
    if matrix.min() < 0:
        raise ValueError(f"the least influence is {matrix.min()}; expected none below 0")
    rows, columns = matrix.shape
    if tokens is not None and not rows == columns == len(tokens):
        raise ValueError(f"there are {len(tokens)} names for a matrix of {matrix.shape}")
    darkest = strongest or matrix.max() or 1.0
    shown = np.where(matrix > 0, FAINTEST + (1 - FAINTEST) * matrix / darkest, 0.0)
    axes.imshow(shown, cmap=SEQUENTIAL, vmin=0.0, vmax=1.0, interpolation="nearest")
    if forbidden is not None:
        for row, column in np.argwhere(forbidden):
            axes.plot(column, row, marker=".", markersize=3, color=style.MUTED)
    axes.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    axes.grid(False)
    axes.grid(True, which="minor", color=style.PAPER, linewidth=1.2, linestyle="-")
    axes.tick_params(length=0, which="both")
    if tokens is None:
        axes.set_xticks(range(columns), [str(place + 1) for place in range(columns)], fontsize=8)
        axes.set_yticks(range(rows), [str(place + 1) for place in range(rows)], fontsize=8)
    else:
        axes.set_xticks(range(columns), tokens, rotation=45, ha="right")
        axes.set_yticks(range(rows), tokens)
    # A marker at the rim would otherwise widen the axes.
    axes.set(
        title=title,
        xlabel=input_label,
        ylabel=output_label,
        xlim=(-0.5, columns - 0.5),
        ylim=(rows - 0.5, -0.5),
    )


def influence_scale(
    figure: Figure, panels: Sequence[Axes], strongest: float, *, label: str = "influence"
) -> None:
    """Say beside the panels how much influence each darkness stands for.

    Args:
        figure: where the panels are.
        panels: the squares that ``influence`` drew with one ``strongest`` for all.
        strongest: the influence that was drawn darkest.
        label: what is measured.

    Raises:
        ValueError: if ``strongest`` is not positive.
    """
    if not strongest > 0:
        raise ValueError(f"strongest is {strongest}; expected a positive number")
    colours = LinearSegmentedColormap.from_list(
        "influence", SEQUENTIAL(np.linspace(FAINTEST, 1.0, 64))
    )
    bar = figure.colorbar(
        ScalarMappable(Normalize(0.0, strongest), colours),
        ax=[*panels],
        label=label,
        shrink=0.8,
        aspect=28,
    )
    bar.outline.set_visible(False)
