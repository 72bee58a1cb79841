"""The losses from which a scaling law is fitted: six sizes, ten seeds, on this book.

    python benchmarks/scaling_law.py

Every size reads the same number of characters. At each width a few learning rates are tried with
three seeds that serve nothing else, as multiples of one over the width; the one that does best in
their mean on the validation text is then run with ten other seeds, and judged on the test text.
At the held-out widths the second best is judged there as well, so that a law which misses can be
told from a rate that was ill chosen. Which widths a law may be fitted to, and which are held out,
is said here. What comes out is stored beside ``softlookup.course.scaling_law``, where the chapter
on training past one machine reads it; a test holds the store to this script. A run that is stored
under the same terms is not run again: whoever changes the text or the model deletes the store
first.
"""

import functools
import json

import torch
from softlookup.course import scaling_law
from softlookup.course.seeding import seed_everything
from softlookup.data import edition
from softlookup.data.overlap import leave_out_shared
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.running.evaluation import token_losses
from softlookup.running.losses import next_token_loss
from softlookup.running.training import train, warmup_cosine

# The seeds by which the rates are chosen, on the validation text.
CHOOSING_SEEDS = (7, 8, 9)
# The learning rate times the width: wider models want smaller steps.
RATES = (0.1, 0.2, 0.4, 0.8, 1.6)
TERMS = {
    "fitted": [16, 24, 32, 48],
    "held_out": [64, 96],
    "seeds": [*range(7), *range(10, 13)],
    "window": 64,
    "d_head": 8,
    "n_layers": 2,
    "batch_size": 24,
    "steps": 400,
}


def new_model(width):
    """A model of this width that has learned nothing: today's blocks, as in the chapter."""
    heads = width // TERMS["d_head"]
    return Llama(
        LlamaConfig(
            vocab_size=texts()[-1],
            max_length=TERMS["window"],
            d_model=width,
            n_heads=heads,
            n_key_value_heads=heads,
            n_layers=TERMS["n_layers"],
            d_ff=8 * width // 3,
        )
    )


def parameters(width):
    """How many the blocks have."""
    with torch.device("meta"):
        return sum(each.numel() for each in new_model(width).stack.parameters())


@functools.cache
def texts():
    """The characters of the training, the validation and the test text, and how many kinds."""
    parts = edition.split(edition.text())
    learned = leave_out_shared(parts.train, parts.validation + parts.test)
    characters = edition.Characters(edition.text())
    ids = [characters.encode(text) for text in (learned, parts.validation, parts.test)]
    return *ids, len(characters)


def trained(width, rate, seed):
    """A model of this width, after its training. With one seed all widths read the same."""
    generator = seed_everything(seed)
    model, ids = new_model(width), texts()[0]

    def batches():
        while True:
            yield edition.windows(ids, TERMS["batch_size"], TERMS["window"], generator)

    train(
        model,
        lambda model, batch: next_token_loss(model(batch[0]), batch[1]),
        batches(),
        steps=TERMS["steps"],
        learning_rate=rate,
        schedule=warmup_cosine(max(1, TERMS["steps"] // 12)),
        weight_decay=0.1,
        betas=(0.9, 0.99),
        show_progress=False,
    )
    return model


def loss(model, ids):
    """The mean loss of a text, in nats a character."""
    window = TERMS["window"]
    return round(float(token_losses(model, ids, window, stride=window // 2).mean()), 4)


def measured(width, kept):
    """What each rate gives on the validation text, then what each seed gives at the best rate.

    Args:
        width: of the models.
        kept: what is stored of this width; its runs are not run again.
    """
    _, validation, test, _ = texts()

    def of_each(seeds, rate, text, known):
        return {
            str(seed): known.get(str(seed)) or loss(trained(width, rate / width, seed), text)
            for seed in seeds
        }

    tried = kept.get("tried", {})
    tried = {
        str(rate): of_each(CHOOSING_SEEDS, rate, validation, tried.get(str(rate), {}))
        for rate in RATES
    }
    best, second, *_ = sorted(RATES, key=lambda rate: sum(tried[str(rate)].values()))
    known = kept["losses"] if kept.get("rate_times_width") == best else {}
    result = {
        "parameters": parameters(width),
        "tried": tried,
        "rate_times_width": best,
        "losses": of_each(TERMS["seeds"], best, test, known),
    }
    if width in TERMS["held_out"]:
        kept = kept.get("second_best", {})
        known = kept["losses"] if kept.get("rate_times_width") == second else {}
        losses = of_each(TERMS["seeds"], second, test, known)
        result["second_best"] = {"rate_times_width": second, "losses": losses}
    return result


def kept_results():
    """By width, what is stored under the same terms."""
    if not scaling_law.STORE.exists():
        return {}
    stored = json.loads(scaling_law.STORE.read_text("utf-8"))
    return stored["results"] if stored["terms"] == TERMS else {}


def main():
    """Run all widths, and store what came out after each."""
    kept = kept_results()
    stored = {"terms": TERMS, "results": {}}
    for width in [*TERMS["fitted"], *TERMS["held_out"]]:
        stored["results"][str(width)] = measured(width, kept.get(str(width), {}))
        print(f"{width}: {stored['results'][str(width)]}", flush=True)
        # What is not yet looked at again stays in the store.
        together = {**stored, "results": {**kept, **stored["results"]}}
        scaling_law.STORE.write_text(json.dumps(together, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
