"""GPT against counting on the text of this book, with minutes in place of seconds: three runs.

    python benchmarks/gpt_against_n_grams.py            # what is missing, then the store
    python benchmarks/gpt_against_n_grams.py 1          # train the second run alone
    python benchmarks/gpt_against_n_grams.py --ship     # give the library the first run's GPT

Each run trains a GPT, about eight minutes on one core of a CPU, with its own seed or dropout. The
weights are kept in ``_build/longer_runs``, so that runs may go on side by side and nothing is
trained twice. All learn from the same cleaned training text. Whatever was chosen (the opponent's
order and its cache) was chosen on the validation text; then everything is measured there and on
the test text. What comes out is stored beside ``softlookup.course.longer_runs``, where the chapter
on the next word reads it.
"""

import hashlib
import json
import sys
import time
from pathlib import Path

import torch
from softlookup.course import longer_runs
from softlookup.course.seeding import seed_everything
from softlookup.data import edition
from softlookup.data.byte_pairs import BytePairs
from softlookup.data.overlap import leave_out_shared
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.pretrained import small_gpt
from softlookup.running.evaluation import bits_per_character, token_losses
from softlookup.running.losses import next_token_loss
from softlookup.running.n_gram_cache import CachedNGrams
from softlookup.running.n_grams import NGramCounts, kneser_ney
from softlookup.running.training import train, warmup_cosine

# Each run has its seed and its dropout.
RUNS = ((0, 0.1), (1, 0.1), (1, 0.2))
SIZES = {
    "vocab_size": 1024,
    "window": 128,
    "d_model": 128,
    "n_heads": 4,
    "n_layers": 4,
    "batch_size": 8,
    "steps": 4000,
    "learning_rate": 2e-3,
    "weight_decay": 0.5,
    "order": 6,
    "cache": 128,
    "long_cache": 8192,
    "doubt": 8.0,
}
KEPT = Path(__file__).parents[1] / "_build" / "longer_runs"


def texts():
    """The cleaned training text, the validation text and the test text."""
    parts = edition.split(edition.text())
    unseen = parts.validation + parts.test
    return leave_out_shared(parts.train, unseen), parts.validation, parts.test


def digest(*all_texts):
    """A name for the texts: a new edition, or another way of cleaning, has another."""
    return hashlib.sha256("\0".join(all_texts).encode()).hexdigest()


def new_gpt(dropout):
    """A GPT that has learned nothing."""
    return GPT(
        GPTConfig(
            vocab_size=SIZES["vocab_size"],
            max_length=SIZES["window"],
            d_model=SIZES["d_model"],
            n_heads=SIZES["n_heads"],
            n_layers=SIZES["n_layers"],
            positions="rotary",
            dropout=dropout,
        )
    )


def trained(ids, seed, dropout):
    """A GPT that learned with this seed and dropout, and the CPU seconds that it took."""
    generator = seed_everything(seed)
    model = new_gpt(dropout)

    def batches():
        while True:
            yield edition.windows(ids, SIZES["batch_size"], SIZES["window"], generator)

    start = time.process_time()
    train(
        model,
        lambda model, batch: next_token_loss(model(batch[0]), batch[1]),
        batches(),
        steps=SIZES["steps"],
        learning_rate=SIZES["learning_rate"],
        schedule=warmup_cosine(50),
        weight_decay=SIZES["weight_decay"],
        betas=(0.9, 0.99),
        show_progress=False,
    )
    return model, time.process_time() - start


def learn(run, train_text):
    """Train the GPT of a run, unless it is kept; its weights are rounded."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"gpt_{run}.safetensors"
    if file.exists():
        return
    tokens = BytePairs(train_text, SIZES["vocab_size"])
    model, seconds = trained(tokens.encode(train_text), *RUNS[run])
    file.write_bytes(small_gpt.packed(small_gpt.SmallGPT(model, tokens)))
    (KEPT / f"seconds_{run}.txt").write_text(f"{seconds:.0f}\n")
    print(f"run {run}: the GPT took {seconds:.0f} CPU seconds", flush=True)


def network_losses(model, before, ids):
    """The surprise of each token of a text, after the end of the text before it."""
    window = SIZES["window"]
    text = torch.cat([before[-window:], ids])
    return token_losses(model, text, window, stride=window // 4, first=window).double()


def count_losses(model, before, ids):
    """The same of a model that counts."""
    before = before[-SIZES["long_cache"] :]
    return -model.log_probabilities(torch.cat([before, ids]), first=len(before))


def mixed(losses, others):
    """Half of each probability."""
    return -torch.log(0.5 * torch.exp(-losses) + 0.5 * torch.exp(-others))


def measured(runs, train_text, before_text, text):
    """Bits per character of everything, a list for each, over the runs where there are runs."""
    tokens = BytePairs(train_text, SIZES["vocab_size"])
    read, before, ids = (tokens.encode(each) for each in (train_text, before_text, text))
    counts = NGramCounts(read, len(tokens), SIZES["order"])
    plain = kneser_ney(counts, SIZES["order"])
    short, long = (
        CachedNGrams(plain, SIZES[name], (1, 2, 3), SIZES["doubt"])
        for name in ("cache", "long_cache")
    )
    counted = {
        "n-gram": count_losses(plain, before, ids),
        "n-gram, short cache": count_losses(short, before, ids),
        "n-gram, long cache": count_losses(long, before, ids),
    }
    gpts = []
    for run in runs:
        gpt = small_gpt.unpacked((KEPT / f"gpt_{run}.safetensors").read_bytes()).model
        gpts.append(network_losses(gpt, before, ids))
    short, long = counted["n-gram, short cache"], counted["n-gram, long cache"]
    losses = {
        **{name: [each] for name, each in counted.items()},
        "GPT": gpts,
        "two GPTs": [mixed(each, gpts[place - 1]) for place, each in enumerate(gpts)],
        "two caches": [mixed(short, long)],
        "GPT and short cache": [mixed(each, short) for each in gpts],
        "GPT and long cache": [mixed(each, long) for each in gpts],
    }
    return {
        name: [bits_per_character(each, len(text)) for each in several]
        for name, several in losses.items()
    }


def main(runs):
    """Train what is missing; where all runs are there, measure everything and store it."""
    train_text, validation, test = texts()
    for run in runs:
        learn(run, train_text)
    every = range(len(RUNS))
    if not all((KEPT / f"gpt_{run}.safetensors").exists() for run in every):
        return
    stored = {
        "text": digest(train_text, validation, test),
        "sizes": SIZES,
        "runs": RUNS,
        "cpu_seconds": [int((KEPT / f"seconds_{run}.txt").read_text()) for run in every],
        "validation": measured(every, train_text, train_text, validation),
        "test": measured(every, train_text, validation, test),
    }
    longer_runs.STORE.write_text(json.dumps(stored, indent=2) + "\n")
    for name, bits in stored["validation"].items():
        print(f"{name:22}", *(f"{each:.3f}" for each in bits + stored["test"][name]))


def ship():
    """Give the library the GPT of the first run, and say which digest it is to expect."""
    stored = (KEPT / "gpt_0.safetensors").read_bytes()
    small_gpt.FILE.write_bytes(stored)
    print(f"{len(stored):,} bytes, SHA-256 {hashlib.sha256(stored).hexdigest()}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--ship"]:
        ship()
    else:
        main([int(run) for run in sys.argv[1:]] or range(len(RUNS)))
