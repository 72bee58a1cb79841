"""Language models drawn: what each kind of language model sees, and how its cells are wired.

The wiring is drawn in the spirit of the Asimov Institute's Neural Network Zoo (Van Veen, 2016),
from which only the idea is taken: cells as coloured marks, a network as marks and arrows.
"""

import itertools
import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from softlookup.figures import style

INPUT, HIDDEN, MEMORY, OUTPUT = style.MUTED, style.BLUE, style.PURPLE, style.ORANGE

Point = tuple[float, float]
_RADIUS = 0.3


def family_tree(axes: Axes, *, title: str) -> None:
    """Draw four kinds of language model: which words each sees, and what they come through.

    Each model is a row of nine squares, the words so far, with an open one for the word to come.
    A filled square is a word that the model can use.

    Args:
        axes: where to draw.
        title: what the drawing says, as a sentence.
    """
    _blank(axes, (-0.2, 19.9), (-0.8, 9.4))
    axes.set_title(title)
    rows = (
        ("n-gram", "counts over the last few words (Shannon, 1948)", 2, style.GREEN),
        ("feed-forward", "vectors of the last few words (Bengio et al., 2003)", 4, style.PURPLE),
        ("recurrent", "every word, through one state (Mikolov et al., 2010)", 9, style.BLUE),
        ("transformer", "each word in a window, directly (Vaswani et al., 2017)", 9, style.ORANGE),
    )
    axes.text(0.0, 4.3, "estimate\nP(next word | before)\nfrom text", va="center")
    for row, (name, uses, seen, colour) in enumerate(rows):
        y = 7.9 - 2.6 * row
        _arrow(axes, (4.5, 4.3), (5.2, y), style.MUTED, rim=0.0)
        axes.text(5.4, y, name, va="center", color=colour, fontweight="bold", fontsize=10.5)
        axes.text(9.2, y - 0.9, uses, va="center", color=style.MUTED, fontsize=9)
        squares = [(9.5 + position, y) for position in range(9)]
        for position, square in enumerate(squares):
            _square(axes, square, colour, filled=position >= 9 - seen)
        target = (19.4, y)
        _square(axes, target, style.INK, filled=False)
        axes.text(*target, "?", ha="center", va="center_baseline", fontsize=9)
        if name == "recurrent":
            _chain(axes, [*squares, target], colour)
            continue
        for x, _ in squares[9 - seen :]:
            start, end = (x, y + _RADIUS), (19.4, y + _RADIUS)
            _arrow(axes, start, end, colour, bend=-0.2, width=0.9, head=5, rim=0.0)


def wiring(axes: Sequence[Axes]) -> None:
    """Draw five networks and a legend, one on each of six axes.

    Args:
        axes: six axes, in reading order.

    Raises:
        ValueError: if there are not six.
    """
    if len(axes) != 6:
        raise ValueError(f"there are {len(axes)} axes; expected 6: five networks and a legend")
    for axis in axes:
        _blank(axis, (-0.5, 6.5), (-0.4, 4.4))
    _feed_forward(axes[0])
    _recurrent(axes[1])
    _long_short_term_memory(axes[2])
    _encoder_decoder(axes[3])
    _attention(axes[4])
    _legend(axes[5])


def _feed_forward(axes: Axes) -> None:
    axes.set_title("Feed-forward: no memory", fontsize=10)
    layers = (
        [(0.9 + x, 0.4) for x in (0.0, 1.4, 2.8, 4.2)],
        [(0.9 + x, 2.0) for x in (0.0, 1.4, 2.8, 4.2)],
        [(2.3 + x, 3.6) for x in (0.0, 1.4)],
    )
    for below, above in itertools.pairwise(layers):
        for start in below:
            for end in above:
                _arrow(axes, start, end, style.MUTED, width=0.7, head=5)
    for layer, colour in zip(layers, (INPUT, HIDDEN, OUTPUT), strict=True):
        _cells(axes, layer, colour)


def _recurrent(axes: Axes) -> None:
    axes.set_title("Recurrent: a state, carried on", fontsize=10)
    steps = (0.4, 2.1, 3.8, 5.5)
    for x in steps:
        _arrow(axes, (x, 0.4), (x, 2.0), style.MUTED)
        _arrow(axes, (x, 2.0), (x, 3.6), style.MUTED)
    _chain(axes, [(x, 2.0) for x in steps], HIDDEN)
    for y, colour in ((0.4, INPUT), (2.0, HIDDEN), (3.6, OUTPUT)):
        _cells(axes, [(x, y) for x in steps], colour)


