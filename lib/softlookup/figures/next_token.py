"""The next token as bars: what sampling leaves of its distribution, and whom it surprises."""

from collections.abc import Mapping, Sequence

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
    others = f"{len(names) - shown:,} others"
    ruled_out = int((np.delete(after, first) == 0).sum())
    if 0 < ruled_out < len(names) - shown:
        said = f"{len(names) - shown - ruled_out:,} of these kept"
        axes.text(max(old[-1], new[-1]) + 0.03, shown, said, va="center", fontsize=8.5)
    labels = [*(names[token] for token in first), others] if name_tokens else []
    axes.set_yticks(rows, labels or [""] * len(rows))
    axes.set(title=title, xlim=(0.0, 0.9), xlabel="probability")
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.title.set_fontsize(10)


def surprises(
    axes: Axes,
    above: Float[ndarray, " tokens"],
    below: Float[ndarray, " tokens"],
    *,
    names: Sequence[str],
    who: tuple[str, str],
    title: str,
    notes: Mapping[tuple[int, int], str],
    colours: tuple[str, str] = (style.BLUE, style.ORANGE),
) -> None:
    """Write a text along the middle, and at each token how much it surprised each of two models.

    Args:
        axes: where to draw.
        above: the first model's surprises, in bits.
        below: the second model's; its bars hang down.
        names: the tokens, as they are written.
        who: the two models' names.
        title: the finding, as a sentence.
        notes: by the places of a first and a last token, what is written at their longest
            bar; their bars stand out, and those of the other tokens are pale.
        colours: of the first model and of the second.

    Raises:
        ValueError: if the two and the names are not equally many.
    """
    if not len(above) == len(below) == len(names):
        raise ValueError(
            f"there are {len(above)} and {len(below)} surprises for {len(names)} tokens; "
            "expected equally many"
        )
    ends = np.cumsum([len(name) + 0.8 for name in names])
    middles = ends - np.array([len(name) + 0.8 for name in names]) / 2
    highest = float(max(np.max(above), np.max(below)))
    line = 0.1 * highest  # half of the height that the text takes
    noted = {place for first, last in notes for place in range(first, last + 1)}
    pale = [place not in noted for place in range(len(names))]
    for losses, sign, colour, name in zip((above, below), (1, -1), colours, who, strict=True):
        bars = axes.bar(middles, sign * losses, 0.9, bottom=sign * line, color=colour)
        for bar, is_pale in zip(bars, pale, strict=True):
            bar.set_alpha(0.35 if is_pale else 1.0)
        side = "bottom" if sign > 0 else "top"
        place = sign * (1.25 * highest + line)
        axes.text(0, place, name, color=colour, va=side, fontweight="bold", fontsize=11)
    for middle, name in zip(middles, names, strict=True):
        axes.text(middle, 0, name, ha="center", va="center", family="monospace", fontsize=10)
    for (first, last), note in notes.items():
        longest = [float(max(losses[first : last + 1])) for losses in (above, below)]
        sign, side = (1, "bottom") if longest[0] >= longest[1] else (-1, "top")
        height = sign * (max(longest) + line + 0.04 * highest)
        middle = (middles[first] + middles[last]) / 2
        axes.text(middle, height, note, ha="center", va=side, fontsize=9)
    ticks = np.arange(0, highest, 5)
    axes.set_yticks([*(-ticks[::-1] - line), *(ticks + line)])
    axes.set_yticklabels([f"{tick:.0f}" for tick in (*ticks[::-1], *ticks)])
    axes.set_xticks([])
    axes.grid(visible=False, axis="x")
    axes.spines["bottom"].set_visible(False)
    axes.set(title=title, ylabel="surprise, in bits", xlim=(-0.5, ends[-1] + 0.5))
    axes.set_ylim(-1.55 * highest, 1.55 * highest)
