"""Keeps objects of PyTorch's and of Python's from taking a special name out of a table.

A name can be computed, so that no reading finds it; and an object that has an attribute of a
special name may be asked for it by a library, such as NumPy, which then reads whatever memory it is
told. What takes attributes from a table is refused such names here.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any

import torch
from torch.optim.lr_scheduler import LRScheduler

from .audit import REFUSAL


def refuse_special_names() -> None:
    """From now on, and for as long as this process lives, refuse them."""
    for method in ("add_module", "register_buffer", "register_parameter"):
        _guard(torch.nn.Module, method, lambda name, *_: [name])
    for kind in _with_subclasses(LRScheduler):
        if "load_state_dict" in vars(kind):
            _guard(kind, "load_state_dict", _keys)
    _guard(logging.Logger, "makeRecord", lambda *told: [key for one in told for key in _keys(one)])


def _guard(kind: type, method: str, names: Callable[..., Iterable[object]]) -> None:
    """Look at the names that a method of a class is given, before it takes them."""
    kept: Callable[..., Any] = vars(kind)[method]

    @wraps(kept)
    def guarded(self: object, *given: Any, **named: Any) -> Any:  # noqa: ANN401
        for name in names(*given, *named.values()):
            if not isinstance(name, str) or name.startswith("__"):
                raise RuntimeError(REFUSAL)
        return kept(self, *given, **named)

    setattr(kind, method, guarded)


def _keys(table: object, *_: object) -> list[object]:
    return [*table] if isinstance(table, Mapping) else []


def _with_subclasses(kind: Any) -> list[Any]:  # noqa: ANN401 - of any class
    found = [kind]
    for each in kind.__subclasses__():
        found += _with_subclasses(each)
    return found
