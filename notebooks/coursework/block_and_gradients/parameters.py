"""What a term draws for the assignment on the block and its gradients."""

import random
from typing import Any

# Each kind of gate with the constants that keep it apart from the ones that libraries hold.
GATES = {
    "swish": [0.6, 1.4, 1.7, 2.2],
    "softplus": [0.5, 0.7, 1.5, 2.0],
    "leaky square": [0.1, 0.15, 0.2, 0.3],
}


def draw(random: random.Random) -> dict[str, Any]:
    """Draw the norm, the gate, the sharpness of attention, the wiring and the rule of differences.

    Args:
        random: the generator.

    Returns:
        The values. Powers stay at 3.5 or below, so that a token of numbers near 10⁸ has a sum of
        powers that float32 still holds.
    """
    kind = random.choice(list(GATES))
    return {
        "norm_rule": {
            "power": random.choice([1.5, 2.5, 3.0, 3.5]),
            "groups": random.choice([2, 3, 4]),
            "arrangement": random.choice(["runs", "stripes"]),
            "centre": random.choice(["group", "token"]),
            "epsilon": random.choice([0.02, 0.03, 0.05, 0.08]),
        },
        "gate_rule": {"kind": kind, "constant": random.choice(GATES[kind])},
        "sharpness": random.choice([0.5, 0.7, 1.5, 2.0]),
        "block_rule": {
            "placement": random.choice(["pre", "post", "change", "sandwich"]),
            "scale": random.choice([0.3, 0.4, 0.6, 0.7]),
        },
        "stencil": random.choice(["central", "five points", "three points ahead"]),
    }
