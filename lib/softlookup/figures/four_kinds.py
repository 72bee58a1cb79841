"""Four workers for each kind of parallelism, and in a grid: what each holds, and what moves.

A square is the model: a row for each of four blocks, a column for each quarter of a block's
matrices. Beneath it lie the four texts of a batch. The chapter on training past one machine
runs what is drawn here.
"""

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from softlookup.figures import style

WORKERS = 4
BORROWED_BLOCK = 1  # of sharding, the block that is computed in the moment that is drawn

# In inches: from worker to worker, from kind to kind, and the side of one small square.
_STEP, _ROW, _CELL = 0.94, 1.36, 0.13
_LEFT, _WORDS = 0.62, 4.25
_SIDE = WORKERS * _CELL


@dataclass(frozen=True)
class Move:
    """Something that is sent: what, when, its colour, and whether it goes round a ring."""

    what: str
    when: str
    colour: str
    in_ring: bool = True


@dataclass(frozen=True)
class Kind:
    """One kind of parallelism.

    Attributes:
        name: of the kind, with its gist.
        keeps: whether a worker keeps a block's part at rest, by worker and block and part.
        reads: whether a worker reads a text, by worker and text.
        moves: what is sent.
        borrows: whether the workers gather a block's other parts while they compute it.
    """

    name: str
    keeps: Callable[[int, int, int], bool]
    reads: Callable[[int, int], bool]
    moves: tuple[Move, ...]
    borrows: bool = False


KINDS = (
    Kind(
        "Data parallel: the whole model, a share of the texts",
        lambda worker, block, part: True,
        lambda worker, text: text == worker,
        (
            Move(
                "gradients, summed for all",
                "once a step, in the backward\npass or after it",
                style.ORANGE,
            ),
        ),
    ),
    Kind(
        "Sharded: a part of each block (pale: borrowed), a share of the texts",
        lambda worker, block, part: part == worker,
        lambda worker, text: text == worker,
        (
            Move("weights, gathered", "before each block, forwards\nand backwards", style.BLUE),
            Move("gradients, summed backwards,", "each part at its keeper", style.ORANGE),
        ),
        borrows=True,
    ),
    Kind(
        "Tensor parallel: a part of each product, all texts",
        lambda worker, block, part: part == worker,
        lambda worker, text: True,
        (
            Move(
                "the stream, summed for all",
                "twice a block forwards; its\ngradients twice backwards",
                style.GREEN,
            ),
        ),
    ),
    Kind(
        "Pipeline: some of the blocks, all texts one after the other",
        lambda worker, block, part: block == worker,
        lambda worker, text: True,
        (
            Move(
                "the stream, handed on",
                "forwards; its gradient\ncomes back",
                style.GREEN,
                in_ring=False,
            ),
        ),
    ),
)

IN_ROW = Move(
    "within a row: the stream, summed",
    "twice a block forwards; its\ngradients twice backwards",
    style.GREEN,
)
IN_COLUMN = Move("within a column: gradients, averaged", "once a step", style.ORANGE)
GRID = Kind(
    "Two by two: half of each product, half of the texts",
    lambda worker, block, part: part // 2 == worker % 2,
    lambda worker, text: text // 2 == worker // 2,
    (IN_ROW, IN_COLUMN),
)


def four_kinds(axes: Axes, *, title: str) -> None:
    """Draw four workers for each kind, with what they hold, and what they send to each other.

    Args:
        axes: where to draw.
        title: what is seen, as a sentence.
    """
    for place, kind in enumerate(KINDS):
        bottom = -_ROW * place
        axes.text(_LEFT, bottom + 0.97, kind.name, fontsize=9.5, fontweight="bold")
        for what, height in (("weights", 0.18 + _SIDE / 2), ("texts", _CELL / 2)):
            axes.text(
                _LEFT - 0.08,
                bottom + height,
                what,
                ha="right",
                va="center",
                fontsize=8.5,
                color=style.MUTED,
            )
        for worker in range(WORKERS):
            _worker(axes, kind, worker, (_LEFT + worker * _STEP, bottom))
        _moves(axes, kind, bottom)
    for worker in range(WORKERS):
        axes.text(
            _LEFT + worker * _STEP + _SIDE / 2,
            -_ROW * (len(KINDS) - 1) - 0.16,
            f"worker {worker}",
            ha="center",
            va="center",
            fontsize=8.5,
            color=style.MUTED,
        )
    axes.set_xlim(0, 6.4)
    axes.set_ylim(-_ROW * (len(KINDS) - 1) - 0.28, 1.16)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title)


