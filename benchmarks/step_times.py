"""What sticks out of a step of data parallelism over a link of a known speed.

    python benchmarks/step_times.py

Two workers each have a copy of a small model, and a core. Their sums wait on a link that is as slow
as told. In each run and for each number of tokens fresh workers take several steps with the
gradients in two buckets, and several with six. Other programs lengthen a backward pass and make it
uneven; so of these steps the one with the shortest backward pass is kept. Of it we store how long
the backward pass lasted, and how long after its end the last sum arrived, by the worker that was
later; both over the seconds that the step's sums took together, each by the worker that did not
wait for the other. And we store these seconds over those of the link's formula. What comes out is
stored beside ``softlookup.course.step_times``, where the chapter on training past one machine reads
it; a test holds the store to this script.
"""

import json
import os

import torch
from softlookup.course import step_times
from softlookup.models.llama import Llama, LlamaConfig
from softlookup.parallel import slow_link, workers
from softlookup.parallel.traffic import all_reduce_bytes

RUNS, WORKERS = 3, 2
CONFIG = LlamaConfig(64, 32, d_model=128, n_heads=4, n_key_value_heads=4, n_layers=6, d_ff=344)
STEPS = {8: 9, 32: 9, 64: 9, 128: 5, 256: 3, 512: 2}  # by the rows of each worker
BUCKETS = (2, 6)
START_UP, RATE = 5e-4, 1e7  # seconds a message, bytes a second


def least_disturbed(taken, sending):
    """Of the steps with each number of buckets, what is kept of the least disturbed.

    Args:
        taken: the moments, by worker, number of buckets and step.
        sending: for each number of buckets, the seconds that the link takes by its formula.

    Returns:
        For each number of buckets the backward pass and the exposed time over the sums, and the
        sums over the formula.
    """
    kept = []
    for of_workers, seconds in zip(zip(*taken, strict=True), sending, strict=True):
        steps = []
        for step in zip(*of_workers, strict=True):
            began, ended, arrived = (
                max(getattr(of_worker, moment) for of_worker in step)
                for moment in ("began", "ended", "arrived")
            )
            sums = sum(map(min, zip(*(of_worker.took for of_worker in step), strict=True)))
            steps.append((ended - began, arrived - ended, sums))
        backward, exposed, sums = min(steps)
        ratios = backward / sums, exposed / sums, sums / seconds
        kept.append(tuple(round(each, 3) for each in ratios))
    return tuple(zip(*kept, strict=True))


def main():
    """Take all runs and store them."""
    weights = sum(each.numel() for each in Llama(CONFIG).parameters())
    one_sum = all_reduce_bytes(4 * weights, WORKERS) / RATE
    sending = [2 * (WORKERS - 1) * START_UP * buckets + one_sum for buckets in BUCKETS]
    backward, exposed, sums = kept = [], [], []
    for run in range(RUNS):
        steps = []
        for rows, number in STEPS.items():
            terms = CONFIG, rows, BUCKETS, START_UP, RATE, number
            taken = workers.run(slow_link.time_steps, WORKERS, *terms)
            steps.append(least_disturbed(taken, sending))
            print(f"run {run + 1}, {rows} rows: {steps[-1]}", flush=True)
        for times, of_run in zip(kept, zip(*steps, strict=True), strict=True):
            times.append(of_run)
    stored = {
        "torch": torch.__version__,
        "cores": os.cpu_count(),
        "weights": weights,
        "buckets": BUCKETS,
        "start_up": START_UP,
        "rate": RATE,
        "tokens": [rows * CONFIG.max_length for rows in STEPS],
        "backward": backward,
        "exposed": exposed,
        "sums": sums,
    }
    step_times.STORE.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
