"""How far does one layer of attention come at repeating in order, if it trains for longer?

    python benchmarks/one_layer.py          # all rates
    python benchmarks/one_layer.py 0.02     # one of them; the store keeps the others

The task, the model and the training are those of the chapter on looking inside, which has time for
400 steps; here are thirty times as many. Two of the runs begin as the chapter's own do. What comes
out is stored beside ``softlookup.course.one_layer``, where the chapter reads it; a test holds the
store to this script.
"""

import functools
import itertools
import sys

import torch
from softlookup.course import one_layer
from softlookup.course.keeping import keep_parts
from softlookup.course.seeding import seed_everything
from softlookup.models.attention_only import AttentionOnly
from softlookup.running.losses import next_token_loss
from softlookup.running.training import train

RATES = (6e-3, 1e-2, 2e-2)
SEEDS = (0, 1)
STEPS = (400, 3000, 12000)
HALF, SYMBOLS, WIDTH, HEADS = 8, 16, 32, 4
SIZES = {"batch_size": 32, "exam": 128, "exam_seed": 99, "loss_over": 50}


def sequences(number, drawing):
    """Eight symbols of sixteen, and once more from a place within, going round."""
    symbols = torch.rand(number, SYMBOLS, generator=drawing).argsort(dim=1)[:, :HALF]
    begin = torch.randint(1, HALF - 1, (number, 1), generator=drawing)
    source = (begin + torch.arange(HALF)) % HALF
    return torch.cat((symbols, symbols.gather(1, source)), dim=1), source


def loss(model, batch):
    """The surprise in the second half, but where a text goes round to its beginning."""
    tokens, source = batch
    wanted = torch.where(source[:, 1:] != 0, tokens[:, HALF + 1 :], -100)
    return next_token_loss(model(tokens[:, :-1])[:, HALF:], wanted, padding=-100)


@torch.no_grad()
def right(model):
    """Share of the second half's symbols that are foretold on texts for judging alone."""
    tokens, source = sequences(SIZES["exam"], torch.Generator().manual_seed(SIZES["exam_seed"]))
    answers = model(tokens[:, :-1])[:, HALF:].argmax(dim=-1)
    return (answers == tokens[:, HALF + 1 :])[source[:, 1:] != 0].double().mean().item()


def learn(rate, seed):
    """Share right, and loss, after each number of steps of one training."""
    drawing = seed_everything(seed)
    model = AttentionOnly(SYMBOLS, 2 * HALF, WIDTH, HEADS, 1).double()
    shares = []

    def batches():
        for step in itertools.count():
            if step in STEPS:
                shares.append(right(model))
            yield sequences(SIZES["batch_size"], drawing)

    losses = train(
        model, loss, batches(), steps=STEPS[-1], learning_rate=rate, show_progress=False
    ).losses
    shares.append(right(model))
    last = [losses[max(step - SIZES["loss_over"], 0) : step] for step in STEPS]
    return shares, [sum(each) / len(each) for each in last]


def at_rate(rate):
    """Both seeds at one learning rate."""
    shares, losses = zip(*(learn(rate, seed) for seed in SEEDS), strict=True)
    return {
        "steps": STEPS,
        "right": [[round(each, 4) for each in row] for row in shares],
        "loss": [[round(each, 4) for each in row] for row in losses],
    }


def main(names=()):
    """Train at some rates, or at all, and keep what comes out."""
    parts = {f"{rate:g}": functools.partial(at_rate, rate) for rate in RATES}
    keep_parts(one_layer.STORE, parts, names)


if __name__ == "__main__":
    main(sys.argv[1:])
