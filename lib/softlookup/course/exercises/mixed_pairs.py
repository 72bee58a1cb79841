"""What a reader finds who looks for two mixed values in another way than pair by pair.

An exercise of the chapter on multi-head attention asks for both answers in one mixture.
"""

import torch
from torch import Tensor


def other_pairs(mixture: Tensor, table: Tensor, weight: float) -> list[tuple[Tensor, str]]:
    """What a reader finds that takes another way, and the words for it.

    Args:
        mixture: weight on one row and the rest on another, with a little noise, (mixtures, width).
        table: the values, (values, width).
        weight: on the first answer, between 0 and 1.

    Returns:
        Pairs of rows, (mixtures, 2), each with what led there.
    """
    n_values = len(table)

    def numbers(pair: Tensor) -> Tensor:
        return torch.stack([pair // n_values, pair % n_values], dim=1).double()

    def expected(weight: float = weight, table: Tensor = table) -> Tensor:
        return (weight * table[:, None] + (1 - weight) * table[None]).flatten(0, 1)

    def twice(first: Tensor) -> Tensor:
        return torch.stack([first, first], dim=1).double()

    far = torch.cdist(mixture, expected())
    alike, near = mixture @ table.T, torch.cdist(mixture, table)
    unit = table / table.norm(dim=1, keepdim=True)
    alone = (
        "you look for the two values most alike, each for itself; hold the mixture against pairs"
    )
    linear = "both of your answers are the value most alike: that is what a linear reader does, "
    linear += "which sees the heavier value twice"
    found = {
        "you take the pair that is farthest away: argmin, and not argmax": numbers(far.argmax(1)),
        "you take the pair with the largest dot product, which prefers long vectors; take the "
        "nearest pair": numbers((mixture @ expected().T).argmax(1)),
        f"{alone} (by dot product)": alike.topk(2).indices.double(),
        f"{alone} (by distance)": near.topk(2, largest=False).indices.double(),
        f"{linear} (by dot product)": twice(alike.argmax(1)),
        linear: twice(near.argmin(1)),
        f"{linear} (by direction)": twice((mixture @ unit.T).argmax(1)),
        "your numbers begin with 1; rows are counted from 0": numbers(far.argmin(1)) + 1,
        "you make the vectors equally long; the mixture is made of those in the table": numbers(
            torch.cdist(mixture, expected(table=unit)).argmin(1)
        ),
        "you compare sums of differences, in which opposite signs cancel; take distances": (
            numbers((mixture[:, None] - expected()).sum(-1).abs().argmin(1))
        ),
    }
    return [(pair, words) for words, pair in found.items()]
