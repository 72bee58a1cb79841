"""One average of two values, drawn: which records a head mixes, and where a reader cuts the mix.

The chapter on multi-head attention asks two questions of one average, and draws both.
"""

from collections.abc import Sequence

from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style

# A name for what is asked first and second, in its colour.
_ASKED = (("first", style.BLUE), ("second", style.ORANGE))


def looks(
    axes: Axes,
    weights: Float[ndarray, " records"],
    *,
    asked: tuple[int, int],
    records: Sequence[str],
    title: str,
    name_records: bool = True,
) -> None:
    """Draw one head's weights as bars; the two records that were asked for are coloured.

    Args:
        axes: where to draw.
        weights: how much the head takes from each record.
        asked: the places of the record asked for first, and of the one asked for second.
        records: a name for each record.
        title: the head, or the finding.
        name_records: whether the names stand beneath the bars; the lowest of several does.

    Raises:
        ValueError: if the names do not match the weights, or a place is outside.
    """
    if len(records) != len(weights):
        raise ValueError(f"there are {len(records)} names and {len(weights)} weights")
    if not all(0 <= place < len(weights) for place in asked):
        raise ValueError(f"asked is {asked}; expected places from 0 to {len(weights) - 1}")
    colours = [style.GRID] * len(weights)
    for place, (_, colour) in zip(asked, _ASKED, strict=True):
        colours[place] = colour
    axes.bar(range(len(weights)), weights, color=colours, edgecolor=style.MUTED, linewidth=0.6)
    for place, (name, colour) in zip(asked, _ASKED, strict=True):
        axes.annotate(
            f"{name}: {weights[place]:.2f}",
            (place, weights[place]),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            color=colour,
            fontsize=9,
            fontweight="bold",
        )
    axes.grid(axis="x", visible=False)
    axes.set_xticks(range(len(weights)), records if name_records else [""] * len(weights))
    axes.tick_params(axis="x", length=0, labelsize=8.5)
    axes.set(ylim=(0, 1.18), yticks=(0, 0.5, 1), ylabel="weight")
    axes.set_title(title, fontsize=10)


def cuts(
    axes: Axes,
    along: Float[ndarray, " points"],
    margin: Float[ndarray, " points"],
    *,
    cases: Sequence[tuple[str, float, float, bool]],
    title: str,
    x_label: str,
    y_label: str,
) -> None:
    """Draw a reader's margin between two values along all their mixtures, and four real cases.

    Args:
        axes: where to draw.
        along: the share of value b in the mixture, from 0 to 1.
        margin: how far the reader prefers b to a there; it says b above zero.
        cases: the name of a case, where it lies along, its margin, and whether b is right.
        title: the finding, as a sentence.
        x_label: what is along x.
        y_label: what is along y.

    Raises:
        ValueError: if there is not one margin for each point.
    """
    if len(along) != len(margin):
        raise ValueError(f"there are {len(along)} points and {len(margin)} margins")
    axes.axhline(0.0, color=style.INK, linewidth=1.0)
    axes.plot(along, margin, color=style.MUTED, zorder=1)
    reach = 1.45 * max(abs(float(margin.min())), abs(float(margin.max())))
    for name, x, y, b_is_right in cases:
        right = (y > 0) == b_is_right
        colour = style.BLUE if right else style.ORANGE
        axes.plot(x, y, marker="o" if right else "X", markersize=9, color=colour)
        axes.annotate(
            f"{name}\n{'right' if right else 'wrong'}",
            (x, y),
            xytext=(0, 9 if y > 0 else -9),
            textcoords="offset points",
            ha="center",
            va="bottom" if y > 0 else "top",
            color=colour,
            fontsize=9,
            fontweight="bold",
            bbox={"facecolor": style.PAPER, "edgecolor": "none", "alpha": 0.7, "pad": 0.5},
        )
    axes.set(
        xlim=(-0.14, 1.14),
        ylim=(-reach, reach),
        xticks=(0, 0.25, 0.5, 0.75, 1),
        title=title,
        xlabel=x_label,
        ylabel=y_label,
    )
