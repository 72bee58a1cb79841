"""The channel: runs cells in the kernel and calls what they define, trusting none of the answers.

Tests run on this side. To them a student's function is a ``Remote``, which they call as they would
the function itself. It returns tensors, arrays and plain values of exactly these types, built here
from bytes, so that no object made by a student takes part in a comparison.
"""

import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import torch

from softlookup_coursework.common.display_text import one_line, readable
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.sandbox.answers import Fault, Text, refuse_nan
from softlookup_coursework.sandbox.inside import frames, trees
from softlookup_coursework.sandbox.sandbox import Sandbox

HEADER_BYTES = 1 << 20
INTERRUPT_SECONDS = 3.0
# What was too slow and waited for a processor longer than this part of its time may be honest.
CROWDED = 0.25
KEPT_BYTES, KEPT_OUTPUTS, LONGEST_LINES = 1 << 20, 200, 40_000
UNANSWERED = "no answer within"
PICTURE = b"\x89PNG\r\n\x1a\n"


class Ended(Exception):  # noqa: N818
    """Raised when the kernel is gone; ``Sandbox.ended`` says why, if the grader ended it."""


@dataclass
class CellRun:
    """The outcome of running a cell.

    Attributes:
        outputs: what it printed and drew: kind (``stdout``, ``stderr``, ``text/plain``,
            ``image/png``) and content.
        error: the error's name and message, empty if there was none.
        lines: the traceback.
        too_slow: whether it was interrupted at its time limit.
    """

    outputs: list[tuple[str, bytes]] = field(default_factory=list)
    error: str = ""
    lines: str = ""
    too_slow: bool = False


class Channel:
    """Runs cells and calls functions in a sandbox's kernel.

    Args:
        sandbox: the sandbox, which is running.
        forbids: the names that the exercise forbids. What they name fails while a test asks, by
            whatever other name it is called; with ``autograd`` among them, PyTorch derives nothing.

    Attributes:
        slow: the first call that was not answered in time; empty if there was none.
        crowded: whether the kernel waited long for a processor when a cell or a call took too long.
    """

    def __init__(self, sandbox: Sandbox, forbids: Iterable[str] = ()) -> None:
        self.sandbox, self.forbids = sandbox, [*forbids]
        self.received = 0
        self.slow, self.crowded = "", False

    def watch(self) -> None:
        """Let the kernel refuse from now on what an answer never needs, such as to run a text.

        A ready-made attention that is forbidden has no kernel any more.

        Raises:
            Ended: if the kernel is gone.
        """
        self._exchange(
            {"do": "watch", "forbids": self.forbids}, b"", self.sandbox.limits.cell_seconds, []
        )

    def run(self, source: str) -> CellRun:
        """Run a cell.

        Raises:
            Ended: if the kernel is gone.
        """
        return self._ran({"do": "run", "source": source})

    def run_statements(self, source: str) -> CellRun:
        """Run statements that were read, with no shell between.

        What is forbidden fails while they run, as it does while a test asks.

        Raises:
            Ended: if the kernel is gone.
        """
        return self._ran({"do": "run statements", "source": source, "forbids": self.forbids})

    def _ran(self, asked: dict[str, Any]) -> CellRun:
        ran, seconds = CellRun(), self.sandbox.limits.cell_seconds
        header, _, ran.too_slow = self._exchange(asked, b"", seconds, ran.outputs)
        if ran.too_slow:
            ran.error = f"it took longer than {seconds:g} s"
        elif header.get("kind") != "done":
            ran.error = _error(header)
            ran.lines = readable(str(header.get("lines", "")), LONGEST_LINES)
        return ran

    def request(self, do: str, target: str | int, attributes: list[str], *values: Any) -> Any:  # noqa: ANN401
        """Call (``call``), look up (``get``) or differentiate (``gradients``) something.

        Args:
            do: ``call``, ``get`` or ``gradients``.
            target: a name in the notebook, or the handle of an object that the kernel keeps.
            attributes: the path of attributes from there, such as ``["layer", "weight"]``.
            values: for a call, the positional arguments and the named ones.

        Raises:
            Fault: if it raised, was too slow, or sent something that is not a valid answer.
            Ended: if the kernel is gone.
        """
        tree, payload = trees.encode(values, _encode_handle)
        header = {"do": do, "target": target, "attributes": attributes, "tree": tree}
        header["forbids"] = self.forbids
        seconds = self.sandbox.limits.call_seconds
        reply, content, too_slow = self._exchange(header, payload, seconds, [])
        name = ".".join([target if isinstance(target, str) else "your object", *attributes])
        if too_slow:
            why = f"{name}: {UNANSWERED} {seconds:g} s"
            self.slow = self.slow or why
            raise Fault(why)
        if reply.get("kind") != "answer":
            raise Fault(f"{name}: {_error(reply)}")
        try:
            answer = trees.decode(reply.get("tree"), content, lambda n, _: Remote(self, n), Text)
        except frames.Malformed as error:
            raise Fault(f"{name}: {error}") from error
        return answer

    def _exchange(
        self,
        header: dict[str, Any],
        payload: bytes,
        seconds: float,
        outputs: list[tuple[str, bytes]],
    ) -> tuple[dict[str, Any], bytes, bool]:
        """Send a request and wait for its reply; interrupt the kernel at the time limit.

        The time is the sandbox's clock, which stands still while its kernel waits for a processor.
        """
        token, clock = secrets.token_hex(8), self.sandbox.clock
        started, waited = time.monotonic(), self.sandbox.waited
        deadline, too_slow = clock() + seconds, False
        stream = self.sandbox.stream
        stream.settimeout(seconds)

        def left() -> float:
            return deadline - clock()

        try:
            frames.send(stream, {**header, "id": token}, payload)
            while True:
                try:
                    reply, content = self.sandbox.reader.receive(
                        HEADER_BYTES, self.sandbox.limits.answer_bytes, left
                    )
                except TimeoutError:
                    if left() > 0:
                        continue
                    if too_slow:
                        why = "it could not be interrupted"
                        self.sandbox.end(Verdict.TIMED_OUT, why)
                        raise Ended(why) from None
                    took = time.monotonic() - started
                    self.crowded |= self.sandbox.waited - waited > CROWDED * took
                    too_slow, deadline = True, clock() + INTERRUPT_SECONDS
                    self.sandbox.interrupt()
                    continue
                if reply.get("id") == token:
                    return reply, content, too_slow
                self._keep_output(reply, content, outputs)
        except frames.Malformed as error:
            large = isinstance(error, frames.TooLarge)
            verdict = Verdict.TOO_MUCH_OUTPUT if large else Verdict.NEEDS_A_HUMAN
            # An interrupt may cut a message in two; then the broken message is not the reason.
            self.sandbox.end(Verdict.TIMED_OUT if too_slow else verdict, str(error))
            raise Ended(str(error)) from error
        except (frames.Closed, OSError) as error:
            raise Ended("the kernel is gone") from error

    def _keep_output(
        self, header: dict[str, Any], content: bytes, outputs: list[tuple[str, bytes]]
    ) -> None:
        """Keep an output, and end the sandbox when all of them exceed the limit."""
        self.received += len(content) + frames.MESSAGE_OVERHEAD
        limit = self.sandbox.limits.output_bytes
        if self.received > limit:
            self.sandbox.end(Verdict.TOO_MUCH_OUTPUT, f"it printed more than {limit >> 20} MiB")
            raise Ended("too much output")
        kind = header.get("type")
        if header.get("kind") != "output" or kind not in (
            "stdout", "stderr", "text/plain", "image/png",
        ):  # fmt: skip
            return
        if kind == "image/png" and not content.startswith(PICTURE):
            return
        kept = sum(len(text) for _, text in outputs)
        if len(outputs) and outputs[-1][0] == kind and kind.startswith("std"):
            outputs[-1] = (kind, outputs[-1][1] + content[: max(0, KEPT_BYTES - kept)])
        elif len(outputs) < KEPT_OUTPUTS and kept + len(content) <= KEPT_BYTES:
            outputs.append((kind, content))


