"""The shell in which a student's cells run, and in which tests call what they define."""

import ast
import gc
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import LSString, SList
from traitlets.config import Config

from . import audit
from .between import Between
from .derivatives import REFUSAL, withheld
from .lacking import tells_of_lack
from .memory import withhold_memory
from .output import Output, Stream
from .ready_made import leave_no_kernel, nothing_ready_made
from .real_numbers import RealNumbers
from .trees import decode, encode
from .unshown import hide_what_leads_on

# Where this name is forbidden, gradients are to be written out.
AUTOGRAD = "autograd"
# As they are at the start; what a cell puts in their places stands for nothing here. All but the
# last are in C: of a class that Python makes, a cell could exchange the methods.
C: Any = torch._C
RECORDS = C._InferenceMode
LOOKS_FOR_ANOMALIES, LOOK_FOR_ANOMALIES = torch.is_anomaly_enabled, torch.set_anomaly_enabled
LOOKS_FOR_NAN = torch.is_anomaly_check_nan_enabled
CASTS, CAST = torch.is_autocast_enabled, torch.set_autocast_enabled
# PyTorch's own function in Python tells loggers what it does, whose handlers may be a student's.
DERIVES, ONES_LIKE = C._ImperativeEngine().run_backward, C._VariableFunctions.ones_like
PLAIN = vars(C.TensorBase)["as_subclass"]
HOOKS = vars(C.TensorBase)["_backward_hooks"].__get__
COLLECT = gc.collect
# What was made since the last collection; of what survived one, no cycle is finished any more.
YOUNGEST = 0
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def run_command(command: str) -> int:
    """Run a command in a shell, print what it prints as it comes, and return its exit status.

    IPython's own way opens a terminal and a session, which a submission cannot have.
    """
    with _started(command) as process:
        try:
            while part := process.stdout.read1():
                sys.stdout.write(part.decode("utf-8", "replace"))
        except BaseException:
            process.kill()
            raise
        return process.wait()


def command_output(command: str) -> str:
    """Run a command in a shell, and return what it prints."""
    with _started(command) as process:
        return process.communicate()[0].decode("utf-8", "replace")


