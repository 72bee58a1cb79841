"""How large a part of a step's computing the backward pass is, in the model of ``step_times.py``.

    python benchmarks/backward_shares.py

One process on one thread takes the same steps with nothing sent, and counts its own processor time,
from which other work takes little. Each run starts with a new model; of its repeats we keep the
median. What comes out is stored beside ``softlookup.course.backward_shares``, where the chapter on
training past one machine reads it; a test holds the store to this script.
"""

import json
import time

import numpy as np
import step_times
import torch
from softlookup.course import backward_shares
from softlookup.models.llama import Llama
from softlookup.parallel.trainings import next_token

RUNS, REPEATS = 5, 5
ROWS = step_times.ROWS


def share(model, given):
    """One step of plain gradient descent: the backward pass's part of its processor time."""
    begun = time.process_time()
    model.zero_grad()
    loss = next_token(model(given), given)
    forward = time.process_time()
    loss.backward()
    backward = time.process_time()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.add_(parameter.grad, alpha=-1e-3)
    return (backward - forward) / (time.process_time() - begun)


def main():
    """Take all runs and store them."""
    torch.set_num_threads(1)
    config = step_times.CONFIG
    runs = []
    for run in range(RUNS):
        torch.manual_seed(run)
        model = Llama(config)
        batches = [torch.randint(config.vocab_size, (rows, config.max_length)) for rows in ROWS]
        # The first time memory is new.
        taken = [[share(model, given) for given in batches] for _ in range(REPEATS + 1)][1:]
        runs.append(np.median(taken, axis=0).round(3).tolist())
        print(f"run {run + 1}: {runs[-1]}", flush=True)
    stored = {
        "torch": torch.__version__,
        "tokens": [rows * config.max_length for rows in ROWS],
        "shares": runs,
    }
    backward_shares.STORE.write_text(json.dumps(stored) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
