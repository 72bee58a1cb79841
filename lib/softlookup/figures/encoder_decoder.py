"""The Transformer of 2017 drawn: two stacks, and the one road between them."""

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from softlookup.figures import style

ENCODER_PARTS = ("self-attention", "feed-forward")
DECODER_PARTS = ("masked self-attention", "cross-attention", "feed-forward")

# In units of the axes: the left edges of the two stacks, and the road between them.
_ENCODER, _ROAD, _DECODER = 0.0, 4.0, 4.9
_WIDTH = 3.4
_ROW = 0.56
_STEP = 0.3  # between two parts of a block
_GAP = 0.52  # between two blocks


def encoder_decoder(
    axes: Axes,
    *,
    n_layers: int,
    source: str,
    target_in: str,
    target_out: str,
    title: str,
) -> None:
    """Draw both stacks from below to above, with the memory's road into every decoder block.

    Each part's box ends in "+ norm": its output is added to its input, and the sum is normed.

    Args:
        axes: where to draw.
        n_layers: how many blocks each stack has.
        source: what the encoder reads.
        target_in: what the decoder reads.
        target_out: what the decoder should say.
        title: the finding, as a sentence.

    Raises:
        ValueError: if there is no layer.
    """
    if n_layers < 1:
        raise ValueError(f"n_layers is {n_layers}; expected at least 1")
    memory_leaves = _stack(axes, _ENCODER, ENCODER_PARTS, n_layers, source, "encoder")
    _stack(axes, _DECODER, DECODER_PARTS, n_layers, target_in, "decoder")
    bottom = _ROW + _GAP  # of the first block, above the embeddings
    block = len(DECODER_PARTS) * (_ROW + _STEP) - _STEP + _GAP
    top = bottom + n_layers * block
    style.arrow(
        axes, (_DECODER + _WIDTH / 2, top - _GAP), (_DECODER + _WIDTH / 2, top), width=1.8, layer=1
    )
    _box(axes, _DECODER, top, "linear, softmax", style.INK)
    style.arrow(
        axes,
        (_DECODER + _WIDTH / 2, top + _ROW),
        (_DECODER + _WIDTH / 2, top + _ROW + _GAP),
        width=1.8,
        layer=1,
    )
    axes.text(
        _DECODER + _WIDTH / 2,
        top + _ROW + _GAP + 0.08,
        target_out,
        ha="center",
        va="bottom",
        fontweight="bold",
    )

    # The memory: up from the encoder's last block, across, and into each cross-attention.
    middle = _ENCODER + _WIDTH / 2
    crossings = [bottom + layer * block + 1.5 * _ROW + _STEP for layer in range(n_layers)]
    bend = memory_leaves + 0.24
    corner = [(middle, memory_leaves), (middle, bend), (_ROAD, bend)]
    upright = [(_ROAD, min(crossings[0], bend)), (_ROAD, max(crossings[-1], bend))]
    for road in (corner, upright):
        across, up = zip(*road, strict=True)
        axes.plot(across, up, color=style.BLUE, linewidth=3.0, solid_capstyle="round", zorder=1)
    axes.text(
        middle,
        bend + 0.12,
        "memory: the last block's output",
        ha="center",
        va="bottom",
        color=style.BLUE,
        fontweight="bold",
    )
    for height in crossings:
        style.arrow(axes, (_ROAD, height), (_DECODER, height), style.BLUE, 3.0, layer=1)
        axes.text(
            (_ROAD + _DECODER) / 2 - 0.06, height + 0.08, "K, V", ha="center", color=style.BLUE
        )
        asks = height - (_ROW + _STEP) / 2
        axes.text(_DECODER + _WIDTH / 2 + 0.12, asks, "Q", va="center", color=style.INK)
    axes.set_xlim(-0.15, _DECODER + _WIDTH + 0.15)
    axes.set_ylim(-1.15, top + _ROW + _GAP + 0.55)
    axes.set_axis_off()
    axes.set_title(title)


def _stack(
    axes: Axes, left: float, parts: tuple[str, ...], n_layers: int, reads: str, name: str
) -> float:
    """Draw one stack over what it reads; return the height at which its output leaves."""
    middle = left + _WIDTH / 2
    axes.text(middle, -0.55, reads, ha="center", va="top", fontweight="bold")
    style.arrow(axes, (middle, -_GAP), (middle, 0.0), width=1.8, layer=1)
    _box(axes, left, 0.0, "embedding + positions", style.INK)
    height = _ROW
    for _ in range(n_layers):
        step = _GAP
        for part in parts:
            style.arrow(axes, (middle, height), (middle, height + step), width=1.8, layer=1)
            height += step
            colour = style.BLUE if part == "cross-attention" else style.INK
            _box(axes, left, height, part, colour, normed=True)
            height += _ROW
            step = _STEP
    axes.text(middle, -0.95, name, ha="center", va="top", color=style.MUTED)
    return height


def _box(
    axes: Axes, left: float, bottom: float, name: str, colour: str, normed: bool = False
) -> None:
    """Draw one part of a block; if it is normed, with the skip and the norm at its end."""
    axes.add_patch(
        FancyBboxPatch(
            (left, bottom + 0.03),
            _WIDTH,
            _ROW - 0.06,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=style.PAPER,
            edgecolor=colour,
            linewidth=1.4,
            zorder=2,
        )
    )
    axes.text(
        left + (0.14 if normed else _WIDTH / 2),
        bottom + _ROW / 2,
        name,
        ha="left" if normed else "center",
        va="center",
        color=colour,
        fontweight="bold" if colour == style.BLUE else "normal",
        zorder=3,
    )
    if normed:
        axes.text(
            left + _WIDTH - 0.14,
            bottom + _ROW / 2,
            "+ norm",
            ha="right",
            va="center",
            color=style.MUTED,
            zorder=3,
        )
