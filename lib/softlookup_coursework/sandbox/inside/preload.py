"""Imports what nearly every submission needs, once, in the zygote."""

import numpy as np
import torch
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import font_manager, pyplot
from softlookup.course.exercises import forbidding
from softlookup.course.seeding import seed_everything
from softlookup.models import gpt
from softlookup.running import training

PRELOADED = (InteractiveShell, font_manager, forbidding, gpt, np, pyplot, seed_everything, training)
# More at work would be a crowd, which gives way to all others; and a notebook that asks for as many
# as the machine has processors would get no threads at all, but an end.
MOST_THREADS = 3

_set_num_threads = torch.set_num_threads


def set_num_threads(nthreads: int) -> None:
    """What ``torch.set_num_threads`` does, for no more threads than may be at work."""
    _set_num_threads(min(nthreads, MOST_THREADS))


torch.set_num_threads = set_num_threads
