"""A weight read back from whole numbers of steps, with the parts that can each go wrong.

The chapter on answers has the learner write it, with a step for every block of neighbours.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake

Reading = Callable[[Tensor, Tensor], Tensor]


def restored(
    weight: Tensor,
    size: int,
    largest: Tensor | None = None,
    numbers: float = 127.0,
    rounded: Callable[[Tensor], Tensor] = torch.round,
    kept: Callable[[Tensor], Tensor] = lambda whole: whole,
    read: Reading = lambda whole, steps: whole * steps,
    divided: Reading = lambda weight, steps: weight / steps,
) -> Tensor:
    """The weight as it is read back; as the parts stand, the right one.

    Args:
        weight: (rows, columns).
        size: how many neighbours have a step.
        largest: what becomes `numbers`, for each number of the weight; by default the largest
            absolute number of its block. Zero steps are replaced by one.
        numbers: how many steps this is.
        rounded: makes whole numbers of steps.
        kept: what of these is stored.
        read: makes weights of whole numbers and steps.
        divided: makes numbers of steps of weights and steps.
    """
    if largest is None:
        largest = _spread(_in_blocks(weight, size).abs().amax(dim=2, keepdim=True), weight, size)
    steps = torch.where(largest == 0, 1.0, largest / numbers)
    return read(kept(rounded(divided(weight, steps))), steps)


def slips(weight: Tensor, size: int) -> dict[str, dict[str, object]]:
    """What may be wrong with each part, by the words that tell of it."""
    blocks, absolute = _in_blocks(weight, size), _in_blocks(weight, size).abs()
    rows, columns = weight.shape
    down = weight.T.reshape(-1, size).abs().amax(dim=1, keepdim=True).expand(-1, size)
    strides = weight.abs().view(rows, size, -1).amax(dim=1, keepdim=True).expand(-1, size, -1)
    other = weight.abs().view(rows, size, -1).amax(dim=2, keepdim=True)

    def spread(largest: Tensor) -> Tensor:
        return _spread(largest, weight, size)

    most = absolute.amax(dim=2, keepdim=True)
    added = {
        f"you add {each:g} to {what}: only a step of exactly zero needs another in its place": (
            spread(most + each * times)
        )
        for each in (0.1, 0.01, 1e-3, 1e-4)
        for what, times in (("each step", 127), ("each block's largest number", 1))
    }

    return {
        "largest": {
            **added,
            "you took a step for each whole row; the exercise asks for one for each block": (
                weight.abs().amax(dim=1, keepdim=True).expand_as(weight)
            ),
            "you took one step for the whole matrix": weight.abs().max().expand_as(weight),
            "you took a step for each column": (
                weight.abs().amax(dim=0, keepdim=True).expand_as(weight)
            ),
            "you took one step for a block's place in all rows; every row has its own": spread(
                absolute.amax(dim=(0, 2), keepdim=True)
            ),
            "your blocks run down the columns; a block is neighbours in a row": (
                down.reshape(columns, rows).T
            ),
            "your blocks hold numbers that stand apart in a row; a block is neighbours: the last "
            "axis of your view should have length `size`": strides.reshape_as(weight),
            "you cut each row into `size` blocks; each block should have `size` numbers": (
                other.expand(-1, -1, columns // size).reshape_as(weight)
            ),
            "you took the largest number and not the largest *absolute* number": spread(
                blocks.amax(dim=2, keepdim=True)
            ),
            "you took the mean of the absolute numbers; the largest becomes 127": spread(
                absolute.mean(dim=2, keepdim=True)
            ),
            "you took the root of the mean square; the largest absolute number becomes 127": spread(
                blocks.square().mean(dim=2, keepdim=True).sqrt()
            ),
            "you took the standard deviation; the largest absolute number becomes 127": spread(
                blocks.std(dim=2, keepdim=True)
            ),
            "every number has a step of its own; a block has one": weight.abs(),
            "you took the largest over the blocks of a row, at each place in a block; take it over "
            "the numbers of a block, the last axis of your view": (
                absolute.amax(dim=1, keepdim=True).expand_as(blocks).reshape_as(weight)
            ),
            "you took the first block's step for the whole row; every block has its own": spread(
                absolute[:, :1].amax(dim=2, keepdim=True).expand(-1, blocks.size(1), -1)
            ),
            "your steps run from a block's smallest number to its largest; here they run from 0 to "
            "the largest *absolute* number": spread(
                blocks.amax(dim=2, keepdim=True) - blocks.amin(dim=2, keepdim=True)
            ),
            "you took half the distance from a block's smallest number to its largest; the largest "
            "*absolute* number becomes 127": spread(
                (blocks.amax(dim=2, keepdim=True) - blocks.amin(dim=2, keepdim=True)) / 2
            ),
            "you took the smallest absolute number; the largest becomes 127": spread(
                absolute.amin(dim=2, keepdim=True)
            ),
            "you round what you multiply by; only the numbers of steps are rounded": spread(
                127 / (127 / most.clamp(min=1e-12)).round()
            ),
        },
        "numbers": {
            "the largest number of a block must become 127: 128 is none of eight bits": 128.0,
            "255 steps from zero do not fit: eight bits hold -127 to 127": 255.0,
            "256 steps from zero do not fit: eight bits hold -127 to 127": 256.0,
            "the largest number of a block must become 127; 7 is that of four bits": 7.0,
            "the largest number of a block must become 127, and yours is one step": 1.0,
        },
        "rounded": {
            "you cut the digits off, which is wrong by up to a whole step; round to the nearest": (
                torch.trunc
            ),
            "you round down, which is wrong by up to a whole step; round to the nearest": (
                torch.floor
            ),
            "you round up, which is wrong by up to a whole step; round to the nearest": torch.ceil,
        },
        "kept": {
            "you cut off the negative numbers: eight bits hold -127 to 127": (
                lambda whole: whole.clamp(min=0)
            ),
            "your whole numbers are cut off at -128 and 127": (
                lambda whole: whole.clamp(-128, 127)
            ),
            "negative numbers do not fit into `torch.uint8`": lambda whole: whole % 256,
            "numbers beyond 127 are cut off": lambda whole: whole.clamp(-127, 127),
            "numbers beyond 127 do not fit into `torch.int8`, and come back with another sign": (
                lambda whole: (whole.long() + 128) % 256 - 128
            ),
            "you dropped the signs": lambda whole: whole.abs(),
        },
        "read": {
            "you return whole numbers; multiply by the step again": lambda whole, steps: whole,
            "you divide by the step at the end; multiply": lambda whole, steps: whole / steps,
            "you divide by 127 at the end; multiply by the step": lambda whole, steps: whole / 127,
        },
        "divided": {
            "you multiply by the step at the beginning; divide": (
                lambda weight, steps: weight * steps
            ),
            "you round the weight itself; divide it by the step before": (
                lambda weight, steps: weight
            ),
        },
    }


def between_ends(weight: Tensor, size: int) -> Tensor:
    """Read back from 255 steps between the smallest and the largest number of each block."""
    blocks = _in_blocks(weight, size)
    low = blocks.amin(dim=2, keepdim=True)
    steps = (blocks.amax(dim=2, keepdim=True) - low) / 255
    return (torch.round((blocks - low) / steps.clamp(min=1e-12)) * steps + low).view_as(weight)


def name_blocks(got: Tensor, weight: Tensor, size: int) -> None:
    """Say in which blocks a restored weight is wrong, or how its largest numbers are.

    Raises:
        Mistake: unless the largest number of each block comes back as it was.
    """
    blocks, yours = _in_blocks(weight, size), _in_blocks(got, size)
    largest, where = blocks.abs().max(dim=2, keepdim=True)
    back = yours.gather(2, where)[..., 0].abs()
    largest = largest[..., 0]
    holds = largest > 0
    if (yours[~holds] != 0).any():
        nonzero = yours[~holds][yours[~holds] != 0][0]
        raise Mistake(f"a block of zeros stays zero, and yours holds {nonzero:.3g}")
    wrong = ~torch.isclose(back, largest, rtol=1e-4, atol=1e-9)
    if wrong.sum() == 1 and wrong[holds][largest[holds].argmin()]:
        raise Mistake(
            f"your steps have a lower bound that spoils a block of small numbers, none larger than "
            f"{largest[holds].min():.2g}: only a step of exactly zero needs another in its place"
        )
    if wrong.any():
        row, block = wrong.nonzero()[0].tolist()
        raise Mistake(
            f"in row {row}, block {block} the largest absolute number, {largest[row, block]:.4g}, "
            f"comes back as {back[row, block]:.4g}: it must become 127 steps, and so come back as "
            "it was"
        )


def _in_blocks(weight: Tensor, size: int) -> Tensor:
    return weight.view(len(weight), -1, size)


def _spread(largest: Tensor, weight: Tensor, size: int) -> Tensor:
    """What each block has, for each of its numbers."""
    return largest.expand(len(weight), -1, size).reshape_as(weight)
