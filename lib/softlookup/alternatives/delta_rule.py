"""The delta rule: a state that corrects itself, where linear attention only adds.

The chapter on the quadratic wall derives it. Linear attention files a value by adding it to the
state, on top of whatever the state answers to that key already. The delta rule first asks the state
for the key, and files only what was missing from the answer.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from softlookup.layers.fit import require_query_for_each_key, require_value_for_each_key


def delta_rule(
    query: Float[Tensor, "*batch length d_head"],
    key: Float[Tensor, "*batch length d_head"],
    value: Float[Tensor, "*batch length d_value"],
    rate: Float[Tensor, "*batch length"],
) -> Float[Tensor, "*batch length d_value"]:
    """Causal recall from a state S that each token corrects: S ← S + β k (v - Sᵀk)ᵀ; y = Sᵀq.

    Queries and keys are scaled to length 1. At a rate of 1 the state then answers exactly to the
    key that was written last; at a rate of 0 a token writes nothing. Token by token this is a
    recurrence. All corrections of a text solve one triangular system, so they are found together.

    Args:
        query: what is asked.
        key: what each entry answers to.
        value: what each entry holds.
        rate: β of each token, the share of the error that it corrects, from 0 to 1.

    Raises:
        ValueError: if query, key, value and rate do not fit.

    Source: Schlag et al. 2021, section 4.2, for the rule; Yang et al. 2024, section 3, for
    computing a text at once.
    """
    query, key = _unit_pairs(query, key, value, rate)
    # What a token adds is what its state got wrong: its value less the share of the earlier ones.
    share = rate.unsqueeze(-1)
    overlap = share * (key @ key.mT).tril(-1)
    added = torch.linalg.solve_triangular(overlap, share * value, upper=False, unitriangular=True)
    return (query @ key.mT).tril() @ added


def _unit_pairs(query: Tensor, key: Tensor, value: Tensor, rate: Tensor) -> tuple[Tensor, Tensor]:
    """Queries and keys of length 1, if all four fit."""
    require_query_for_each_key(query, key)
    require_value_for_each_key(key, value)
    if rate.size(-1) != key.size(-2):
        raise ValueError(
            f"there are {key.size(-2)} keys and {rate.size(-1)} rates; expected one for each key"
        )
    return F.normalize(query, dim=-1), F.normalize(key, dim=-1)
