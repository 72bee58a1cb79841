"""A memory that is filled in no time: a state of fixed size, written as a sum of products."""

from typing import SupportsInt

import torch
import torch.nn.functional as F

from softlookup.course.exercises.loads_swept import require_pairs

WIDTH, LABELS = 16, 16

# Of so many pairs it gives back half, over seeds 1000 to 1399.
HALF_COMES_BACK = 84.7


def share_given_back(pairs: SupportsInt, seed: SupportsInt) -> float:
    """File pairs of a key and a label in one matrix, ask for all of them, and count.

    The keys are random vectors of length 1, the labels drawn at random; the state is the sum of
    the products of each key and its label's row of the identity, and an answer its largest entry.

    Args:
        pairs: how many are filed.
        seed: of the keys and labels; the same seed, the same share.

    Returns:
        The share of the pairs whose label is given back.

    Raises:
        Mistake: if so many pairs cannot be filed.
    """
    filed = require_pairs(pairs)
    generator = torch.Generator().manual_seed(int(seed))
    key = F.normalize(torch.randn(filed, WIDTH, generator=generator), dim=-1)
    label = torch.randint(LABELS, (filed,), generator=generator)
    state = key.T @ F.one_hot(label, LABELS).float()
    return ((key @ state).argmax(-1) == label).double().mean().item()
