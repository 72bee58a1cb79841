"""The rounds of a parallel scan: from which token each token takes, and what it then holds."""

from matplotlib.axes import Axes

from softlookup.figures import style
from softlookup.figures.heads import _box


def scan_rounds(axes: Axes, length: int, *, title: str) -> None:
    """Draw the rounds from above to below; each box says which tokens' steps it has folded.

    In each round a token takes in what stands twice as far back as in the round before; a box that
    holds all of its past is blue.

    Args:
        axes: where to draw.
        length: how many tokens.
        title: the finding, as a sentence.

    Raises:
        ValueError: if there are fewer than two tokens.
    """
    if length < 2:
        raise ValueError(f"length is {length}; expected at least 2")
    reach, row, names = 1, 0, ["each its own step"]
    _row(axes, length, reach, row)
    while reach < length:
        for token in range(length):
            above = -row - 0.24
            axes.plot([token, token], [above, -row - 0.76], color=style.GRID, zorder=1)
            if token >= reach:
                end = (token - 0.12, -row - 0.76)
                style.arrow(axes, (token - reach, above), end, style.ORANGE, layer=2)
        names.append(f"round {row + 1}: from {reach} back")
        reach, row = 2 * reach, row + 1
        _row(axes, length, reach, row)
    axes.set_yticks([-place for place in range(row + 1)], names)
    axes.set_xticks([])
    axes.tick_params(axis="y", length=0)
    axes.grid(False)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set(xlim=(-0.6, length - 0.4), ylim=(-row - 0.45, 0.45), title=title)


def _row(axes: Axes, length: int, reach: int, row: int) -> None:
    for token in range(1, length + 1):
        first = max(1, token - reach + 1)
        name = f"{token}" if first == token else f"{first}–{token}"
        _box(axes, token - 1, -row, name, style.BLUE if first == 1 else style.MUTED, width=0.66)
