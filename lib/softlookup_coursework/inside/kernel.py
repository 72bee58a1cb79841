"""The kernel: runs the notebook's cells and calls what they define, as it is told over a stream.

It is an IPython shell without Jupyter's five sockets, on one stream that is its standard input.
Whatever a student's code does to it, it does to itself: the other side trusts no answer.
"""

import ctypes
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from typing import Any

HEADER_LIMIT, PAYLOAD_LIMIT = 1 << 20, 1 << 28
PR_SET_DUMPABLE = 4


def restrict(settings: dict[str, Any]) -> None:
    """Give up what is left of a superuser, and bind this process to its limits for good."""
    if settings["user"] is not None:
        os.setgroups([])
        os.setresgid(*[settings["user"]] * 3)
        os.setresuid(*[settings["user"]] * 3)
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    for name, value in settings["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))


def main() -> None:
    """Serve until the stream closes."""
    stream = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    from .frames import Closed, Reader, send

    reader = Reader(stream)
    settings, _ = reader.receive(HEADER_LIMIT, 0)
    # While this is still the user who grades: no other may be let in where the files lie.
    files = [file for file in Path("/submission").glob("*") if file.is_file()]
    handed_in = {file.name: file.read_bytes() for file in files}
    restrict(settings)
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    os.environ.update(HOME=str(Path.cwd()), TMPDIR=str(Path.cwd() / "tmp"))
    Path("tmp").mkdir()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from .shell import Kernel

    kernel = Kernel(stream, settings["answer_bytes"])
    # Only now: a file named torch.py is the student's own trouble, and never that of the start.
    for name, content in handed_in.items():
        Path(name).write_bytes(content)
    os.dup2(nothing, 2)  # until now it told whoever started this why it did not start
    send(stream, {"kind": "ready"})
    while True:
        try:
            header, payload = reader.receive(HEADER_LIMIT, PAYLOAD_LIMIT)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                reply, content = kernel.serve(header, payload)
            except KeyboardInterrupt:
                reply, content = {"kind": "failed", "name": "KeyboardInterrupt", "text": ""}, b""
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            send(stream, {**reply, "id": header["id"]}, content)
        except Closed:
            sys.exit()


if __name__ == "__main__":
    main()
