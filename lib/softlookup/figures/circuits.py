"""Pictures of a circuit: a matrix between symbols or places, and how far heads compose."""

from collections.abc import Mapping, Sequence

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
) -> None:
    """Draw a matrix with signs, pale at zero and as deep as its greatest entry allows.

    What is not a number is left blank.

    Args:
        axes: where to draw.
        matrix: the numbers.
        title: what is seen, in a few words.
        row_label: what the rows are.
        column_label: what the columns are.
        names: a name for each row and column of a square matrix; without, they are not named.

    Raises:
        ValueError: if there are names, but not one for each row and column.
    """
    if names and matrix.shape != (len(names), len(names)):
        raise ValueError(
            f"there are {len(names)} names for a matrix of shape {matrix.shape}; expected one "
            "for each row and column, or none"
        )
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


def compositions(
    axes: Axes,
    pairs: Mapping[str, Float[ndarray, "first then"]],
    *,
    chance: tuple[float, float],
    marked: tuple[int, int],
    marked_name: str,
    title: str,
) -> None:
    """Draw a row for each way to compose: a dot for each pair of heads, one pair marked.

    Args:
        axes: where to draw.
        pairs: by its name, each pair's composition; the first head's number, then the second's.
        chance: from where to where the baseline goes, which is drawn as a band.
        marked: the pair that is marked.
        marked_name: what it is called; written beside its greatest dot.
        title: the finding, as a sentence.

    Raises:
        ValueError: if there is no row, or the baseline does not rise.
    """
    low, high = chance
    if not pairs or not low <= high:
        raise ValueError(
            f"there are {len(pairs)} rows, and chance goes from {low} to {high}; expected at "
            "least one row, and the lower end first"
        )
    axes.axvspan(low, high, color=style.GRID, linewidth=0)
    ours = {}
    for place, (name, table) in enumerate(pairs.items()):
        others = np.delete(table.ravel(), np.ravel_multi_index(marked, table.shape))
        axes.plot(others, np.full(others.size, place), "o", color=style.BLUE, alpha=0.55)
        axes.plot(table[marked], place, "D", color=style.ORANGE, markersize=9)
        ours[name] = table[marked]
    place, greatest = max(enumerate(ours.values()), key=lambda each: each[1])
    axes.annotate(
        marked_name,
        (greatest, place),
        xytext=(0, 11),
        textcoords="offset points",
        ha="right",
        color=style.ORANGE,
        fontweight="bold",
    )
    axes.text((low + high) / 2, len(pairs) - 0.42, "chance", ha="center", color=style.MUTED)
    axes.set_yticks(range(len(pairs)), [*pairs])
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.set(
        ylim=(len(pairs) - 0.3, -0.6),
        xlim=(0.0, None),
        title=title,
        xlabel="composition: share of what one head writes that the other reads",
    )
