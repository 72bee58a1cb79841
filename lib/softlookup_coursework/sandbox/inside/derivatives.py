"""Keeps PyTorch from deriving, while a test asks for gradients that are to be written out.

Inference mode does not do it: it holds for one thread, can be left, and says nothing to `vjp` and
to dual numbers. So whatever begins to derive is out of reach meanwhile, for every thread: the
engine, whoever holds one; a tensor's history, along which anybody could go backward step by step;
PyTorch's functions whose names say that they go backward or forward, under any other name that a
module gives them; the level on which dual numbers live; and what was compiled to derive. Who hides
it from the reader on purpose can still find a way, through a process of their own, for instance;
another name does not suffice.
"""

import ctypes
import gc
import re
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from types import BuiltinMethodType, FunctionType, ModuleType
from typing import Any

import torch
from torch.autograd.variable import Variable

from .between import LEFT, Between

REFUSAL = "PyTorch does not derive while this is tested: write the gradient out"
# How PyTorch names what begins to derive: `_enter_dual_level`, `_jvp_increment_nesting`,
# `_softmax_backward_data`, and among its operators `grad` too.
BEGINS = re.compile(r"backward|(?<![a-z])dual|[jv]vp|grad_(?:in|de)crement", re.I)
OPERATOR = re.compile(rf"{BEGINS.pattern}|^(?:aten::)?grad$", re.I)
COMPILED = re.compile(r"aten::(?:grad|_?backward)\b")
C: Any = torch._C
OPERATION = C._jit_get_operation
# As they are at the start; what a cell puts in their places stands for nothing here.
RECORDS, IS_RECORDED = C._InferenceMode, torch.is_inference_mode_enabled
ENGINE: Any = C._ImperativeEngine
# By these a tensor shows the step that has made it, what was derived, and what is then done.
HISTORIES = (
    *("grad_fn", "_grad_fn", "grad", "_grad"),
    "_post_accumulate_grad_hooks",
)
# By these it keeps what somebody else derives afterwards, or has something done with it.
KEEPS = (
    "retain_grad",
    "register_hook",
    "register_post_accumulate_grad_hook",
    "_register_hook_dict",
)


class Withheld:
    """Stands in the place of the engine, and does nothing that is asked of it."""

    def __getattr__(self, name: str) -> object:
        raise RuntimeError(REFUSAL)


def _by_itself(function: Any) -> Any:  # noqa: ANN401
    """A function to be handed out, from which no way leads to the other names of this module."""
    knows = {name: globals()[name] for name in ("REFUSAL", "OPERATOR", "OPERATION", "COMPILED")}
    return FunctionType(function.__code__, knows, function.__name__)


@_by_itself
def _refuse(*_: object, **__: object) -> object:
    raise RuntimeError(REFUSAL)


@_by_itself
def _no_history(tensor: object) -> None:
    """Show nothing of what has made a tensor."""


@_by_itself
def _operation(name: str, *rest: object) -> object:
    """An operator by its name, but for those that derive."""
    if OPERATOR.search(name):
        raise RuntimeError(REFUSAL)
    return OPERATION(name, *rest)


@_by_itself
def _compiled_to_derive(function: Any) -> object:  # noqa: ANN401
    return COMPILED.search(str(function.inlined_graph))


@_by_itself
def _named_to_derive(operator: Any) -> object:  # noqa: ANN401
    return OPERATOR.search(operator.__name__.partition(".")[0])


def _unless(derives: Any, call: Any) -> Any:  # noqa: ANN401
    """How a thing is called meanwhile, so that it refuses if it derives."""
    refuse = _refuse

    def called(thing: object, *args: object, **kwargs: object) -> object:
        return refuse() if derives(thing) else call(thing, *args, **kwargs)

    return FunctionType(called.__code__, {}, "called", None, called.__closure__)


# What may have been made before, and kept: it refuses when it is called.
KEPT: list[tuple[Any, Any, Any]] = [
    (kind, kind.__call__, _unless(derives, kind.__call__))
    for kind, derives in (
        (C.ScriptFunction, _compiled_to_derive),
        (C.ScriptMethod, _compiled_to_derive),
        (torch._ops.OpOverloadPacket, _named_to_derive),
        (torch._ops.OpOverload, _named_to_derive),
    )
]
_Place = tuple[dict[str, Any], str, Any]


