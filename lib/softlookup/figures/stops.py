"""What two stacks hold at each stop, drawn with its shape, and the memory's road between them.

The chapter on encoder and decoder draws its translator with it: vectors as pale strips, for they
keep their width, and attention weights larger, for their shapes are what differs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import DIVERGING, SEQUENTIAL

# In inches, which are the units of the axes here.
_LEFTS = (0.85, 5.35)  # of the two stacks, with room for a map's words before them
_WIDTH = 2.9
_FIRST = 1.3
_HEADER, _STRIP, _CELL, _GAP = 0.22, 0.42, 0.125, 0.12
_ROAD = 4.35


@dataclass(frozen=True)
class Stop:
    """What a stack holds at one place.

    Attributes:
        name: what it is.
        values: vectors, a row for each token; or attention weights, a row for each that asks.
        note: what is to be seen in the weights.
        weights: whether the values are attention weights.
        asks_memory: whether they are weights over what the first stack read.
    """

    name: str
    values: Float[ndarray, "rows columns"]
    note: str = ""
    weights: bool = False
    asks_memory: bool = False


def two_stacks(
    axes: Axes,
    stacks: tuple[Sequence[Stop], Sequence[Stop]],
    *,
    names: tuple[str, str],
    tokens: tuple[Sequence[str], Sequence[str]],
    said: str,
    title: str,
    left_out: str = "",
) -> None:
    """Draw two stacks side by side; the last stop of the first is the second one's memory.

    The last stops of both stand at one height. The figure belongs to this drawing alone: it keeps
    its width, and becomes as tall as the second stack.

    Args:
        axes: the only axes of its figure.
        stacks: the stops of each stack, from top to bottom.
        names: what the stacks are called.
        tokens: what each of them reads.
        said: what the second stack ends with, in a line beneath it.
        title: the finding, as a sentence.
        left_out: what is not drawn of the first stack, behind its last stop but one.

    Raises:
        ValueError: if a stop has another number of rows than its stack has tokens.
    """
    for stops, read in zip(stacks, tokens, strict=True):
        for stop in stops:
            if len(stop.values) != len(read):
                raise ValueError(
                    f"{stop.name!r} has {len(stop.values)} rows; its stack reads {len(read)} tokens"
                )
    heights = [[*_tops(stops)] for stops in stacks]
    last = max(tops[-1] for tops in heights)
    for tops in heights:
        tops[-1] = last
    for left, name, read, stops, tops in zip(_LEFTS, names, tokens, stacks, heights, strict=True):
        axes.text(left, 0.6, name, fontweight="bold", fontsize=12, va="center")
        _bold(axes, left, 0.85, f"{len(read)} token ids")
        axes.text(left, 1.06, " ".join(read), fontsize=8, va="center")
        for stop, top in zip(stops, tops, strict=True):
            _draw(axes, stop, read, (left, top), memory=stops is stacks[0] and top == last)
    below = last + _HEADER + _STRIP + 0.3
    _quiet(axes, _LEFTS[1], below, said, style.INK)
    key = "vectors: orange below zero, blue above\nweights: the darker, the larger"
    _quiet(axes, _LEFTS[0], below, key)
    before, stop = heights[0][-2], stacks[0][-2]
    behind = before + _HEADER + _height(stop) + 0.4
    _quiet(axes, _LEFTS[0], behind, left_out)
    readers = [
        top + _HEADER + _height(stop) / 2
        for stop, top in zip(stacks[1], heights[1], strict=True)
        if stop.asks_memory
    ]
    memory = last + _HEADER + _STRIP / 2
    way = [_LEFTS[0] + _WIDTH + 0.05, _ROAD, _ROAD], [memory, memory, min([memory, *readers])]
    axes.plot(*way, color=style.BLUE, linewidth=3, solid_capstyle="round")
    for y in readers:
        style.arrow(axes, (_ROAD, y), (_LEFTS[1] - 0.62, y), style.BLUE, 3)
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.set_layout_engine("none")
    figure.set_figheight(below + 0.35)
    axes.set_title(title, x=0.02, y=1.0, pad=-22)
    axes.set_position((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0.0, figure.get_figwidth()), ylim=(below + 0.35, 0.0))
    axes.set_axis_off()


def _height(stop: Stop) -> float:
    return _CELL * len(stop.values) if stop.weights else _STRIP


def _tops(stops: Sequence[Stop]) -> list[float]:
    """Where each stop begins, if all stand as high as they can."""
    tops = [_FIRST]
    for stop in stops[:-1]:
        tops.append(tops[-1] + _HEADER + _height(stop) + _GAP)
    return tops


def _bold(axes: Axes, x: float, y: float, text: str, colour: str = style.INK) -> None:
    axes.text(x, y, text, fontweight="bold", fontsize=9.5, va="center", color=colour)


def _quiet(axes: Axes, x: float, y: float, text: str, colour: str = style.MUTED) -> None:
    axes.text(x, y, text, fontsize=9, va="center", color=colour)


def _draw(
    axes: Axes, stop: Stop, read: Sequence[str], corner: tuple[float, float], *, memory: bool
) -> None:
    """One stop: its name, its shape, its values, and beside weights their rows and a note."""
    (left, top), (rows, columns) = corner, stop.values.shape
    _bold(axes, left, top + 0.1, stop.name, style.BLUE if memory or stop.asks_memory else style.INK)
    shape = f"{rows} × {columns}"
    axes.text(left + _WIDTH, top + 0.1, shape, ha="right", va="center", fontweight="bold")
    y, height = top + _HEADER, _height(stop)
    width = _CELL * columns if stop.weights else _WIDTH
    box = (left, left + width, y + height, y)
    if stop.weights:
        most = float(stop.values.max())
        axes.imshow(stop.values, SEQUENTIAL, extent=box, aspect="auto", vmin=0.0, vmax=most)
        for row, word in enumerate(read):
            middle = y + _CELL * (row + 0.5)
            axes.text(left - 0.05, middle, word, ha="right", va="center", fontsize=7)
        _quiet(axes, left + width + 0.15, y + height / 2, stop.note, style.INK)
        return
    # Pale, and with every second column: a strip shows rows and a width, not single numbers.
    limit = float(np.quantile(np.abs(stop.values), 0.99))
    drawn = stop.values[:, ::2]
    axes.imshow(drawn, DIVERGING, extent=box, aspect="auto", vmin=-limit, vmax=limit, alpha=0.55)
