"""Why experts fall idle: the arms of the chapter on today's model, ten seeds each.

    python benchmarks/expert_arms.py                          # all of them
    python benchmarks/expert_arms.py "nothing shared" "..."   # some; the store keeps the others

The facts, the memory and the training are the chapter's own: its functions are taken from the
notebook, which trains three seeds of three arms itself, so nothing of them is written twice. What
comes out is stored beside ``softlookup.course.expert_arms``, where the chapter reads it; a test
holds the store to this script.
"""

import dataclasses
import functools
import sys

import torch
from chapter_code import defined_in
from softlookup.course import expert_arms
from softlookup.course.keeping import keep_parts

# The imports, and the constants with the facts; of all other cells the functions and classes.
WHOLE = ("f3a2577b", "bcf15cc7")
SEEDS = tuple(range(10))


@functools.cache
def chapter():
    """The functions and classes of the chapter, by name."""
    return defined_in("16_todays_model.ipynb", WHOLE)


ROUTER_ALONE = {"frozen": ("network.experts", "answer")}
# Each arm, where its terms are not the usual. The last two tell whether a router that learns alone
# needs what the facts share to leave experts idle.
ARMS = {
    "everything learns": {},
    "only the router learns": ROUTER_ALONE,
    "nothing shared": {"times": 0},
    "mean hidden from the router": {"hidden": True},
    "balancing loss": {"balance": 0.03},
    "four times as long": {"steps": 800},
    "only the router learns, mean hidden": ROUTER_ALONE | {"hidden": True},
    "only the router learns, nothing shared": ROUTER_ALONE | {"times": 0},
}


def rounded(found):
    """To four digits."""
    if isinstance(found, list):
        return [rounded(each) for each in found]
    return round(found, 4)


def arm(name, seeds=SEEDS, **less):
    """An arm's runs."""
    found = chapter()["run_arm"](seeds, **(ARMS[name] | less))
    return {what: rounded(rows) for what, rows in dataclasses.asdict(found).items()}


PARTS = {name: functools.partial(arm, name) for name in ARMS}


def main(names=()):
    """Run the arms that are named, or all, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(expert_arms.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
