"""Notices what an exercise forbids where it is called, by whatever name an answer calls it.

What can be read in a student's code are names (``source_checks``). In a default argument, a field
of a tuple or another module a function goes by another name, or by none, and is the same function.
Python tells of each call, in every thread, but of those that built-in functions make, as a
``partial`` does; PyTorch tells of these.
"""

import importlib.util
import inspect
import operator
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from types import BuiltinFunctionType, CodeType, FrameType
from typing import Any

import torch
from softlookup.course.student_code.forbidden_names import ForbiddenNames, parts_of
from softlookup.course.student_code.objections import calls
from torch.overrides import TorchFunctionMode

from .between import LEFT, Between

C: Any = torch._C
# What a student writes is in no package of these, and may be called as they like.
PACKAGES = ("torch", "softlookup", "transformers")
# Where they lie: a module's name is a name like others, and whoever has the module can give it
# another.
FOLDERS = {
    f"{folder}/": name
    for name in PACKAGES
    for spec in [importlib.util.find_spec(name)]
    for folder in (spec.submodule_search_locations if spec else None) or ()
}
# What an operator such as `*` or `@` calls: whoever writes that has called nothing by its name.
OPERATORS = {
    *dir(operator),
    *("div", "true_divide", "floor_divide", "remainder", "rsub"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not"),
}
# What would end the watch.
ENDS = {"setprofile", "setprofile_all_threads"}


# What PyTorch says where a ready-made attention finds none of its kernels.
NO_KERNEL = "No viable backend for scaled_dot_product_attention"
ATTENTION = "scaled_dot_product_attention"


# PyTorch's kernels of attention: whether each may be taken, and the switch.
KERNELS: list[tuple[Callable[[], bool], Callable[[bool], None]]] = [
    (C._get_math_sdp_enabled, C._set_sdp_use_math),
    (C._get_flash_sdp_enabled, C._set_sdp_use_flash),
    (C._get_mem_efficient_sdp_enabled, C._set_sdp_use_mem_efficient),
    (C._get_cudnn_sdp_enabled, C._set_sdp_use_cudnn),
]


def leave_no_kernel(forbids: Iterable[str]) -> None:
    """Leave a ready-made attention that is forbidden none of its kernels, for good.

    Args:
        forbids: the names, as an assignment gives them.
    """
    if not ForbiddenNames(forbids).among([ATTENTION]):
        return
    for _, switch in KERNELS:
        switch(False)
    # Nobody has a switch any more, this module included.
    switches = {switch for _, switch in KERNELS}
    for name, value in [*vars(C).items()]:
        if isinstance(value, BuiltinFunctionType) and value in switches:
            setattr(C, name, None)
    KERNELS.clear()


def _watcher() -> Callable[[Iterable[str]], AbstractContextManager[None]]:
    """What watches an answer, with Python's and PyTorch's own functions as they are at the start.

    All that it knows stands in variables of functions, and in no module and no object whose
    attributes somebody could set.
    """
    set_profile, get_profile = sys.setprofile, sys.getprofile
    set_in_threads, get_in_threads = threading.setprofile, threading.getprofile
    depth, mode_at = C._len_torch_function_stack, C._get_function_stack_at
    pop_mode = C._pop_torch_function_stack

    def watched(forbids: Iterable[str]) -> AbstractContextManager[None]:
        """Within it a function that is forbidden fails where it is called.

        Args:
            forbids: the names, as an assignment gives them.

        Raises:
            RuntimeError: from the code inside, where it calls one; at the end as well, if that
                code caught the error and went on, failed of it in another way, or ended the watch.
        """
        forbidden = ForbiddenNames(forbids)
        if not forbidden.names:
            return Between()
        known: dict[CodeType | str, str] = {}
        told, over = "", False
        # A trace, or what was loaded, calls it without a word to Python: then it has no kernel.
        attention = bool(forbidden.among([ATTENTION]))
        switched = KERNELS if attention else []

        def refuse(found: str) -> None:
            nonlocal told
            if found and not over:
                told = told or found
                raise RuntimeError(calls(found))

        def built_in(name: str) -> str:
            if name not in known:
                found = forbidden.among({name} - OPERATORS) | ({name} & ENDS)
                known[name] = min(found, default="")
            return known[name]

        def look(frame: FrameType, event: str, argument: Any) -> None:  # noqa: ANN401
            if event == "call":
                code = frame.f_code
                if code not in known:
                    known[code] = _in_python(code, frame, forbidden)
                refuse(known[code])
            elif event == "c_call":
                refuse(built_in(getattr(argument, "__name__", "")))

        class Mode(TorchFunctionMode):
            """Looks at what PyTorch is asked for."""

            def __torch_function__(
                self,
                func: Any,  # noqa: ANN401
                types: object,
                args: tuple[Any, ...] = (),
                kwargs: dict[str, Any] | None = None,
            ) -> object:
                refuse(built_in(getattr(func, "__name__", "")))
                return func(*args, **(kwargs or {}))

        before, in_threads, below = get_profile(), get_in_threads(), depth()
        enabled = [enables() for enables, _ in switched]
        mode = Mode()

        def begin() -> None:
            mode.__enter__()
            for _, switch in switched:
                switch(False)
            set_in_threads(look)
            set_profile(look)

        def stands() -> bool:
            return (
                get_profile() is look
                and depth() == below + 1
                and mode_at(below) is mode
                and not any(enables() for enables, _ in switched)
            )

        def end(error: BaseException | None) -> None:
            nonlocal over
            stood, over = stands(), True
            set_profile(before)
            set_in_threads(in_threads)
            while depth() > below:
                pop_mode()
            for (_, switch), was in zip(switched, enabled, strict=True):
                switch(was)
            if error is not None and not isinstance(error, Exception):
                return
            without_kernel = attention and error is not None and NO_KERNEL in str(error)
            if found := told or (ATTENTION if without_kernel else ""):
                raise RuntimeError(calls(found)) from None
            if not stood and error is None:
                raise RuntimeError(LEFT) from None

        return Between(begin, end)

    return watched


def _in_python(code: CodeType, frame: FrameType, forbidden: ForbiddenNames) -> str:
    """The forbidden name of a function in Python, if it has one.

    To import it, to define its class and to make an object of that is not to call it.
    """
    # A notebook's may be anything: here nobody watches what an object of a student's would do.
    named = frame.f_globals.get("__name__")
    module = _module_of(code) or (named if type(named) is str else "")
    if module.partition(".")[0] not in PACKAGES or not code.co_flags & inspect.CO_OPTIMIZED:
        return ""
    *within, name = code.co_qualname.split(".")
    if name.startswith("__") or (within and name != "forward"):
        return ""
    return min(forbidden.among(parts_of([f"{module}.{code.co_qualname}"])), default="")


def _module_of(code: CodeType) -> str:
    """The module of a package in whose file some code stands; empty, if it stands in none."""
    for folder, package in FOLDERS.items():
        if code.co_filename.startswith(folder):
            inside = code.co_filename.removeprefix(folder).removesuffix(".py").split("/")
            return ".".join([package, *(part for part in inside if part != "__init__")])
    return ""


nothing_ready_made = _watcher()
