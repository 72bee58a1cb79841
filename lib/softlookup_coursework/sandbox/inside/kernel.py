"""The kernel: runs the notebook's cells and calls what they define, on request over a stream.

It is an IPython shell that uses one stream in place of Jupyter's five sockets. It drops every
privilege before it receives a byte from a student. Student code can corrupt this process, but
nothing else: the peer trusts no answer.
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

from . import privileges
from .frames import Closed, Reader, send

HEADER_LIMIT, PAYLOAD_LIMIT = 1 << 20, 1 << 28


def restrict(settings: dict[str, Any]) -> None:
    """Set this process's resource limits for good, and drop what is left of its privileges."""
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)
    # Where memory is short, the kernel's out-of-memory killer takes this process first.
    Path("/proc/self/oom_score_adj").write_text("1000")
    if settings["enclosed"]:
        privileges.become_unprivileged(settings["user"])
    # Only now: RLIMIT_NPROC as it was when a user namespace was created also counts in the parent
    # namespace, where it would limit all the zygote's kernels together.
    for name, value in settings["limits"].items():
        limit = value + (_mapped_bytes() if name == "RLIMIT_AS" else 0)
        resource.setrlimit(getattr(resource, name), (limit, limit))
    if settings["enclosed"]:
        privileges.drop_privileges(bytes.fromhex(settings["filter"]))
        privileges.prctl(privileges.PR_SET_DUMPABLE, 1)


def _mapped_bytes() -> int:
    """The address space of this process: mostly libraries, PyTorch with CUDA by gigabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def make_home(settings: dict[str, Any]) -> None:
    """Make the working folder the home, and reset the state that forked kernels would share."""
    os.chdir(settings["folder"])
    here = Path.cwd()
    # No file of a student's has a name that begins with a dot.
    temporary = here / ".tmp"
    temporary.mkdir()
    os.environ.update(HOME=str(here), PWD=str(here), TMPDIR=str(temporary))
    sys.path[0] = str(here)
    tempfile.tempdir = None
    np.random.seed()


def serve(settings: dict[str, Any], stream: socket.socket) -> None:
    """Answer requests until the stream closes."""
    restrict(settings)
    make_home(settings)
    # The zygote has imported both, behind all that submissions need.
    from .output import Output
    from .shell import Kernel

    kernel = Kernel(Output(stream, settings["output_bytes"]), settings["answer_bytes"])
    # By their names no cell finds what watches its answers.
    for name in [*sys.modules]:
        if name == __package__ or name.startswith(f"{__package__}."):
            del sys.modules[name]
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
