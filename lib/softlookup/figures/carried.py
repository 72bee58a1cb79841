"""One sentence carried through a layer of self-attention, from its tokens to what is read off.

The chapter on self-attention draws its trained head with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import DIVERGING, SEQUENTIAL

ASKS, ANSWERS = style.ORANGE, style.GREEN
# Black and white stand out equally from a ground of this luminance.
_READS_ON_BOTH = 0.179


@dataclass(frozen=True, eq=False)
class Steps:
    """What a head makes of one sentence, step by step; one row a token.

    Attributes:
        x: the tokens' vectors.
        query: what each token asks.
        key: what each token answers to.
        value: what each token hands over.
        scores: each query with each key, scaled.
        weights: softmax along each row of the scores.
        outputs: the weighted averages of the values.
    """

    x: Float[ndarray, "tokens d_model"]
    query: Float[ndarray, "tokens d_head"]
    key: Float[ndarray, "tokens d_head"]
    value: Float[ndarray, "tokens d_value"]
    scores: Float[ndarray, "tokens tokens"]
    weights: Float[ndarray, "tokens tokens"]
    outputs: Float[ndarray, "tokens d_value"]


def carried(
    steps: Steps,
    *,
    words: Sequence[str],
    asks: int,
    answers: int,
    read_off: Sequence[str],
    title: str,
) -> Figure:
    """Draw all steps of a head on one sentence: above X, Q, K, V; below scores, weights, Y.

    Numbers stand in the row of the token that asks and in that of the token that answers it,
    each in a frame of its own colour, so that a reader can do the sums.

    Args:
        steps: the arrays.
        words: a name for each token.
        asks: the token that is followed.
        answers: the token from which it takes most.
        read_off: what the model says at each token.
        title: the finding, as a sentence.

    Returns:
        A figure of its own, since the eight panels are of different widths.

    Raises:
        ValueError: if there is not one row and one reading a word, or a followed token does not
            exist.
    """
    if len(steps.x) != len(words):
        raise ValueError(f"x has {len(steps.x)} rows; expected {len(words)}, one a word")
    if len(read_off) != len(words):
        raise ValueError(f"there are {len(read_off)} readings; expected {len(words)}, one a word")
    for token in (asks, answers):
        if not 0 <= token < len(words):
            raise ValueError(f"token {token} does not exist; expected 0 to {len(words) - 1}")
    figure = plt.figure(figsize=(8.6, 7.2))
    grid = figure.add_gridspec(2, 1, height_ratios=(1.0, 1.14))
    above, below = figure.add_subfigure(grid[0]), figure.add_subfigure(grid[1])
    widths = [steps.x.shape[1], steps.query.shape[1], steps.key.shape[1], steps.value.shape[1]]
    x, query, key, value = above.subplots(1, 4, width_ratios=[max(w, 4) for w in widths])
    both = {asks: ASKS, answers: ANSWERS}
    _signed(x, steps.x, both, "X\nthe tokens")
    _signed(query, steps.query, {asks: ASKS}, "Q = X W$_Q$\nasks for")
    _signed(key, steps.key, {answers: ANSWERS}, "K = X W$_K$\nanswers to")
    _signed(value, steps.value, {answers: ANSWERS}, "V = X W$_V$\nhands over")
    ratios = (1.25 * len(words), 1.25 * len(words), max(steps.outputs.shape[1], 6), 3.6)
    scores, weights, outputs, said = below.subplots(1, 4, width_ratios=ratios)
    _signed(scores, steps.scores, {asks: ASKS}, "Q K$^T$ / √d$_k$\nscores")
    _table(weights, steps.weights, {asks: ASKS}, SEQUENTIAL, (0.0, 1.0), "{:.2f}")
    weights.set_title("softmax of each row\nweights", fontsize=9.5)
    _signed(outputs, steps.outputs, {asks: ASKS}, "Y = weights · V\nnew vectors")
    for axes in (scores, weights):
        axes.set_xticks(range(len(words)), words, rotation=60, ha="right", rotation_mode="anchor")
        axes.get_xticklabels()[answers].set(color=ANSWERS, fontweight="bold")
    _readings(said, read_off, asks)
    for axes in (x, query, key, value, scores, weights, outputs):
        named = axes in (x, scores)
        axes.set_yticks(range(len(words)), words if named else [""] * len(words))
        if named:
            axes.get_yticklabels()[asks].set(color=ASKS, fontweight="bold")
    x.get_yticklabels()[answers].set(color=ANSWERS, fontweight="bold")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11.5, fontweight="bold")
    return figure


def _signed(
    axes: Axes, array: Float[ndarray, "rows columns"], framed: dict[int, str], title: str
) -> None:
    """A table of numbers with a sign, its colours as wide as its largest number."""
    reach = float(np.abs(array).max())
    _table(axes, array, framed, DIVERGING, (-reach, reach), "{:.1f}")
    axes.set_title(title, fontsize=9.5)


def _table(
    axes: Axes,
    array: Float[ndarray, "rows columns"],
    framed: dict[int, str],
    colours: Colormap,
    limits: tuple[float, float],
    form: str,
) -> None:
    """Colours for all numbers, and the numbers themselves in the framed rows."""
    low, high = limits
    axes.imshow(array, cmap=colours, vmin=low, vmax=high, aspect="auto")
    axes.grid(False)
    axes.tick_params(length=0, labelsize=9)
    axes.set_xticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
    for row, colour in framed.items():
        for column, number in enumerate(array[row]):
            light = _luminance(colours((number - low) / (high - low))) > _READS_ON_BOTH
            axes.text(
                column,
                row,
                form.format(round(float(number), 2 if low == 0 else 1) + 0.0),
                ha="center",
                va="center",
                fontsize=7.5,
                color="black" if light else "white",
            )
        corner = (-0.5, row - 0.5)
        frame = Rectangle(corner, array.shape[1], 1, fill=False, ec=colour, lw=2, clip_on=False)
        axes.add_patch(frame)


def _luminance(colour: tuple[float, float, float, float]) -> float:
    """How light a colour is, from 0 to 1 (WCAG 2.2, relative luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _readings(axes: Axes, read_off: Sequence[str], asks: int) -> None:
    """What is read off, one line a token."""
    axes.set(xlim=(0, 1), ylim=(len(read_off) - 0.5, -0.5))
    axes.set_title("read off Y\nmeaning", fontsize=9.5)
    axes.axis("off")
    for row, word in enumerate(read_off):
        text = axes.text(0.0, row, word, va="center", fontsize=9)
        if row == asks:
            text.set(color=ASKS, fontweight="bold")
