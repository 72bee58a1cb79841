"""Twelve blocks with skips and without: the race of the chapter on residuals and norms.

    python benchmarks/skip_race.py                # all of it
    python benchmarks/skip_race.py with_skip      # some parts; the store keeps the others

The blocks, the task and the training are the chapter's own: its functions and classes are taken
from the notebook, so nothing of them is written twice. What stands here are the terms of each
arm. What comes out is stored beside ``softlookup.course.skip_race``, where the chapter reads it;
a test holds the store to this script.
"""

import functools
import sys

import torch
from chapter_code import defined_in
from softlookup.alternatives import skipless
from softlookup.course import skip_race
from softlookup.course.keeping import keep_parts

# The imports, and the blocks with their task; of all other cells the functions and classes.
WHOLE = ("3b085825", "81229bb5")
SEEDS = (0, 1, 2)
RATES = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2)
SMALL, LARGE = 2e-3, 1e-2
# What a token's score with itself is raised by: among eight it then has 0.89 of the weight.
BIAS = 4.0

# Where the norm stands, whether there is a skip, whether the start is scaled. One run at each rate.
WITHOUT_SKIP = {
    "norm alone": ("pre", False, False),
    "norm alone, scaled": ("pre", False, True),
    "neither, scaled": (None, False, True),
}
# The same at 0.003, three seeds.
WITH_SKIP = {
    "skip and norm": ("pre", True, False),
    "skip and norm, scaled": ("pre", True, True),
    "skip alone": (None, True, False),
}
# How a training at the larger rate may begin.
BEGUN = {
    "10 steps at 0.002 first": {"first": (10, SMALL)},
    "30 steps at 0.002 first": {"first": (30, SMALL)},
    "a climb over 30 steps": {"climb": 30},
}


@functools.cache
def chapter():
    """The functions and classes of the chapter, by name."""
    return defined_in("07_residuals_and_norms.ipynb", WHOLE)


def share(*arm, **terms):
    """The share right after the chapter's training."""
    return chapter()["train_and_test"](*arm, **terms)


def without_skip(rates=RATES, **less):
    """By arm, a run at each rate."""
    return {
        name: {str(rate): share(*wiring, rate, 0, **less) for rate in rates}
        for name, wiring in WITHOUT_SKIP.items()
    }


def longer(**less):
    """One without a skip, for four times the steps."""
    return share("pre", False, True, 1e-3, 0, **({"steps": 400} | less))


def with_skip(seeds=SEEDS, **less):
    """By arm, three runs."""
    return {
        name: [share(*wiring, 3e-3, seed, **less) for seed in seeds]
        for name, wiring in WITH_SKIP.items()
    }


def near_identity(seeds=SEEDS, rates=RATES, **less):
    """Neither skip nor norm, and a start near the identity: three runs, and one at each rate.

    Values and feed-forward networks begin as the identity. In the first each token looks mostly
    at itself, in the others at all alike.
    """
    functions = chapter()
    plain = functions["begin"]

    def at_itself(bias, rate, seed):
        def begin(*arguments):
            model = plain(*arguments)
            skipless.look_at_itself(model.stack, bias)
            return model

        functions["begin"] = begin
        try:
            return share("pre", False, False, rate, seed, **less)
        finally:
            functions["begin"] = plain

    return {
        "mostly at itself": [at_itself(BIAS, 3e-3, seed) for seed in seeds],
        "at all alike": {str(rate): at_itself(0.0, rate, 0) for rate in rates},
    }


def places(seeds=SEEDS, **less):
    """By the norm's place and the rate, three runs."""
    return {
        norm: {
            str(rate): [share(norm, True, False, rate, seed, **less) for seed in seeds]
            for rate in (SMALL, LARGE)
        }
        for norm in ("pre", "post")
    }


def after_ten(seeds=SEEDS, **less):
    """By the norm's place, three runs of ten steps at the larger rate, and the rest smaller."""
    terms = {"first": (10, LARGE)} | less
    return {
        norm: [share(norm, True, False, SMALL, seed, **terms) for seed in seeds]
        for norm in ("pre", "post")
    }


def fresh_adam(seeds=SEEDS, steps=100):
    """Three runs of post-norm: ten steps at the larger rate, and the rest with another Adam."""
    functions = chapter()
    learn = functions["train"]

    def renewed(*what, steps, **_):
        for some, rate in ((10, LARGE), (steps - 10, SMALL)):
            learn(*what, steps=some, learning_rate=rate, show_progress=False)

    functions["train"] = renewed
    try:
        return [share("post", True, False, SMALL, seed, steps=steps) for seed in seeds]
    finally:
        functions["train"] = learn


def begun(seeds=SEEDS, **less):
    """By their beginning, three runs of post-norm at the larger rate."""
    return {
        name: [share("post", True, False, LARGE, seed, **(how | less)) for seed in seeds]
        for name, how in BEGUN.items()
    }


PARTS = {
    each.__name__: each
    for each in (
        without_skip,
        longer,
        near_identity,
        with_skip,
        places,
        after_ten,
        fresh_adam,
        begun,
    )
}


def main(names):
    """Run the parts that are named, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(skip_race.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
