"""The GPT of ``gpt_against_n_grams``, tuned on the validation text as its opponents were.

    python benchmarks/tuned_gpt.py            # what is missing, then the store
    python benchmarks/tuned_gpt.py 3 7        # try the settings of these numbers alone

Other learning rates, a rate of its own for the table of tokens, other decays of the weights and
more dropout are tried with one seed, and judged on the validation text alone. What is best there
learns anew with another seed. Only then are the two of them asked about the test text. A
training takes about eight minutes on one core of a CPU; a GPU is used where there is one. What was
tried is kept in ``_build/tuned_gpt``, so that trainings may go on side by side. What comes out is
stored beside ``softlookup.course.tuned_gpt``, where the chapter on the next word reads it.
"""

import itertools
import json
import math
import sys
from functools import cache
from pathlib import Path

import gpt_against_n_grams as untuned
import torch
from softlookup.course import tuned_gpt
from softlookup.course.seeding import seed_everything
from softlookup.data import edition
from softlookup.data.byte_pairs import BytePairs
from softlookup.pretrained import small_gpt
from softlookup.running.evaluation import bits_per_character
from softlookup.running.losses import next_token_loss
from softlookup.running.n_gram_cache import CachedNGrams
from softlookup.running.n_grams import NGramCounts, kneser_ney
from softlookup.running.training import train, warmup_cosine
from torch import nn

SIZES = dict(untuned.SIZES)
KNOBS = ("learning_rate", "table_times", "weight_decay", "dropout")
RATE, TIMES = SIZES["learning_rate"], 20 / 3  # the table's rate is that of the chapter's 150 steps
TRIED = [
    dict(zip(KNOBS, each, strict=True))
    for each in (
        *itertools.product((RATE / 2, RATE), (1,), (0.1, 0.5), (0.1, 0.2)),
        *itertools.product((RATE / 2,), (1,), (0.25,), (0.1, 0.2)),
        *itertools.product((RATE / 2, RATE), (TIMES,), (0.1,), (0.1, 0.2)),
        *itertools.product((RATE / 2,), (TIMES,), (0.5,), (0.1, 0.2)),
        (RATE, TIMES, 0.5, 0.1),
        (2 * RATE, 1, 0.5, 0.1),
        (4 * RATE, 1, 0.5, 0.1),
    )
]
SEEDS = (0, 1)
# A chapter of the test text, on whose first half the chapter on the next word fine-tunes.
PAGE = "Three open questions"
FIRST_LINES = (
    "Transformers and support vector machines",
    "The quadratic wall, and Hyena",
    "Looking inside",
    PAGE,
)
FINE_TUNING = {"steps": 40, "learning_rate": 3e-4, "batch_size": 4, "window": 64}
KEPT = Path(__file__).parents[1] / "_build" / "tuned_gpt"


class AtItsOwnRate(nn.Module):
    """A weight stored divided by a number: its learning rate is so many times as large."""

    def __init__(self, times):
        super().__init__()
        self.times = times

    def forward(self, kept):
        """The weight, as it is used."""
        return self.times * kept

    def right_inverse(self, weight):
        """The weight, as it is stored."""
        return weight / self.times


def trained(ids, seed, setting):
    """A GPT that learned with this seed and setting."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    generator = seed_everything(seed)
    model = untuned.new_gpt(setting["dropout"]).to(device)
    own = AtItsOwnRate(setting["table_times"])
    nn.utils.parametrize.register_parametrization(model.embedding, "table", own)

    def batches():
        while True:
            drawn = edition.windows(ids, SIZES["batch_size"], SIZES["window"], generator)
            yield [each.to(device) for each in drawn]

    train(
        model,
        lambda model, batch: next_token_loss(model(batch[0]), batch[1]),
        batches(),
        steps=SIZES["steps"],
        learning_rate=setting["learning_rate"],
        schedule=warmup_cosine(50),
        weight_decay=setting["weight_decay"],
        betas=(0.9, 0.99),
        show_progress=False,
    )
    nn.utils.parametrize.remove_parametrizations(model.embedding, "table")
    return model.cpu()


def kept(setting, ending):
    """Where something is kept of a setting."""
    KEPT.mkdir(parents=True, exist_ok=True)
    return KEPT / ("_".join(f"{each:g}" for each in setting.values()) + ending)


@cache
def material():
    """The three texts, the tokens, and the training text in tokens."""
    train_text, validation, test = untuned.texts()
    tokens = BytePairs(train_text, SIZES["vocab_size"])
    return (train_text, validation, test), tokens, tokens.encode(train_text)


def learned(setting, seed):
    """The GPT of a setting and a seed, trained unless it is kept; its weights are rounded."""
    _, tokens, ids = material()
    file = kept(setting, f"_seed_{seed}.safetensors")
    if not file.exists():
        file.write_bytes(small_gpt.packed(small_gpt.SmallGPT(trained(ids, seed, setting), tokens)))
    return small_gpt.unpacked(file.read_bytes()).model


def tried(setting):
    """The bits per character of a setting's first GPT on the validation text."""
    (_, validation, _), tokens, ids = material()
    file = kept(setting, ".json")
    if not file.exists():
        losses = untuned.network_losses(learned(setting, 0), ids, tokens.encode(validation))
        file.write_text(json.dumps(bits_per_character(losses, len(validation))))
        print(setting, file.read_text(), flush=True)
    return json.loads(file.read_text())


