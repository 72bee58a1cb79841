"""The first process of a submission: makes its enclosure, forks the kernel, and waits.

It never runs a line of a student's either. It ends when the kernel ends, or when the grader lets
go of the leash, by intention or because it is gone itself; and with it all the submission's
processes end, since it is the first of their namespace.
"""

import os
import select
import signal
import socket
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
    leash.send(b"here")  # from which the grader learns this process's number
    try:
        ended = os.pidfd_open(kernel)
    except ProcessLookupError:
        return
    waiting = select.poll()
    waiting.register(leash, select.POLLIN)
    waiting.register(ended, select.POLLIN)
    waiting.poll()
    if not settings["enclosed"]:
        end_all()


def end_all() -> None:
    """End every process below this one, where no namespace does it."""
    mine = Path(f"/proc/self/task/{os.getpid()}/children")
    while children := [int(number) for number in mine.read_text().split()]:
        for child in children:
            os.kill(child, signal.SIGKILL)
        select.select([], [], [], 0.01)
