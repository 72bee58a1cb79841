"""GPT against the best n-gram on the text of this book, with minutes in place of one: three seeds.

    python benchmarks/gpt_against_n_grams.py          # all three, one after the other
    python benchmarks/gpt_against_n_grams.py 1        # the second alone

Both learn from the same cleaned text and are tested on the same last tenth. The n-gram is the
best of orders 1 to 8, of Witten–Bell and Kneser–Ney, over characters and over byte pairs, chosen
on the test text itself. What comes out is stored beside ``softlookup.course.longer_runs``, where
the chapter on the next word reads it; a test holds the store to this script.
"""

import hashlib
import json
import sys
import time

import torch
from softlookup.course import longer_runs
from softlookup.course.seeding import seed_everything
from softlookup.data import edition
from softlookup.data.byte_pairs import BytePairs
from softlookup.data.overlap import leave_out_shared
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.running.evaluation import bits_per_character, token_losses
from softlookup.running.losses import next_token_loss
from softlookup.running.n_grams import NGramCounts, kneser_ney, witten_bell
from softlookup.running.training import train, warmup_cosine

SEEDS = (0, 1, 2)
SIZES = {
    "vocab_size": 1024,
    "window": 128,
    "d_model": 128,
    "n_heads": 4,
    "n_layers": 4,
    "dropout": 0.1,
    "batch_size": 8,
    "steps": 4000,
    "learning_rate": 2e-3,
    "weight_decay": 0.5,
}


def texts():
    """The cleaned training text, and the test text."""
    parts = edition.split(edition.text())
    return leave_out_shared(parts.train, parts.test), parts.test


def digest(train_text, test_text):
    """A name for the two texts: a new edition, or another way of cleaning, has another."""
    return hashlib.sha256(f"{train_text}\0{test_text}".encode()).hexdigest()


def best_n_gram(train_text, test_text):
    """The fewest bits per character of all n-grams, chosen on the test text."""
    found = []
    characters = edition.Characters(train_text + test_text)
    for tokens in (characters, BytePairs(train_text, SIZES["vocab_size"])):
        read, unread = tokens.encode(train_text), tokens.encode(test_text)
        counts = NGramCounts(read, len(tokens), order=8)
        text = torch.cat([read[-8:], unread])
        for smooth in (witten_bell, kneser_ney):
            for order in range(1, 9):
                losses = -smooth(counts, order).log_probabilities(text, first=8)
                found.append(bits_per_character(losses, len(test_text)))
    return min(found)


def gpt(train_text, test_text, seed):
    """Bits per character of a GPT that learned with this seed, and the CPU seconds it took."""
    window = SIZES["window"]
    generator = seed_everything(seed)
    tokens = BytePairs(train_text, SIZES["vocab_size"])
    read, unread = tokens.encode(train_text), tokens.encode(test_text)
    model = GPT(
        GPTConfig(
            vocab_size=len(tokens),
            max_length=window,
            d_model=SIZES["d_model"],
            n_heads=SIZES["n_heads"],
            n_layers=SIZES["n_layers"],
            positions="rotary",
            dropout=SIZES["dropout"],
        )
    )

    def batches():
        while True:
            yield edition.windows(read, SIZES["batch_size"], window, generator)

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
    )
    seconds = time.process_time() - start
    losses = token_losses(
        model, torch.cat([read[-window:], unread]), window, stride=window // 4, first=window
    )
    return bits_per_character(losses, len(test_text)), seconds


def main(seeds):
    """Run the seeds, and store what came out beside what was stored under the same terms."""
    train_text, test_text = texts()
    terms = {"text": digest(train_text, test_text), "sizes": SIZES}
    best = best_n_gram(train_text, test_text)
    print(f"best n-gram: {best:.3f} bits per character")
    for seed in seeds:
        bits, seconds = gpt(train_text, test_text, seed)
        print(f"seed {seed}: {bits:.3f} bits per character after {seconds:.0f} CPU seconds")
        # Read only now: another process may have stored its seed while this one trained.
        stored = json.loads(longer_runs.STORE.read_text()) if longer_runs.STORE.exists() else {}
        same_terms = all(stored.get(name) == value for name, value in terms.items())
        runs = stored["runs"] if same_terms else {}
        runs[str(seed)] = {"bits_per_character": bits, "cpu_seconds": round(seconds)}
        stored = {
            **terms,
            "best_n_gram": best,
            "runs": dict(sorted(runs.items())),
        }
        longer_runs.STORE.write_text(json.dumps(stored, indent=2) + "\n")


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]] or SEEDS)
