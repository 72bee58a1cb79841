"""Pictures of multi-head attention: the way through it, and which head owns which number."""

from collections.abc import Sequence

from jaxtyping import Int
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch
from numpy import ndarray

from softlookup.figures import style


def pipeline(axes: Axes, n_heads: int, *, title: str) -> None:
    """Draw the way of a token sequence through ``n_heads`` heads, from left to right.

    Args:
        axes: where to draw.
        n_heads: how many heads, from 2 to 5 (the number of colours that can be told apart).
        title: the finding, as a sentence.

    Raises:
        ValueError: if the number of heads is outside 2 to 5.
    """
    if not 2 <= n_heads <= 5:
        raise ValueError(f"n_heads is {n_heads}; expected 2 to 5, one colour each")
    middle = (n_heads - 1) / 2
    _box(axes, 0.0, middle, "$X$", style.INK, width=0.7)
    for head in range(n_heads):
        colour, number = style.PALETTE[head], head + 1
        style.arrow(axes, (0.37, middle), (0.95, head), colour, gaps=(2, 2))
        for place, letter in enumerate("QKV"):
            name = f"${letter}_{number}$"
            _box(axes, 1.3 + 0.62 * place, head, name, colour, width=0.54)
        style.arrow(axes, (2.85, head), (3.2, head), colour, gaps=(2, 2))
        lookup = rf"softmax$(Q_{number} K_{number}^\top\!/\sqrt{{d_k}})\; V_{number}$"
        _box(axes, 4.5, head, lookup, colour, width=2.55)
        style.arrow(axes, (5.8, head), (6.35, middle), colour, gaps=(2, 2))
    _box(axes, 7.0, middle, "concatenate", style.INK, width=1.25)
    style.arrow(axes, (7.65, middle), (7.95, middle), style.INK, gaps=(2, 2))
    _box(axes, 8.3, middle, "$W_O$", style.INK, width=0.65)
    style.arrow(axes, (8.65, middle), (8.95, middle), style.INK, gaps=(2, 2))
    axes.text(9.02, middle, "$Y$: one row\nfor each token", va="center", color=style.INK)
    lowest = n_heads - 1 + 0.52
    for x, words in (
        (0.0, "width $d$"),
        (1.92, "width $d/h$ each"),
        (4.5, "one distribution\nfor each token"),
        (7.0, "width $d$"),
    ):
        axes.text(x, lowest, words, ha="center", va="top", color=style.MUTED, fontsize=9)
    axes.set(xlim=(-0.5, 10.4), ylim=(n_heads - 0.02, -0.6), title=title)
    axes.axis("off")


def owners(
    axes: Axes,
    owner: Int[ndarray, "length d_model"],
    *,
    tokens: Sequence[str],
    title: str,
) -> None:
    """Colour each number of a sequence by the head that receives it.

    Args:
        axes: where to draw.
        owner: for each number, the index of its head, counted from 0.
        tokens: a name for each row.
        title: the finding, as a sentence.

    Raises:
        ValueError: if the names do not match the rows, or there are more heads than colours.
    """
    if len(tokens) != len(owner):
        raise ValueError(f"there are {len(tokens)} names and {len(owner)} rows; expected as many")
    if owner.max() >= len(style.PALETTE):
        raise ValueError(f"head {owner.max() + 1} has no colour; expected {len(style.PALETTE)}")
    for row, heads in enumerate(owner):
        for column, head in enumerate(heads):
            colour = style.PALETTE[head]
            _box(axes, column, row, str(head + 1), colour, width=0.9, height=0.8)
    axes.set_xticks(range(owner.shape[1]), [str(j + 1) for j in range(owner.shape[1])])
    axes.set_yticks(range(len(tokens)), tokens)
    axes.tick_params(length=0)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set(
        xlim=(-0.6, owner.shape[1] - 0.4),
        ylim=(len(tokens) - 0.4, -0.6),
        xlabel="number within the token",
        ylabel="token",
        title=title,
    )


def _box(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    colour: str,
    width: float = 0.8,
    height: float = 0.56,
) -> None:
    """A filled, rounded box with its text, centred on a point."""
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=colour,
            edgecolor="none",
        )
    )
    axes.text(x, y, text, ha="center", va="center", color=style.PAPER, fontsize=8.5)
