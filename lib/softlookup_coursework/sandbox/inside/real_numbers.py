"""Refuses complex numbers in PyTorch, and what is recorded, while a gradient is asked.

A step off the real axis tells a derivative as exactly as a formula does, for any function. The
imaginary unit can be had by many names, and all of them end in a tensor of complex numbers. Whoever
has kept a part of PyTorch's engine needs what it recorded; an answer that is written out records
nothing.
"""

import traceback
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode

from .between import LEFT
from .derivatives import REFUSAL as NOT_DERIVED

REFUSAL = "complex numbers are not to be used here: derive the gradient, and write it out"


class RealNumbers(TorchDispatchMode):
    """Within it an operation of PyTorch that takes or gives complex numbers fails.

    So does one that is recorded to be derived.
    """

    def __torch_dispatch__(
        self,
        func: Any,  # noqa: ANN401
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> object:
        """Run an operation, and look at what it was given and what it gives."""
        if torch.is_grad_enabled() and not torch.is_inference_mode_enabled() and _recorded(args):
            raise RuntimeError(NOT_DERIVED)
        found = func(*args, **(kwargs or {}))
        for each in (*args, found):
            for one in each if isinstance(each, list | tuple) else (each,):
                if isinstance(one, complex) or (isinstance(one, torch.Tensor) and one.is_complex()):
                    raise RuntimeError(REFUSAL)
        return found

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:  # noqa: ANN401
        """End it, and refuse where it was ended before."""
        # What an answer began and did not end is ended first, as long as this stands around it.
        traceback.clear_frames(trace)
        stood = _get_current_dispatch_mode() is self
        if stood:
            super().__exit__(kind, error, trace)
        elif error is None:
            raise RuntimeError(LEFT)


def _recorded(given: tuple[Any, ...]) -> bool:
    """Whether an operation on these is recorded."""
    each = [e for one in given for e in (one if isinstance(one, list | tuple) else (one,))]
    return any(isinstance(one, torch.Tensor) and one.requires_grad for one in each)
