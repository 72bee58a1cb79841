"""Pictures of pictures: an image cut into patches, and small images side by side."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, to_rgb
from numpy import ndarray

from softlookup.figures import style
from softlookup.figures.weights import DIVERGING, SEQUENTIAL

Kind = Literal["ink", "share", "signed"]

_COLOURS: dict[Kind, str | Colormap] = {"ink": "gray_r", "share": SEQUENTIAL, "signed": DIVERGING}


def spread(
    axes: Axes,
    image: Float[ndarray, "height width 3"],
    patch_size: int,
    *,
    gap: int,
    title: str,
) -> None:
    """Draw an image with its patches moved apart.

    Args:
        axes: where to draw.
        image: red, green and blue from 0 to 1.
        patch_size: the side of a patch in pixels; what the patches do not cover is left out.
        gap: the paper between two patches, in pixels.
        title: the finding, as a sentence.

    Raises:
        ValueError: if the image holds no patch.
    """
    rows, columns = image.shape[0] // patch_size, image.shape[1] // patch_size
    if min(rows, columns) < 1:
        raise ValueError(
            f"the image has {image.shape[0]} × {image.shape[1]} pixels and patch_size is "
            f"{patch_size}; expected at least one patch"
        )
    step = patch_size + gap
    apart = np.empty((rows * step - gap, columns * step - gap, 3))
    apart[:] = to_rgb(style.PAPER)
    for row in range(rows):
        for column in range(columns):
            y, x = row * patch_size, column * patch_size
            apart[
                row * step : row * step + patch_size, column * step : column * step + patch_size
            ] = image[y : y + patch_size, x : x + patch_size]
    axes.imshow(apart, interpolation="none")
    axes.set_title(title)
    axes.axis("off")


def strip(
    axes: Axes,
    pictures: Sequence[Float[ndarray, "_height _width"]],
    *,
    names: Sequence[str],
    title: str,
    kind: Kind = "ink",
    limits: tuple[float, float] | None = None,
    scale: str = "",
) -> None:
    """Draw small grey images or maps in a row, each with its name beneath.

    Args:
        axes: where to draw.
        pictures: the images, of any sizes; each is drawn as a unit square.
        names: a name for each.
        title: the finding, as a sentence.
        kind: ``"ink"``, the least number as paper and the greatest as ink; ``"share"``, from
            paper to blue; ``"signed"``, from orange over paper at zero to blue.
        limits: the numbers at the two ends of the colours; those of all pictures together where
            it is None.
        scale: what the colours measure, written beside a colour scale; without it there is none.

    Raises:
        ValueError: if there is not one name for each picture, or no picture.
    """
    if not pictures or len(names) != len(pictures):
        raise ValueError(
            f"there are {len(names)} names and {len(pictures)} pictures; expected as many, and at "
            "least one"
        )
    if limits is None:
        low, high = min(p.min() for p in pictures), max(p.max() for p in pictures)
        furthest = max(abs(low), abs(high))
        limits = {"ink": (low, high), "share": (0.0, high), "signed": (-furthest, furthest)}[kind]
    for place, (picture, name) in enumerate(zip(pictures, names, strict=True)):
        left = 1.15 * place
        drawn = axes.imshow(
            picture,
            cmap=_COLOURS[kind],
            vmin=limits[0],
            vmax=limits[1],
            extent=(left, left + 1, 1, 0),
            interpolation="none",
        )
        axes.plot(
            [left, left + 1, left + 1, left, left],
            [0, 0, 1, 1, 0],
            color=style.MUTED,
            linewidth=0.7,
        )
        axes.text(left + 0.5, 1.06, name, ha="center", va="top", fontsize=9)
    axes.set(
        xlim=(-0.05, 1.15 * len(pictures) - 0.1), ylim=(1.3, -0.05), aspect="equal", title=title
    )
    axes.axis("off")
    if scale:
        bar = axes.figure.colorbar(drawn, ax=axes, shrink=0.8, aspect=14, pad=0.02)
        bar.set_label(scale)
        bar.outline.set_visible(False)
