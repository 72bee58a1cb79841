"""Recall of small models against the number of keys, at one length of text: three seeds each.

    python benchmarks/recall_race.py                  # all, one after the other
    python benchmarks/recall_race.py linear Hyena     # these alone

Every arm learns from the same stream of texts, with loads of 8, 16, 32 and 64 keys in turns. Each
learning rate is tried with a seed and texts that serve nothing else; the best on those texts is
then run with three seeds, and tested on further texts. What comes out is stored beside
``softlookup.course.recall_race``, where the chapter on the quadratic wall reads it; a test holds
the store to this script.
"""

import functools
import itertools
import json
import math
import sys
import time

import torch
import torch.nn.functional as F
from softlookup.course import recall_race
from softlookup.course.seeding import seed_everything
from softlookup.data.recall import associative_recall, lookup
from softlookup.models.recaller import Recaller
from softlookup.running.training import train, warmup_cosine
from torch import nn

SEEDS = (0, 1, 2)
# A seed and texts by which rates are chosen, and others by which the runs are judged.
CHOOSING_SEED, CHOOSING_TEXTS, TEST_TEXTS = 9, 1009, 2009
RATES = (3e-3, 8e-3, 2e-2)
LOADS = (8, 16, 32, 64)
TASK = {"n_pairs": 64, "n_keys": 64, "n_values": 16}
LONG = 1024  # pairs of a text that is sixteen times as long
TRAINING = {"d_model": 32, "batch_size": 16, "steps": 800}
BARE = "attention, no neighbours"
# For each arm its blocks, by how much its steps are more, and the same while it chooses its rate.
ARMS = {
    "attention": (["attention"], 1, 1),
    "linear": (["linear"], 1, 1),
    "delta rule": (["delta rule"], 1, 1),
    "window": (["window"], 1, 1),
    "Hyena": (["Hyena"], 1, 1),
    BARE: ([BARE], 1, 1),
    "window, attention": (["window", BARE], 2, 1),
    "Hyena, Hyena": (["Hyena", "Hyena"], 1, 1),
    "Hyena, attention": (["Hyena", BARE], 1, 1),
    "Hyena, 4 times the steps": (["Hyena"], 4, 4),
}
RANKS = (8, 16, 24, 32)
LOOKUP = {"n_pairs": 32, "n_keys": 64, "n_values": 32}
LOOKUP_TRAINING = {"d_model": 32, "batch_size": 64, "steps": 600}


def texts(batch_size, load, generator, n_pairs):
    """A batch in which each text draws its keys from as many as the load says."""
    sizes = TASK | {"n_pairs": n_pairs}
    return associative_recall(batch_size, generator=generator, keys_in_text=load, **sizes)


def recall_loss(model, batch):
    """Cross-entropy over the keys that were seen before."""
    return F.cross_entropy(model(batch.tokens).flatten(0, 1), batch.targets.flatten())


@torch.no_grad()
def recalled(model, load, seed, n_pairs, batch_size=128):
    """The share of the questions that are answered."""
    test = texts(batch_size, load, torch.Generator().manual_seed(seed), n_pairs)
    answers = model(test.tokens).argmax(dim=-1)
    return (answers == test.targets)[test.targets >= 0].float().mean().item()


def train_recaller(ways, steps, rate, seed, *, loads, n_pairs):
    """A model with a block for each of the ways, trained on the loads in turns."""
    generator = seed_everything(seed)
    symbols = TASK["n_keys"] + TASK["n_values"]
    model = Recaller(ways, symbols, 2 * n_pairs, TRAINING["d_model"])
    turns = itertools.cycle(loads)
    batches = (texts(TRAINING["batch_size"], load, generator, n_pairs) for load in turns)
    return trained(model, recall_loss, batches, steps, rate)


