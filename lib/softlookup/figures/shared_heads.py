"""Heads that ask, and the heads of keys and values that answer them."""

from matplotlib.axes import Axes

from softlookup.figures import style
from softlookup.figures.heads import _box


def shared_heads(axes: Axes, n_heads: int, n_key_value_heads: int, *, title: str) -> None:
    """Draw which head of keys and values each head of queries reads: neighbours share.

    Each group has a colour; where nobody shares, all are grey.

    Args:
        axes: where to draw.
        n_heads: how many heads ask.
        n_key_value_heads: how many heads of keys and values answer; it divides the first.
        title: the finding, as a sentence.

    Raises:
        ValueError: if the shared heads do not divide the others.
    """
    if n_key_value_heads < 1 or n_heads < 1 or n_heads % n_key_value_heads:
        raise ValueError(
            f"n_heads is {n_heads} and n_key_value_heads is {n_key_value_heads}; expected the "
            "second to divide the first"
        )
    group = n_heads // n_key_value_heads
    for shared in range(n_key_value_heads):
        colour = style.PALETTE[shared % len(style.PALETTE)] if group > 1 else style.MUTED
        middle = group * shared + (group - 1) / 2
        for head in range(group * shared, group * (shared + 1)):
            axes.plot([head, middle], [1.72, 1.0], color=colour, linewidth=1.4, zorder=1)
            _box(axes, head, 2.0, "Q", colour, width=0.8)
        for height, letter in ((0.7, "K"), (0.0, "V")):
            _box(axes, middle, height, letter, colour, width=0.8)
    axes.set(xlim=(-0.7, n_heads - 0.3), ylim=(-0.5, 2.5), title=title)
    axes.axis("off")
