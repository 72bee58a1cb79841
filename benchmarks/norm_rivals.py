"""A norm of queries and keys, and its rivals, at a high learning rate: twelve seeds of each.

    python benchmarks/norm_rivals.py                  # all of them, in about a minute
    python benchmarks/norm_rivals.py "no norm" "..."  # some; the store keeps the others

The model, the task and the training are those of the chapter on today's model: its functions are
taken from the notebook, which trains three seeds of most arms itself, and here the others follow.
What comes out is stored beside ``softlookup.course.norm_rivals``, where the chapter reads it; a
test holds it to this script.
"""

import functools
import sys

import torch
from chapter_code import defined_in
from softlookup.course import norm_rivals
from softlookup.course.keeping import keep_parts

# The imports, and the cell with the arms, the rates, the seeds and the training.
WHOLE = ("f3a2577b", "309252eb")


@functools.cache
def chapter():
    """What the chapter defines for this trial, by name."""
    return defined_in("16_todays_model.ipynb", WHOLE, only=())


def seeds_of(kind):
    """Those of the chapter's twelve seeds that it does not train itself."""
    here = () if kind in chapter()["KEPT_ALONE"] else chapter()["SEEDS"]
    return [seed for seed in chapter()["TWELVE"] if seed not in here]


def arm(kind, rate, seeds=None):
    """An arm's runs: what is recalled in the end, and the largest score."""
    found = norm_rivals.Runs([], [])
    for seed in seeds_of(kind) if seeds is None else seeds:
        model = chapter()["learned_recall"](kind, rate, seed)
        found.recalled.append(round(chapter()["recalled"](model), 4))
        found.largest.append(round(chapter()["largest_score"](model), 2))
    return vars(found)


PARTS = {kind: functools.partial(arm, kind, chapter()["HIGH"]) for kind in chapter()["KINDS"]}
PARTS["no norm, ordinary rate"] = functools.partial(arm, "no norm", chapter()["LOW"])


def main(names=()):
    """Run the arms that are named, or all, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(norm_rivals.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
