"""GPT-2 and a model of today beside each other, with the names of their configs at the parts."""

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from softlookup.figures import style


@dataclass(frozen=True)
class DrawnModel:
    """What is written into the boxes of a model.

    Attributes:
        name: over the whole.
        reads: what enters, and the name of how much of it at most.
        layers: the name of the number of blocks.
        parts: from below to above what each box is, and under which names its config speaks of it.
        new: of these names the ones that the other config does not have.
    """

    name: str
    reads: str
    layers: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    new: frozenset[str] = frozenset()


GPT_2 = DrawnModel(
    name="GPT-2, with our names",
    reads="up to max_length tokens",
    layers="n_layers",
    parts=(
        ("token table + position table", ("vocab_size", "d_model")),
        ("LayerNorm", ()),
        ("attention, keys and values per head", ("n_heads",)),
        ("LayerNorm", ()),
        ("two matrices, GELU between", ()),
        ("LayerNorm", ()),
        ("output: the token table again", ()),
    ),
)
TODAY = DrawnModel(
    name="Llama 3, as its config.json has it",
    reads="up to max_position_embeddings tokens",
    layers="num_hidden_layers",
    parts=(
        ("token table", ("vocab_size", "hidden_size")),
        ("RMSNorm", ("rms_norm_eps",)),
        (
            "attention, rotary, shared keys and values",
            ("num_attention_heads", "num_key_value_heads", "rope_theta", "attention_bias"),
        ),
        ("RMSNorm", ("rms_norm_eps",)),
        ("SwiGLU: three matrices", ("hidden_act", "intermediate_size")),
        ("RMSNorm", ("rms_norm_eps",)),
        ("output: a table of its own", ("tie_word_embeddings",)),
    ),
    new=frozenset(
        {
            "rms_norm_eps",
            "num_key_value_heads",
            "rope_theta",
            "attention_bias",
            "hidden_act",
            "intermediate_size",
            "tie_word_embeddings",
        }
    ),
)

# In units of the axes: how wide a stack is, where its stream runs, where a branch's boxes begin.
_WIDTH, _STREAM, _BRANCH = 4.5, 0.35, 0.8
_APART = 0.6
_LINE = 0.27  # of text
# The bottom and the top of each box, from below to above; the middle four are on branches.
_BOXES = (
    (0.0, 0.66),
    (1.12, 1.52),
    (1.74, 2.7),
    (3.36, 3.76),
    (3.98, 4.64),
    (5.42, 5.82),
    (6.04, 6.7),
)


def two_blocks(axes: Axes, *, title: str) -> None:
    """Draw both models from below to above; names that only the newer config has are blue.

    Args:
        axes: where to draw.
        title: the finding, as a sentence.
    """
    for number, stack in enumerate((GPT_2, TODAY)):
        _stack(axes, number * (_WIDTH + _APART), stack)
    axes.set(xlim=(-0.15, 2 * _WIDTH + _APART + 0.15), ylim=(-0.6, 7.3), title=title)
    axes.set_axis_off()


def _stack(axes: Axes, left: float, stack: DrawnModel) -> None:
    stream, middle = left + _STREAM, left + (_BRANCH + _WIDTH) / 2
    axes.text(left, 7.12, stack.name, va="center", fontweight="bold")
    axes.text(left, -0.32, stack.reads, va="center", color=style.MUTED, fontsize=8.5)
    style.arrow(axes, (stream, _BOXES[0][1]), (stream, _BOXES[5][0]), style.BLUE, 3.4, layer=1)
    axes.add_patch(
        FancyBboxPatch(
            (left + 0.02, 0.82),
            _WIDTH - 0.02,
            4.38,
            boxstyle="round,pad=0,rounding_size=0.1",
            fill=False,
            edgecolor=style.MUTED,
            linestyle="--",
            linewidth=1.0,
        )
    )
    axes.text(
        left + _WIDTH - 0.1,
        5.0,
        f"one of {stack.layers} blocks",
        ha="right",
        va="center",
        color=style.MUTED,
        fontsize=8.5,
    )
    for first in (1, 3):
        (norm, norm_top), (part, part_top) = _BOXES[first : first + 2]
        leaves, returns = norm - 0.14, part_top + 0.16
        axes.plot((stream, middle), (leaves, leaves), color=style.MUTED, linewidth=1.4, zorder=1)
        style.arrow(axes, (middle, leaves), (middle, norm), style.MUTED, 1.4, layer=1)
        style.arrow(axes, (middle, norm_top), (middle, part), style.MUTED, 1.4, layer=1)
        axes.plot(
            (middle, middle, stream),
            (part_top, returns, returns),
            color=style.MUTED,
            linewidth=1.4,
            zorder=1,
        )
        axes.text(
            stream,
            returns,
            "+",
            ha="center",
            va="center",
            fontsize=9,
            fontweight="bold",
            bbox={"boxstyle": "circle,pad=0.12", "facecolor": style.PAPER, "edgecolor": style.BLUE},
            zorder=3,
        )
    style.arrow(axes, (middle, _BOXES[5][1]), (middle, _BOXES[6][0]), style.MUTED, 1.4, layer=1)
    for number, (name, keys) in enumerate(stack.parts):
        across = (_BRANCH, _WIDTH - 0.14) if 1 <= number <= 4 else (0.0, _WIDTH)
        _box(axes, left + across[0], left + across[1], *_BOXES[number], name, keys, stack.new)


def _box(
    axes: Axes,
    left: float,
    right: float,
    bottom: float,
    top: float,
    name: str,
    keys: tuple[str, ...],
    new: frozenset[str],
) -> None:
    """Draw a part: what it is, and beneath it, or beside a norm, the names of its config."""
    axes.add_patch(
        FancyBboxPatch(
            (left, bottom),
            right - left,
            top - bottom,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=style.PAPER,
            edgecolor=style.INK,
            linewidth=1.3,
            zorder=2,
        )
    )
    beside = top - bottom < 0.5
    rows = [keys[start : start + 2] for start in range(0, 0 if beside else len(keys), 2)]
    height = (bottom + top) / 2 + len(rows) * _LINE / 2
    axes.text(left + 0.12, height, name, va="center", fontsize=9, zorder=3)
    for place, row in enumerate([keys] if beside and keys else rows):
        across = left + (1.5 if beside else 0.12)
        height_of_row = height if beside else height - (place + 1) * _LINE
        for key in row:
            axes.text(
                across,
                height_of_row,
                key,
                va="center",
                family="monospace",
                fontsize=7.8,
                color=style.BLUE if key in new else style.MUTED,
                fontweight="bold" if key in new else "normal",
                zorder=3,
            )
            across += 0.088 * (len(key) + 1.5)
