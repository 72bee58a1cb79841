"""Activations drawn: a picture of the values at every hook point of a model, in columns.

The chapters on GPT and the Vision Transformer draw their models with it. A column is read from
top to bottom, as a railway line with its stations. The line is the residual stream: what
attention and the feed-forward networks compute branches off and is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from matplotlib.axes import Axes

from softlookup.figures import style
from softlookup.figures.activation_pictures import CAPTION, draw_key
from softlookup.figures.single_activation import (
    BESIDE,
    HEADER,
    Activation,
    colour,
    draw_activation,
    header_height,
    names_width,
    picture_height,
)

# Measures in inches, which are the units of the axes here.
_MARGIN = 0.1
_GUTTER = 0.4  # between two columns
_LINE = 0.07  # from a column's left edge to its line
_GAP = 0.16  # between two activations


@dataclass(frozen=True)
class Column:
    """The activations of a model, or of a part of it, drawn from top to bottom.

    Attributes:
        title: whose activations they are.
        activations: in the order in which they were computed.
        tokens: a name for each token. Where an activation has fewer, the first are missing, as
            a class token is before it is put in front of the patches.
        choices: a name for each score; none where the column does not end in scores.
    """

    title: str
    activations: Sequence[Activation]
    tokens: Sequence[str]
    choices: Sequence[str] = ()


def draw_activations(axes: Axes, columns: Sequence[Column], *, title: str) -> None:
    """Draw every activation, each with its name and its shape.

    Token ids become cells, an image an image (a grey one in ink), vectors a heat map with a row
    for each token, attention its weights beside what it gave, and scores the largest of the
    probabilities, of the last token where each token has its own. The colours of a map reach
    as far as the number beneath it says; of a hundred numbers, one lies beyond. A violet line
    leads from a memory to each attention in the next column that reads it.

    Activations of the same name stand at the same height in all columns. The figure belongs to this
    drawing alone: it keeps its width, and becomes as tall as the longest column.

    Args:
        axes: the only axes of its figure.
        columns: the columns from left to right.
        title: the finding, as a sentence.

    Raises:
        ValueError: if there are no columns, if one has no activations, or if it has another
            number of names than of tokens or of scores.
    """
    if not columns or not all(column.activations for column in columns):
        raise ValueError(f"columns are {columns}; expected at least one, each with its activations")
    for column in columns:
        _require_names(column)
    figure = axes.get_figure(root=True)
    assert figure is not None
    width = figure.get_figwidth()
    column_width = (width - 2 * _MARGIN + _GUTTER) / len(columns) - _GUTTER
    lefts = [_MARGIN + place * (column_width + _GUTTER) for place in range(len(columns))]
    more_lines = 0.19 * title.count("\n")
    rows = _rows(columns)
    heights = [
        max(
            _height(activation, column, column_width) + _GAP
            for activation, column in zip(row, columns, strict=True)
            if activation is not None
        )
        for row in rows
    ]
    edges = [*accumulate(heights, initial=0.72 + more_lines)]
    axes.set_title(title, x=_MARGIN / width, y=1.0, pad=-72 * (0.27 + more_lines))
    ways = [
        [
            (activation, top)
            for activation, top in zip(way, edges, strict=False)
            if activation is not None
        ]
        for way in zip(*rows, strict=True)
    ]
    for left, column, way in zip(lefts, columns, ways, strict=True):
        axes.text(left, edges[0] - 0.17, column.title, va="center", fontweight="bold")
        _draw_line(axes, left + _LINE, way)
        for activation, top in way:
            draw_activation(
                axes, activation, column.tokens, column.choices, (left, top), column_width
            )
            if activation.role == "branch":
                end = top + _height(activation, column, column_width)
                _draw_branch(axes, left, (top, end), names_width(column.tokens))
    for left, (giver, reader) in zip(lefts[1:], pairwise(ways), strict=True):
        _draw_memory(axes, giver, reader, left)
    attends = any(
        activation.weights is not None for column in columns for activation in column.activations
    )
    height = draw_key(axes, (_MARGIN, edges[-1] + 0.08), width - 2 * _MARGIN, attends) + _MARGIN
    figure.set_layout_engine("none")
    figure.set_figheight(height)
    axes.set_position((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0.0, width), ylim=(height, 0.0))
    axes.set_axis_off()


def _require_names(column: Column) -> None:
    tokens = max(activation.shape.get("length", 0) for activation in column.activations)
    last = column.activations[-1]
    choices = [*last.shape.values()][-1] if last.role == "output" else 0
    if (len(column.tokens), len(column.choices)) != (tokens, choices):
        raise ValueError(
            f"{column.title!r} has {len(column.tokens)} names of tokens and "
            f"{len(column.choices)} of choices; expected {tokens} and {choices}"
        )


def _rows(columns: Sequence[Column]) -> list[list[Activation | None]]:
    """The activations row by row, one place for each column: what has one name shares a row."""
    waiting = [[*column.activations] for column in columns]
    rows: list[list[Activation | None]] = []
    while any(waiting):
        kinds = [[_kind(activation) for activation in activations] for activations in waiting]
        heads = [each[0] for each in kinds if each]
        # What another column has further down waits for it there.
        free = (
            head for head in heads if not any(head in each and each[0] != head for each in kinds)
        )
        kind = next(free, heads[0])
        rows.append(
            [
                activations.pop(0) if each[:1] == [kind] else None
                for activations, each in zip(waiting, kinds, strict=True)
            ]
        )
    return rows


def _kind(activation: Activation) -> str:
    return activation.role if activation.role in ("input", "output") else activation.label


def _height(activation: Activation, column: Column, width: float) -> float:
    picture = picture_height(activation, column.tokens, column.choices, width)
    return header_height(activation, width) + picture


def _draw_line(axes: Axes, x: float, way: Sequence[tuple[Activation, float]]) -> None:
    """The line, with a station for each activation that stands on it."""
    stations = [
        (activation, top + HEADER / 2) for activation, top in way if activation.role != "branch"
    ]
    for (_, start), (_, end) in pairwise(stations):
        _arrow(axes, [(x, start), (x, end)], style.BLUE, width=2.2)
    for activation, y in stations:
        axes.plot(x, y, "o", color=colour(activation), markersize=6.5, zorder=4)


def _draw_branch(axes: Axes, left: float, ends: tuple[float, float], names: float) -> None:
    """The way from the line to a branch, and from under its picture back, where it is added."""
    line, out, back = left + _LINE, ends[0] + HEADER / 2, ends[1] - CAPTION / 2
    _arrow(axes, [(line, out), (left + BESIDE - 0.05, out)], style.MUTED)
    x = left + BESIDE + names
    _arrow(axes, [(x, ends[1] - CAPTION), (x, back), (line + 0.09, back)], style.MUTED)
    axes.plot(
        line, back, "o", color=style.PAPER, markeredgecolor=style.BLUE, markersize=8.5, zorder=4
    )
    axes.plot(line, back, "+", color=style.BLUE, markersize=5, markeredgewidth=1.4, zorder=5)


def _draw_memory(
    axes: Axes,
    giver: Sequence[tuple[Activation, float]],
    reader: Sequence[tuple[Activation, float]],
    left: float,
) -> None:
    """The lines from a memory to every attention that reads it."""
    tops = {activation.name: top for activation, top in giver}
    for activation, top in reader:
        if activation.memory in tops:
            start, end = tops[activation.memory] + HEADER / 2 + 0.3, top + HEADER / 2 + 0.2
            middle = left - _GUTTER / 2
            path = [(left - _GUTTER, start), (middle, start), (middle, end)]
            _arrow(axes, [*path, (left + BESIDE - 0.05, end)], style.PURPLE, width=1.8)


def _arrow(
    axes: Axes, path: Sequence[tuple[float, float]], colour: str, width: float = 1.3
) -> None:
    axes.plot(*zip(*path, strict=True), color=colour, linewidth=width, zorder=2)
    style.arrow(axes, path[-2], path[-1], colour, width, gaps=(0, 3))
