"""A norm of queries and keys, and its rivals, at a high learning rate: twelve seeds of each.

    python benchmarks/norm_rivals.py                  # all of them, in about a minute
    python benchmarks/norm_rivals.py "no norm" "..."  # some; the store keeps the others

The model, the task and the training are those of the chapter on today's model: its functions are
taken from the notebook, which trains three seeds of its own arms itself, and here the others
follow. The rivals stand here, and are trained with all twelve. What comes out is stored beside
``softlookup.course.norm_rivals``, where the chapter reads it; a test holds it to this script.
"""

import functools
import math
import sys

import torch
from chapter_code import defined_in
from softlookup.course import norm_rivals
from softlookup.course.keeping import keep_parts
from softlookup.layers import masks
from softlookup.layers.attention import fused_attention
from torch import nn

# The imports, the heads with and without a norm, and the task with its training.
WHOLE = ("f3a2577b", "heads16", "309252eb")
SEEDS = tuple(range(12))
CAP = 50.0
SLOWER = "W_Q and W_K slower"


@functools.cache
def chapter():
    """What the chapter defines for this trial, by name."""
    return defined_in("16_todays_model.ipynb", WHOLE, only=())


class Capped(nn.Module):
    """Causal attention whose scores softmax reads through a soft cap."""

    def __init__(self, d_head):
        super().__init__()
        self.scale = 1 / math.sqrt(d_head)

    def compared(self, query, key):
        """Queries and keys as they are."""
        return query, key

    def forward(self, query, key, value):
        """Attention, with every score between the cap and its negative."""
        capped = CAP * torch.tanh(query @ key.mT * self.scale / CAP)
        hidden = ~masks.causal(query.size(-2))
        return capped.masked_fill(hidden, -torch.inf).softmax(dim=-1) @ value


class NormedElsewhere(nn.Module):
    """Causal attention with two norms, on the values and on each head's output."""

    def __init__(self, d_head):
        super().__init__()
        self.norm_of_values, self.norm_of_outputs = nn.RMSNorm(d_head), nn.RMSNorm(d_head)

    def compared(self, query, key):
        """Queries and keys as they are."""
        return query, key

    def forward(self, query, key, value):
        """Attention over normalised values, normalised."""
        found = fused_attention(query, key, self.norm_of_values(value), causal=True)
        return self.norm_of_outputs(found)


class AtLowRate(nn.Module):
    """A weight stored times high / low, so that it learns at the low rate among the high ones."""

    def forward(self, stored):
        """The weight as it is used."""
        return stored * chapter()["LOW"] / chapter()["HIGH"]

    def right_inverse(self, weight):
        """The weight as it is stored."""
        return weight * chapter()["HIGH"] / chapter()["LOW"]


def slow_down(layer):
    """Let two matrices of a layer learn at the ordinary rate."""
    for projection in (layer.query_projection, layer.key_projection):
        nn.utils.parametrize.register_parametrization(projection, "weight", AtLowRate())


def of_chapter(norm_of_queries, norm_of_keys):
    """The chapter's heads with these norms, made for a width."""
    return lambda d_head: chapter()["Heads"](norm_of_queries(d_head), norm_of_keys(d_head))


# What attends in each arm; None where the chapter trains it, too, and so says it.
KINDS = {
    "no norm": None,
    "scores capped at 50": Capped,
    "only queries normed": of_chapter(nn.RMSNorm, nn.Identity),
    "only keys normed": of_chapter(nn.Identity, nn.RMSNorm),
    "values and outputs normed": NormedElsewhere,
    SLOWER: of_chapter(nn.Identity, nn.Identity),
    "queries and keys normed": None,
    "no norm, ordinary rate": None,
}


def seeds_of(kind):
    """Those of the twelve seeds that the chapter does not train itself."""
    here = chapter()["SEEDS"] if kind in chapter()["ARMS"] else ()
    return [seed for seed in SEEDS if seed not in here]


def arm(kind, seeds=None):
    """An arm's runs: what is recalled in the end, and the largest score."""
    heads, rate = chapter()["ARMS"].get(kind, (KINDS[kind], chapter()["HIGH"]))
    prepare = {"prepare": slow_down} if kind == SLOWER else {}
    found = norm_rivals.Runs([], [])
    for seed in seeds_of(kind) if seeds is None else seeds:
        model = chapter()["learned_recall"](heads, rate, seed, **prepare)
        recalled, largest = chapter()["judged"](model)
        found.recalled.append(round(recalled, 4))
        found.largest.append(round(largest, 2))
    return vars(found)


PARTS = {kind: functools.partial(arm, kind) for kind in KINDS}


def main(names=()):
    """Run the arms that are named, or all, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(norm_rivals.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
