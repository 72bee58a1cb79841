"""What a step of attention over a cache takes, by how many heads of keys and values it reads.

    python benchmarks/cached_reads.py

A model that writes has one new token in each of several texts, and each of its heads looks through
all keys and values of its text. With fewer heads of keys and values the heads of a group read the
same ones, so the multiplications stay and the bytes shrink.

Two programs are timed: the library's own kernel, and attention written out as matrix products, in
which the queries of a group are the rows of one matrix. Beside them stands what it takes to read
the largest cache once and only add it up.

Let nothing else run meanwhile. Each run takes all its times one after the other, on one thread.
What comes out is stored beside ``softlookup.course.cached_reads``, where the chapter on today's
model reads it; a test holds the store to this script.
"""

import json
import math

import torch
from softlookup.course import cached_reads
from softlookup.course.costs import cpu_milliseconds
from softlookup.layers.grouped_query import grouped_attention

RUNS = 5
# The sizes are those of one layer of Llama 3 with 8 billion parameters, in float32.
SIZES = {"texts": 2, "tokens": 8192, "d_head": 128}
HEADS = 32
SHARED = (32, 16, 8, 4, 2)


def written_out(query, key, value):
    """The same attention as two matrix products, with all queries of a group in one matrix."""
    asked = query.unflatten(1, (key.size(1), -1)).squeeze(3)
    taken = (asked @ key.mT / math.sqrt(key.size(-1))).softmax(dim=-1)
    return (taken @ value).flatten(1, 2)[:, :, None]


PROGRAMS = {"kernel": grouped_attention, "written out": written_out}


@torch.no_grad()
def milliseconds(program, shared, heads=HEADS):
    """The CPU time of one new token's attention in every text."""
    texts, tokens, width = SIZES.values()
    key, value = torch.randn(2, texts, shared, tokens, width)
    query = torch.randn(texts, heads, 1, width)
    return round(cpu_milliseconds(lambda: program(query, key, value)), 3)


def milliseconds_added_up():
    """The CPU time of reading all keys and values of the largest cache once, to add them up."""
    texts, tokens, width = SIZES.values()
    key, value = torch.randn(2, texts, HEADS, tokens, width)
    return round(cpu_milliseconds(lambda: (key.sum(), value.sum())), 3)


def main():
    """Take all runs and store them."""
    torch.set_num_threads(1)
    programs, added_up = {name: [] for name in PROGRAMS}, []
    for run in range(RUNS):
        for name, program in PROGRAMS.items():
            times = [milliseconds(program, each) for each in SHARED]
            programs[name].append(times)
            print(f"run {run + 1}, {name}: {times}", flush=True)
        added_up.append(milliseconds_added_up())
        print(f"run {run + 1}, added up: {added_up[-1]}", flush=True)
    stored = {
        "torch": torch.__version__,
        "sizes": SIZES,
        "heads": HEADS,
        "shared": SHARED,
        "milliseconds": programs,
        "added_up_milliseconds": added_up,
    }
    cached_reads.STORE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
