"""Pictures of a model's inside: a number for each head, and what each layer would say."""

import math
from collections.abc import Sequence

from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import SEQUENTIAL


def head_scores(
    axes: Axes,
    scores: Float[ndarray, "layers heads"],
    *,
    title: str,
    limits: tuple[float, float] = (0.0, 1.0),
    digits: int = 2,
    written_from: float = -math.inf,
) -> None:
    """Draw a number for each head, one row a layer; darker is more.

    Args:
        axes: where to draw.
        scores: the numbers.
        title: the finding, as a sentence.
        limits: what is palest and what is darkest.
        digits: how many are written behind the point; of 0, nothing is written.
        written_from: the least number that is written; of smaller ones the shade is enough.

    Raises:
        ValueError: if the limits do not rise.
    """
    low, high = limits
    if not low < high:
        raise ValueError(f"limits are {limits}; expected the lower one first")
    _cells(axes, scores, limits)
    n_layers, n_heads = scores.shape
    axes.set_xticks(range(n_heads), [str(head + 1) for head in range(n_heads)])
    axes.set_yticks(range(n_layers), [str(layer + 1) for layer in range(n_layers)])
    axes.set(title=title, xlabel="head", ylabel="layer")
    if digits:
        for layer in range(n_layers):
            for head in range(n_heads):
                number = scores[layer, head]
                if number >= written_from:
                    _write(axes, head, layer, f"{number:.{digits}f}", (number - low) / (high - low))


def lens(
    axes: Axes,
    probabilities: Float[ndarray, "layers positions"],
    guesses: Sequence[Sequence[str]],
    *,
    layers: Sequence[str],
    tokens: Sequence[str],
    title: str,
) -> None:
    """Draw what each layer would say comes next at each place of a text.

    Args:
        axes: where to draw.
        probabilities: what each layer gives to its best guess.
        guesses: the best guesses, as many rows as layers.
        layers: a name for each row; the first stands at the bottom, where the text comes in.
        tokens: the text; each column is what is guessed after its token.
        title: the finding, as a sentence.

    Raises:
        ValueError: if names or guesses do not match the probabilities.
    """
    shape = (len(layers), len(tokens))
    if probabilities.shape != shape or {len(row) for row in guesses} != {shape[1]}:
        raise ValueError(
            f"there are probabilities of shape {probabilities.shape} and rows of "
            f"{sorted({len(row) for row in guesses})} guesses; expected {shape}, the layers and "
            "the tokens"
        )
    _cells(axes, probabilities, (0.0, 1.0))
    axes.invert_yaxis()
    axes.set_xticks(range(len(tokens)), tokens)
    axes.set_yticks(range(len(layers)), layers)
    axes.set(title=title, xlabel="the text; each cell guesses what follows")
    for layer, row in enumerate(guesses):
        for place, guess in enumerate(row):
            _write(axes, place, layer, guess, probabilities[layer, place])


def _cells(axes: Axes, values: ndarray, limits: tuple[float, float]) -> None:
    axes.imshow(values, cmap=SEQUENTIAL, vmin=limits[0], vmax=limits[1], aspect="auto")
    axes.grid(False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_color(style.GRID)


def _write(axes: Axes, x: float, y: float, text: str, shade: float) -> None:
    # Only black and white leave no shade between them on which neither reads.
    colour = "white" if shade > 0.63 else "black"
    axes.text(x, y, text, ha="center", va="center", fontsize=8.5, color=colour)
