"""What a term draws for the assignment on positions."""

import random
from typing import Any


def draw(random: random.Random) -> dict[str, Any]:
    """Draw the clocks, the step, the turn, the bias, and how extrapolation is scored.

    Args:
        random: the generator.

    Returns:
        The values. No spacing of the clocks is the library's, nor is any rule of slopes.
    """
    base, other_base = random.sample([300, 500, 800, 1200, 2000], 2)
    return {
        "clock_rule": {
            "base": base,
            "spacing": random.choice(["ends", "half steps", "squares", "periods"]),
            "arrangement": random.choice(
                ["sines first", "cosines first", "sine, cosine", "cosine, sine"]
            ),
            "odd": random.choice(["half a clock", "zero"]),
        },
        "scale": random.choice([0.3, 0.5, 1.5, 2.0]),
        "side": random.choice(["left", "right"]),
        "turn_rule": {
            "base": other_base,
            "share": random.choice([0.25, 0.5, 0.75]),
            "end": random.choice(["first", "last"]),
            "pairing": random.choice(["neighbours", "halves"]),
            "way": random.choice(["left", "right"]),
        },
        "bias_rule": {
            "slopes": random.choice(["harmonic", "even", "powers"]),
            "steepness": random.choice([0.4, 0.6, 0.8, 1.2]),
            "shape": random.choice(["linear", "logarithm", "root"]),
            "ahead": random.choice(["nowhere", "as far", "twice as far"]),
        },
        "score_rule": {
            "average": random.choice(["symbols", "places"]),
            "stretch": random.choice([2, 3, 4]),
        },
        "lag": random.choice([2, 3]),
    }
