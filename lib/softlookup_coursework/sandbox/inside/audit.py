"""Refuses what an answer never needs, such as a text that is run, where answers are asked alone.

What runs there has been read, word by word. This is the second wall, which knows no words: whatever
name led to it, Python tells its audit hooks (PEP 578) of each of these steps before it is taken,
and a hook that is set cannot be taken away.
"""

import collections
import dataclasses
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from importlib.machinery import SourceFileLoader
from keyword import iskeyword
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from . import ready_made

REFUSAL = "this is not done where answers are asked alone, such as to run a text or to write a file"
# Steps that lead out of the code that was read: to other code, to another process, to objects that
# nobody handed over.
STEPS = {
    *("exec", "function.__new__", "code.__new__", "pickle.find_class"),
    *("cpython.run_command", "cpython.run_file", "cpython.run_module", "cpython.run_stdin"),
    *("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn"),
    *("os.spawn", "pty.spawn"),
    *("os.rename", "os.link", "os.symlink", "os.truncate"),
    *("ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function"),
    *("ctypes.cdata", "ctypes.cdata/buffer", "ctypes.string_at", "ctypes.wstring_at"),
    *("gc.get_objects", "gc.get_referrers", "gc.get_referents"),
    *("sys._current_frames", "sys._current_exceptions"),
}
# What watches an answer is begun and ended by these, and by nobody else.
WATCHES = {"sys.setprofile", "sys.settrace"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# From a frame everything can be reached that is at work; a library looks at its caller's alone.
FRAMES = {"tb_frame", "gi_frame", "cr_frame", "ag_frame"}
# In another interpreter of the same process no hook is set.
OTHER_INTERPRETERS = {"_xxsubinterpreters", "_interpreters", "_testcapi", "_testinternalcapi"}
CELL = "<ipython-input"

RUNS_A_CELL = InteractiveShell.run_code.__code__
IMPORTS = SourceFileLoader.exec_module.__code__
NAMED_TUPLE = collections.namedtuple.__code__
# These make texts of the frames that they look at, or a class, and hand no frame on.
KEEP_FRAMES = {
    NAMED_TUPLE,
    *(f.__code__ for f in (traceback.format_stack, traceback.extract_stack, traceback.print_stack)),
}
MAKES_A_DATACLASS = vars(dataclasses)["_process_class"].__code__
# To 3.12 a function; then a method of a class that has all of a dataclass's functions.
WRITES_METHODS: CodeType = (
    vars(dataclasses)["_create_fn"].__code__
    if sys.version_info < (3, 13)
    else vars(dataclasses)["_FuncBuilder"].add_fns_to_class.__code__
)


def watch(runs: CodeType, asked: CodeType) -> None:
    """From now on, and for as long as this process lives, refuse these steps.

    A library that is being imported takes them as it likes; so does what runs a cell, or makes a
    named tuple or a dataclass out of names. Nothing else does, in no thread.

    Args:
        runs: the code in which the kernel runs statements that were read.
        asked: the code in which the kernel answers a test.

    Raises:
        RuntimeError: in the place of a step that is refused.
    """
    here, main = str(Path.cwd()), threading.get_ident()
    run_cells = RUNS_A_CELL, runs
    real, folder_of = os.path.realpath, os.path.dirname
    # By it, what watches an answer could be found.
    sys.getprofile = threading.getprofile = None  # type: ignore[assignment]
    watches = {ready_made.__file__, threading.__file__}

    def beside(path: str) -> bool:
        """Whether a path leads to where the submission lies."""
        return real(path).startswith(f"{here}/")

    def students(frame: FrameType) -> bool:
        path = frame.f_code.co_filename
        return path.startswith(CELL) or (path.startswith("/") and beside(path))

    def hands_on_a_frame(frame: FrameType) -> bool:
        """Whether a frame looks at another for a student's code, and so could hand it on."""
        if students(frame):
            return True
        caller = frame.f_back
        return frame.f_code not in KEEP_FRAMES and caller is not None and students(caller)

    def imports(frame: FrameType, library: bool) -> bool:
        """Whether a frame imports a library, or else a file that was handed in.

        Of such a file the kernel has what was read.
        """
        loader = frame.f_locals["self"]
        if type(loader) is not SourceFileLoader or type(loader.path) is not str:
            return False
        path = real(loader.path)
        return not beside(path) if library else folder_of(path) == here and path.endswith(".py")

    def runs_what_was_read(frame: FrameType) -> bool:
        """Whether this runs a cell, or a file beside the notebook, or what is made of names."""
        code = frame.f_code
        if code in run_cells:
            return not _within(frame.f_back, {*run_cells, asked})
        if code is WRITES_METHODS:
            return _names_its_fields(frame)
        before = frame.f_back
        return code is NAMED_TUPLE or (
            before is not None and before.f_code is IMPORTS and imports(before, library=False)
        )

    def allowed(event: str, frame: FrameType | None) -> bool:
        if frame is None or threading.get_ident() != main:
            return False
        if event == "exec" and runs_what_was_read(frame):
            return True
        while frame is not None and frame.f_code not in (*run_cells, asked):
            if frame.f_code is IMPORTS:
                return imports(frame, library=True)
            frame = frame.f_back
        return False

    looks: Mapping[str, Callable[[tuple[Any, ...]], bool]] = {
        "open": lambda given: bool(given[2] & WRITES) and given[0] != os.devnull,
        "import": lambda given: given[0] in OTHER_INTERPRETERS,
        "object.__setattr__": lambda given: given[1] == "__code__",
    }
    # The threads in which this looks along the stack, of which Python tells it as well.
    looking = set[int]()

    def refused(event: str, given: tuple[Any, ...], by: FrameType) -> bool:
        if event in ("object.__getattr__", "sys._getframe"):
            return hands_on_a_frame(by)
        if event in WATCHES:
            return by.f_code.co_filename not in watches
        look = looks.get(event)
        return bool(event in STEPS or (look and look(given))) and not allowed(event, by)

    def hook(event: str, given: tuple[Any, ...]) -> None:
        thread = threading.get_ident()
        if event not in looked_at or thread in looking:
            return
        if event == "object.__getattr__" and given[1] not in FRAMES:
            return
        looking.add(thread)
        try:
            found = refused(event, given, sys._getframe(1))
        finally:
            looking.discard(thread)
        if found:
            raise RuntimeError(REFUSAL)

    looked_at = {*STEPS, *WATCHES, *looks, "object.__getattr__", "sys._getframe"}
    sys.addaudithook(hook)


def _within(frame: FrameType | None, codes: set[CodeType]) -> bool:
    """Whether a frame, or one that led to it, runs one of these."""
    while frame is not None and frame.f_code not in codes:
        frame = frame.f_back
    return frame is not None


def _names_its_fields(frame: FrameType | None) -> bool:
    """Whether the fields of the dataclass that a frame makes have names, and no other texts."""
    while frame is not None and frame.f_code is not MAKES_A_DATACLASS:
        if frame.f_code.co_filename != MAKES_A_DATACLASS.co_filename:
            return False
        frame = frame.f_back
    fields = frame.f_locals["fields"].values() if frame else [None]
    return all(type(each) is dataclasses.Field and _is_a_name(each.name) for each in fields)


def _is_a_name(text: object) -> bool:
    return type(text) is str and text.isidentifier() and not iskeyword(text)
