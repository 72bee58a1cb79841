"""Keys on a circle: why two numbers are enough to tell any number of them apart."""

import math

import numpy as np
from matplotlib.axes import Axes

from softlookup.figures import style


def circle(axes: Axes, n_keys: int, asked: int, *, title: str) -> None:
    """Draw keys at equal distances on a circle, the query for one, and the line that cuts it off.

    Args:
        axes: where to draw.
        n_keys: how many keys.
        asked: the key that the query asks for, counted from 0 at the right, against the clock.
        title: the finding, as a sentence.

    Raises:
        ValueError: if there are fewer than three keys, or the asked one is none of them.
    """
    if n_keys < 3 or not 0 <= asked < n_keys:
        raise ValueError(
            f"key {asked} of {n_keys} was asked for; expected three keys or more, and one of them"
        )
    angles = 2 * math.pi * np.arange(n_keys) / n_keys
    others = np.arange(n_keys) != asked
    across, up = np.cos(angles), np.sin(angles)
    axes.plot(across[others], up[others], "o", color=style.MUTED, markersize=6)
    axes.plot(across[asked], up[asked], "o", color=style.BLUE, markersize=9)
    end = (0.84 * across[asked], 0.84 * up[asked])
    style.arrow(axes, (0.0, 0.0), end, style.BLUE, 2.0, gaps=(2, 2))
    # Half-way, in score, between the asked key and its neighbours.
    cut = (1 + math.cos(2 * math.pi / n_keys)) / 2
    along = np.array([-0.62, 0.62])
    axes.plot(
        cut * across[asked] - along * up[asked],
        cut * up[asked] + along * across[asked],
        "--",
        color=style.ORANGE,
    )
    axes.text(1.13 * across[asked], 1.13 * up[asked], "its key", color=style.BLUE, va="center")
    axes.text(0.1 * across[asked] - 0.42, 0.1 * up[asked] - 0.16, "query", color=style.BLUE)
    end = (cut * across[asked] + 0.62 * up[asked], cut * up[asked] - 0.62 * across[asked])
    axes.text(end[0] + 0.06, end[1] - 0.02, "threshold", color=style.ORANGE, va="center")
    axes.set(title=title, xlim=(-1.25, 1.75), ylim=(-1.15, 1.25), aspect="equal")
    axes.axis("off")
