"""Imports what nearly every submission needs, once, in the zygote."""

import numpy as np
import torch
from IPython.core.interactiveshell import InteractiveShell
from matplotlib import font_manager, pyplot
from softlookup.models import gpt

PRELOADED = (InteractiveShell, font_manager, gpt, np, pyplot)


def run_optimizer_step() -> None:
    """Run one optimizer step: on the first one, torch imports 800 more modules."""
    parameter = torch.nn.Parameter(torch.ones(2))
    # No backward pass: after one, torch's autograd engine refuses to run in a forked process.
    parameter.grad = torch.ones(2)
    torch.optim.AdamW([parameter]).step()
