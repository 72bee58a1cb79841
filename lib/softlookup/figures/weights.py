"""A matrix of attention weights, with its queries and keys written beside it."""

from collections.abc import Sequence

from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from numpy import ndarray

from softlookup.figures import style

SEQUENTIAL = LinearSegmentedColormap.from_list("softlookup", style.SEQUENTIAL_STOPS)
DIVERGING = LinearSegmentedColormap.from_list("softlookup-signed", style.DIVERGING_STOPS)


def weights(
    axes: Axes,
    matrix: Float[ndarray, "queries keys"],
    *,
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    query_label: str = "query",
    key_label: str = "key",
    forbidden: Bool[ndarray, "queries keys"] | None = None,
    numbers: bool | None = None,
) -> None:
    """Draw weights from 0 to 1, one row a query; forbidden places are crossed out.

    Args:
        axes: where to draw.
        matrix: the weights.
        queries: a name for each row.
        keys: a name for each column.
        title: the finding, as a sentence.
        query_label: what the rows are.
        key_label: what the columns are.
        forbidden: True where the mask forbids looking.
        numbers: write each weight in its cell; by default for up to 64 cells.

    Raises:
        ValueError: if the names do not match the matrix.
    """
    if matrix.shape != (len(queries), len(keys)):
        raise ValueError(
            f"the matrix has shape {matrix.shape}; there are {len(queries)} queries "
            f"and {len(keys)} keys"
        )
    axes.imshow(matrix, cmap=SEQUENTIAL, vmin=0.0, vmax=1.0, aspect="auto")
    axes.grid(False)
    crowded = len(keys) > 5 and max(map(len, keys)) > 2
    axes.set_xticks(
        range(len(keys)),
        keys,
        rotation=45 if crowded else 0,
        ha="right" if crowded else "center",
        rotation_mode="anchor" if crowded else "default",
    )
    axes.set_yticks(range(len(queries)), queries)
    axes.tick_params(length=0)
    for row in range(len(queries)):
        for column in range(len(keys)):
            if forbidden is not None and forbidden[row, column]:
                axes.text(column, row, "×", ha="center", va="center", color=style.MUTED)
            elif numbers or (numbers is None and matrix.size <= 64):
                weight = matrix[row, column]
                axes.text(
                    column,
                    row,
                    f"{weight:.2f}",
                    ha="center",
                    va="center",
                    fontsize=8.5,
                    # Only black and white leave no shade between them on which neither reads.
                    color="white" if weight > 0.63 else "black",
                )
    axes.set(title=title, xlabel=key_label, ylabel=query_label)
