"""Experts in the small GPT, at the work of the plain block: five seeds each, on this book.

    python benchmarks/experts_in_gpt.py                   # all, one after the other
    python benchmarks/experts_in_gpt.py balanced          # these alone; the store keeps the others

The text, the training, the seeds and the judging are those of ``block_race.py``. The plain block is
that race's "SwiGLU", and its runs are kept there. Here its network gives way to eight half as wide,
of which each token passes through two, so the work is the same to within a fifth of a per cent; or,
as a bound from the other side, to one network with as many weights as all eight, all of them used.
In an unbalanced arm what all tokens have in common is hidden from each router, and not from its
experts.
The rates tried are the plain block's best and its two neighbours. What comes out is stored beside
``softlookup.course.experts_in_gpt``, where the chapter on today's model reads it; a test holds the
store to this script.
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
from softlookup.layers.block_parts import experts, swiglu
from softlookup.layers.mixture_of_experts import Router, load_balancing_loss, watch_routing
from softlookup.running.losses import next_token_loss
from torch import nn

PLAIN = "SwiGLU"
RATES = (1.5e-3, 3e-3, 6e-3)
EXPERTS, CHOSEN = 8, 2
# Two of this width and the router take the work of the plain network, which is 259 wide.
INNER = 128
# Of Fedus et al. 2022, section 2.2; for each layer.
BALANCE = 0.01


def still_experts(config):
    """Experts behind a router that never learns."""
    mixture = experts(EXPERTS, CHOSEN)(config)
    mixture.router.requires_grad_(False)
    return mixture


class LessMean(nn.Module):
    """What a router reads, less the mean of all tokens.

    While the model trains it is the batch's mean. Afterwards it is a running one, which stays, so
    no token of a test text tells of another.
    """

    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, router, seen):
        """A hook before a router."""
        (x,) = seen
        mean = x.flatten(end_dim=-2).mean(dim=0) if self.training else self.mean
        # A step of the training, and not somebody who looks.
        if self.training and torch.is_grad_enabled():
            self.mean.lerp_(mean.detach(), 0.1)
        return (x - mean,)


def mean_hidden(config):
    """Experts that read the whole, behind a router from which the tokens' mean is hidden."""
    mixture = experts(EXPERTS, CHOSEN)(config)
    mixture.less_mean = LessMean(config.d_model)
    mixture.router.register_forward_pre_hook(mixture.less_mean)
    return mixture


# Each arm: what makes its networks, how wide each is inside, and the strength of the balance.
ARMS = {
    "balanced": (experts(EXPERTS, CHOSEN), INNER, BALANCE),
    "unbalanced": (experts(EXPERTS, CHOSEN), INNER, 0.0),
    "mean hidden": (mean_hidden, INNER, 0.0),
    "still": (still_experts, INNER, 0.0),
    "all weights used": (swiglu, EXPERTS * INNER, 0.0),
}


def new_model(arm):
    """A model of this arm that has learned nothing."""
    make, width, _ = ARMS[arm]
    return race.of_parts(race.ARMS[PLAIN] | {"make_network": make}, width)


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
    model = new_model(arm)
    before = shares(model)
    model = race.learned(model, rate, generator, loss_with(ARMS[arm][2]))
    return model, before, shares(model)


@torch.no_grad()
def shares(model):
    """How all choices of the test text are shared among the experts, in each layer."""
    if not any(isinstance(module, Router) for module in model.modules()):
        return []
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


PARTS = {name: functools.partial(raced, name) for name in ARMS}


def main(names=()):
    """Run the arms that are named, or all, and store what came out."""
    torch.set_num_threads(1)
    keep_parts(experts_in_gpt.STORE, PARTS, names)


if __name__ == "__main__":
    main(sys.argv[1:])
