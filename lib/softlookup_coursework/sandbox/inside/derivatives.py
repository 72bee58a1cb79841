"""Keeps PyTorch from deriving, while a test asks for gradients that are to be written out.

Inference mode does not do it: it holds for one thread, can be left, and says nothing to `vjp` and
to dual numbers. So the engine that goes backward is out of reach meanwhile, for every thread, and
so are a tensor's history, along which anybody could go backward step by step, and the beginning of
every derivative forward. Who hides it from the reader on purpose can still find a way, through a
process of their own, for instance; another name does not suffice.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch._functorch import predispatch
from torch.autograd.variable import Variable

REFUSAL = "PyTorch does not derive while this is tested: write the gradient out"
# By these functions PyTorch begins to derive forward; another version may have others.
BEGINNINGS = ("_enter_dual_level_impl", "_jvp_increment_nesting_impl")
# The property by which a tensor shows the step that has made it.
HISTORY: Any = torch.Tensor.grad_fn


class Withheld:
    """Stands in the place of the engine, and does nothing that is asked of it."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(REFUSAL)


def _refuse(*_: object, **__: object) -> None:
    raise RuntimeError(REFUSAL)


def _no_history(tensor: torch.Tensor) -> None:
    """Show nothing, and refuse where there is something to be shown."""
    if HISTORY.__get__(tensor) is not None:
        raise RuntimeError(REFUSAL)


@contextmanager
def withheld() -> Iterator[None]:
    """Within it no thread of this process derives by PyTorch."""
    begins: Any = predispatch
    kept: list[tuple[Any, str, Any]] = [
        (Variable, "_execution_engine", Withheld()),
        (torch.Tensor, "grad_fn", property(_no_history)),
    ]
    kept += [(begins, name, _refuse) for name in BEGINNINGS if hasattr(begins, name)]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in kept]
    try:
        for owner, name, instead in kept:
            setattr(owner, name, instead)
        with torch.inference_mode():
            yield
    finally:
        for owner, name, own in before:
            setattr(owner, name, own)
