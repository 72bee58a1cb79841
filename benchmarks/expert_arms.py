"""What idles experts: the arms of the chapter on today's model, ten seeds each.

    python benchmarks/expert_arms.py                  # all of them
    python benchmarks/expert_arms.py "hidden" "..."   # some; the store keeps the others

The facts, the memory, the routers and the training are the chapter's own: its functions are taken
from the notebook, which trains three seeds of two arms itself, so nothing of them is written
twice. What comes out is stored beside ``softlookup.course.expert_arms``, where the chapter reads
it; a test holds the store to this script.
"""

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


# Each arm: the chapter's function that makes its network, and where its terms are not the usual.
ARMS = {
    "even start": ("even_start", {}),
    "even start, 10 times the steps": ("even_start", {"steps": 2000}),
    "hidden": ("hidden", {}),
    "balanced": ("even_start", {"balance": 0.03}),
}


def rounded(rows):
    """Shares to four digits."""
    return [[round(float(share), 4) for share in row] for row in rows]


def arm(name, seeds=SEEDS, **less):
    """An arm's runs."""
    make, terms = ARMS[name]
    found = chapter()["run_arm"](chapter()[make], seeds, **(terms | less))
    moves = {"moved": found.moved, "along": found.along}
    return {"before": rounded(found.before), "after": rounded(found.after)} | {
        name: [round(each, 3) for each in numbers] for name, numbers in moves.items()
    }


PARTS = {name: functools.partial(arm, name) for name in ARMS}


def main(names=()):
    """Run the arms that are named, or all, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(expert_arms.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
