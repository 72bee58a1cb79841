"""What a term draws for this assignment: the scores' scale and bend, and who may look at whom."""

import random
from typing import Any

PICTURED = 12


def draw(random: random.Random) -> dict[str, Any]:
    """Draw the scale and the bend of the scores, and the rule of who may look at whom.

    Args:
        random: the term's generator.

    Returns:
        ``exponent`` of the width, ``bend`` of the scores with its ``corner``; the ``rule`` of the
        pattern with its numbers ``near`` and ``far``; and the pattern's ``picture``.
    """
    rule = random.choice(["sinks", "dilated", "landmarks", "echo"])
    near = random.randint(4, 6) if rule == "landmarks" else random.randint(2, 5)
    far = {
        "sinks": random.randint(1, 3),
        "dilated": random.randint(near + 1, near + 3),
        "landmarks": random.randint(1, 2),
        "echo": random.randint(near + 2, near + 4),
    }[rule]
    picture = [
        "".join("#" if may_look(i, j, rule, near, far) else "." for j in range(PICTURED))
        for i in range(PICTURED)
    ]
    return {
        "exponent": random.choice([0.2, 0.25, 0.3, 0.65, 0.7, 0.75, 0.8]),
        "bend": random.choice(["logarithm", "root", "arsinh", "hinge"]),
        "corner": random.choice([6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]),
        "rule": rule,
        "near": near,
        "far": far,
        "picture": picture,
    }


def may_look(i: int, j: int, rule: str, near: int, far: int) -> bool:
    """Whether token i may look at token j."""
    if j >= i:
        return False
    if rule == "sinks":
        return i - j <= near or j < far
    if rule == "dilated":
        return i - j <= near or (i - j) % far == 0
    if rule == "landmarks":
        return i // near == j // near or j % near >= near - far
    return i - j <= near or far <= i - j < far + near
