"""Refuses complex numbers in PyTorch, and what is recorded, while a gradient is asked.

A step off the real axis tells a derivative as exactly as a formula does, for any function. The
imaginary unit can be had by many names, and all of them end in a tensor of complex numbers. Whoever
has kept a part of PyTorch's engine needs what it recorded; an answer that is written out records
nothing.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode

from .between import LEFT, let_go
from .derivatives import REFUSAL as NOT_DERIVED

REFUSAL = "complex numbers are not to be used here: derive the gradient, and write it out"


# As they are at the start: a class of a student's may tell otherwise of itself.
C: Any = torch._C
IS_COMPLEX = vars(C.TensorBase)["is_complex"]
IS_RECORDED = vars(C.TensorBase)["requires_grad"].__get__


class RealNumbers(TorchDispatchMode):
    """Within it an operation of PyTorch that takes or gives complex numbers fails.

    So does one that is recorded to be derived.

    Args:
        records: whether that may be recorded, as it may where a cell runs.
    """

    def __init__(self, records: bool = False) -> None:
        super().__init__()
        self._records = records

    def __torch_dispatch__(
        self,
        func: Any,  # noqa: ANN401
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> object:
        """Run an operation, and look at what it was given and what it gives."""
        given = [*args, *(kwargs or {}).values()]
        records = torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
        with C.DisableTorchFunctionSubclass():
            if records and not self._records and any(map(IS_RECORDED, _tensors(given))):
                raise RuntimeError(NOT_DERIVED)
            # A tensor's own class is asked nothing: by now nobody watches what it would do.
            with C._DisableTorchDispatch():
                found = func(*args, **(kwargs or {}))
            if any(map(IS_COMPLEX, _tensors([*given, found]))) or _has_complex([*given, found]):
                raise RuntimeError(REFUSAL)
        return found

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:  # noqa: ANN401
        """End it, and refuse where it was ended before."""
        # What an answer began and did not end is ended first, as long as this stands around it.
        let_go(error)
        stood = _get_current_dispatch_mode() is self
        if stood:
            super().__exit__(kind, error, trace)
        elif error is None:
            raise RuntimeError(LEFT)


def _each(given: Iterable[object]) -> Iterator[object]:
    """What is given one by one, and what lies in lists, tuples and tables, within others too."""
    for one in given:
        if isinstance(one, list | tuple):
            yield from _each(one)
        elif isinstance(one, dict):
            yield from _each(one.values())
        else:
            yield one


def _tensors(given: Iterable[object]) -> Iterator[torch.Tensor]:
    return (one for one in _each(given) if isinstance(one, torch.Tensor))


def _has_complex(given: Iterable[object]) -> bool:
    return any(isinstance(one, complex) for one in _each(given))
