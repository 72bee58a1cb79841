"""Notices what an exercise forbids where it is called, by whatever name an answer calls it.

What can be read in a student's code are names (``source_checks``). In a default argument, a field
of a tuple or another module a function goes by another name, or by none, and is the same function.
Python tells of each call, in every thread, but of those that built-in functions make, as a
``partial`` does; PyTorch tells of these.
"""

import inspect
import operator
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import getprofile, setprofile
from types import CodeType, FrameType
from typing import Any

from softlookup.course.exercises.forbidden_names import ForbiddenNames, parts_of
from softlookup.course.exercises.objections import calls
from torch.overrides import TorchFunctionMode

# What a student writes is in no package of these, and may be called as they like.
PACKAGES = ("torch", "softlookup", "transformers")
# What an operator such as `*` or `@` calls: whoever writes that has called nothing by its name.
OPERATORS = {
    *dir(operator),
    *("div", "true_divide", "floor_divide", "remainder", "rsub"),
    *("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not"),
}
# What would end the watch.
ENDS = {"setprofile", "setprofile_all_threads"}


class _Watch(TorchFunctionMode):
    """Looks at each call, and keeps the first forbidden name that is called."""

    def __init__(self, forbidden: ForbiddenNames) -> None:
        super().__init__()
        self.forbidden, self.told, self.over = forbidden, "", False
        self._known: dict[CodeType | str, str] = {}

    def look(self, frame: FrameType, event: str, argument: Any) -> None:  # noqa: ANN401
        """Look at what Python tells of, and refuse a call of what is forbidden."""
        if event == "call":
            code = frame.f_code
            if code not in self._known:
                self._known[code] = self._in_python(code, frame)
            self._refuse(self._known[code])
        elif event == "c_call":
            self._refuse(self._built_in(getattr(argument, "__name__", "")))

    def __torch_function__(
        self,
        func: Any,  # noqa: ANN401
        types: object,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> object:
        """Look at what PyTorch is asked for."""
        self._refuse(self._built_in(getattr(func, "__name__", "")))
        return func(*args, **(kwargs or {}))

    def _refuse(self, found: str) -> None:
        if found and not self.over:
            self.told = self.told or found
            raise RuntimeError(calls(found))

    def _built_in(self, name: str) -> str:
        """The forbidden name of a built-in function, if it has one."""
        if name not in self._known:
            found = self.forbidden.among({name} - OPERATORS) | ({name} & ENDS)
            self._known[name] = min(found, default="")
        return self._known[name]

    def _in_python(self, code: CodeType, frame: FrameType) -> str:
        """The forbidden name of a function in Python, if it has one.

        To import it, to define its class and to make an object of that is not to call it.
        """
        module = str(frame.f_globals.get("__name__", ""))
        if module.partition(".")[0] not in PACKAGES or not code.co_flags & inspect.CO_OPTIMIZED:
            return ""
        *within, name = code.co_qualname.split(".")
        if name.startswith("__") or (within and name != "forward"):
            return ""
        return min(self.forbidden.among(parts_of([f"{module}.{code.co_qualname}"])), default="")


@contextmanager
def nothing_ready_made(forbids: Iterable[str]) -> Iterator[None]:
    """Within it a function that is forbidden fails where it is called.

    Args:
        forbids: the names, as an assignment gives them.

    Raises:
        RuntimeError: from the code inside, where it calls one; at the end as well, if that code
            caught the error and went on, or failed of it in another way.
    """
    names = [*forbids]
    if not names:
        yield
        return
    watch, before, in_threads = _Watch(ForbiddenNames(names)), sys.getprofile(), getprofile()
    setprofile(watch.look)
    sys.setprofile(watch.look)
    try:
        with watch:
            yield
    except Exception:
        if not watch.told:
            raise
    finally:
        watch.over = True
        sys.setprofile(before)
        setprofile(in_threads)
    if watch.told:
        raise RuntimeError(calls(watch.told))
