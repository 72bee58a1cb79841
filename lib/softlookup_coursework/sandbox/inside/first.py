"""The first process of a submission: makes its enclosure, forks the kernel, and waits.

It never runs a line of a student's either. It ends when the kernel ends, or when the grader lets
go of the leash, by intention or because it is gone itself; and with it all the submission's
processes end, since it is the first of their namespace.
"""

import os
import select
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from . import powers
from .kernel import serve


def begin(settings: dict[str, Any], stream: socket.socket, leash: socket.socket) -> None:
    """Do all of it.

    Args:
        settings: what the grader said.
        stream: the kernel's way to the grader.
        leash: the grader holds its other end for as long as the submission may live.
    """
    low, high = sorted((stream.fileno(), leash.fileno()))
    os.closerange(3, low)
    os.closerange(low + 1, high)
    os.closerange(high + 1, 1 << 20)
    if settings["enclosed"]:
        powers.enclose(settings["files_bytes"], settings["shared_bytes"])
    else:
        powers.control(powers.SUBREAPER, 1)
    kernel = os.fork()
    if kernel == 0:
        leash.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        serve(settings, stream)
        return
    stream.close()
    if settings["enclosed"]:
        powers.control(powers.SET_DUMPABLE, 0)
        powers.empty_the_bound()
        powers.give_up(bytes.fromhex(settings["filter"]))
    try:
        leash.send(b"here")  # from which the grader learns this process's number
        outlast(kernel, leash)
    finally:
        if not settings["enclosed"]:
            end_all()


def outlast(kernel: int, leash: socket.socket) -> None:
    """Wait until the kernel has ended or the grader has let go."""
    try:
        ended = os.pidfd_open(kernel)
    except ProcessLookupError:
        return
    waiting = select.poll()
    waiting.register(leash, select.POLLIN)
    waiting.register(ended, select.POLLIN)
    waiting.poll()


def end_all() -> None:
    """End every process below this one, where no namespace does it.

    One that has ended hands its children to this process, so it is over only when the system says
    that there is none to wait for. Any of them may be gone between its listing and its end.
    """
    mine = Path(f"/proc/self/task/{os.getpid()}/children")
    with suppress(ChildProcessError):
        while True:
            for child in mine.read_text().split():
                with suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)
            os.waitpid(-1, os.WNOHANG)
            select.select([], [], [], 0.01)
