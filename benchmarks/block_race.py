"""From the block of GPT-2 to that of today, one change at a time: five seeds each, on this book.

    python benchmarks/block_race.py                      # all, one after the other
    python benchmarks/block_race.py SwiGLU "two heads"    # these alone

Every arm has as many parameters as the GPT of the chapter on the next word, to within one step of
its feed-forward networks' width, and reads the same windows of the same text. Each learning rate
is tried with a seed that is used for nothing else, and where the best on the validation text is at
an end of the grid, so are rates beyond it. Around the best the rates lie half as far again apart,
and no further: on a grid that steps by two, half of what SwiGLU seemed to gain was its rival's
rate. The best is then run with five seeds, and judged on the test text. What comes out is stored
beside ``softlookup.course.block_race``, where the chapter on today's model reads it; a test holds
the store to this script. A run that is stored on the same terms is not run again.
"""

import functools
import json
import sys
import time

import torch
from softlookup.course import block_race
from softlookup.course.costs import multiplications
from softlookup.course.seeding import seed_everything
from softlookup.data import edition
from softlookup.data.byte_pairs import BytePairs
from softlookup.data.overlap import leave_out_shared
from softlookup.layers.block_parts import (
    grouped_query,
    normed_query_key,
    rms_norm,
    swiglu,
    without_biases,
)
from softlookup.layers.blocks import BlockConfig, multi_head
from softlookup.layers.feed_forward import gelu_tanh
from softlookup.layers.positional_encodings import LearnedPositions, Positions, RotaryPositions
from softlookup.models.next_token_model import NextTokenModel
from softlookup.running.evaluation import bits_per_character, token_losses
from softlookup.running.losses import next_token_loss
from softlookup.running.training import train, warmup_cosine
from torch import nn

SEEDS = (0, 1, 2, 3, 4)
# A seed by which rates are chosen, on the validation text.
CHOOSING_SEED = 9
RATES = (1.5e-3, 2e-3, 3e-3, 4.5e-3, 6e-3, 1.2e-2)
SIZES = {
    "vocab_size": 1024,
    "window": 64,
    "d_model": 96,
    "n_heads": 4,
    "d_head": 24,
    "n_layers": 2,
    "batch_size": 8,
    "steps": 600,
}


class TableFromZero(LearnedPositions):
    """A table that starts at zero, beside tokens that are as small as beside GPT-2's."""

    def __init__(self, max_length, d_model):
        super().__init__(max_length, d_model)
        nn.init.zeros_(self.table)


# The parts of each arm. From the first to "query-key norm" each has one change more than the one
# before it. Then comes the rival of the grouped queries, with a cache as small as theirs; the last
# two tell the order in another way than the first two arms, and share all else with them.
_TODAY = {"make_norm": rms_norm, "make_network": swiglu}
ARMS = {
    "GPT-2": {"positions": LearnedPositions},
    "rotary positions": {},
    "RMSNorm": {"make_norm": rms_norm},
    "SwiGLU": _TODAY,
    "no biases": _TODAY | {"make_attention": without_biases(multi_head)},
    "grouped queries": _TODAY | {"make_attention": grouped_query(2)},
    "query-key norm": _TODAY | {"make_attention": normed_query_key(2)},
    "two heads": _TODAY | {"n_heads": 2, "make_attention": grouped_query(2, SIZES["d_head"])},
    "no positions": {"positions": lambda *_: Positions()},
    "table from zero": {"positions": TableFromZero},
}
BASE = "rotary positions"


def new_model(arm, d_ff):
    """A model of this arm that has learned nothing."""
    return of_parts(ARMS[arm], d_ff)


def of_parts(parts, d_ff):
    """A model of these parts that has learned nothing."""
    parts = dict(parts)
    width, window = SIZES["d_model"], SIZES["window"]
    positions = parts.pop("positions", lambda *_: RotaryPositions())(window, width)
    parts.setdefault("n_heads", SIZES["n_heads"])
    block = BlockConfig(
        width, d_ff=d_ff, activation=gelu_tanh, rotate_positions=positions.rotate, **parts
    )
    return NextTokenModel(SIZES["vocab_size"], window, SIZES["n_layers"], block, positions)


def parameters(arm, d_ff):
    """How many there are."""
    with torch.device("meta"):
        return sum(each.numel() for each in new_model(arm, d_ff).parameters())


