"""What idles experts, and what it costs: the arms of the chapter on today's model, ten seeds each.

    python benchmarks/expert_arms.py                  # all of them
    python benchmarks/expert_arms.py "hidden" "..."   # some; the store keeps the others

The facts, the memory and the training are the chapter's own: its functions are taken from the
notebook, which trains a few arms itself, so nothing of them is written twice. What stands here is
what the other arms change. What comes out is stored beside ``softlookup.course.expert_arms``, where
the chapter reads it; a test holds the store to this script.
"""

import functools
import itertools
import sys

import torch
import torch.nn.functional as F
from chapter_code import defined_in
from softlookup.course import expert_arms
from softlookup.course.keeping import keep_parts
from softlookup.layers.feed_forward import SwiGLU
from softlookup.layers.mixture_of_experts import Routing
from torch import nn

# The imports, and the constants with the facts; of all other cells the functions and classes.
WHOLE = ("f3a2577b", "309252eb", "bcf15cc7")
SEEDS = tuple(range(10))
# Of this width one network does a little more work than the two experts and the router.
EQUAL_WORK = 11
TERMS = {"common": 3.0, "steps": 200, "balance": 0.0}


@functools.cache
def chapter():
    """The functions and classes of the chapter, by name."""
    return defined_in("16_todays_model.ipynb", WHOLE)


def of_chapter(name):
    """A function of the chapter that makes a network of the facts."""
    return lambda x: chapter()[name](x)


uneven, even, hidden, router_alone = map(
    of_chapter, ("experts", "even_start", "hidden", "router_alone")
)


def to_size(router, seen):
    """What is left of the facts, brought back to their size."""
    return (F.rms_norm(seen[0], seen[0].shape[-1:]),)


def hidden_and_scaled(x):
    """Small inputs are then not what keeps the router even."""
    mixture = hidden(x)
    mixture.router.register_forward_pre_hook(to_size)
    return mixture


def hidden_with_bias(x, long, make=hidden):
    """A bias from zero, which moves a score by as much as it is moved.

    Or, if its steps are long, by as much as a first step along the mean fact would move it.
    """
    mixture = make(x)
    mixture.router.shift = shift = nn.Parameter(torch.zeros(chapter()["EXPERTS"]))
    times = x.mean(dim=0).abs().sum() if long else 1.0
    mixture.router.score_projection.register_forward_hook(
        lambda layer, seen, scores: scores + times * shift
    )
    return mixture


def still(make):
    """The same, with a router that never learns."""

    def made(x):
        mixture = make(x)
        mixture.router.requires_grad_(False)
        return mixture

    return made


def corrected(make, speed=0.01):
    """What is chosen, and nothing else, is corrected after each step; no gradient does it.

    An expert that was chosen too often loses a little of its chances, one too seldom gains it. The
    speed is the best of 0.001, 0.003, 0.01 and 0.03 on the first four seeds, from both starts.

    Source: DeepSeek-AI 2024 (DeepSeek-V3), section 2.1.2, auxiliary-loss-free load balancing.
    """

    def made(x):
        mixture = make(x)
        offset = torch.zeros(len(mixture.experts))

        def correct(router, seen, routing):
            chances = routing.probabilities
            chosen = (chances + offset).topk(router.n_chosen, dim=-1).indices
            weights = chances.gather(-1, chosen)
            again = Routing(chances, chosen, weights / weights.sum(dim=-1, keepdim=True))
            # A step, and not somebody who looks.
            if torch.is_grad_enabled():
                offset.add_(torch.sign(1 / len(offset) - again.loads()), alpha=speed)
            return again

        mixture.router.register_forward_hook(correct)
        return mixture

    return made


def four_shut(x):
    """Even among four experts; the others are never chosen."""
    mixture = even(x)
    mixture.router.score_projection.bias.data[:4] -= 1e4
    return mixture


def one_network(x):
    """A network of equal work."""
    return SwiGLU(x.size(-1), EQUAL_WORK)


# Each arm: how its network is made, and where its terms are not the usual ones.
ARMS = {
    "even start": (even, {}),
    "router alone learns": (router_alone, {}),
    "hidden": (hidden, {}),
    "hidden and scaled": (hidden_and_scaled, {}),
    "hidden, bias in ordinary steps": (functools.partial(hidden_with_bias, long=False), {}),
    "hidden, bias in long steps": (functools.partial(hidden_with_bias, long=True), {}),
    "hidden and scaled, bias in long steps": (
        functools.partial(hidden_with_bias, long=True, make=hidden_and_scaled),
        {},
    ),
    "uneven start": (uneven, {}),
    "still": (still(even), {}),
    "four shut, still": (still(four_shut), {}),
    "uneven start, balanced": (uneven, {"balance": 0.03}),
    "balanced": (even, {"balance": 0.03}),
    "offset": (corrected(even), {}),
    "one network": (one_network, {}),
    "everywhere": (uneven, {"common": 0.0}),
    "everywhere, 60 steps": (uneven, {"common": 0.0, "steps": 60}),
    "everywhere, 60 steps, balanced": (uneven, {"common": 0.0, "steps": 60, "balance": 0.03}),
}
# The same arms for three times the steps: which costs stay, and which were only of time?
LONGER = (
    "still",
    "four shut, still",
    "balanced",
    "offset",
    "even start",
    "hidden and scaled",
    "hidden",
)
for name in LONGER:
    ARMS[f"{name}, 3 times the steps"] = (ARMS[name][0], ARMS[name][1] | {"steps": 600})
# And at other learning rates: are these the findings of one of them?
for name, rate in itertools.product(("even start", "balanced"), (0.002, 0.005, 0.05)):
    ARMS[f"{name}, rate {rate}"] = (ARMS[name][0], ARMS[name][1] | {"rate": rate})
for name in ("still", "hidden and scaled"):
    ARMS[f"{name}, rate 0.05"] = (ARMS[name][0], ARMS[name][1] | {"rate": 0.05})
# And with other weights of the balancing loss than 0.03: is what it leaves behind that of one?
for times in (0.003, 0.01, 0.1, 0.3):
    ARMS[f"balanced, times {times}"] = (even, {"balance": times})


def trained(make, terms, seed):
    """What a run gives."""
    known, before, after, _ = chapter()["learned_facts"](make, **(TERMS | terms), seed=seed)
    row = {"known": round(known, 4)}
    if before:
        row |= {
            "before": [round(float(share), 4) for share in before],
            "after": [round(float(share), 4) for share in after],
        }
    return row


def together(rows):
    """What each of some runs gave, as a list over the runs."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def arm(name, seeds=SEEDS, **less):
    """An arm's runs."""
    make, terms = ARMS[name]
    return together([trained(make, terms | less, seed) for seed in seeds])


PARTS = {name: functools.partial(arm, name) for name in ARMS}


def main(names=()):
    """Run the arms that are named, or all, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(expert_arms.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
