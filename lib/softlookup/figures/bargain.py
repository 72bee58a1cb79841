"""The cost of each method against its gain: a named point for each."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

from softlookup.figures import style


def bargain(
    axes: Axes,
    points: Mapping[str, tuple[float, float]],
    *,
    title: str,
    cost_label: str,
    gain_label: str,
    gain_limits: tuple[float, float] = (0.0, 1.15),
) -> None:
    """Draw a point for each way, with its name above it; the best corner is the upper left.

    Where another point stands close above, the name stands below.

    Args:
        axes: where to draw.
        points: by name, the cost, above zero, and the gain. A name may take two lines.
        title: the finding, as a sentence.
        cost_label: what is along x, with its unit; the axis is logarithmic.
        gain_label: what is along y, with its unit.
        gain_limits: the lowest and the highest gain shown.

    Raises:
        ValueError: if a cost is not positive.
    """
    for name, (cost, _) in points.items():
        if not cost > 0:
            raise ValueError(f"the cost of {name!r} is {cost}; expected a positive number")
    axes.set_xscale("log")
    markers = "osD^vP"
    for index, (name, (cost, gain)) in enumerate(points.items()):
        colour = style.PALETTE[index % len(style.PALETTE)]
        axes.plot(cost, gain, markers[index % len(markers)], color=colour, markersize=8)
        below = any(
            1 / 2 < cost / other_cost < 2 and 0 < other_gain - gain < 0.15
            for other_cost, other_gain in points.values()
        )
        axes.annotate(
            name,
            (cost, gain),
            xytext=(0, -8 if below else 8),
            textcoords="offset points",
            color=colour,
            fontweight="bold",
            fontsize=9.5,
            va="top" if below else "bottom",
            ha="center",
        )
    axes.margins(x=0.25)
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set(title=title, xlabel=cost_label, ylabel=gain_label, ylim=gain_limits)
