"""What a student's code prints and draws, on its way to the grader.

The grader ends a run that prints more than it may, since whoever goes on and on may mean harm. So
that nobody loses a run to a forgotten ``print`` in a loop, this side stops before: what a cell or
one call of a test prints beyond its share is left out, and it runs on.
"""

import base64
import socket
from typing import Any

from .frames import MESSAGE_OVERHEAD, send

LONGEST_OUTPUT = 1 << 20
# A cell may print this part of all that a run may; and all cells together a little less than all.
SHARE, RESERVED = 5, 10
LEFT_OUT = b"\n(what follows was left out: this cell prints or draws too much)\n"


class Output:
    """Sends what is printed and drawn, as long as it is not too much.

    Args:
        stream: the connection to the grader.
        most: the bytes after which the grader ends the run.
    """

    def __init__(self, stream: socket.socket, most: int) -> None:
        self._stream, self.share = stream, most // SHARE
        self.left_of_run = most - most // RESERVED
        self.left = 0

    def begin(self) -> None:
        """Begin a cell or a call, which may print its share of what is left."""
        self.left = min(self.share, self.left_of_run)

    def send(self, kind: str, content: bytes) -> None:
        """Send an output of a kind, or once that something is left out, and then nothing."""
        if self.left <= 0:
            return
        taken = len(content) + MESSAGE_OVERHEAD
        self.left -= taken
        self.left_of_run -= taken
        if self.left <= 0:
            self.left_of_run += taken
            kind, content = "stderr", LEFT_OUT
        send(self._stream, {"kind": "output", "type": kind}, content)

    def send_data(self, data: dict[str, Any]) -> None:
        """Send the picture of a display if it has one, else its plain text."""
        picture = data.get("image/png")
        content = (
            picture if isinstance(picture, bytes) else str(data.get("text/plain", "")).encode()
        )
        if isinstance(picture, str):
            content = base64.b64decode(picture)
        self.send("image/png" if picture else "text/plain", content[:LONGEST_OUTPUT])


class Stream:
    """Replaces ``sys.stdout`` or ``sys.stderr`` and sends what is written.

    Libraries hold it, such as the handlers of ``logging``. Where it leads to goes by a name that a
    student's code cannot have where answers are asked alone (``program_slice``).
    """

    encoding, errors, closed = "utf-8", "replace", False

    def __init__(self, output: "Output", name: str) -> None:
        self._output, self.name = output, name

    def write(self, text: str) -> int:
        """Send a text in parts no larger than the peer accepts."""
        content = str(text).encode("utf-8", "replace")
        for start in range(0, len(content), LONGEST_OUTPUT):
            self._output.send(self.name, content[start : start + LONGEST_OUTPUT])
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
