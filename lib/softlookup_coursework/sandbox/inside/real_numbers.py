"""Refuses complex numbers in PyTorch while an answer is asked that has to be derived by hand.

A step off the real axis tells a derivative as exactly as a formula does, for any function. The
imaginary unit can be had by many names, and all of them end in a tensor of complex numbers.
"""

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

REFUSAL = "complex numbers are not to be used here: derive the gradient, and write it out"


class RealNumbers(TorchDispatchMode):
    """Within it an operation of PyTorch that takes or gives complex numbers fails."""

    def __torch_dispatch__(
        self,
        func: Any,  # noqa: ANN401
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> object:
        """Run an operation, and look at what it was given and what it gives."""
        found = func(*args, **(kwargs or {}))
        for each in (*args, found):
            for one in each if isinstance(each, list | tuple) else (each,):
                if isinstance(one, complex) or (isinstance(one, torch.Tensor) and one.is_complex()):
                    raise RuntimeError(REFUSAL)
        return found