@functools.cache
def fair_width(arm):
    """The inner width of the networks at which an arm has as many parameters as the base."""
    one, two = parameters(arm, 1), parameters(arm, 2)
    return 1 + round((parameters(BASE, 4 * SIZES["d_model"]) - one) / (two - one))


@functools.cache
def texts():
    """The tokens of the training, the validation and the test text, and the latter's characters."""
    parts = edition.split(edition.text())
    learned = leave_out_shared(parts.train, parts.validation + parts.test)
    tokens = BytePairs(learned, SIZES["vocab_size"])
    ids = [tokens.encode(text) for text in (learned, parts.validation, parts.test)]
    return *ids, len(parts.validation), len(parts.test)


def trained(arm, rate, seed):
    """A model of this arm, after its training. With one seed all arms read the same windows."""
    generator = seed_everything(seed)
    return learned(new_model(arm, fair_width(arm)), rate, generator)


def of_next_token(model, batch):
    """The loss that a race's arm has."""
    return next_token_loss(model(batch[0]), batch[1])


def learned(model, rate, generator, loss=of_next_token):
    """The model, after its training on windows that the generator draws."""
    ids = texts()[0]

    def batches():
        while True:
            yield edition.windows(ids, SIZES["batch_size"], SIZES["window"], generator)

    steps = SIZES["steps"]
    train(
        model,
        loss,
        batches(),
        steps=steps,
        learning_rate=rate,
        schedule=warmup_cosine(max(1, steps // 12)),
        weight_decay=0.1,
        betas=(0.9, 0.99),
        show_progress=False,
    )
    return model


def bits(model, before, ids, characters):
    """Bits per character of a text, after the end of the text before it."""
    window = SIZES["window"]
    text = torch.cat([before[-window:], ids])
    losses = token_losses(model, text, window, stride=window // 4, first=window)
    return round(bits_per_character(losses, characters), 4)


def validation_bits(model):
    """By this a rate is chosen."""
    learned, validation, _, characters, _ = texts()
    return bits(model, learned, validation, characters)


def test_bits(model):
    """By this an arm is judged."""
    _, validation, test, _, characters = texts()
    return bits(model, validation, test, characters)


def tried(arm, found=()):
    """The bits of the validation text at each rate: the best has a worse one on either side.

    Those that were found before are not sought again.
    """
    found = dict(found)
    further = RATES
    while further:
        new = [rate for rate in further if rate not in found]
        found |= {rate: validation_bits(trained(arm, rate, CHOOSING_SEED)) for rate in new}
        best = min(found, key=found.get)
        ends = {min(found): best / 2, max(found): best * 2}
        further = [ends[best]] if best in ends else []
    return dict(sorted(found.items()))


def raced(arm, before):
    """The rate that does best on the validation text, then what each seed gives at that rate.

    ``before`` is what the arm gave on these terms in an earlier race, or nothing.
    """
    start = time.process_time()
    found = tried(arm, {float(rate): bits for rate, bits in before.get("chosen_by", {}).items()})
    rate = min(found, key=found.get)
    chosen_by = {str(rate): bits for rate, bits in found.items()}
    model, width = new_model(arm, fair_width(arm)), fair_width(arm)
    tokens = torch.zeros(1, SIZES["window"], dtype=torch.long)
    known = before.get("rate") == rate
    return {
        "d_ff": width,
        "parameters": parameters(arm, width),
        "multiplications": multiplications(lambda: model(tokens)),
        "chosen_by": chosen_by,
        "rate": rate,
        "bits": before["bits"] if known else [test_bits(trained(arm, rate, s)) for s in SEEDS],
        "cpu_seconds": round(before.get("cpu_seconds", 0) + time.process_time() - start),
    }


def stored_results(terms):
    """What the store holds on these terms, by arm."""
    store = block_race.STORE
    stored = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
    same_terms = all(stored.get(term) == value for term, value in terms.items())
    return stored["results"] if same_terms else {}


def main(names):
    """Run the arms, and store what came out beside what was stored under the same terms."""
    terms = {"sizes": SIZES, "seeds": [*SEEDS]}
    for name in names or ARMS:
        result = raced(name, stored_results(terms).get(name, {}))
        print(f"{name}: {result}", flush=True)
        # Read only now: another process may have stored its arm while this one trained.
        results = stored_results(terms) | {name: result}
        ordered = {each: results[each] for each in ARMS if each in results}
        text = json.dumps({**terms, "results": ordered}, indent=1) + "\n"
        block_race.STORE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
