"""The small pictures of which the drawing of an activation is made: cells, an image, maps and bars.

They are drawn into axes whose units are inches and whose y runs downwards; ``figures.activations``
lays them out.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from jaxtyping import Float, Int
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Rectangle
from matplotlib.textpath import TextPath
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import DIVERGING, SEQUENTIAL

# In inches.
CELL = 0.36  # from one line of cells to the next
BAR = 0.14  # from one bar to the next
CAPTION = 0.17  # for the line beneath a map or bars

_SMALLEST = 6.5  # points


@cache
def text_width(text: str, points: float, bold: bool = False) -> float:
    """The width of a text in inches."""
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    return float(TextPath((0.0, 0.0), text, size=points, prop=font).get_extents().width) / 72


def cells(tokens: Sequence[str], width: float) -> list[tuple[int, float, float]]:
    """For each token's cell its line, and there its left edge and its width, in inches."""
    found: list[tuple[int, float, float]] = []
    line, x = 0, 0.0
    for token in tokens:
        cell = max(text_width(token, 8) + 0.12, 0.24)
        if x > 0 and x + cell > width:
            line, x = line + 1, 0.0
        found.append((line, x, cell))
        x += cell
    return found


def draw_cells(
    axes: Axes,
    ids: Int[ndarray, " length"],
    tokens: Sequence[str],
    corner: tuple[float, float],
    width: float,
) -> None:
    """Draw token ids: each in a cell, its token above it."""
    for id_, token, (line, x, cell) in zip(ids, tokens, cells(tokens, width), strict=True):
        left, top = corner[0] + x, corner[1] + CELL * line
        _frame(axes, (left, top, cell, 0.32))
        axes.text(left + cell / 2, top + 0.11, token, ha="center", va="center", fontsize=8)
        _small(axes, left + cell / 2, top + 0.235, str(id_), "center")


def draw_image(
    axes: Axes,
    pixels: Float[ndarray, "channels height width"],
    corner: tuple[float, float],
    height: float,
) -> None:
    """Draw an image: with three channels in colour, with one in ink."""
    shown = pixels[0] if len(pixels) == 1 else np.moveaxis(pixels, 0, -1)
    box = (*corner, height * shown.shape[1] / shown.shape[0], height)
    _show(axes, shown, box, "gray_r")


def draw_map(
    axes: Axes, rows: Float[ndarray, "length width"], box: tuple[float, float, float, float]
) -> None:
    """Draw numbers with a sign as a heat map, and beneath it how far its colours reach.

    They reach as far as 99 of 100 numbers; the others have the strongest colour.
    """
    limit = float(np.quantile(np.abs(rows), 0.99))
    _show(axes, rows, box, DIVERGING, (-limit, limit))
    _caption(axes, box, f"±{limit:.2g}")


def draw_weights(
    axes: Axes, weights: Float[ndarray, "queries keys"], box: tuple[float, float, float, float]
) -> None:
    """Draw attention weights, and beneath them how far their colours reach."""
    most = float(weights.max())
    _show(axes, weights, box, SEQUENTIAL, (0.0, most))
    x, y, _, height = box
    _small(axes, x + 0.04, y + height + CAPTION / 2, f"0 to {most:.2g}", "left")


def draw_row_names(
    axes: Axes, names: Sequence[str], box: tuple[float, float, float, float]
) -> None:
    """Name the rows of a map on its left, or as many of them as there is room for."""
    x, y, _, height = box
    row = height / len(names)
    for place in range(0, len(names), int(np.ceil(0.097 / row))):
        axes.text(
            x - 0.04,
            y + (place + 0.5) * row,
            names[place],
            ha="right",
            va="center_baseline",
            fontsize=_SMALLEST,
        )


def draw_bars(
    axes: Axes,
    scores: Float[ndarray, " choices"],
    choices: Sequence[str],
    shown: int,
    box: tuple[float, float, float, float],
    caption: str,
) -> None:
    """Draw the largest probabilities of the scores' softmax as bars, the winner with emphasis.

    The fourth number of the box is the least room for the names.
    """
    left, y, width, room = box
    odds = np.exp(scores.astype(float) - scores.max())
    probabilities = odds / odds.sum()
    best = np.argsort(-probabilities, kind="stable")[:shown]
    room = max(room, *(0.08 + text_width(choices[choice], 7.5, bold=True) for choice in best))
    x = left + room
    for place, choice in enumerate(best):
        middle, probability = y + BAR * (place + 0.5), float(probabilities[choice])
        colour, weight = (style.ORANGE, "bold") if place == 0 else (style.MUTED, "normal")
        length = (width - room - 0.36) * probability
        axes.add_patch(Rectangle((x, middle - 0.05), length, 0.1, color=colour))
        for place_x, text, side in (
            (x - 0.04, choices[choice], "right"),
            (x + length + 0.04, f"{probability:.2f}", "left"),
        ):
            axes.text(
                place_x,
                middle,
                text,
                ha=side,
                va="center_baseline",
                fontsize=7.5,
                color=colour,
                fontweight=weight,
            )
    _caption(axes, (left, y, width, BAR * len(best)), caption)


def draw_key(axes: Axes, corner: tuple[float, float], width: float, attends: bool) -> float:
    """Say what rows, columns and colours of maps mean; return where the key ends."""
    x, y = corner
    meanings = [
        (DIVERGING, "vectors, a row for each token: from −limit over 0 to +limit, the ± beneath")
    ]
    if attends:
        meanings.append(
            (SEQUENTIAL, "attention weights, mean of the heads: a row asks, a column answers")
        )
    for colours, meaning in meanings:
        _show(axes, np.linspace(0.0, 1.0, 61)[None], (x, y, 0.5, 0.1), colours)
        for line in _wrapped(meaning, width - 0.58):
            axes.text(x + 0.58, y + 0.05, line, va="center", fontsize=7.5, color=style.MUTED)
            y += 0.15
        y += 0.05
    return y


def _wrapped(text: str, width: float) -> list[str]:
    """The lines of a text that is at most so wide."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, 7.5) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _show(
    axes: Axes,
    values: ndarray,
    box: tuple[float, float, float, float],
    colours: Colormap | str,
    limits: tuple[float, float] | tuple[None, None] = (None, None),
) -> None:
    x, y, width, height = box
    axes.imshow(
        values,
        cmap=colours,
        vmin=limits[0],
        vmax=limits[1],
        extent=(x, x + width, y + height, y),
        aspect="auto",
        # Where there are more numbers than dots, they are averaged; else each keeps its edges.
        interpolation="nearest" if values.shape[1] < 100 * width else "antialiased",
    )
    _frame(axes, box)


def _frame(axes: Axes, box: tuple[float, float, float, float]) -> None:
    x, y, width, height = box
    axes.add_patch(
        Rectangle((x, y), width, height, fill=False, edgecolor=style.MUTED, linewidth=0.6)
    )


def _caption(axes: Axes, box: tuple[float, float, float, float], text: str) -> None:
    x, y, width, height = box
    _small(axes, x + width, y + height + CAPTION / 2, text, "right")


def _small(axes: Axes, x: float, y: float, text: str, side: str) -> None:
    axes.text(x, y, text, ha=side, va="center", fontsize=7, color=style.MUTED)
