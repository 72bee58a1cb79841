"""The CPU times that chapters speak of, taken several times over on one thread.

    python benchmarks/times_in_chapters.py

Let nothing else run meanwhile. Each run takes all its times one after the other, so that two runs
differ by whatever changed in between. What comes out is stored beside
``softlookup.course.clocked``, where the chapters read it; a test holds the store to this script.
"""

import json
import os
import sys

import torch
from softlookup.alternatives.causal_mixers import causal_mixers
from softlookup.course import clocked
from softlookup.course.costs import cpu_milliseconds
from softlookup.course.seeding import seed_everything
from softlookup.models.gpt import GPT, GPTConfig
from softlookup.running.generation import greedy

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
# For each large tensor glibc asks the system for fresh memory, which is cleared page by page: on
# some machines that takes longer than the attention. A process that keeps its memory shows what
# the computation takes.
KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": "1000000000", "MALLOC_TRIM_THRESHOLD_": "4000000000"}


@torch.no_grad()
def mixing(generator):
    """Milliseconds at each length, for each way to mix tokens."""
    mixers = causal_mixers(WIDTH, max_length=max(LENGTHS))
    taken = {name: [] for name in mixers}
    for length in LENGTHS:
        tensors = torch.randn(3, 1, 1, length, WIDTH, generator=generator)
        for name, mix in mixers.items():
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


def main():
    """Take all times and store them."""
    generator = seed_everything(13)
    mixed, generated = [], []
    for run in range(RUNS):
        mixed.append(mixing(generator))
        generated.append(generation())
        at_the_end = {name: taken[-1] for name, taken in mixed[-1].items()}
        print(f"run {run + 1}: {at_the_end} ms at {LENGTHS[-1]} tokens; {generated[-1]}")
    stored = {
        "torch": torch.__version__,
        "lengths": LENGTHS,
        "mixing": {name: [taken[name] for taken in mixed] for name in mixed[0]},
        "gpt": LARGER,
        "generation": {name: [taken[name] for taken in generated] for name in generated[0]},
    }
    clocked.STORE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if KEEP_MEMORY.items() <= os.environ.items():
        main()
    else:  # glibc reads them when a process starts
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | KEEP_MEMORY)