def _long_short_term_memory(axes: Axes) -> None:
    axes.set_title("LSTM: a gated memory as well", fontsize=10)
    steps = (0.4, 2.1, 3.8, 5.5)
    rows = [[(x, y) for x in steps] for y in (0.0, 1.35, 2.7, 4.05)]
    inputs, memory, state, output = rows
    for below, above in itertools.pairwise(rows):
        for start, end in zip(below, above, strict=True):
            _arrow(axes, start, end, style.MUTED)
    # The gates of a step read the state before it.
    for before, after in zip(state[:-1], memory[1:], strict=True):
        _arrow(axes, before, after, style.MUTED, width=0.8, head=6)
    _chain(axes, state, HIDDEN)
    _chain(axes, memory, MEMORY, width=2.8)
    for left, right in itertools.pairwise(memory):
        middle = (left[0] + right[0]) / 2
        axes.text(middle, 0.75, "× forget", ha="center", fontsize=8, color=MEMORY)
    _cells(axes, inputs, INPUT)
    _cells(axes, state, HIDDEN)
    _cells(axes, output, OUTPUT)
    for cell in memory:
        _square(axes, cell, MEMORY)


def _encoder_decoder(axes: Axes) -> None:
    axes.set_title("Encoder–decoder: one vector", fontsize=10)
    read, write = _two_halves(axes)
    _arrow(axes, read[-1], write[0], style.INK, width=3.0, head=14)


def _attention(axes: Axes) -> None:
    axes.set_title("Attention: every state", fontsize=10)
    read, write = _two_halves(axes)
    for source in read:
        for target in write:
            _arrow(axes, source, target, style.INK, width=0.8, head=5)


def _two_halves(axes: Axes) -> tuple[list[Point], list[Point]]:
    """An encoder that reads three tokens, and a decoder that writes three, not yet joined."""
    read, write = [(x, 1.3) for x in (0.0, 1.2, 2.4)], [(x, 2.7) for x in (3.6, 4.8, 6.0)]
    for x, y in read:
        _arrow(axes, (x, 0.0), (x, y), style.MUTED)
    for x, y in write:
        _arrow(axes, (x, y), (x, 4.0), style.MUTED)
    _cells(axes, [(x, 0.0) for x, _ in read], INPUT)
    _cells(axes, [(x, 4.0) for x, _ in write], OUTPUT)
    _chain(axes, read, HIDDEN)
    _chain(axes, write, HIDDEN)
    _cells(axes, [*read, *write], HIDDEN)
    return read, write


def _legend(axes: Axes) -> None:
    marks = (("input", INPUT), ("state", HIDDEN), ("memory", MEMORY), ("output", OUTPUT))
    for row, (name, colour) in enumerate(marks):
        y = 3.4 - 0.85 * row
        if name == "memory":
            _square(axes, (0.9, y), colour)
        else:
            _cells(axes, [(0.9, y)], colour)
        axes.text(1.6, y - 0.02, name, va="center", color=colour, fontweight="bold")
    axes.text(0.6, -0.2, "time runs to the right", color=style.MUTED, fontsize=9)


def _chain(axes: Axes, points: Sequence[Point], colour: str, width: float = 1.6) -> None:
    for start, end in itertools.pairwise(points):
        _arrow(axes, start, end, colour, width=width)


def _cells(axes: Axes, centres: Sequence[Point], colour: str) -> None:
    for centre in centres:
        axes.add_patch(Circle(centre, _RADIUS, facecolor=colour, edgecolor=style.PAPER, zorder=3))


def _square(axes: Axes, centre: Point, colour: str, *, filled: bool = True) -> None:
    corner = (centre[0] - _RADIUS, centre[1] - _RADIUS)
    face = colour if filled else style.PAPER
    axes.add_patch(
        Rectangle(corner, 2 * _RADIUS, 2 * _RADIUS, facecolor=face, edgecolor=colour, zorder=3)
    )


def _arrow(
    axes: Axes,
    start: Point,
    end: Point,
    colour: str,
    *,
    width: float = 1.2,
    bend: float = 0.0,
    head: float = 9.0,
    rim: float = _RADIUS,
    arrowstyle: str = "-|>",
) -> None:
    """An arrow from one cell's rim to another's; ``rim`` is zero for arrows between points."""
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    axes.add_patch(
        FancyArrowPatch(
            (start[0] + rim * along[0], start[1] + rim * along[1]),
            (end[0] - rim * along[0], end[1] - rim * along[1]),
            arrowstyle=arrowstyle,
            mutation_scale=head,
            color=colour,
            linewidth=width,
            connectionstyle=f"arc3,rad={bend}",
            shrinkA=0.0,
            shrinkB=0.0,
        )
    )


def _blank(axes: Axes, x: Point, y: Point) -> None:
    """An empty sheet: equal scales, neither frame nor ticks."""
    axes.set(xlim=x, ylim=y, aspect="equal")
    axes.axis("off")