def trained(model, loss, batches, steps, rate):
    """The model, after its training."""
    schedule = warmup_cosine(max(1, steps // 10))
    train(model, loss, batches, steps=steps, learning_rate=rate, schedule=schedule)
    return model


class LowRankLookup(nn.Module):
    """A question to a dictionary whose entries are first mixed into ``rank``, as in Linformer."""

    def __init__(self, rank):
        super().__init__()
        d_model, n_pairs = LOOKUP_TRAINING["d_model"], LOOKUP["n_pairs"]
        self.keys = nn.Embedding(LOOKUP["n_keys"], d_model)
        self.values = nn.Embedding(LOOKUP["n_values"], d_model)
        self.query_projection = nn.Linear(d_model, d_model)
        self.key_projection = nn.Linear(d_model, d_model)
        self.answer = nn.Linear(d_model, LOOKUP["n_values"])
        self.mixers = None
        if rank is not None:
            self.mixers = nn.Parameter(torch.randn(2, rank, n_pairs) / math.sqrt(n_pairs))

    def forward(self, asked):
        """Logits of the value."""
        key, value = self.key_projection(self.keys(asked.keys)), self.values(asked.values)
        query = self.query_projection(self.keys(asked.query))[:, None]
        if self.mixers is not None:
            key, value = self.mixers[0] @ key, self.mixers[1] @ value
        weights = torch.softmax(query @ key.mT / math.sqrt(query.size(-1)), dim=-1)
        return self.answer((weights @ value)[:, 0])


def lookup_loss(model, asked):
    """Cross-entropy of the value."""
    return F.cross_entropy(model(asked), asked.answer)


@torch.no_grad()
def found(model, seed):
    """The share of questions to small dictionaries that are answered."""
    asked = lookup(4000, generator=torch.Generator().manual_seed(seed), **LOOKUP)
    return (model(asked).argmax(dim=-1) == asked.answer).float().mean().item()


def train_lookup(rank, rate, seed):
    """A lookup with all entries (rank None), or with so many mixtures of them."""
    generator = seed_everything(seed)
    sizes = LOOKUP | {"generator": generator}
    batches = (lookup(LOOKUP_TRAINING["batch_size"], **sizes) for _ in itertools.count())
    return trained(LowRankLookup(rank), lookup_loss, batches, LOOKUP_TRAINING["steps"], rate)


def race(make, choose, measure, make_to_choose=None):
    """The rate that does best on texts for choosing, then what each seed gives at that rate."""

    def tried(rate):
        try:
            return round(choose((make_to_choose or make)(rate, CHOOSING_SEED)), 4)
        except ValueError:  # The loss was no longer finite: the rate is too large for this arm.
            return 0.0

    start = time.process_time()
    chosen_by = {str(rate): tried(rate) for rate in RATES}
    rate = max(RATES, key=lambda rate: chosen_by[str(rate)])
    runs = [measure(make(rate, seed)) for seed in SEEDS]
    seconds = round(time.process_time() - start)
    return {"chosen_by": chosen_by, "rate": rate, **_by_measure(runs), "cpu_seconds": seconds}


def _by_measure(runs):
    return {name: [run[name] for run in runs] for name in runs[0]}


def rounded(shares):
    """Four digits of each."""
    return [round(share, 4) for share in shares]


def race_recaller(arm):
    """One arm, over all loads; at sixteen times the length too, where no filter forbids it."""
    ways, *factors = ARMS[arm]
    n_pairs = TASK["n_pairs"]
    make, make_to_choose = (
        functools.partial(
            train_recaller, ways, factor * TRAINING["steps"], loads=LOADS, n_pairs=n_pairs
        )
        for factor in factors
    )

    def choose(model):
        return sum(recalled(model, load, CHOOSING_TEXTS, n_pairs) for load in LOADS) / len(LOADS)

    def measure(model):
        shares = {"recall": rounded(recalled(model, load, TEST_TEXTS, n_pairs) for load in LOADS)}
        if "Hyena" not in ways:
            long = (recalled(model, load, TEST_TEXTS, LONG, batch_size=4) for load in LOADS)
            shares["recall_long"] = rounded(long)
        return shares

    return race(make, choose, measure, make_to_choose)


def race_lookup(rank):
    """Linformer's mixtures at one rank, or all entries."""
    return race(
        functools.partial(train_lookup, rank),
        lambda model: found(model, CHOOSING_TEXTS),
        lambda model: {"found": round(found(model, TEST_TEXTS), 4)},
    )


def main(names):
    """Run the arms, and store what came out beside what was stored under the same terms."""
    terms = {"task": TASK, "loads": [*LOADS], "long": LONG, "training": TRAINING}
    terms |= {"lookup": LOOKUP, "lookup_training": LOOKUP_TRAINING, "rates": [*RATES]}
    arms = {name: functools.partial(race_recaller, name) for name in ARMS}
    lookups = {f"rank {rank}": functools.partial(race_lookup, rank) for rank in RANKS}
    lookups["all entries"] = functools.partial(race_lookup, None)
    for name in names or [*arms, *lookups]:
        result = {**arms, **lookups}[name]()
        print(f"{name}: {result}", flush=True)
        # Read only now: another process may have stored its arm while this one trained.
        store = recall_race.STORE
        stored = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
        same_terms = all(stored.get(term) == value for term, value in terms.items())
        results = {**(stored["results"] if same_terms else {}), name: result}
        ordered = {each: results[each] for each in [*arms, *lookups] if each in results}
        store.write_text(json.dumps({**terms, "results": ordered}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
