"""Can the book's GPT learn to copy what it has just read, when nothing else is asked of it?

    python benchmarks/read_twice.py

The GPT that the course ships is trained on, on random tokens that it reads twice: there nothing can
be foretold but the second reading. As a rival it reads as many random tokens once. Then it reads
passages of the book that are new to it twice. It takes some ten minutes on one core. What comes
out is stored beside ``softlookup.course.read_twice``, where the chapter on looking inside reads it;
a test holds the store to this script.
"""

import functools
import math

import torch
from softlookup.course import read_twice
from softlookup.course.keeping import keep_parts
from softlookup.data import edition
from softlookup.inside.attention_maps import attention_maps
from softlookup.pretrained.small_gpt import load_small_gpt
from softlookup.running.losses import next_token_loss
from softlookup.running.training import train, warmup_cosine

LENGTH, PASSAGES, PASSAGES_SEED, ROLLED_BY = 32, 100, 1, 37
STEPS = (0, 150, 300, 450)
SEEDS = (0, 1, 2)
TRAINING = {"batch_size": 16, "learning_rate": 1e-3, "warmup": 20, "weight_decay": 0.1}


def new_text():
    """The tokens of the validation text, which the GPT has not read."""
    parts = edition.split(edition.text())
    return load_small_gpt().tokens.encode(parts.validation)


def read_again(text, length):
    """Passages of a text twice, and each behind another one, (passages, 2 length) each."""
    drawing = torch.Generator().manual_seed(PASSAGES_SEED)
    starts = torch.randint(len(text) - length, (PASSAGES, 1), generator=drawing)
    once = text[starts + torch.arange(length)]
    return torch.cat((once, once), dim=1), torch.cat((once.roll(ROLLED_BY, dims=0), once), dim=1)


@torch.no_grad()
def bits(model, texts):
    """What each token but the first costs a GPT, (texts, tokens)."""
    known = model(texts[:, :-1]).log_softmax(dim=-1).gather(-1, texts[:, 1:, None])
    return -known[..., 0] / math.log(2)


@torch.no_grad()
def best_induction_score(model, twice):
    """The largest mean weight of a head, in the second reading, on what came next in the first."""
    length = twice.size(1) // 2
    asks = torch.arange(length, 2 * length - 1)
    maps = attention_maps(model, twice[:, :-1]).values()
    return max(each[:, :, asks, asks - length + 1].mean(dim=(0, 2)).max().item() for each in maps)


def judged(model, texts):
    """Bits of a token in the second reading, after another passage, and the best score."""
    twice, after_another = texts
    second = [bits(model, each)[:, LENGTH:].mean().item() for each in (twice, after_another)]
    return [*second, best_induction_score(model, twice)]


def learn(seed, readings):
    """Judgements of one training after each number of steps."""
    small, texts = load_small_gpt(), read_again(new_text(), LENGTH)
    model, drawing = small.model.requires_grad_(), torch.Generator().manual_seed(seed)
    found = []

    def batches():
        for step in range(STEPS[-1]):
            if step in STEPS:
                found.append(judged(model, texts))
            size = TRAINING["batch_size"], 2 * LENGTH // readings
            yield torch.randint(len(small.tokens), size, generator=drawing).repeat(1, readings)

    train(
        model,
        lambda model, batch: next_token_loss(model(batch[:, :-1]), batch[:, 1:]),
        batches(),
        steps=STEPS[-1],
        learning_rate=TRAINING["learning_rate"],
        schedule=warmup_cosine(TRAINING["warmup"]),
        weight_decay=TRAINING["weight_decay"],
        show_progress=False,
    )
    return [*found, judged(model, texts)]


def of_readings(readings):
    """What came of reading random tokens so many times, with all seeds."""
    rows = torch.tensor([learn(seed, readings) for seed in SEEDS])  # (seeds, steps, 3)
    names = ("again", "after_another", "score")
    return {
        "steps": STEPS,
        **{
            name: [[round(each, 4) for each in row] for row in rows[..., k].tolist()]
            for k, name in enumerate(names)
        },
    }


def main(names=()):
    """Train, and keep what comes out."""
    parts = {each: functools.partial(of_readings, k) for k, each in ((1, "once"), (2, "twice"))}
    keep_parts(read_twice.STORE, parts, names)


if __name__ == "__main__":
    main()