def two_by_two(axes: Axes, *, title: str) -> None:
    """Draw four workers in a grid: a row cuts the products, the rows share the texts.

    Args:
        axes: where to draw.
        title: what is seen, as a sentence.
    """
    middle, gap = 0.18 + _SIDE / 2, 0.05
    for worker in range(WORKERS):
        row, column = divmod(worker, 2)
        left, bottom = 0.1 + 1.3 * column, -1.2 * row
        _worker(axes, GRID, worker, (left, bottom))
        axes.text(
            left + _SIDE / 2,
            bottom - 0.1,
            f"worker {worker}",
            ha="center",
            va="center",
            fontsize=8.5,
            color=style.MUTED,
        )
        if column == 0:
            ends = (left + _SIDE + gap, left + 1.3 - gap)
            _both_ways(axes, [(x, bottom + middle) for x in ends], IN_ROW.colour, (0, 0.05))
        if row == 0:
            heights = (bottom - 0.17 - gap, -1.2 + 0.18 + _SIDE + gap)
            ends_of_column = [(left + _SIDE / 2, y) for y in heights]
            _both_ways(axes, ends_of_column, IN_COLUMN.colour, (0.05, 0))
    for move, height in ((IN_ROW, 0.6), (IN_COLUMN, -0.16)):
        axes.text(2.15, height, move.what, va="top", fontsize=9.5, color=move.colour)
        axes.text(2.15, height - 0.15, move.when, va="top", fontsize=9.5, color=style.MUTED)
    for height, words in ((-0.72, "each row: the whole model"), (-0.87, "each column: all texts")):
        axes.text(2.15, height, words, va="top", fontsize=9.5)
    axes.set_xlim(0, 4.2)
    axes.set_ylim(-1.4, 0.8)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title)


def _both_ways(
    axes: Axes, ends: list[tuple[float, float]], colour: str, aside: tuple[float, float]
) -> None:
    """Two arrows between two points, one there and one back, each a little aside."""
    for sign, (tail, head) in ((1, ends), (-1, ends[::-1])):
        moved = [(x + sign * aside[0], y + sign * aside[1]) for x, y in (tail, head)]
        style.arrow(axes, moved[0], moved[1], colour)


def _worker(axes: Axes, kind: Kind, worker: int, at_corner: tuple[float, float]) -> None:
    left, bottom = at_corner
    for text in range(WORKERS):
        filled = style.MUTED if kind.reads(worker, text) else style.PAPER
        _cell(axes, left + text * _CELL, bottom, filled, style.MUTED)
    for block in range(WORKERS):
        for part in range(WORKERS):
            at = (left + part * _CELL, bottom + 0.18 + (WORKERS - 1 - block) * _CELL)
            filled = style.BLUE if kind.keeps(worker, block, part) else style.PAPER
            if filled == style.PAPER and kind.borrows and block == BORROWED_BLOCK:
                filled = style.SEQUENTIAL_STOPS[1]
            _cell(axes, *at, filled, style.BLUE)


def _cell(axes: Axes, left: float, bottom: float, filled: str, edge: str) -> None:
    axes.add_patch(
        Rectangle(
            (left, bottom),
            _CELL,
            _CELL,
            facecolor=filled,
            edgecolor=edge if filled == style.PAPER else style.PAPER,
            linewidth=0.5,
            zorder=2,
        )
    )


def _moves(axes: Axes, kind: Kind, bottom: float) -> None:
    """Arrows between the workers, and beside them in words what moves, and when."""
    middle, top = bottom + 0.18 + _SIDE / 2, bottom + 0.18 + _SIDE
    line = bottom + 0.72
    for place, move in enumerate(kind.moves):
        height = middle + (0.1 if not move.in_ring else 0.1 * (len(kind.moves) - 1 - 2 * place))
        for worker in range(WORKERS - 1):
            ends = (_LEFT + worker * _STEP + _SIDE + 0.04, _LEFT + (worker + 1) * _STEP - 0.04)
            style.arrow(axes, (ends[0], height), (ends[1], height), move.colour)
            if not move.in_ring:
                style.arrow(axes, (ends[1], height - 0.2), (ends[0], height - 0.2), move.colour)
        if move.in_ring:
            shift, over = 0.12 * place, top + 0.08 + 0.07 * (len(kind.moves) - 1 - place)
            first, last = _LEFT + _SIDE / 2 + shift, _LEFT + (WORKERS - 1) * _STEP + _SIDE / 2
            across = (last - shift, last - shift, first)
            axes.plot(across, (top, over, over), color=move.colour, linewidth=1.4, zorder=1)
            style.arrow(axes, (first, over), (first, top), move.colour)
        axes.text(_WORDS, line, move.what, va="top", fontsize=9, color=move.colour)
        axes.text(_WORDS, line - 0.15, move.when, va="top", fontsize=9, color=style.MUTED)
        line -= 0.15 * (2 + move.when.count("\n")) + 0.05
