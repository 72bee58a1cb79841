"""How long gloo takes to sum a tensor among two and four processes of this machine.

    python benchmarks/ring_times.py

Let nothing else run meanwhile. Each run starts fresh workers, and takes for each tensor the
shortest of its repeats. What comes out is stored beside ``softlookup.course.ring_times``, where the
chapter on training past one machine reads it; a test holds the store to this script.
"""

import json
import os

import torch
from softlookup.course import ring_times
from softlookup.parallel import ring, workers

RUNS, REPEATS = 5, 20
CROWDS = (2, 4)
MEGABYTE = 2**20
# Bytes of a tensor of float32 numbers, and in how many pieces it is summed.
WHOLE = [(2**power, 1) for power in (8, 12, 16, 18, 20, 22, 24)]
IN_PIECES = [(MEGABYTE, pieces) for pieces in (4, 16, 64)]


def shortest(crowd):
    """Milliseconds for each tensor, the shortest of its repeats."""
    cuts = WHOLE + IN_PIECES
    told = workers.run(ring.time_sums, crowd, [(size // 4, n) for size, n in cuts], REPEATS)
    # A sum is done when it is done everywhere.
    slowest = [map(max, zip(*rows, strict=True)) for rows in zip(*told, strict=True)]
    return [round(1e3 * min(repeats), 3) for repeats in slowest]


def main():
    """Take all runs, the crowds in turn, and store them."""
    runs = {crowd: [] for crowd in CROWDS}
    for run in range(RUNS):
        for crowd, taken in runs.items():
            taken.append(shortest(crowd))
            print(f"run {run + 1}, {crowd} workers: {taken[-1]}", flush=True)
    stored = {
        "torch": torch.__version__,
        "cores": os.cpu_count(),
        "cuts": WHOLE + IN_PIECES,
        "milliseconds": runs,
    }
    ring_times.STORE.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
