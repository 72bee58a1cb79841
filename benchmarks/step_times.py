"""How long a whole step of data parallelism takes over a link of a known speed.

    python benchmarks/step_times.py

Two workers each have a copy of a small model, and a core. Their sums wait on a link that is as slow
as told. Each run starts fresh workers. In each of its repeats every step has a turn: with nothing
sent, with one sum after the backward pass, and with a sum for each block during it. A step's ratio
to the computing alone is taken within a repeat; of a run we keep the median. Let nothing else run
meanwhile. What comes out is stored beside ``softlookup.course.step_times``, where the chapter on
training past one machine reads it; a test holds the store to this script. The sizes and the link's
speed were fixed in earlier runs; those in the store were taken afterwards, with nothing changed.
"""

import json
import os

import numpy as np
import torch
from softlookup.course import step_times
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.parallel import slow_link, workers
from softlookup.parallel.traffic import all_reduce_bytes

RUNS, REPEATS, WORKERS = 5, 3, 2
CONFIG = LlamaConfig(64, 32, d_model=128, n_heads=4, n_key_value_heads=4, n_layers=6, d_ff=344)
ROWS = (8, 32, 128)  # of each worker
START_UP, RATE = 5e-4, 1e7  # seconds a message, bytes a second


def ratios(taken, one_sum):
    """From seconds by worker, rows, way and repeat: for each number of rows the three ratios."""
    # A step is done when both workers are done.
    slowest = np.array(taken).max(axis=0)
    alone, after, in_buckets = np.moveaxis(slowest, 1, 0)
    of_alone = (
        one_sum / np.median(alone, axis=1),
        *(np.median(each / alone, axis=1) for each in (after, in_buckets)),
    )
    return [each.round(3).tolist() for each in of_alone]


def main():
    """Take all runs and store them."""
    weights = sum(each.numel() for each in Llama(CONFIG).parameters())
    one_sum = 2 * (WORKERS - 1) * START_UP + all_reduce_bytes(4 * weights, WORKERS) / RATE
    runs = []
    for run in range(RUNS):
        terms = CONFIG, ROWS, START_UP, RATE, REPEATS
        runs.append(ratios(workers.run(slow_link.time_steps, WORKERS, *terms), one_sum))
        print(f"run {run + 1}: {runs[-1]}", flush=True)
    sums, after, in_buckets = zip(*runs, strict=True)
    stored = {
        "torch": torch.__version__,
        "cores": os.cpu_count(),
        "weights": weights,
        "blocks": CONFIG.n_layers,
        "start_up": START_UP,
        "rate": RATE,
        "tokens": [rows * CONFIG.max_length for rows in ROWS],
        "one_sum": sums,
        "after": after,
        "in_buckets": in_buckets,
    }
    step_times.STORE.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
