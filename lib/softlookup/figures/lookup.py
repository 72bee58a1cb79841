"""The soft lookup drawn: a filing cabinet, and a regression that is one."""

from collections.abc import Mapping, Sequence

from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle
from numpy import ndarray

from softlookup.figures import style

# The cabinet's measures, in data units: a drawer is one unit high, and a weight of one pulls
# it out by REACH.
_BODY = 0.35
_FACE = 2.6
_REACH = 3.2
_CONTENT = _BODY + _REACH + _FACE + 0.35


def cabinet(
    axes: Axes,
    *,
    query: str,
    keys: Sequence[str],
    values: Sequence[str],
    weights: Float[ndarray, " keys"] | Sequence[float],
    title: str,
) -> None:
    """Draw a dictionary as a filing cabinet whose drawers open as far as their weights say.

    Args:
        axes: where to draw.
        query: the question, written above the cabinet.
        keys: the label on each drawer.
        values: the content of each drawer.
        weights: the attention weight of each drawer, from 0 to 1.
        title: the finding, as a sentence.

    Raises:
        ValueError: if there is not one value and one weight for each key, or a weight lies
            outside 0 to 1.
    """
    if not len(keys) == len(values) == len(weights):
        raise ValueError(
            f"there are {len(keys)} keys, {len(values)} values and {len(weights)} weights; "
            "expected as many of each"
        )
    if not all(0.0 <= weight <= 1.0 for weight in weights):
        raise ValueError(f"weights are {[*weights]}; expected numbers from 0 to 1")
    n_drawers = len(keys)
    axes.add_patch(
        Rectangle((-0.25, -0.12), _BODY + 0.25, n_drawers + 0.24, color=style.MUTED, zorder=1)
    )
    for drawer, (key, value, weight) in enumerate(zip(keys, values, weights, strict=True)):
        bottom = n_drawers - 1 - drawer
        front = _BODY + _REACH * float(weight)
        axes.add_patch(
            Rectangle((_BODY, bottom + 0.16), front - _BODY, 0.68, color=style.SEQUENTIAL_STOPS[1])
        )
        axes.add_patch(
            FancyBboxPatch(
                (front + 0.06, bottom + 0.12),
                _FACE - 0.12,
                0.76,
                boxstyle="round,pad=0.06,rounding_size=0.08",
                facecolor=style.PAPER,
                edgecolor=style.BLUE,
                linewidth=1.6,
                zorder=2,
            )
        )
        middle = bottom + 0.5
        axes.text(front + _FACE / 2, middle, key, ha="center", va="center", zorder=3)
        axes.text(_CONTENT, middle, f"{float(weight):.2f}", va="center", fontweight="bold")
        axes.text(_CONTENT + 1.0, middle, value, va="center", color=style.INK)
    heading = n_drawers + 0.5
    for x, text in (
        (-0.25, f"query: {query}"),
        (_CONTENT, "weight"),
        (_CONTENT + 1.0, "value"),
    ):
        axes.text(x, heading, text, va="center", color=style.MUTED, fontsize=9.5)
    axes.set_xlim(-0.4, _CONTENT + 2.2)
    axes.set_ylim(-0.2, n_drawers + 0.8)
    axes.set_axis_off()
    axes.set_title(title)


def regression(
    axes: Axes,
    points: tuple[Float[ndarray, " points"], Float[ndarray, " points"]],
    grid: Float[ndarray, " grid"],
    lines: Mapping[str, Float[ndarray, " grid"]],
    *,
    title: str,
    x_label: str,
    y_label: str,
) -> None:
    """Draw measured points and the curves that were fitted to them, named in a legend.

    The curves end close together, so a legend outside the axes names them.

    Args:
        axes: where to draw.
        points: abscissae and ordinates of what was measured.
        grid: where the curves were computed.
        lines: by name, each curve's values on the grid.
        title: the finding, as a sentence.
        x_label: what is along x, with its unit.
        y_label: what is along y, with its unit.

    Raises:
        ValueError: if a curve has not one value for each place of the grid.
    """
    axes.plot(*points, "o", color=style.MUTED, alpha=0.75, markersize=4.5)
    for index, (name, values) in enumerate(lines.items()):
        if values.shape != grid.shape:
            raise ValueError(f"line {name!r} has {len(values)} values; expected {len(grid)}")
        axes.plot(grid, values, color=style.PALETTE[index], label=name, linewidth=2.2)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.0)
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
