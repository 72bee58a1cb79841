"""The zygote: imports what submissions need and forks one process for each. It does nothing else.

It runs in bubblewrap's sandbox and never executes a line of a student's code. Its requests come
from the grader, over a socket that no submission has. It holds no submission's files and no marks;
the processes that it forks get their files from the grader after they have dropped all privileges.

Two submissions of one worker share what this process had before either came: copy-on-write pages
of memory, and with them the address-space layout. An address learned in the first submission holds
in the second, but is worth nothing there: within its own kernel a submission may do everything
anyway. They share the sandbox's read-only files and its devices, and nothing else. Each has a PID
namespace of its own and sees no other process; an empty ``/desk``, ``/dev/shm`` and terminals of
its own, its own ``/proc``, a network without a way out, and its own System V objects; and where
the machine allows it, a user of its own. When the first process of a submission ends, the kernel
kills the others and discards what they wrote.
"""

import errno
import gc
import json
import os
import signal
import socket
import sys
import traceback
from contextlib import suppress
from typing import Any, NoReturn

from . import first_process, privileges
from .frames import Closed, send

REQUEST_BYTES = 1 << 16
# A busy machine may run out of these for a moment; any other error is permanent.
TEMPORARY_ERRORS = (
    errno.EAGAIN,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.EMFILE,
    errno.ENFILE,
    errno.EINTR,
)


def main() -> None:
    """Fork a process for each request, until the requests' socket is closed."""
    requests = socket.socket(fileno=os.dup(0))
    from . import preload  # noqa: F401 - what it imports, every submission has
    from .first_step import run_optimizer_step

    run_optimizer_step()
    # What it has to find in libraries' memory, every kernel would look for anew.
    from . import shell  # noqa: F401

    if len(os.listdir("/proc/self/task")) != 1:  # noqa: PTH208
        raise RuntimeError(
            "an import has started a thread; a process with threads cannot be forked"
        )
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps the children
    # The garbage collector skips frozen objects; if it marked them, every page would be copied.
    gc.collect()
    gc.freeze()
    requests.send(b"ready")
    while request := _receive(requests):
        settings, stream, lifeline = request
        try:
            enclosed = settings["enclosed"]
            child = privileges.fork_into_pid_namespace() if enclosed else os.fork()
        except OSError:
            report_failure(stream)
            child = -1
        if child == 0:
            requests.close()
            _run_submission(settings, stream, lifeline)
        stream.close()
        lifeline.close()


def _receive(requests: socket.socket) -> tuple[dict[str, Any], socket.socket, socket.socket] | None:
    message, descriptors, _, _ = socket.recv_fds(requests, REQUEST_BYTES, 2)
    if not message:
        return None
    stream, lifeline = (socket.socket(fileno=descriptor) for descriptor in descriptors)
    return json.loads(message), stream, lifeline


def _run_submission(
    settings: dict[str, Any], stream: socket.socket, lifeline: socket.socket
) -> NoReturn:
    """Run as a submission's first process, and exit; control never returns to the zygote's loop."""
    try:
        first_process.run(settings, stream, lifeline)
    except Exception:
        report_failure(stream)
    finally:
        os._exit(0)


def report_failure(stream: socket.socket) -> None:
    """Send the grader, if it is still there, the current exception and whether it is temporary."""
    error = sys.exc_info()[1]
    temporary = isinstance(error, MemoryError) or getattr(error, "errno", None) in TEMPORARY_ERRORS
    message = {"kind": "refused", "temporary": temporary, "text": traceback.format_exc()}
    with suppress(Closed, OSError):
        send(stream, message)


if __name__ == "__main__":
    main()
    sys.exit()