class Remote:
    """A function, class or object of the student, as tests see it.

    A call runs in the kernel and returns arrays and plain values. An object of another kind, such
    as a module, stays in the kernel and is returned as a ``Remote``.

    Args:
        channel: the channel to the kernel.
        target: its name in the notebook, or the handle under which the kernel keeps it.
    """

    def __init__(self, channel: Channel, target: str | int) -> None:
        self._channel, self._target = channel, target

    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        """Call it with arrays and plain values.

        Raises:
            Fault: if it raised, was too slow, or answered with NaN or nothing valid.
            Ended: if the kernel is gone.
        """
        answer = self._channel.request("call", self._target, [], list(arguments), named)
        return refuse_nan(answer, self._name())

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name.startswith("_"):
            raise AttributeError(name)
        answer = self._channel.request("get", self._target, [name])
        return refuse_nan(answer, f"{self._name()}.{name}")

    def gradients(self, inputs: list[torch.Tensor], weights: torch.Tensor) -> list[torch.Tensor]:
        """The gradients of the weighted sum of its output with respect to each of the inputs."""
        answer = self._channel.request("gradients", self._target, [], [inputs, weights], {})
        if not isinstance(answer, list) or len(answer) != len(inputs):
            raise Fault(f"{self._name()}: expected one gradient for each input")
        return [torch.as_tensor(gradient) for gradient in refuse_nan(answer, self._name())]

    def _name(self) -> str:
        return self._target if isinstance(self._target, str) else "your object"


def _encode_handle(value: object) -> dict[str, Any]:
    if isinstance(value, Remote) and isinstance(value._target, int):
        return {"handle": str(value._target)}
    raise TypeError(f"{type(value).__name__}: a test may pass only arrays and plain values")


def _error(header: dict[str, Any]) -> str:
    name = one_line(str(header.get("name", "no answer")))
    text = readable(str(header.get("text", "")), 2000)
    if name == "NotImplementedError" and not text:
        return "still to be written"
    return f"{name}: {text}" if text else name