def _entries() -> dict[int, Any]:
    """What stands in the place of each function that begins to derive, by its identity."""
    spaces = [torch, C, *(each for each in vars(C).values() if isinstance(each, ModuleType))]
    found = {
        id(value): _refuse
        for space in spaces
        for name, value in vars(space).items()
        if BEGINS.search(name) and isinstance(value, BuiltinMethodType)
    }
    return found | {
        id(OPERATION): _operation,
        id(ENGINE): _refuse,
        id(ENGINE.run_backward): _refuse,
    }


ENTRIES = _entries()


def _places(modules: Iterable[object]) -> list[_Place]:
    """Where modules hold what begins to derive, by whatever name."""
    found: list[_Place] = []
    for module in modules:
        other = isinstance(module, ModuleType) and module.__name__ != __name__
        names = vars(module) if other else {}
        for name, value in [*names.items()]:
            if instead := ENTRIES.get(id(value)):
                found.append((names, name, instead))
            elif type(value) is BuiltinMethodType and type(value.__self__) is ENGINE:
                found.append((names, name, _refuse))
            elif type(value) is ENGINE:
                found.append((names, name, Withheld()))
    return found


# Those that are there before a student's first cell runs, and hold what they hold.
EARLIER = [*sys.modules.values()]
EARLIER_PLACES = _places(EARLIER)
_EARLIER_NUMBERS = {*map(id, EARLIER)}


def own_names(kind: type) -> dict[str, Any]:
    """What a type of C's holds itself, to be written to: who has the type looks there."""
    (names,) = gc.get_referents(vars(kind))
    return names


ENGINES_NAMES, FUNCTIONS_NAMES = own_names(ENGINE), own_names(C._FunctionBase)
TENSORS_NAMES, TENSORS_OWN = own_names(C.TensorBase), own_names(torch.Tensor)
# Looked up here: afterwards the library in C may be out of reach.
MODIFIED = ctypes.pythonapi.PyType_Modified


def _exchange(places: Iterable[_Place], kinds: Iterable[type]) -> list[_Place]:
    """Put something else in each place, and return what puts it back."""
    before = [(names, name, names[name]) for names, name, _ in places if name in names]
    for names, name, value in places:
        names[name] = value
    for kind in kinds:
        MODIFIED(ctypes.py_object(kind))
    return before


def withheld(records: bool = False) -> AbstractContextManager[None]:
    """Within it no thread of this process derives by PyTorch.

    Args:
        records: whether it may be recorded meanwhile what is computed, to be derived afterwards.

    Raises:
        RuntimeError: at the end, where something has been put back before.
    """
    kinds = [ENGINE, C._FunctionBase, C.TensorBase, torch.Tensor]
    places = [
        *EARLIER_PLACES,
        *_places(one for one in [*sys.modules.values()] if id(one) not in _EARLIER_NUMBERS),
        (ENGINES_NAMES, "run_backward", _refuse),
        # A function of a student's own begins with its context, which knows the history.
        (FUNCTIONS_NAMES, "apply", _refuse),
        *(
            (names, name, instead)
            for names in (TENSORS_NAMES, TENSORS_OWN)
            for those, instead in ((HISTORIES, property(_no_history, _refuse)), (KEEPS, _refuse))
            for name in those
            if name in names
        ),
    ]
    engine: Any = Variable
    kept, instead_of_it = engine._execution_engine, Withheld()
    recording = RECORDS(not records)
    before: list[_Place] = []
    level = False

    def begin() -> None:
        nonlocal level
        # Somebody may have opened it before, for numbers that they make now.
        try:
            C._exit_dual_level(level=0)
            level = True
        except RuntimeError:
            pass
        before.extend(_exchange(places, kinds))
        engine._execution_engine = instead_of_it
        for kind, _, instead in KEPT:
            kind.__call__ = instead
        recording.__enter__()

    def stands() -> bool:
        return (
            all(names.get(name) is value for names, name, value in places if name in names)
            and engine._execution_engine is instead_of_it
            and all(kind.__call__ is instead for kind, _, instead in KEPT)
            and IS_RECORDED() != records
        )

    def end(error: BaseException | None) -> None:
        stood = stands()
        recording.__exit__(None, None, None)
        engine._execution_engine = kept
        for kind, call, _ in KEPT:
            kind.__call__ = call
        _exchange(before, kinds)
        if level:
            C._enter_dual_level()
        if not stood and error is None:
            raise RuntimeError(LEFT) from None

    return Between(begin, end)