def _started(command: str) -> Any:  # noqa: ANN401 - whose `stdout` is known to be there
    return subprocess.Popen(
        command,
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


class AnswerError(Exception):
    """How an answer failed, in texts alone: nothing of a student's is left in it."""

    def __init__(self, reply: dict[str, Any]) -> None:
        super().__init__(reply["text"])
        self.reply = reply


class Kernel:
    """Runs cells, and calls what they define."""

    def __init__(self, output: Output, answer_bytes: int) -> None:
        self.output, self.answer_bytes = output, answer_bytes
        self.kept: list[object] = []
        # What a request holds for a student's code, to be emptied while that is watched.
        self.held: list[list[Any] | dict[str, Any]] = []
        self.error: tuple[str, str, str] | None = None
        self.ends, self.lacking = True, False
        kernel = self

        class Hook(DisplayHook):
            def __call__(self, result: object = None) -> None:
                if result is not None and not self.quiet():
                    data, _ = kernel.shell.display_formatter.format(result)
                    self.update_user_ns(result)
                    output.send_data(data)

        class Publisher(DisplayPublisher):
            def publish(self, data: dict[str, Any], *_: object, **__: object) -> None:
                output.send_data(data)

            def clear_output(self, wait: bool = False) -> None:
                pass

        class Shell(InteractiveShell):
            displayhook_class = Hook
            display_pub_class = Publisher

            def enable_gui(self, gui: str | None = None) -> None:
                """Do nothing: ``%matplotlib inline`` asks for it, and has no window."""

            def system(self, cmd: str) -> None:
                self.user_ns["_exit_code"] = run_command(self.var_expand(cmd, depth=1))

            def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> SList | LSString:
                out = command_output(self.var_expand(cmd, depth=depth + 1))
                return SList(out.splitlines()) if split else LSString(out)

            def _showtraceback(self, etype: type, evalue: object, stb: list[str]) -> None:
                name = getattr(etype, "__name__", "Exception")
                told = (name, str(evalue), COLOURS.sub("", "\n".join(stb)))
                kernel.error = kernel.error or told
                kernel.ends = not kernel.fails_here_alone(etype, told[1])

            async def run_code(self, *args: object, **kwargs: object) -> bool:
                """Run a statement; say whether its failure ends the cell."""
                kernel.ends = True
                return await super().run_code(*args, **kwargs) and kernel.ends

        sys.stdout, sys.stderr = Stream(output, "stdout"), Stream(output, "stderr")
        self.shell: Any = Shell.instance(config=Config({"HistoryManager": {"enabled": False}}))

    def serve(self, header: dict[str, Any], payload: bytes) -> tuple[dict[str, Any], bytes]:
        """Handle a request; an exception of the student's code is returned as a reply."""
        self.output.begin()
        if header["do"] == "watch":
            leave_no_kernel(header["forbids"])
            withhold_memory()
            # What Python's collector finishes is a student's, too: not while somebody else works.
            gc.disable()
            gc.freeze()
            hide_what_leads_on()
            audit.watch(Kernel._run_each.__code__, Kernel.compute.__code__)
            return {"kind": "done"}, b""
        if header["do"] == "run":
            return self.run(header["source"]), b""
        if header["do"] == "run statements":
            return self.run_statements(header["source"], header["forbids"]), b""
        try:
            return self.compute(header, payload)
        except AnswerError as failed:
            return failed.reply, b""
        except Exception as error:
            return failure(error), b""

    def run(self, source: str) -> dict[str, Any]:
        """Run a cell as a notebook does, and what stands behind a statement that fails here alone.

        A drive that is mounted, or a style that is not installed, is there at home, and what a
        student imports behind it is needed.
        """
        self.error = None
        self.shell.run_cell(source, store_history=False)
        if self.error is None:
            return {"kind": "done"}
        name, text, lines = self.error
        return {"kind": "failed", "name": name, "text": text[:4000], "lines": lines[-40_000:]}

    def run_statements(self, source: str, forbids: list[str]) -> dict[str, Any]:
        """Run statements that were read, as they stand, and like ``run`` what stands behind one.

        No shell stands between: what a cell may have had it do with the next cell is not done.

        Args:
            source: the statements.
            forbids: what is not to be had meanwhile, as an assignment forbids it.
        """
        shell = self.shell
        # What a cell records on the way is no derivative yet, and an answer may keep it.
        kept_away = withheld(records=True) if AUTOGRAD in forbids else nothing_ready_made(forbids)
        try:
            name = shell.compile.cache(source, shell.execution_count)
            trees = ast.parse(source).body
            with shell.builtin_trap, kept_away, as_numbers_are_asked(forbids, records=True):
                return nothing_else_out(lambda: self._run_each(trees, name))
        except (RuntimeError, SyntaxError) as error:
            return failure(error)

    def _run_each(self, statements: list[ast.stmt], name: str) -> dict[str, Any]:
        """Run statements one by one, and tell how the first failed that did."""
        told = None
        for statement in statements:
            try:
                code = self.shell.compile(ast.Module([statement], []), name, "exec")
                exec(code, self.shell.user_ns)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                reply = failure(error)
                told = told or reply
                if not self.fails_here_alone(type(error), reply["text"]):
                    break
        COLLECT(YOUNGEST)
        return told or {"kind": "done"}

    def fails_here_alone(self, kind: type, text: str) -> bool:
        """Whether an error tells of what this machine lacks: a package, a file, a device.

        A name that is missing afterwards may be one that such a statement would have bound.
        """
        lacks = tells_of_lack(kind, text)
        self.lacking = self.lacking or lacks
        return lacks or (self.lacking and issubclass(kind, NameError))

    def compute(self, header: dict[str, Any], payload: bytes) -> tuple[dict[str, Any], bytes]:
        """Call, look up or differentiate something that the cells define; return it as sent.

        Each of them may run code of the student's, and to make ready what is sent may, too, as may
        to tell an error, or to throw away what is left of an answer. So it is all done before what
        watches the answer ends.

        Raises:
            AnswerError: if the answer failed.
        """
        asks, forbids = header["do"], header["forbids"]
        with as_at_the_start():
            # What is handed over is made before anything is withheld, so it can be used anywhere.
            given = self.given(header, payload) if asks != "get" else ([], {})
            args, kwargs = [*given[0]], {**given[1]}
            self.held += [args, kwargs]
            del given
            if asks == "gradients" and AUTOGRAD in forbids:
                return self.derived(header, args)
            with as_an_exercise_asks(forbids), as_numbers_are_asked(forbids):
                return self.finished(
                    lambda: self.sent(USES[asks](self.asked(header), args, kwargs))
                )

    def derived(self, header: dict[str, Any], args: list[Any]) -> tuple[dict[str, Any], bytes]:
        """Gradients by PyTorch of an answer that may not use it.

        What the student wrote is recorded while nothing derives. While PyTorch derives, nothing of
        theirs runs: what was recorded is still held, so that nothing in it is finished either.
        """
        recorded: list[Any] = []
        self.held.append(recorded)
        with withheld(records=True), RealNumbers(records=True):
            self.finished(lambda: recorded.extend(summed(self.asked(header), *args)), recorded)
        found: tuple[Any, ...] = ()
        failed = None
        try:
            # The engine would call a student's hook where nobody watches.
            if any(map(HOOKS, recorded)):
                raise RuntimeError(REFUSAL)
            found = derivatives(recorded[0], recorded[1:])
        except RuntimeError as error:
            failed = str(error)

        def answer() -> tuple[dict[str, Any], bytes]:
            if failed is not None:
                raise RuntimeError(failed)
            return self.sent(numbers(found))

        with withheld(), RealNumbers():
            return self.finished(answer)

    def finished(self, do: Callable[[], Any], but: object = None) -> Any:  # noqa: ANN401
        """What a student's code gives; and what is left of it is thrown away at once.

        The arguments and the errors are those of ``_finished``.
        """
        return nothing_else_out(lambda: self._finished(do, but))

    def _finished(self, do: Callable[[], Any], but: object) -> Any:  # noqa: ANN401
        """The same; an interruption in between may hold what a student's code has made.

        To tell an error runs its text's method, and what is thrown away may have something to do at
        its end. Both are a student's code, and belong before the end of what watches it. Where an
        interruption comes in between, what is held stays until the next request is watched.

        Args:
            do: what runs the code.
            but: of what is held, what is needed further on.

        Raises:
            AnswerError: if it failed.
            KeyboardInterrupt: if it was interrupted.
        """
        found, failed, interrupted = None, None, False
        try:
            found = do()
        except KeyboardInterrupt:
            interrupted = True
        except Exception as error:
            failed = failure(error)
        for each in self.held:
            if each is not but:
                each.clear()
        self.held = [each for each in self.held if each is but]
        COLLECT(YOUNGEST)
        if interrupted:
            raise KeyboardInterrupt
        if failed is not None:
            raise AnswerError(failed)
        return found

    def asked(self, header: dict[str, Any]) -> Any:  # noqa: ANN401
        """What a request is about: a name of the cells', or what was kept, or an attribute."""
        found = self.named(header["target"])
        for attribute in header["attributes"]:
            found = getattr(found, attribute)
        return found

    def sent(self, answer: object) -> tuple[dict[str, Any], bytes]:
        """An answer as it is sent, if it is not too large."""
        tree, content = encode(answer, self.keep)
        if len(content) > self.answer_bytes:
            raise ValueError(f"the answer is larger than {self.answer_bytes:,} bytes")
        return {"kind": "answer", "tree": tree}, content

    def given(self, header: dict[str, Any], payload: bytes) -> Any:  # noqa: ANN401
        """The positional arguments and the named ones that are handed over."""
        return decode(header["tree"], payload, lambda number, _: self.kept[number])

    def named(self, target: str | int) -> Any:  # noqa: ANN401
        """What the cells define by this name, or what was kept by this number."""
        if isinstance(target, int):
            return self.kept[target]
        if target in self.shell.user_ns:
            return self.shell.user_ns[target]
        raise NameError(f"{target} is not defined")

    def keep(self, value: object) -> dict[str, Any]:
        """Keep an object that cannot be sent, and return its handle."""
        self.kept.append(value)
        return {"handle": len(self.kept) - 1, "type": type(value).__name__}


def as_an_exercise_asks(forbids: list[str]) -> AbstractContextManager[None]:
    """Within it nothing is to be had that an exercise forbids."""
    return withheld() if AUTOGRAD in forbids else nothing_ready_made(forbids)


def as_numbers_are_asked(
    forbids: list[str], records: bool = False
) -> AbstractContextManager[object]:
    """Where PyTorch derives nothing, it tells nothing by a complex step either.

    Args:
        forbids: the names that the exercise forbids.
        records: as in ``RealNumbers``.
    """
    return RealNumbers(records) if AUTOGRAD in forbids else Between()


def as_at_the_start() -> AbstractContextManager[None]:
    """Undo, while a test asks, what a cell may have set for all of PyTorch."""
    # This goes back to recording what is computed, too.
    recording = RECORDS(False)
    set_before = CASTS("cpu"), LOOKS_FOR_ANOMALIES(), LOOKS_FOR_NAN()

    def begin() -> None:
        recording.__enter__()
        LOOK_FOR_ANOMALIES(False)
        CAST("cpu", False)

    def end(_: BaseException | None) -> None:
        casts, *anomalies = set_before
        CAST("cpu", casts)
        LOOK_FOR_ANOMALIES(*anomalies)
        recording.__exit__(None, None, None)

    return Between(begin, end)


def summed(function: Any, inputs: list[Any], weights: Any) -> list[Any]:  # noqa: ANN401
    """The weighted sum of a function's output, as a plain tensor, and the inputs that it had."""
    inputs = [item.clone().requires_grad_() for item in inputs]
    total = (function(*inputs) * weights).sum()
    with C.DisableTorchFunctionSubclass():
        return [PLAIN(total, torch.Tensor), *inputs]


def derivatives(total: Any, inputs: Iterable[Any]) -> tuple[Any, ...]:  # noqa: ANN401
    """The derivatives of a number by tensors; None for one on which it does not depend.

    What was recorded is still held, so that nothing in it is finished.
    """
    found: tuple[Any, ...] = DERIVES(
        (total,), (ONES_LIKE(total),), True, False, tuple(inputs), True, accumulate_grad=False
    )
    return found


def numbers(found: Iterable[Any]) -> list[Any]:
    """Gradients as they are sent: of what a result does not depend on, no numbers."""
    return [np.zeros(0) if item is None else item for item in found]


def gradients(function: Any, inputs: list[Any], weights: Any) -> list[Any]:  # noqa: ANN401
    """The gradients of the weighted sum of a function's output with respect to its inputs."""
    total, *inputs = summed(function, inputs, weights)
    return numbers(derivatives(total, inputs))


def nothing_else_out(do: Callable[[], Any]) -> Any:  # noqa: ANN401
    """What a function gives. Where it is interrupted, the interruption is a new one.

    A student's own may hold anything, and what it holds ends with it: here, while that is watched.

    Raises:
        KeyboardInterrupt: if it was interrupted.
    """
    try:
        return do()
    except KeyboardInterrupt:
        pass
    COLLECT(YOUNGEST)
    raise KeyboardInterrupt


# How what was asked for is used: as it is, called, or differentiated.
USES: dict[str, Callable[[Any, list[Any], dict[str, Any]], Any]] = {
    "get": lambda found, _, __: found,
    "call": lambda found, args, kwargs: found(*args, **kwargs),
    "gradients": lambda found, args, _: gradients(found, *args),
}


def failure(error: BaseException) -> dict[str, Any]:
    """A reply that describes an exception, with the last lines of its traceback."""
    try:
        # Joined, so that each is a text and nothing of a student's that passes for one.
        lines = "".join(traceback.format_exception(error)[-6:])
        name, text = "".join([type(error).__name__]), "".join([str(error)])
    except BaseException:
        # Whatever it raises goes no further: what it holds would end where nobody watches.
        lines, name, text = "", "Exception", "an error that cannot be shown"
    return {
        "kind": "failed",
        "name": name[:200],
        "text": text[:4000],
        "lines": lines[-40_000:],
    }
