"""GPT-2 and a model of today beside each other, with the names of their configs at the parts."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
        new: of these names the ones that the other config does not have, each with the number of
            the change to which it belongs.
        changed: of the words in the boxes those that tell of a change without a name of its own
            there, each with that change's number.
        unmet: the numbers of the changes that no earlier chapter has shown.
    """

    name: str
    reads: str
    layers: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    new: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    unmet: frozenset[int] = frozenset()


GPT_2 = DrawnModel(
    name="GPT-2, with our names",
    reads="up to max_length tokens",
    layers="n_layers",
    parts=(
        ("token table + position table", ("vocab_size", "d_model")),
        ("LayerNorm", ()),
        ("attention: each head its own keys and values", ("n_heads",)),
        ("LayerNorm", ()),
        ("two matrices, GELU between", ()),
        ("LayerNorm", ()),
        ("output: the token table again", ()),
    ),
)
NORMED = "in Qwen3: queries and keys normed"
TODAY = DrawnModel(
    name="Llama 3, as its config.json has it",
    reads="up to max_position_embeddings tokens",
    layers="num_hidden_layers",
    parts=(
        ("token table alone", ("vocab_size", "hidden_size")),
        ("RMSNorm", ("rms_norm_eps",)),
        (
            "attention: rotary, shared keys and values",
            (
                "rope_theta",
                "num_key_value_heads",
                "attention_bias",
                "num_attention_heads",
                NORMED,
            ),
        ),
        ("RMSNorm", ()),
        ("SwiGLU: three matrices", ("hidden_act", "intermediate_size")),
        ("RMSNorm", ()),
        ("output: a table of its own", ("tie_word_embeddings",)),
    ),
    new={
        "rope_theta": 1,
        "rms_norm_eps": 2,
        "hidden_act": 3,
        "intermediate_size": 3,
        "attention_bias": 4,
        "num_key_value_heads": 5,
        "tie_word_embeddings": 7,
    },
    changed={"token table alone": 1, "RMSNorm": 2, NORMED: 6},
    unmet=frozenset({5, 6, 7}),
)
# Pale enough for blue and grey words on it.
_FILLED = "#eaf3f9"

# In units of the axes: how wide a stack is, where its stream runs, where a branch's boxes begin.
_WIDTH, _STREAM, _BRANCH = 4.5, 0.35, 0.8
_APART = 0.6
_LINE = 0.27  # of text
# The bottom and the top of each box, from below to above; the middle four are on branches.
_BOXES = (
    (0.0, 0.66),
    (1.12, 1.52),
    (1.74, 2.98),
    (3.64, 4.04),
    (4.26, 4.92),
    (5.7, 6.1),
    (6.32, 6.98),
)


def two_blocks(axes: Axes, *, title: str) -> None:
    """Draw both models from below to above; what has changed in the newer is blue and numbered.

    The boxes with a change that no earlier chapter has shown are filled.

    Args:
        axes: where to draw.
        title: the finding, as a sentence.
    """
    for number, stack in enumerate((GPT_2, TODAY)):
        _stack(axes, number * (_WIDTH + _APART), stack)
    axes.set(xlim=(-0.15, 2 * _WIDTH + _APART + 0.15), ylim=(-0.6, 7.58), title=title)
    axes.set_axis_off()


def _stack(axes: Axes, left: float, stack: DrawnModel) -> None:
    stream, middle = left + _STREAM, left + (_BRANCH + _WIDTH) / 2
    axes.text(left, 7.4, stack.name, va="center", fontweight="bold")
    axes.text(left, -0.32, stack.reads, va="center", color=style.MUTED, fontsize=8.5)
    style.arrow(axes, (stream, _BOXES[0][1]), (stream, _BOXES[5][0]), style.INK, 3.4, layer=1)
    axes.add_patch(
        FancyBboxPatch(
            (left + 0.02, 0.82),
            _WIDTH - 0.02,
            4.66,
            boxstyle="round,pad=0,rounding_size=0.1",
            fill=False,
            edgecolor=style.MUTED,
            linestyle="--",
            linewidth=1.0,
        )
    )
    axes.text(
        left + _WIDTH - 0.1,
        5.28,
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
            bbox={"boxstyle": "circle,pad=0.12", "facecolor": style.PAPER, "edgecolor": style.INK},
            zorder=3,
        )
    style.arrow(axes, (middle, _BOXES[5][1]), (middle, _BOXES[6][0]), style.MUTED, 1.4, layer=1)
    for number in range(len(_BOXES)):
        across = (_BRANCH, _WIDTH - 0.14) if 1 <= number <= 4 else (0.0, _WIDTH)
        _box(axes, left + across[0], left + across[1], number, stack)


def _box(axes: Axes, left: float, right: float, number: int, stack: DrawnModel) -> None:
    """Draw a part: what it is, and beneath it, or beside a norm, the names of its config."""
    (bottom, top), (words, keys) = _BOXES[number], stack.parts[number]
    changes = {{**stack.new, **stack.changed}.get(each) for each in (words, *keys)}
    is_unmet = bool(changes & stack.unmet)
    axes.add_patch(
        FancyBboxPatch(
            (left, bottom),
            right - left,
            top - bottom,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=_FILLED if is_unmet else style.PAPER,
            edgecolor=style.BLUE if is_unmet else style.INK,
            linewidth=2.6 if is_unmet else 1.3,
            zorder=2,
        )
    )
    beside = top - bottom < 0.5
    rows = [keys[start : start + 2] for start in range(0, 0 if beside else len(keys), 2)]
    height = (bottom + top) / 2 + len(rows) * _LINE / 2
    axes.text(left + 0.12, height, words, va="center", fontsize=9, zorder=3)
    if words in stack.changed:
        _number(axes, left + 0.4 + 0.085 * len(words), height, stack.changed[words])
    for place, row in enumerate([keys] if beside and keys else rows):
        across = left + (1.5 if beside else 0.12)
        height_of_row = height if beside else height - (place + 1) * _LINE
        for key in row:
            change = stack.new.get(key, stack.changed.get(key))
            if change is not None and not beside:
                _number(axes, across + 0.09, height_of_row, change)
                across += 0.26
            _name(axes, across, height_of_row, key, stack)
            across += 0.088 * (len(key) + 1.5)


def _name(axes: Axes, across: float, height: float, key: str, stack: DrawnModel) -> None:
    """Write a name of the config, or words that stand among such names, in a dashed frame."""
    is_new = key in stack.new
    frame = {"boxstyle": "round,pad=0.15", "facecolor": "none", "edgecolor": style.MUTED}
    dashed = {**frame, "linestyle": "--", "linewidth": 0.8}
    axes.text(
        across,
        height,
        key,
        va="center",
        family="sans-serif" if key in stack.changed else "monospace",
        fontsize=8.5 if key in stack.changed else 7.8,
        color=style.BLUE if is_new else style.MUTED,
        fontweight="bold" if is_new else "normal",
        bbox=dashed if key in stack.changed else None,
        zorder=3,
    )


def _number(axes: Axes, across: float, height: float, change: int) -> None:
    """Write the number of a change, white on a blue disc."""
    axes.text(
        across,
        height,
        f"{change}",
        ha="center",
        va="center",
        color=style.PAPER,
        fontsize=7,
        fontweight="bold",
        bbox={"boxstyle": "circle,pad=0.22", "facecolor": style.BLUE, "edgecolor": "none"},
        zorder=3,
    )
