"""What a term draws for the assignment on a GPT of the student's own text.

How it is graded, and why so. Training takes a student minutes, and a grader with 300 students
seconds. A loss curve that is handed in proves nothing, and neither does a low number on a text
that its author chose. So what the tests judge is the programme, not the run: they hand
``train_gpt`` a text in a language that was invented from the term's seed and that nobody has
seen, let it take some dozens of steps, take the weights out of the model that comes back, and
compute the bits by a GPT of their own under those weights. So what answers is no student's code.
A table of counts that answers like a model earns nothing by it; and counts that are put into the
weights would not do, since the language is one in which a model that looks further back does far
better than any table of which token follows which. A short training is done on this side as well,
and the student's has to end at the same place. The blocks to be held out are written in a second
language with the same letters. A model that knows the second language has been trained on what it
is judged on.

The student's own run comes in as weights beside the notebook. They are read and measured again
when it is graded, in a second, so that the person who reads the written answer sees what the
model does and not what is said of it.
"""

import random
from typing import Any


def draw(random: random.Random) -> dict[str, Any]:
    """Draw the rules of the tokens, the split, the loss, the schedule and the sampling."""
    return {
        "space": random.choice(["before", "after", "alone"]),
        "digits": random.choice(["one by one", "in runs", "in threes"]),
        "score": random.choice(["occurrences", "different pieces"]),
        "tie": random.choice(["first", "smallest", "greatest"]),
        "least": random.choice([2, 3]),
        "matching": random.choice(["longest from the left", "longest from the right"]),
        "n_merges": random.randrange(40, 71),
        "block": random.randrange(300, 451),
        "period": random.choice([4, 5]),
        "place": random.choice([1, 2, 3, 4]),
        "gap": random.randrange(20, 61),
        "smoothing": random.randrange(4, 17) / 100,
        "weighting": random.choice(["step", "ramp"]),
        "early": random.randrange(5, 10),
        "share": random.randrange(20, 51, 5) / 100,
        "warmup": random.randrange(6, 20),
        "decay": random.choice(["cosine", "line", "root", "plateau"]),
        "floor": random.randrange(5, 21) / 100,
        "cut": random.choice(["relative", "absolute"]),
        "cut_first": random.choice([True, False]),
        "temperature": random.choice([0.6, 0.7, 0.8, 1.25, 1.4, 1.6]),
        "threshold": random.randrange(6, 13) / 100,
        "context": random.randrange(20, 31),
        "skip": random.randrange(2, 6),
    }
