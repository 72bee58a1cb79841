"""What a term draws for this assignment: the base of the softmax, and how many it leaves out."""

import random
from typing import Any


def draw(random: random.Random) -> dict[str, Any]:
    """Draw what the text asks, the solution computes and the tests expect.

    Args:
        random: the term's generator.

    Returns:
        The ``base``; and how many scores of a row are ``left_out``.
    """
    return {
        "base": random.choice([1.5, 1.7, 1.9, 2.1, 2.3, 3.2, 3.5, 3.8, 4.1, 4.5, 5.0, 6.0, 7.0]),
        "left_out": random.choice([1, 2, 3]),
    }
