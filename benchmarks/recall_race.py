"""Recall of small models against the number of keys, in texts of two lengths.

    python benchmarks/recall_race.py                  # all, one after the other
    python benchmarks/recall_race.py linear Hyena     # these alone
    python benchmarks/recall_race.py times            # how long whole models take for a long text

Every arm learns from the same stream of texts, with loads of 8, 16, 32 and 64 keys in turns. Each
learning rate is tried with a seed and texts that serve nothing else; the best on those texts is
then run with three seeds, and tested on further texts. (Some arms have one rate alone: see
``RATES_OF``.) What comes out is stored beside
``softlookup.course.recall_race``, where the chapters on the quadratic wall and on today's model
read it; a test holds the store to this script.
"""

import functools
import itertools
import json
import sys
import time

import torch
import torch.nn.functional as F
from softlookup.course import recall_race
from softlookup.course.costs import cpu_milliseconds
from softlookup.course.seeding import seed_everything
from softlookup.data.recall import associative_recall
from softlookup.models.recaller import Recaller
from softlookup.running.training import train, warmup_cosine

SEEDS = (0, 1, 2)
# A seed and texts by which rates are chosen, and others by which the runs are judged.
CHOOSING_SEED, CHOOSING_TEXTS, TEST_TEXTS = 9, 1009, 2009
RATES = (3e-3, 8e-3, 2e-2)
LOADS = (8, 16, 32, 64)
TASK = {"n_pairs": 64, "n_keys": 64, "n_values": 16}
LONG = 1024  # pairs of a text that is sixteen times as long
# Long texts to judge an arm by. Four tell 0.9 from 0.6; what they give varies by 0.03 from draw
# to draw, so the arms of which a few hundredths are said are judged by more.
LONG_TEXTS, MORE_LONG_TEXTS = 4, 48
TRAINING = {"d_model": 32, "batch_size": 16, "steps": 800}
BARE = "attention, no neighbours"
LINEAR = "linear, 4 times the steps"
WIDE_HEADS = "linear, wide heads, 4 times the steps"
# The control of the wide heads: as many weights more, within 32, and none of them in the state.
WIDE_FEED_FORWARD = "linear, wide feed-forward, 4 times the steps"
BESIDE = "window beside linear, 4 times the steps"
GATED = "gated linear, 4 times the steps"
DELTA = "delta rule, 4 times the steps"
SELECTIVE = "selective, 4 times the steps"
# The rival of the choice: durations, keys and queries are learned, and the same for all tokens.
FIXED = "selective, fixed, 4 times the steps"
# As large a state as the wide heads', in heads as narrow as at first.
EIGHT_HEADS = "linear, eight heads, 4 times the steps"
HYENA = "Hyena, 4 times the steps"
# Twice as many channels as there are keys to file, and the control: as many weights more, within
# 32, and none of them in a channel.
MORE_CHANNELS = "Hyena, four times the channels, 4 times the steps"
HYENA_FEED_FORWARD = "Hyena, wide feed-forward, 4 times the steps"
# As it comes, each filter of the second convolution fades faster than any of the first.
DEALT_OUT = "Hyena, rates dealt out, 4 times the steps"
OTHER_HYENAS = (MORE_CHANNELS, HYENA_FEED_FORWARD, DEALT_OUT)
# The linear head of ``BESIDE`` without the window: twice the state of ``LINEAR``, in a single head.
ONE_HEAD = "linear, one head, 4 times the steps"
# Models of two blocks. Here attention comes as in a Transformer, without a short convolution; the
# window and the linear state keep theirs, but for one window; and a convolution of three tokens is
# a layer by itself.
# Where attention stands below, no longer training could help, so those two train for 800 steps.
LONG_MIXED = {
    "attention twice": f"{BARE} then {BARE}",
    "attention twice, rotary": "attention, rotary then attention, rotary",
    "convolution then attention": f"convolution then {BARE}",
    "window then attention": f"window then {BARE}",
    "window, no convolution then attention": f"window, no convolution then {BARE}",
    "linear then attention": f"linear, one head then {BARE}",
}
MIXED = {
    "attention then convolution": f"{BARE} then convolution",
    "attention then window": f"{BARE} then window",
}
# These have one rate alone: that of the arms beside them, of as many steps.
RATES_OF = dict.fromkeys([SELECTIVE, *MIXED], (8e-3,))
RATES_OF |= dict.fromkeys([EIGHT_HEADS, *LONG_MIXED], (3e-3,))
RATES_OF |= dict.fromkeys(OTHER_HYENAS, (8e-3,))
# The inner width of the feed-forward networks, where it is not twice that of a token.
FEED_FORWARD = {WIDE_FEED_FORWARD: 128, HYENA_FEED_FORWARD: 373}
# In short texts a question finds now 12 keys filed and now 41. These are also judged at one number
# of keys, in so many short texts.
EQUALLY_LOADED, SHORT_TEXTS = (LINEAR,), 1024
# For each arm its way to mix, or the ways of two blocks, and by how much its steps are more.
ARMS = {
    "attention": ("attention", 1),
    "linear": ("linear", 1),
    "delta rule": ("delta rule", 1),
    "window": ("window", 1),
    "Hyena": ("Hyena", 1),
    BARE: (BARE, 1),
    LINEAR: ("linear", 4),
    WIDE_HEADS: ("linear, wide heads", 4),
    WIDE_FEED_FORWARD: ("linear", 4),
    BESIDE: ("window beside linear", 4),
    GATED: ("gated linear", 4),
    DELTA: ("delta rule", 4),
    HYENA: ("Hyena", 4),
    MORE_CHANNELS: ("Hyena, four times the channels", 4),
    HYENA_FEED_FORWARD: ("Hyena", 4),
    DEALT_OUT: ("Hyena, rates dealt out", 4),
    EIGHT_HEADS: ("linear, eight heads", 4),
    ONE_HEAD: ("linear, one head", 4),
    "window twice": ("window then window", 1),
    **{name: (way, 1) for name, way in MIXED.items()},
    **{name: (way, 4) for name, way in LONG_MIXED.items()},
    "selective": ("selective", 1),
    SELECTIVE: ("selective", 4),
    FIXED: ("selective, fixed", 4),
}

