"""The next token's distribution, drawn as bars: what sampling leaves of it."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style


def next_token(
    axes: Axes,
    before: Float[ndarray, " vocab_size"],
    after: Float[ndarray, " vocab_size"],
    *,
    names: Sequence[str],
    title: str,
    shown: int = 8,
    name_tokens: bool = True,
) -> None:
    """Draw the likeliest tokens as bars, and all others together as the last one.

    The order is that of ``before``, so that panels can be compared. An outline is what the
    token had before, a filled bar what it has after; a token that is ruled out is crossed.

    Args:
        axes: where to draw.
        before: the model's own probabilities.
        after: the probabilities that are drawn from.
        names: a name for each token.
        title: what was done to the distribution.
        shown: how many tokens get a bar of their own.
        name_tokens: whether the names are written; panels in one row need them once.

    Raises:
        ValueError: if the two and the names are not equally many, or there are not more tokens
            than are to be shown.
    """
    if not len(before) == len(after) == len(names) or not 0 < shown < len(names):
        raise ValueError(
            f"there are {len(before)} and {len(after)} probabilities for {len(names)} names, of "
            f"which {shown} are to be shown; expected equally many, and more than are shown"
        )
    first = np.argsort(-before, kind="stable")[:shown]
    rows = np.arange(shown + 1)
    old, new = ([*part[first], np.delete(part, first).sum()] for part in (before, after))
    axes.barh(rows, new, color=style.BLUE, height=0.5)
    axes.barh(rows, old, facecolor="none", edgecolor=style.INK, height=0.8, linewidth=1.1)
    for row, (was, value) in enumerate(zip(old, new, strict=True)):
        if value == 0 < was:
            axes.plot(was + 0.035, row, "x", color=style.ORANGE, markersize=6, markeredgewidth=2)
    others = f"{len(names) - shown} others"
    labels = [*(names[token] for token in first), others] if name_tokens else []
    axes.set_yticks(rows, labels or [""] * len(rows))
    axes.set(title=title, xlim=(0.0, 1.0), xlabel="probability")
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.title.set_fontsize(10)
