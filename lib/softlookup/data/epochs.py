"""Batches without end: every example once, in a random order, then all again in another order.

The numerals and the messages that a translator learns are both fed to it so.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import torch

Example = TypeVar("Example")
Batch = TypeVar("Batch")


def endless_batches(
    examples: Sequence[Example],
    encode: Callable[[Sequence[Example]], Batch],
    batch_size: int,
    generator: torch.Generator,
) -> Iterator[Batch]:
    """Go through the examples in random order, again and again, in batches of one size.

    At the end of a pass, the examples that do not fill a batch are left out.

    Args:
        examples: what there is to learn from.
        encode: makes a batch of some of the examples.
        batch_size: how many examples each batch has.
        generator: draws the orders.

    Raises:
        ValueError: if the batch is empty or larger than all the examples together.
    """
    if not 1 <= batch_size <= len(examples):
        raise ValueError(
            f"batch_size is {batch_size}; expected 1 to {len(examples)}, "
            "as many as there are examples"
        )

    def endless() -> Iterator[Batch]:
        while True:
            order = torch.randperm(len(examples), generator=generator)
            for places in order.split(batch_size):
                if len(places) == batch_size:
                    yield encode([examples[place] for place in places.tolist()])

    return endless()