# What whole models take for one long text, in so many rounds of so many milliseconds a model.
TIMES, TIMED = "times", (BARE, "window twice", *MIXED, *LONG_MIXED)
ROUNDS, AT_LEAST = 5, 100.0


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


@torch.no_grad()
def recalled_equally_loaded(model, load, n_pairs, count, ends):
    """The share answered with 31 or 32 keys filed, in the stretches that end at these pairs."""
    test = texts(count, load, torch.Generator().manual_seed(TEST_TEXTS), n_pairs)
    answers = torch.cat([model(part).argmax(dim=-1) for part in test.tokens.split(4)])[:, ::2]
    targets = test.targets[:, ::2]
    filed = (targets < 0).cumsum(dim=1)
    counts = (targets >= 0) & (filed >= LOADS[-2] - 1) & (filed <= LOADS[-2])
    right = (answers == targets) & counts
    return [
        (right[:, begin:end].sum() / counts[:, begin:end].sum()).item()
        for begin, end in itertools.pairwise(ends)
    ]


def stretches(n_pairs):
    """Where the stretches of a long text end, each as long as all before it."""
    return [*itertools.takewhile(lambda end: end < LONG, doubled(n_pairs)), LONG]


def equally_loaded(model, n_pairs):
    """The share answered with 31 or 32 keys filed: in short texts, then along the long ones."""
    short = recalled_equally_loaded(model, LOADS[-1], n_pairs, SHORT_TEXTS, [0, n_pairs])
    ends = stretches(n_pairs)
    return rounded(short + recalled_equally_loaded(model, LOADS[-2], LONG, MORE_LONG_TEXTS, ends))


def train_recaller(
    way,
    steps,
    rate,
    seed,
    *,
    loads,
    n_pairs,
    d_ff=None,
):
    """A model of one block or two, trained on the loads in turns."""
    generator = seed_everything(seed)
    ways, symbols = way.split(" then "), TASK["n_keys"] + TASK["n_values"]
    model = Recaller(ways, symbols, 2 * n_pairs, TRAINING["d_model"], d_ff)
    batches = (
        texts(TRAINING["batch_size"], load, generator, n_pairs) for load in itertools.cycle(loads)
    )
    return trained(model, batches, steps, rate)


