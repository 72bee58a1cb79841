"""Pictures of a circuit: a matrix between symbols or places."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import DIVERGING


def circuit(
    axes: Axes,
    matrix: Float[ndarray, "rows columns"],
    *,
    title: str,
    row_label: str,
    column_label: str,
    names: Sequence[str] = (),
    limit: float | None = None,
) -> None:
    """Draw a matrix with signs, pale at zero and deepest at the limit.

    What is not a number is left blank.

    Args:
        axes: where to draw.
        matrix: the numbers.
        title: what is seen, in a few words.
        row_label: what the rows are.
        column_label: what the columns are.
        names: a name for each row and column of a square matrix; without, they are not named.
        limit: the size of an entry that is drawn deepest, so that pictures can share a scale;
            without, that of the greatest entry.

    Raises:
        ValueError: if there are names, but not one for each row and column.
    """
    if names and matrix.shape != (len(names), len(names)):
        raise ValueError(
            f"there are {len(names)} names for a matrix of shape {matrix.shape}; expected one "
            "for each row and column, or none"
        )
    if limit is None:
        limit = float(np.nanmax(np.abs(matrix)))
    axes.imshow(matrix, cmap=DIVERGING, vmin=-limit, vmax=limit, interpolation="nearest")
    axes.grid(False)
    axes.set_xticks(range(len(names)), names, fontsize=8)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_color(style.GRID)
    axes.set_title(title, fontsize=10)
    axes.set(xlabel=column_label, ylabel=row_label)
