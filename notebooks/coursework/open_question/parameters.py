"""What a term draws for the assignment on an open question.

A question is open, and still most of an answer can be tested: that the weighting is what it says,
that two runs which are compared differ in nothing but what is compared, that a run can be
repeated, that an interval covers as often as it claims, that a decision follows its rule. All of
it is drawn anew each term, and tested on this side of the channel: the tests draw the questions
of the exam themselves, and count the right answers of the model by its logits. What the student
asks, expects and concludes is read by a person.

Runs take a tenth of a second each, so the whole experiment is run again when it is graded; there
is no table of results to be believed.
"""

import random
from typing import Any


def draw(random: random.Random) -> dict[str, Any]:
    """Draw the form, the task, the seeds, the interval and the rule of decision."""
    return {
        "form": random.choice(["null key", "power", "soft power"]),
        "room": random.choice([-0.5, 0.5, 1.0, 1.5, 2.0]),
        "exponent": random.choice([1.5, 2, 3]),
        "shift": random.choice([0.25, 0.5, 0.75]),
        "entries": random.randrange(7, 12),
        "asked": random.randrange(26, 49),
        "stride": random.randrange(1_001, 9_999),
        "base": random.randrange(10**8, 10**9),
        "gain": random.choice([0.5, 0.7, 1.4, 2.0]),
        "n_seeds": random.randrange(8, 13),
        "method": random.choice(["t", "bootstrap"]),
        "level": random.choice([0.8, 0.9, 0.95]),
        "margin": random.randrange(10, 41, 5) / 1000,
        "rule": random.choice(["beyond the margin", "beyond zero"]),
    }