def trained(model, batches, steps, rate):
    """The model, after its training."""
    schedule = warmup_cosine(max(1, steps // 10))
    train(model, recall_loss, batches, steps=steps, learning_rate=rate, schedule=schedule)
    return model


def race(make, choose, measure, rates):
    """The rate that does best on texts for choosing, then what each seed gives at that rate."""

    def tried(rate):
        try:
            return round(choose(make(rate, CHOOSING_SEED)), 4)
        except ValueError:  # The loss was no longer finite: the rate is too large for this arm.
            return 0.0

    start = time.process_time()
    chosen_by = {str(rate): tried(rate) for rate in rates} if len(rates) > 1 else {}
    rate = max(rates, key=lambda rate: chosen_by.get(str(rate), 0.0))
    runs = [measure(make(rate, seed)) for seed in SEEDS]
    seconds = round(time.process_time() - start)
    return {"chosen_by": chosen_by, "rate": rate, **_by_measure(runs), "cpu_seconds": seconds}


def _by_measure(runs):
    return {name: [run[name] for run in runs] for name in runs[0]}


def doubled(number):
    """The number, twice the number, four times the number and so on."""
    return (number * 2**times for times in itertools.count())


def rounded(shares):
    """Four digits of each."""
    return [round(share, 4) for share in shares]


def race_recaller(arm):
    """One arm, over all loads; at sixteen times the length too, where no filter forbids it."""
    way, factor = ARMS[arm]
    n_pairs = TASK["n_pairs"]
    steps = factor * TRAINING["steps"]
    sizes = {"loads": LOADS, "n_pairs": n_pairs, "d_ff": FEED_FORWARD.get(arm)}
    make = functools.partial(train_recaller, way, steps, **sizes)
    more = arm in (LINEAR, WIDE_HEADS, WIDE_FEED_FORWARD, BESIDE, GATED, EIGHT_HEADS, ONE_HEAD)
    count = MORE_LONG_TEXTS if more else LONG_TEXTS

    def choose(model):
        found = (recalled(model, load, CHOOSING_TEXTS, n_pairs) for load in LOADS)
        return sum(found) / len(LOADS)

    def measure(model):
        found = (recalled(model, load, TEST_TEXTS, n_pairs) for load in LOADS)
        shares = {"recall": rounded(found)}
        if "Hyena" not in way:
            long = (recalled(model, load, TEST_TEXTS, LONG, count) for load in LOADS)
            shares["recall_long"] = rounded(long)
        if arm in EQUALLY_LOADED:
            shares["recall_equally_loaded"] = equally_loaded(model, n_pairs)
        return shares

    return race(make, choose, measure, RATES_OF.get(arm, RATES))


@torch.no_grad()
def timed(arms):
    """CPU milliseconds of whole models, not trained, for one long text: each once a round."""
    tokens = texts(1, LOADS[-1], torch.Generator().manual_seed(TEST_TEXTS), LONG).tokens
    symbols = TASK["n_keys"] + TASK["n_values"]
    models = {
        arm: Recaller(ARMS[arm][0].split(" then "), symbols, 2 * LONG, TRAINING["d_model"])
        for arm in arms
    }
    taken = {arm: [] for arm in arms}
    for _ in range(ROUNDS):
        for arm, model in models.items():
            time = cpu_milliseconds(lambda: model(tokens), at_least=AT_LEAST)  # noqa: B023
            taken[arm].append(round(time, 3))
    return taken


def main(names):
    """Run the arms, and store what came out beside what was stored under the same terms."""
    terms = {"task": TASK, "loads": [*LOADS], "long": LONG, "training": TRAINING}
    terms |= {"rates": [*RATES], "long_texts": [LONG_TEXTS, MORE_LONG_TEXTS]}
    for name in names or [*ARMS, TIMES]:
        result = timed(TIMED) if name == TIMES else race_recaller(name)
        print(f"{name}: {result}", flush=True)
        # Read only now: another process may have stored its arm while this one trained.
        store = recall_race.STORE
        stored = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
        if any(stored.get(term) != value for term, value in terms.items()):
            stored = {}
        results, milliseconds = stored.get("results", {}), stored.get("milliseconds", {})
        if name == TIMES:
            milliseconds = result
        else:
            results |= {name: result}
        ordered = {each: results[each] for each in ARMS if each in results}
        kept = {**terms, "milliseconds": milliseconds, "results": ordered}
        store.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
