"""Hinges, and the curve that their average approaches; drawn in the feed-forward chapter."""

from jaxtyping import Float
from matplotlib.axes import Axes
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.curves import curves

# More than these would be a grey surface.
SHOWN_AT_MOST = 24


def average_of_hinges(
    axes: Axes,
    x: Float[ndarray, " points"],
    hinges: Float[ndarray, "units points"],
    curve: Float[ndarray, " points"],
    *,
    title: str,
    curve_name: str,
    y_limits: tuple[float, float],
    x_label: str = "z",
) -> None:
    """Draw single hinges in grey, their average, and the curve that the average approaches.

    Args:
        axes: where to draw.
        x: the common abscissa.
        hinges: one hinge a row; the first 24 are drawn, the average is that of all.
        curve: what the average of ever more hinges approaches.
        title: how many hinges there are, or what is found.
        curve_name: what is written at the curve's end.
        y_limits: the lowest and the highest y shown; steep hinges leave the picture.
        x_label: what is along x.
    """
    for hinge in hinges[:SHOWN_AT_MOST]:
        axes.plot(x, hinge, color=style.MUTED, linewidth=0.8, alpha=0.45, zorder=1)
    curves(
        axes,
        x,
        {curve_name: curve, "average": hinges.mean(axis=0)},
        title=title,
        x_label=x_label,
        y_label="",
        y_limits=y_limits,
        label_gap=0.07,
    )
