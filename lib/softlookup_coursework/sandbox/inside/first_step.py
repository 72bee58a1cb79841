"""The first step of an optimizer, which costs seconds, made before processes are forked."""

import torch


def run_optimizer_step() -> None:
    """Run one optimizer step: on the first one, torch imports 800 more modules."""
    parameter = torch.nn.Parameter(torch.ones(2))
    # No backward pass: after one, torch's autograd engine refuses to run in a forked process.
    parameter.grad = torch.ones(2)
    torch.optim.AdamW([parameter]).step()
