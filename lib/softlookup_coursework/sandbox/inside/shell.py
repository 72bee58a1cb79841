"""The shell in which a student's cells run, and in which tests call what they define."""

import base64
import re
import socket
import sys
import traceback
from typing import Any

import numpy as np
import torch
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from .frames import send
from .trees import decode, encode

LONGEST_OUTPUT = 1 << 20
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Stream:
    """Replaces ``sys.stdout`` or ``sys.stderr`` and sends what is written."""

    encoding, errors, closed = "utf-8", "replace", False

    def __init__(self, stream: socket.socket, name: str) -> None:
        self.stream, self.name = stream, name

    def write(self, text: str) -> int:
        """Send a text in parts no larger than the peer accepts."""
        content = str(text).encode("utf-8", "replace")
        for start in range(0, len(content), LONGEST_OUTPUT):
            part = content[start : start + LONGEST_OUTPUT]
            send(self.stream, {"kind": "output", "type": self.name}, part)
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Send each of some texts."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Do nothing: nothing is buffered."""

    def isatty(self) -> bool:
        """Return false: there is no terminal."""
        return False

    def writable(self) -> bool:
        """Return true."""
        return True

    def fileno(self) -> int:
        """The descriptor of stdout, which is ``/dev/null``: output of subprocesses is not kept."""
        return 1


def send_data(stream: socket.socket, data: dict[str, Any]) -> None:
    """Send the picture of a display if it has one, else its plain text."""
    picture = data.get("image/png")
    content = picture if isinstance(picture, bytes) else str(data.get("text/plain", "")).encode()
    if isinstance(picture, str):
        content = base64.b64decode(picture)
    kind = "image/png" if picture else "text/plain"
    send(stream, {"kind": "output", "type": kind}, content[:LONGEST_OUTPUT])


class Kernel:
    """Runs cells, and calls what they define."""

    def __init__(self, stream: socket.socket, answer_bytes: int) -> None:
        self.stream, self.answer_bytes = stream, answer_bytes
        self.kept: list[object] = []
        self.error: tuple[str, str, str] | None = None
        kernel = self

        class Hook(DisplayHook):
            def __call__(self, result: object = None) -> None:
                if result is not None and not self.quiet():
                    data, _ = kernel.shell.display_formatter.format(result)
                    self.update_user_ns(result)
                    send_data(stream, data)

        class Publisher(DisplayPublisher):
            def publish(self, data: dict[str, Any], *_: object, **__: object) -> None:
                send_data(stream, data)

            def clear_output(self, wait: bool = False) -> None:
                pass

        class Shell(InteractiveShell):
            displayhook_class = Hook
            display_pub_class = Publisher

            def _showtraceback(self, etype: type, evalue: object, stb: list[str]) -> None:
                name = getattr(etype, "__name__", "Exception")
                kernel.error = (name, str(evalue), COLOURS.sub("", "\n".join(stb)))

        sys.stdout, sys.stderr = Stream(stream, "stdout"), Stream(stream, "stderr")
        self.shell: Any = Shell.instance(config=Config({"HistoryManager": {"enabled": False}}))

    def serve(self, header: dict[str, Any], payload: bytes) -> tuple[dict[str, Any], bytes]:
        """Handle a request; an exception of the student's code is returned as a reply."""
        if header["do"] == "run":
            return self.run(header["source"]), b""
        try:
            value = self.compute(header, payload)
            tree, content = encode(value, self.keep)
            if len(content) > self.answer_bytes:
                raise ValueError(f"the answer is larger than {self.answer_bytes:,} bytes")
        except Exception as error:
            return failure(error), b""
        return {"kind": "answer", "tree": tree}, content

    def run(self, source: str) -> dict[str, Any]:
        """Run a cell as a notebook does."""
        self.error = None
        self.shell.run_cell(source, store_history=False)
        if self.error is None:
            return {"kind": "done"}
        name, text, lines = self.error
        return {"kind": "failed", "name": name, "text": text[:4000], "lines": lines[-40_000:]}

    def compute(self, header: dict[str, Any], payload: bytes) -> object:
        """Call, look up or differentiate something that the cells define."""
        found: Any
        target = header["target"]
        if isinstance(target, int):
            found = self.kept[target]
        elif target in self.shell.user_ns:
            found = self.shell.user_ns[target]
        else:
            raise NameError(f"{target} is not defined")
        for attribute in header["attributes"]:
            found = getattr(found, attribute)
        if header["do"] == "get":
            return found
        args, kwargs = decode(header["tree"], payload, lambda number, _: self.kept[number])
        if header["do"] == "call":
            return found(*args, **kwargs)
        return gradients(found, *args, **kwargs)

    def keep(self, value: object) -> dict[str, Any]:
        """Keep an object that cannot be sent, and return its handle."""
        self.kept.append(value)
        return {"handle": len(self.kept) - 1, "type": type(value).__name__}


def gradients(function: Any, inputs: list[Any], weights: Any) -> list[Any]:  # noqa: ANN401
    """The gradients of the weighted sum of a function's output with respect to its inputs."""
    inputs = [item.clone().requires_grad_() for item in inputs]
    output = function(*inputs)
    found = torch.autograd.grad((output * weights).sum(), inputs, allow_unused=True)
    return [np.zeros(0) if item is None else item for item in found]


def failure(error: BaseException) -> dict[str, Any]:
    """A reply that describes an exception, with the last lines of its traceback."""
    lines = "".join(traceback.format_exception(error)[-6:])
    try:
        text = str(error)
    except Exception:
        text = "an error that cannot be shown"
    return {
        "kind": "failed",
        "name": type(error).__name__[:200],
        "text": text[:4000],
        "lines": lines[-40_000:],
    }
