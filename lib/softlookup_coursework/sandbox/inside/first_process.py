"""The first process of a submission: sets up its namespaces, forks the kernel, and waits.

It never runs a line of a student's code either. It ends when the kernel ends, or when the grader
closes its end of the lifeline, on purpose or by dying. As the first process of its PID namespace it
takes all the submission's processes with it.
"""

import os
import select
import signal
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from . import privileges
from .kernel import serve


def run(settings: dict[str, Any], stream: socket.socket, lifeline: socket.socket) -> None:
    """Set up the submission, fork its kernel, and return when either it or the grader is gone.

    Args:
        settings: the sandbox's settings, as the grader sent them.
        stream: the kernel's connection to the grader.
        lifeline: a socket whose other end the grader holds for as long as the submission may live.
    """
    low, high = sorted((stream.fileno(), lifeline.fileno()))
    os.closerange(3, low)
    os.closerange(low + 1, high)
    os.closerange(high + 1, 1 << 20)
    if settings["enclosed"]:
        privileges.enter_namespaces(settings["files_bytes"], settings["shared_bytes"])
    else:
        privileges.prctl(privileges.PR_SET_CHILD_SUBREAPER, 1)
    kernel = os.fork()
    if kernel == 0:
        lifeline.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        serve(settings, stream)
        return
    stream.close()
    if settings["enclosed"]:
        privileges.prctl(privileges.PR_SET_DUMPABLE, 0)
        privileges.clear_bounding_set()
        privileges.drop_privileges(bytes.fromhex(settings["filter"]))
    try:
        lifeline.send(b"here")  # with its credentials, the grader learns this process's ID
        wait_for_either_end(kernel, lifeline)
    finally:
        if not settings["enclosed"]:
            kill_descendants()


def wait_for_either_end(kernel: int, lifeline: socket.socket) -> None:
    """Wait until the kernel has ended or the grader has closed the lifeline."""
    try:
        kernel_descriptor = os.pidfd_open(kernel)
    except ProcessLookupError:
        return
    waiting = select.poll()
    waiting.register(lifeline, select.POLLIN)
    waiting.register(kernel_descriptor, select.POLLIN)
    waiting.poll()


def kill_descendants() -> None:
    """Kill and reap every process below this one, where there is no PID namespace to do it.

    This process is the subreaper: the children of one that ends become its own. So all are gone
    only when ``waitpid`` finds no child. Any of them may end between its listing and its kill.
    """
    mine = Path(f"/proc/self/task/{os.getpid()}/children")
    with suppress(ChildProcessError):
        while True:
            for child in mine.read_text().split():
                with suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)
            os.waitpid(-1, os.WNOHANG)
            select.select([], [], [], 0.01)
