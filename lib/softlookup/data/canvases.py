"""Canvases with two digits on them, and one question: is it the same digit twice?

The chapter on vision asks it of models that can compare far patches and of models that cannot.
The two digits are never the same scan, so that no pixels need to agree, and each may stand on any
square of the canvas, so that no place tells what is there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

PAPER = -1.0


@dataclass(frozen=True, eq=False)
class Canvases:
    """Canvases, and whether the two digits on each are equal.

    Attributes:
        images: grey from -1 (paper) to 1 (ink).
        equal: 1 where both scans show the same digit, 0 elsewhere.
    """

    images: Float[Tensor, "canvases 1 side side"]
    equal: Int[Tensor, " canvases"]

    def __len__(self) -> int:
        return len(self.equal)


def two_digits(
    images: Float[Tensor, "images 1 scan scan"],
    labels: Int[Tensor, " images"],
    n: int,
    generator: torch.Generator,
    squares: int = 3,
) -> Canvases:
    """Draw canvases with two digits each, half of them with the same digit twice.

    Args:
        images: scans of digits; a canvas is as many times as high and wide as it has squares.
        labels: what the scans show; each digit at least twice, and at least two digits.
        n: how many canvases.
        generator: the source of randomness.
        squares: how many squares a canvas has along a side; each digit fills one of them.

    Raises:
        ValueError: if there are fewer than two squares along a side, or if some digit has one
            scan alone, or if there is only one digit.
    """
    if squares < 2:
        raise ValueError(f"squares is {squares}; expected at least 2 along a side")
    first, second, equal = pairs(labels, n, generator)
    side = images.size(-1)
    drawn = torch.full((n, squares**2, side, side), PAPER, dtype=images.dtype)
    places = torch.rand(n, squares**2, generator=generator).argsort(dim=1)
    for scans, place in ((first, places[:, 0]), (second, places[:, 1])):
        drawn[torch.arange(n), place] = images[scans, 0]
    grid = drawn.unflatten(1, (squares, squares)).transpose(2, 3)
    return Canvases(grid.reshape(n, 1, squares * side, squares * side), equal.long())


def batches(
    images: Float[Tensor, "images 1 scan scan"],
    labels: Int[Tensor, " images"],
    batch_size: int,
    generator: torch.Generator,
    squares: int = 3,
) -> Iterator[Canvases]:
    """Endless batches of new canvases; the arguments are those of ``two_digits``."""
    while True:
        yield two_digits(images, labels, batch_size, generator, squares)


def pairs(
    labels: Int[Tensor, " images"], n: int, generator: torch.Generator
) -> tuple[Int[Tensor, " pairs"], Int[Tensor, " pairs"], Bool[Tensor, " pairs"]]:
    """Draw pairs of different scans, in about half of which both show the same digit.

    Returns:
        The place of the first scan, that of the second, and whether they show the same digit.

    Raises:
        ValueError: as ``two_digits``.
    """
    counts = labels.bincount()
    fewest = int(counts[counts > 0].min()) if len(labels) else 0
    if fewest < 2 or int((counts > 0).sum()) < 2:
        raise ValueError(
            f"the scans show {counts.tolist()} of the digits from 0 on; expected two digits or "
            "more, each in two scans or more"
        )
    # In order of their digits: each digit's scans lie together, `counts` of them from `starts` on.
    order = labels.argsort(stable=True)
    starts = counts.cumsum(0) - counts
    first = torch.randint(len(labels), (n,), generator=generator)
    equal = torch.rand(n, generator=generator) < 0.5
    chance = torch.rand(n, generator=generator, dtype=torch.float64)
    digit = labels[order[first]]
    count, start = counts[digit], starts[digit]
    alike = start + (first - start + 1 + (chance * (count - 1)).long()) % count
    other = (chance * (len(labels) - count)).long()
    other = other + count * (other >= start)
    return order[first], order[torch.where(equal, alike, other)], equal
