"""One activation drawn: its name, its shape, and the picture that suits its values.

``figures.activations`` puts activations in rows and columns, in axes whose units are inches and
whose y runs downwards; ``figures.activation_pictures`` draws the pictures.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from softlookup.figures import style
from softlookup.figures.activation_pictures import (
    BAR,
    CAPTION,
    CELL,
    cells,
    draw_bars,
    draw_cells,
    draw_image,
    draw_map,
    draw_row_names,
    draw_weights,
    text_width,
)

# In inches: from a column's left edge to an activation on the line, and to one beside it.
ON_THE_LINE = 0.24
BESIDE = 0.44
# In inches: the height of a line with an activation's name or its shape.
HEADER = 0.2

_IMAGE = 0.9  # inches
_CHOICES = 5
_COLOURS = {"input": style.INK, "stream": style.BLUE, "branch": style.MUTED, "output": style.ORANGE}


@runtime_checkable
class Activation(Protocol):
    """What is drawn; ``softlookup.inside.activations`` records such activations."""

    @property
    def name(self) -> str:
        """What other activations call it."""

    @property
    def label(self) -> str:
        """Its name in words."""

    @property
    def role(self) -> str:
        """``"input"``, ``"stream"``, ``"branch"`` or ``"output"``."""

    @property
    def shape(self) -> Mapping[str, int]:
        """The size of each axis by its name."""

    @property
    def values(self) -> ArrayLike:
        """The activation itself: an array of that shape."""

    @property
    def weights(self) -> ArrayLike | None:
        """At an attention, its weights, (heads, queries, keys)."""

    @property
    def memory(self) -> str | None:
        """At an attention into a memory, the name of the activation that is the memory."""


def colour(activation: Activation) -> str:
    """The colour that tells an activation's role."""
    return style.PURPLE if activation.memory else _COLOURS[activation.role]


def indent(activation: Activation) -> float:
    """How far to the right of its column's left edge an activation stands."""
    return BESIDE if activation.role == "branch" else ON_THE_LINE


def header_height(activation: Activation, width: float) -> float:
    """The height of an activation's name and shape in a column: one line where both fit."""
    wanted = text_width(activation.label, 9.5, bold=True) + 0.1 + text_width(_shape(activation), 8)
    return HEADER if indent(activation) + wanted <= width else 2 * HEADER - 0.03


def picture_height(
    activation: Activation, tokens: Sequence[str], choices: Sequence[str], width: float
) -> float:
    """The height of an activation's picture in a column, with the line beneath it if it has one."""
    if activation.role == "input" and "length" in activation.shape:
        return CELL * (1 + cells(tokens, width - ON_THE_LINE)[-1][0])
    if activation.role == "input":
        return _IMAGE
    if activation.role == "output":
        return BAR * min(_CHOICES, len(choices)) + CAPTION
    return _map_height(activation) + CAPTION


def names_width(tokens: Sequence[str]) -> float:
    """The room on the left of a map for the names of its rows."""
    return 0.06 + max(text_width(name, 7) for name in tokens)


def draw_activation(
    axes: Axes,
    activation: Activation,
    tokens: Sequence[str],
    choices: Sequence[str],
    corner: tuple[float, float],
    width: float,
) -> None:
    """Draw an activation in its column.

    Args:
        axes: where to draw.
        activation: the activation.
        tokens: a name for each token; the last ones name the rows of a map.
        choices: a name for each score.
        corner: the left edge of the column, and where the activation begins.
        width: the width of the column.
    """
    left, top = corner
    x, y, right = left + indent(activation), top + header_height(activation, width), left + width
    _draw_header(axes, activation, (x, top), right, y)
    values, room = np.asarray(activation.values), names_width(tokens)
    if activation.role == "input" and values.ndim == 1:
        draw_cells(axes, values, tokens, (x, y), right - x)
        return
    if activation.role == "input":
        draw_image(axes, values, (x, y), _IMAGE)
        return
    if activation.role == "output":
        caption = "softmax" if values.ndim == 1 else "softmax, last row"
        box = (x, y, right - x, room)
        draw_bars(axes, np.atleast_2d(values)[-1], choices, _CHOICES, box, caption)
        return
    start, height = x + room, _map_height(activation)
    if values.ndim == 2:
        names = tokens[len(tokens) - len(values) :]
        draw_row_names(axes, names, (start, y, 0.0, height))
    if activation.weights is not None:
        weights = np.asarray(activation.weights).mean(axis=0)
        size = min(height * weights.shape[1] / len(weights), 0.45 * (right - start))
        draw_weights(axes, weights, (start, y, size, height))
        start += size + 0.1
    draw_map(axes, np.atleast_2d(values), (start, y, right - start, height))


def _draw_header(
    axes: Axes, activation: Activation, corner: tuple[float, float], right: float, end: float
) -> None:
    """An activation's name, and its shape behind it or beneath it."""
    x, top = corner
    axes.text(
        x,
        top + HEADER / 2,
        activation.label,
        va="center",
        fontsize=9.5,
        fontweight="bold",
        color=colour(activation),
    )
    shape, behind = _shape(activation), end == top + HEADER
    axes.text(
        right if behind else x,
        end - HEADER / 2,
        shape,
        ha="right" if behind else "left",
        va="center",
        # A long shape in a narrow column is written smaller.
        fontsize=8 * min(1.0, (right - x) / text_width(shape, 8)),
        color=style.MUTED,
    )


def _shape(activation: Activation) -> str:
    return f"({', '.join(f'{axis} {size}' for axis, size in activation.shape.items())})"


def _map_height(activation: Activation) -> float:
    return min(max(0.1 * activation.shape.get("length", 1), 0.3), 1.0)
