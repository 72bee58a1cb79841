"""Experts in the small GPT, at the work of the plain block: five seeds each, on this book.

    python benchmarks/experts_in_gpt.py                   # all, one after the other
    python benchmarks/experts_in_gpt.py balanced          # these alone; the store keeps the others

The text, the training, the seeds and the judging are those of ``block_race.py``. The plain block is
that race's "SwiGLU", and its runs are kept there. Here its network gives way to eight half as wide,
of which each token passes through two, so the work is the same to within a fifth of a per cent. Two
arms are judged by their bits, with a balancing loss and without one. The rates tried are the plain
block's best, half of it and twice it.

Two parts ask why experts fall idle without such a loss, beside the unbalanced arm. In the one the
experts stay as they were drawn. In the other everything learns, and each router reads its tokens
less their mean over the batch. (A model that writes has no such batch; this is to find a cause.)
What comes out is stored beside ``softlookup.course.experts_in_gpt``, where the chapter on today's
model reads it; a test holds the store to this script.
"""

import functools
import sys
import time

import block_race as race
import torch
from softlookup.course import experts_in_gpt
from softlookup.course.costs import multiplications
from softlookup.course.keeping import keep_parts
from softlookup.course.seeding import seed_everything
from softlookup.layers.block_parts import experts
from softlookup.layers.mixture_of_experts import Router, load_balancing_loss, watch_routing
from softlookup.running.losses import next_token_loss

PLAIN = "SwiGLU"
RATES = (1.5e-3, 3e-3, 6e-3)
EXPERTS, CHOSEN = 8, 2
# Two of this width and the router take the work of the plain network, which is 259 wide.
INNER = 128
# The strength of the balance in each arm; Fedus et al. 2022, section 2.2; for each layer.
ARMS = {"balanced": 0.01, "unbalanced": 0.0}
# The rate of the unbalanced arm, with which the two parts that ask for the cause are compared.
CAUSE_RATE = 3e-3


def new_model():
    """A model with experts that has learned nothing."""
    return race.of_parts(race.ARMS[PLAIN] | {"make_network": experts(EXPERTS, CHOSEN)}, INNER)


def loss_with(balance):
    """Of the next token, and of the routing if that is to be even."""

    def loss(model, batch):
        if not balance:
            return next_token_loss(model(batch[0]), batch[1])
        with watch_routing(model) as routings:
            learned = next_token_loss(model(batch[0]), batch[1])
        return learned + balance * sum(map(load_balancing_loss, routings))

    return loss


def trained(arm, rate, seed):
    """A model of this arm, after its training, and how its choices fell before and behind it."""
    generator = seed_everything(seed)
    model = new_model()
    before = shares(model)
    model = race.learned(model, rate, generator, loss_with(ARMS[arm]))
    return model, before, shares(model)


@torch.no_grad()
def shares(model):
    """How all choices of the test text are shared among the experts, in each layer."""
    window = race.SIZES["window"]
    ids = race.texts()[2]
    whole = len(ids) // window * window
    with watch_routing(model) as routings:
        model(ids[:whole].view(-1, window))
    return [[round(float(share), 4) for share in routing.loads()] for routing in routings]


def raced(arm):
    """The rate that does best on the validation text, then what each seed gives at that rate."""
    start = time.process_time()
    found = {
        rate: race.validation_bits(trained(arm, rate, race.CHOOSING_SEED)[0]) for rate in RATES
    }
    rate = min(found, key=found.get)
    runs = [trained(arm, rate, seed) for seed in race.SEEDS]
    model, tokens = runs[0][0], torch.zeros(1, race.SIZES["window"], dtype=torch.long)
    return {
        "bits": [race.test_bits(model) for model, _, _ in runs],
        "tried": {str(rate): bits for rate, bits in found.items()},
        "rate": rate,
        "before": [before for _, before, _ in runs],
        "after": [after for _, _, after in runs],
        "parameters": sum(each.numel() for each in model.parameters()),
        "multiplications": multiplications(lambda: model(tokens)),
        "cpu_seconds": round(time.process_time() - start),
    }


def hide_shared(model):
    """From now on each router reads its tokens less their mean over the whole batch."""
    for each in model.modules():
        if isinstance(each, Router):
            each.register_forward_pre_hook(lambda _, x: (x[0] - x[0].flatten(0, -2).mean(dim=0),))


def routed(seed, frozen=False, hidden=False):
    """How the choices fall after a training without a balance, by layer."""
    generator = seed_everything(seed)
    model = new_model()
    if hidden:
        hide_shared(model)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not (frozen and ".experts." in name))
    race.learned(model, CAUSE_RATE, generator, loss_with(0.0))
    return shares(model)


def all_routed(**arm):
    """The same for each seed."""
    return {"after": [routed(seed, **arm) for seed in race.SEEDS]}


PARTS = {name: functools.partial(raced, name) for name in ARMS} | {
    "experts frozen": functools.partial(all_routed, frozen=True),
    "shared part hidden": functools.partial(all_routed, hidden=True),
}


def main(names=()):
    """Run the parts that are named, or all, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(experts_in_gpt.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