def by_quarter(losses, text):
    """The bits per character of each quarter of a text."""
    sums = torch.stack([part.sum() for part in losses.double().tensor_split(4)])
    return (sums / math.log(2) / (len(text) / 4)).tolist()


def by_chapter(behind):
    """Bits per character in each of the four chapters, from nats at each token of both texts."""
    (_, validation, test), tokens, _ = material()
    unread = validation + test
    starts = [*(unread.index(f"{line}\n") for line in FIRST_LINES), len(unread)]
    at = [len(tokens.encode(unread[:start])) for start in starts]
    return [
        behind[first:last].sum().item() / math.log(2) / (end - start)
        for (first, last), (start, end) in zip(
            itertools.pairwise(at), itertools.pairwise(starts), strict=True
        )
    ]


def fine_tuned(model, ids):
    """The same model, which has learned on from these tokens, as in the chapter."""
    draws = torch.Generator().manual_seed(0)
    size = FINE_TUNING["batch_size"], FINE_TUNING["window"]
    train(
        model,
        lambda model, batch: next_token_loss(model(batch[0]), batch[1]),
        (edition.windows(ids, *size, draws) for _ in range(FINE_TUNING["steps"])),
        steps=FINE_TUNING["steps"],
        learning_rate=FINE_TUNING["learning_rate"],
        schedule=warmup_cosine(5),
        weight_decay=0.1,
        show_progress=False,
    )
    return model


def second_half(model):
    """The bits of each quarter of the page's second half, after its first."""
    _, tokens, _ = material()
    first, second = tokens.encode(edition.pages()[PAGE]).chunk(2)
    window = SIZES["window"]
    joined = torch.cat([first[-window:], second])
    losses = untuned.token_losses(model, joined, window, stride=window // 2, first=window)
    return by_quarter(losses, tokens.decode(second))


def measured(models):
    """Bits per character of the models and their mixtures, a list for each, over the seeds."""
    (train_text, validation, test), tokens, read = material()
    plain = kneser_ney(NGramCounts(read, len(tokens), SIZES["order"]), SIZES["order"])
    counters = {
        name: CachedNGrams(plain, SIZES[cache], (1, 2, 3), SIZES["doubt"])
        for name, cache in (("short cache", "cache"), ("long cache", "long_cache"))
    }
    found, differences = {}, [[] for _ in models]
    for part, before, text in (
        ("validation", train_text, validation),
        ("test", validation, test),
    ):
        end, ids = tokens.encode(before), tokens.encode(text)
        counted = {
            name: untuned.count_losses(each, end, ids).double() for name, each in counters.items()
        }
        gpts = [untuned.network_losses(model, end, ids) for model in models]
        losses = {
            "GPT": gpts,
            "two GPTs": [untuned.mixed(*gpts)],
            **{
                f"GPT and {name}": [untuned.mixed(each, counts) for each in gpts]
                for name, counts in counted.items()
            },
        }
        found[part] = {
            name: [bits_per_character(each, len(text)) for each in several]
            for name, several in losses.items()
        }
        for behind, each in zip(differences, gpts, strict=True):
            behind.append(each - counted["short cache"])
    return found | {"behind_by_chapter": [by_chapter(torch.cat(each)) for each in differences]}


def main(numbers):
    """Try the settings of these numbers; where all are tried, go on with the best, and store."""
    for number in numbers:
        tried(TRIED[number])
    if not all(kept(setting, ".json").exists() for setting in TRIED):
        return
    bits = [tried(setting) for setting in TRIED]
    best = TRIED[min(range(len(TRIED)), key=bits.__getitem__)]
    _, tokens, _ = material()
    first, _ = tokens.encode(edition.pages()[PAGE]).chunk(2)
    found = measured([learned(best, seed) for seed in SEEDS])
    stored = {
        "text": untuned.digest(*material()[0]),
        "sizes": SIZES,
        "fine_tuning": FINE_TUNING,
        "tried": TRIED,
        "tried_validation": bits,
        "seeds": SEEDS,
        **found,
        "second_half": {
            "left alone": [second_half(learned(best, seed)) for seed in SEEDS],
            "fine-tuned": [second_half(fine_tuned(learned(best, seed), first)) for seed in SEEDS],
        },
    }
    tuned_gpt.STORE.write_text(json.dumps(stored, indent=1) + "\n")
    print(best, json.dumps(found | stored["second_half"], indent=1))


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]] or range(len(TRIED)))
