"""What a term draws for this assignment: who shares keys, how heads compare and are pooled."""

import random
from typing import Any


def draw(random: random.Random) -> dict[str, Any]:
    """Draw the rule by which heads share keys, and how heads compare and are pooled.

    Args:
        random: the term's generator.

    Returns:
        The example's ``n_heads``, ``n_groups`` and ``d_head``; how heads are ``sharing`` groups,
        and the example's ``groups``; the ``comparison`` of query and key, its ``strength`` and how
        it is kept ``positive``; which layers have ``biases``; and the ``pooling`` of heads.
    """
    n_heads, n_groups = random.choice([(6, 2), (6, 3), (8, 2), (8, 4), (9, 3), (12, 3), (12, 4)])
    sharing = random.choice(["contiguous", "interleaved", "folded"])
    return {
        "n_heads": n_heads,
        "n_groups": n_groups,
        "d_head": random.choice([4, 8, 16]),
        "sharing": sharing,
        "groups": [group(head, n_heads, n_groups, sharing) for head in range(n_heads)],
        "comparison": random.choice(["cosine", "correlation", "root_mean_square"]),
        "strength": random.choice([2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0]),
        "positive": random.choice(["exponential", "softplus", "sigmoid"]),
        "biases": random.choice(["all", "none", "all but the output's"]),
        "pooling": random.choice(["mean", "first", "root"]),
    }


def group(head: int, n_heads: int, n_groups: int, sharing: str) -> int:
    """The group of keys and values that a head reads."""
    if sharing == "contiguous":
        return head // (n_heads // n_groups)
    if sharing == "interleaved":
        return head % n_groups
    return min(head % (2 * n_groups), 2 * n_groups - 1 - head % (2 * n_groups))
