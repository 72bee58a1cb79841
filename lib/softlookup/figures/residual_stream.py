"""The residual stream drawn, with the parts that branch off it and are added to it."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from softlookup.figures import style

# In units of the axes: the stream runs at height 0, branches at height 1.
_BRANCH = 1.0
_GAP = 0.45
_BOX_HEIGHT = 0.56
_WIDTH_PER_LETTER = 0.145


def residual_stream(
    axes: Axes,
    parts: Sequence[str | Sequence[str]],
    *,
    title: str,
    source: str = "x",
    drain: str = "next block",
) -> None:
    """Draw a block from left to right: the stream below, its branches above.

    Args:
        axes: where to draw.
        parts: from left to right, a name for a box through which the stream itself passes, or
            a sequence of names for a branch: it leaves the stream, passes these boxes, and is
            added to the stream again.
        title: the finding, as a sentence.
        source: what enters.
        drain: where it goes.

    Raises:
        ValueError: if there are no parts, or a branch has no boxes.
    """
    if not parts or not all(parts):
        raise ValueError(f"parts are {parts!r}; expected at least one, and no empty branch")
    axes.text(-0.1, 0.0, source, ha="right", va="center", fontweight="bold", color=style.BLUE)
    place = 0.0
    for part in parts:
        if isinstance(part, str):
            place = _box(axes, place + _GAP, 0.0, part)
        else:
            place = _branch(axes, place + _GAP, part)
    end = place + 2 * _GAP
    style.arrow(axes, (0.0, 0.0), (end, 0.0), style.BLUE, 4.0, gaps=(0, 2), layer=1)
    axes.text(end + 0.1, 0.0, drain, ha="left", va="center", color=style.BLUE, fontweight="bold")
    axes.set_xlim(-0.6, end + 0.2 + len(drain) * _WIDTH_PER_LETTER)
    axes.set_ylim(-0.6, _BRANCH + 0.5)
    axes.set_axis_off()
    axes.set_title(title)


def _branch(axes: Axes, start: float, names: Sequence[str]) -> float:
    """Draw a branch that leaves the stream at a place; return the place where it is added."""
    place = start
    axes.plot((start, start), (0.0, _BRANCH), color=style.MUTED)
    for name in names:
        place = _box(axes, place + _GAP, _BRANCH, name)
    end = place + _GAP
    axes.plot((start, end), (_BRANCH, _BRANCH), color=style.MUTED, zorder=1)
    style.arrow(axes, (end, _BRANCH), (end, 0.0), width=2.0, gaps=(0, 9))
    axes.text(
        end,
        0.0,
        "+",
        ha="center",
        va="center",
        fontweight="bold",
        bbox={"boxstyle": "circle,pad=0.18", "facecolor": style.PAPER, "edgecolor": style.BLUE},
        zorder=3,
    )
    return end


def _box(axes: Axes, start: float, height: float, name: str) -> float:
    """Draw a box with a name in it; return the place where it ends."""
    width = 0.3 + len(name) * _WIDTH_PER_LETTER
    norm = "norm" in name.lower()
    axes.add_patch(
        FancyBboxPatch(
            (start, height - _BOX_HEIGHT / 2),
            width,
            _BOX_HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.1",
            facecolor="#f6e3d0" if norm else style.PAPER,
            edgecolor=style.ORANGE if norm else style.INK,
            linewidth=1.4,
            zorder=2,
        )
    )
    axes.text(
        start + width / 2,
        height,
        name,
        ha="center",
        va="center",
        color=style.ORANGE if norm else style.INK,
        fontweight="bold" if norm else "normal",
        zorder=3,
    )
    return start + width
