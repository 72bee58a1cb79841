"""The CPU times that chapters speak of, taken several times over on one thread.

    python benchmarks/times_in_chapters.py           # all
    python benchmarks/times_in_chapters.py mixing    # this alone; or generation, or drafting

Let nothing else run meanwhile. Each run takes all its times one after the other, so that two runs
differ by whatever changed in between. The process keeps its memory, by a setting of the allocator.
What comes out is stored beside ``softlookup.course.clocked``, where the chapters read it; a test
holds the store to this script.
"""

import copy
import json
import os
import sys

import torch
from softlookup.alternatives.causal_mixers import causal_mixers
from softlookup.course import clocked
from softlookup.course.costs import cpu_milliseconds
from softlookup.course.seeding import seed_everything
from softlookup.data import edition
from softlookup.data.overlap import leave_out_shared
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.pretrained.small_gpt import load_small_gpt
from softlookup.running.generation import greedy
from softlookup.running.n_grams import NGramCounts, kneser_ney

RUNS = 5
WIDTH = 64
LENGTHS = [256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096]
LARGER = {
    "vocab_size": 512,
    "max_length": 256,
    "d_model": 256,
    "n_heads": 4,
    "n_layers": 4,
    "positions": "rotary",
}
NEW_TOKENS = 240
# Of speculative decoding: tokens that a model has read, how many new ones the target scores, and
# from how many places the n-gram's time is the mean, for it depends on what it has to look up.
DRAFT_LENGTHS, LOOKED_UP = [5, 45, 85], 20
SCORED = {"target, three tokens": 3, "target, five tokens": 5}
# For each tensor of more than 32 MiB glibc asks the system for fresh memory, which is cleared page
# by page: that may take longer than the attention. A process that keeps its memory shows what the
# computation takes.
KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": "1000000000", "MALLOC_TRIM_THRESHOLD_": "4000000000"}


@torch.no_grad()
def mixing(generator):
    """Milliseconds at each length, for each way to mix tokens."""
    ways = causal_mixers(WIDTH, max_length=max(LENGTHS))
    taken = {name: [] for name in ways}
    for length in LENGTHS:
        tensors = torch.randn(3, 1, 1, length, WIDTH, generator=generator)
        for name, mix in ways.items():
            taken[name].append(round(cpu_milliseconds(lambda: mix(*tensors)), 4))  # noqa: B023
    return taken


@torch.no_grad()
def generation():
    """Milliseconds to generate with the key–value cache, and without."""
    gpt = GPT(GPTConfig(**LARGER)).eval()
    begin = torch.zeros(1, 1, dtype=torch.long)

    def without():
        greedy(lambda read: gpt(read)[:, -1], begin, NEW_TOKENS)

    def cached():
        caches = gpt.make_caches(batch=1)
        greedy(lambda read: gpt(read[:, caches[0].length :], caches)[:, -1], begin, NEW_TOKENS)

    ways = {"without the cache": without, "with the cache": cached}
    return {name: round(cpu_milliseconds(way), 2) for name, way in ways.items()}


def behind(model, ids, length, new):
    """What reads so many new tokens behind ``length`` that the model's caches hold, each time."""
    caches = model.make_caches(batch=1)[: len(model.stack.blocks)]
    model(ids[None, :length], caches)

    def read():
        for cache in caches:
            cache.length = length
        return model(ids[None, length : length + new], caches)

    return read


@torch.no_grad()
def drafting():
    """Milliseconds behind each length for the small GPT, for two of its blocks and for an n-gram.

    The target is also timed where it scores two or four drafted tokens behind its newest one.
    """
    small, parts = load_small_gpt(), edition.split(edition.text())
    train_text = leave_out_shared(parts.train, parts.validation + parts.test)
    train_ids, ids = (small.tokens.encode(text) for text in (train_text, parts.validation))
    n_gram = kneser_ney(NGramCounts(train_ids, len(small.tokens), 6), 6)
    gpt, two_blocks = small.model, copy.deepcopy(small.model)
    two_blocks.stack.blocks = two_blocks.stack.blocks[:2]

    def looked_up(length):
        for place in range(LOOKED_UP):
            n_gram.probabilities(ids[place : place + length])

    taken = {name: [] for name in ("target", *SCORED, "two blocks", "n-gram")}
    for length in DRAFT_LENGTHS:
        once = [
            *(
                cpu_milliseconds(behind(gpt, ids, length, new), at_least=400.0)
                for new in (1, *SCORED.values())
            ),
            cpu_milliseconds(behind(two_blocks, ids, length, 1), at_least=400.0),
            cpu_milliseconds(lambda: looked_up(length)) / LOOKED_UP,  # noqa: B023
        ]
        for times, time in zip(taken.values(), once, strict=True):
            times.append(round(time, 4))
    return taken


def main(parts=()):
    """Take the times of these parts, or of all, and store them."""
    generator = seed_everything(13)
    ways = {
        "mixing": lambda: mixing(generator),
        "generation": generation,
        "drafting": drafting,
    }
    runs = {part: [] for part in parts or ways}
    for run in range(RUNS):
        for part, taken in runs.items():
            taken.append(ways[part]())
            print(f"run {run + 1}, {part}: {taken[-1]}")
    terms = {"torch": torch.__version__, "lengths": LENGTHS, "gpt": LARGER}
    terms |= {"draft_lengths": DRAFT_LENGTHS}
    stored = json.loads(clocked.STORE.read_text(encoding="utf-8")) if parts else {}
    stored |= terms
    stored |= {
        part: {name: [each[name] for each in taken] for name in taken[0]}
        for part, taken in runs.items()
    }
    clocked.STORE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if KEEP_MEMORY.items() <= os.environ.items():
        main(sys.argv[1:])
    else:  # glibc reads them when a process starts
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | KEEP_MEMORY)
