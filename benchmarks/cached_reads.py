"""What a step of attention over a cache takes, by how many heads of keys and values it reads.

    python benchmarks/cached_reads.py

A model that writes has one new token in each of several texts, and each of its heads looks through
all keys and values of its text. With fewer heads of keys and values the heads of a group read the
same ones, so the multiplications stay and the bytes shrink. As a control a quarter of the heads
ask, over as many shared heads: a quarter of the multiplications, over the same bytes.

Let nothing else run meanwhile. Each run takes all its times one after the other, on one thread.
What comes out is stored beside ``softlookup.course.cached_reads``, where the chapter on today's
model reads it; a test holds the store to this script.
"""

import json
import math

import torch
from softlookup.course import cached_reads
from softlookup.course.costs import cpu_milliseconds

RUNS = 5
# The sizes are those of one layer of Llama 3 with 8 billion parameters, in float32.
SIZES = {"texts": 2, "tokens": 8192, "d_head": 128}
HEADS = 32
SHARED = (32, 16, 8, 4, 2)
FEWER = {"heads": 8, "shared": 8}


@torch.no_grad()
def milliseconds(heads, shared):
    """The CPU time of one new token's attention in every text."""
    texts, tokens, width = SIZES.values()
    key, value = torch.randn(2, texts * shared, tokens, width)
    query = torch.randn(texts * shared, heads // shared, width)

    def look():
        taken = (query @ key.mT / math.sqrt(width)).softmax(dim=-1)
        return taken @ value

    return round(cpu_milliseconds(look), 3)


def main():
    """Take all runs and store them."""
    torch.set_num_threads(1)
    shared, fewer = [], []
    for run in range(RUNS):
        shared.append([milliseconds(HEADS, each) for each in SHARED])
        fewer.append(milliseconds(**FEWER))
        print(f"run {run + 1}: {shared[-1]}, fewer heads {fewer[-1]}", flush=True)
    stored = {
        "torch": torch.__version__,
        "sizes": SIZES,
        "heads": HEADS,
        "shared": SHARED,
        "milliseconds": shared,
        "fewer": FEWER,
        "fewer_milliseconds": fewer,
    }
    cached_reads.STORE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
