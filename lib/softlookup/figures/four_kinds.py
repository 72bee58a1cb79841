"""Four workers for each kind of parallelism, and in a grid: what each holds, and what moves.

A square is the model: a row for each of four blocks, a column for each quarter of a block's
matrices. Beneath it lie the four texts of a batch. The chapter on training past one machine
runs what is drawn here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from softlookup.figures import style

WORKERS = 4
BORROWED_BLOCK = 1  # of sharding, the block that is computed in the moment that is drawn

# In inches: from worker to worker, the side of one small square, a bar over the workers.
_STEP, _CELL, _BAR = 0.88, 0.13, 0.18
_LEFT, _WORDS = 0.72, 4.5
_SIDE, _TEXTS = WORKERS * _CELL, 0.18
_TOP = _TEXTS + _SIDE
_SMALL: dict[str, Any] = {"fontsize": 8.5, "color": style.MUTED}


@dataclass(frozen=True)
class Move:
    """Something that is sent: what, when, its colour, and whether all get what all give."""

    what: str
    when: str
    colour: str
    among_all: bool = True


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
        (Move("gradients, averaged", "once a step", style.ORANGE),),
    ),
    Kind(
        "Sharded: a part of each block, a share of the texts",
        lambda worker, block, part: part == worker,
        lambda worker, text: text == worker,
        (
            Move("weights, gathered", "before each block, both ways", style.BLUE),
            Move("gradients, averaged", "once a step", style.ORANGE),
        ),
        borrows=True,
    ),
    Kind(
        "Tensor parallel: a part of each product, all texts",
        lambda worker, block, part: part == worker,
        lambda worker, text: True,
        (Move("stream, summed", "twice a block forwards,\ntwice backwards", style.GREEN),),
    ),
    Kind(
        "Pipeline: some of the blocks, all texts one after the other",
        lambda worker, block, part: block == worker,
        lambda worker, text: True,
        (
            Move(
                "stream, handed on",
                "forwards; its gradient\ncomes back",
                style.GREEN,
                among_all=False,
            ),
        ),
    ),
)

IN_ROW = Move("stream,\nsummed", "twice a block forwards, twice backwards", style.GREEN)
IN_COLUMN = Move("gradients,\naveraged", "once a step", style.ORANGE)
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
    bottom = 0.0
    for place, kind in enumerate(KINDS):
        bars = sum(move.among_all for move in kind.moves)
        above = _TOP + 0.14 + (_BAR + 0.03) * bars
        bottom -= 0.2 + above if place else 0.0
        axes.text(_LEFT, bottom + above, kind.name, fontsize=9.5, fontweight="bold")
        names = ("weights", "texts") if place else ("4 blocks,\n4 quarters", "4 texts")
        for words, height in zip(names, (_TEXTS + _SIDE / 2, _CELL / 2), strict=True):
            axes.text(_LEFT - 0.08, bottom + height, words, ha="right", va="center", **_SMALL)
        for worker in range(WORKERS):
            _worker(axes, kind, worker, (_LEFT + worker * _STEP, bottom))
        _moves(axes, kind, bottom)
        lowest = bottom
        bottom -= 0.16
    for worker in range(WORKERS):
        middle = _LEFT + worker * _STEP + _SIDE / 2
        axes.text(middle, lowest - 0.14, f"worker {worker}", ha="center", va="center", **_SMALL)
    axes.set_xlim(0, 6.3)
    axes.set_ylim(lowest - 0.25, _TOP + 0.53)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title)


def two_by_two(axes: Axes, *, title: str) -> None:
    """Draw four workers in a grid: a row cuts the products, the rows share the texts.

    Args:
        axes: where to draw.
        title: what is seen, as a sentence.
    """
    middle, gap, across, down = _TEXTS + _SIDE / 2, 0.05, 1.7, 1.4
    for worker in range(WORKERS):
        row, column = divmod(worker, 2)
        left, bottom = 0.1 + across * column, -down * row
        _worker(axes, GRID, worker, (left, bottom))
        axes.text(
            left + _SIDE / 2, bottom - 0.1, f"worker {worker}", ha="center", va="center", **_SMALL
        )
        if column == 0:
            ends = (left + _SIDE + gap, left + across - gap)
            _both_ways(axes, [(x, bottom + middle) for x in ends], IN_ROW.colour, (0, 0.04))
            _on_arrows(axes, IN_ROW, ((ends[0] + ends[1]) / 2, bottom + middle))
        if row == 0:
            heights = (bottom - 0.17 - gap, -down + _TOP + gap)
            ends_of_column = [(left + _SIDE / 2, y) for y in heights]
            _both_ways(axes, ends_of_column, IN_COLUMN.colour, (0.04, 0))
            _on_arrows(axes, IN_COLUMN, (left + _SIDE / 2 + 0.5, sum(heights) / 2))
    axes.set_xlim(0, 0.3 + across + _SIDE + 0.35)
    axes.set_ylim(-down - 0.2, 0.8)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(title)


def _on_arrows(axes: Axes, move: Move, at: tuple[float, float]) -> None:
    """What moves, over a pair of arrows."""
    box = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 1.5}
    axes.text(
        *at, move.what, ha="center", va="center", fontsize=9, color=move.colour, bbox=box, zorder=4
    )


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
            at = (left + part * _CELL, bottom + _TEXTS + (WORKERS - 1 - block) * _CELL)
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
    """A bar over all workers, or arrows between them, and beside it in words when it moves."""
    right = _LEFT + (WORKERS - 1) * _STEP + _SIDE
    bars = sum(move.among_all for move in kind.moves)
    for place, move in enumerate(kind.moves):
        if move.among_all:
            low = bottom + _TOP + 0.08 + (_BAR + 0.03) * (bars - 1 - place)
            axes.add_patch(
                FancyBboxPatch(
                    (_LEFT, low),
                    right - _LEFT,
                    _BAR,
                    boxstyle="square,pad=0",
                    facecolor=move.colour,
                    edgecolor="none",
                    zorder=3,
                )
            )
            axes.text(
                (_LEFT + right) / 2,
                low + _BAR / 2,
                move.what,
                ha="center",
                va="center",
                fontsize=8.5,
                color=style.PAPER,
                zorder=4,
            )
            for worker in range(WORKERS):
                x = _LEFT + worker * _STEP + _SIDE / 2 + 0.12 * (place - (bars - 1) / 2)
                axes.plot((x, x), (low, bottom + _TOP), color=move.colour, linewidth=1.6, zorder=1)
        else:
            height = bottom + _TEXTS + _SIDE / 2 + 0.1
            for worker in range(WORKERS - 1):
                start = _LEFT + worker * _STEP + _SIDE + 0.04
                end = _LEFT + (worker + 1) * _STEP - 0.04
                style.arrow(axes, (start, height), (end, height), move.colour)
                style.arrow(axes, (end, height - 0.2), (start, height - 0.2), move.colour)
        # With arrows alone what moves stands here as well.
        when = move.when if move.among_all else f"{move.what}\n{move.when}"
        at = low + _BAR / 2 if move.among_all else height - 0.1
        axes.text(_WORDS, at, when, va="center", fontsize=8.5, color=move.colour)
    if kind.borrows:
        row = bottom + _TEXTS + (WORKERS - 1 - BORROWED_BLOCK + 0.5) * _CELL
        axes.text(right + 0.05, row, "borrowed", va="center", fontsize=8.5, color=style.BLUE)
