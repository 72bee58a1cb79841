"""The look of every figure: the course's palette, safe for colour-blind readers.

The colours are those of Okabe and Ito (2008), darkened until each stands out from the paper by
at least 4.5 to 1 (WCAG 2.2, 1.4.3), because a line's name is written in its colour; indigo
stands for their sky blue and yellow, which no darkening keeps apart from the others. A figure
lies on light paper in the site's dark mode too, so its colours need to work on one ground only.
"""

from typing import Literal

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

PAPER = "#fbfaf7"
INK = "#1d2733"
MUTED = "#5b6673"
GRID = "#dcd8cf"

BLUE = "#0072b2"
ORANGE = "#b75900"
GREEN = "#00795a"
PURPLE = "#a3477a"
INDIGO = "#4a3fc4"
PALETTE = (BLUE, ORANGE, GREEN, PURPLE, INK, INDIGO)

# For weights from 0 to 1: paper to blue. For values with a sign: orange over paper to blue.
SEQUENTIAL_STOPS = (PAPER, "#9cc9e3", BLUE, "#06304f")
DIVERGING_STOPS = (ORANGE, "#f0c79b", PAPER, "#9cc9e3", BLUE)

Size = Literal["narrow", "normal", "wide", "tall"]
_SIZES = {"narrow": (4.2, 3.2), "normal": (6.4, 3.8), "wide": (8.6, 3.8), "tall": (6.4, 6.0)}


def use_style() -> None:
    """Set Matplotlib's defaults for the course; each chapter calls it once, in its first cell."""
    plt.rcParams.update(
        {
            "figure.facecolor": PAPER,
            "figure.dpi": 110,
            "figure.constrained_layout.use": True,
            "savefig.facecolor": PAPER,
            "savefig.dpi": 110,
            "axes.facecolor": PAPER,
            "axes.edgecolor": MUTED,
            "axes.labelcolor": INK,
            "axes.titlecolor": INK,
            "axes.titlelocation": "left",
            "axes.titlesize": 11.5,
            "axes.titleweight": "bold",
            "axes.titlepad": 10,
            "axes.labelsize": 10.5,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": cycler("color", list(PALETTE)),
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.color": GRID,
            "grid.linewidth": 0.7,
            "xtick.color": MUTED,
            "ytick.color": MUTED,
            "xtick.labelcolor": INK,
            "ytick.labelcolor": INK,
            "text.color": INK,
            "font.family": "DejaVu Sans",
            "font.size": 10,
            "lines.linewidth": 2.0,
            "lines.markersize": 5,
            "legend.frameon": False,
        }
    )


def canvas(
    size: Size = "normal", columns: int = 1, rows: int = 1, share_y: bool = False
) -> tuple[Figure, list[Axes]]:
    """A figure in one of the course's four sizes, and its axes in reading order.

    Raises:
        ValueError: if the size is not one of the four.
    """
    if size not in _SIZES:
        raise ValueError(f"size is {size!r}; expected one of {[*_SIZES]}")
    figure, axes = plt.subplots(rows, columns, figsize=_SIZES[size], squeeze=False, sharey=share_y)
    return figure, [*axes.flat]


def arrow(
    axes: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str = MUTED,
    width: float = 1.4,
    *,
    gaps: tuple[float, float] = (0.0, 0.0),
    layer: float = 3.0,
) -> None:
    """Draw an arrow between two points.

    Args:
        axes: where it is drawn.
        start: its tail, in the axes' units.
        end: its head.
        colour: of line and head.
        width: of the line, in points.
        gaps: what is left free at its tail and at its head, in points.
        layer: what has a higher one is drawn over it.
    """
    shape = {"arrowstyle": "-|>", "color": colour, "linewidth": width}
    shape |= {"shrinkA": gaps[0], "shrinkB": gaps[1]}
    axes.annotate("", end, start, arrowprops=shape, zorder=layer)
