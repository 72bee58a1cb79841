"""The kernel: runs the notebook's cells and calls what they define, as it is told over a stream.

It is an IPython shell without Jupyter's five sockets, on one stream. It gives up everything before
it receives a byte of a student's. Whatever a student's code does to it, it does to itself: the
other side trusts no answer.
"""

import os
import resource
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from . import powers
from .frames import Closed, Reader, send

HEADER_LIMIT, PAYLOAD_LIMIT = 1 << 20, 1 << 28


def restrict(settings: dict[str, Any]) -> None:
    """Bind this process to its limits for good, and give up what is left of its powers."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)
    # Where memory is short, this is what the system ends first.
    Path("/proc/self/oom_score_adj").write_text("1000")
    if settings["enclosed"]:
        powers.become(settings["user"])
    # Only now: a namespace of users hands the limit of processes it was made under on to its
    # parent, where it would bind all the zygote's kernels together.
    for name, value in settings["limits"].items():
        resource.setrlimit(getattr(resource, name), (value, value))
    if settings["enclosed"]:
        powers.give_up(bytes.fromhex(settings["filter"]))
        powers.control(powers.SET_DUMPABLE, 1)


def settle(settings: dict[str, Any]) -> None:
    """Make the working folder a home, and forget what all who were forked so would share."""
    os.chdir(settings["folder"])
    here = Path.cwd()
    (here / "tmp").mkdir()
    os.environ.update(HOME=str(here), PWD=str(here), TMPDIR=str(here / "tmp"))
    sys.path[0] = str(here)
    tempfile.tempdir = None
    np.random.seed()


def serve(settings: dict[str, Any], stream: socket.socket) -> None:
    """Serve until the stream closes."""
    restrict(settings)
    settle(settings)
    from .shell import Kernel

    kernel = Kernel(stream, settings["answer_bytes"])
    send(stream, {"kind": "ready"})
    reader = Reader(stream)
    while True:
        try:
            header, payload = reader.receive(HEADER_LIMIT, PAYLOAD_LIMIT)
            if header["do"] == "file":
                Path(header["name"]).write_bytes(payload)
                continue
            signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                reply, content = kernel.serve(header, payload)
            except KeyboardInterrupt:
                reply, content = {"kind": "failed", "name": "KeyboardInterrupt", "text": ""}, b""
            finally:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            send(stream, {**reply, "id": header["id"]}, content)
        except Closed:
            return
