"""One seed for every source of randomness, so that a chapter prints the same numbers tomorrow."""

import os
import random

import numpy as np
import torch


def seed_everything(seed: int = 0) -> torch.Generator:
    """Seed Python, NumPy and PyTorch, and make PyTorch compute deterministically.

    PyTorch is set to one thread: with one, two processes agree bit for bit; with more, the
    order of additions differs, and a loss after 300 steps can differ by 1e-4.

    Args:
        seed: a whole number from 0 to 2**32 - 1 (the range that NumPy accepts).

    Returns:
        A generator on the same seed, to hand to every function that draws.

    Raises:
        ValueError: if the seed is out of range.
    """
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed is {seed}; expected a whole number from 0 to 2**32 - 1")
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    # cuBLAS is deterministic only with a fixed workspace, and reads this when it starts.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(True)
    return torch.Generator().manual_seed(seed)
