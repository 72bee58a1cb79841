"""The zygote: imports what submissions need, and forks one process for each, and does no more.

It stands in bubblewrap's enclosure and never runs a line of a student's. What it is asked comes
from the grader, over a socket that no submission has. It holds no file of a submission and no
mark; those that it forks get their files from the grader, after they have given up every power.

Two submissions of one worker share what this process had before either came: pages of memory,
which the system copies as soon as one of them writes, and with them the layout of addresses. Who
learns an address in the first knows it in the second, where it is worth nothing: in its own kernel
a submission may do everything anyway. They share the read-only files of the enclosure and its
devices. Nothing else is shared. Each is the first process of its own namespace and sees no other;
has its own empty ``/desk``, ``/dev/shm`` and terminals, its own ``/proc``, network without a way
out, and System V objects; and where the machine lets us, its own user. When its first process
ends, the system ends all of them and drops what they wrote.
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

from . import powers
from .first import begin
from .frames import Closed, send

QUESTION_BYTES = 1 << 16
# What a busy machine lacks for a moment; anything else it lacks for good.
SCARCE = (errno.EAGAIN, errno.ENOMEM, errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.EINTR)


def main() -> None:
    """Fork a process for each question, until nobody can ask any more."""
    questions = socket.socket(fileno=os.dup(0))
    from .preload import first_step

    first_step()
    if len(os.listdir("/proc/self/task")) != 1:  # noqa: PTH208
        raise RuntimeError("an import has started a thread; what has threads cannot be forked")
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries what has ended
    # What is frozen is not visited by the collector, whose marks would copy every page.
    gc.collect()
    gc.freeze()
    questions.send(b"ready")
    while question := _next(questions):
        settings, stream, leash = question
        try:
            enclosed = settings["enclosed"]
            child = powers.fork_in_processes_of_its_own() if enclosed else os.fork()
        except OSError:
            refuse(stream)
            child = -1
        if child == 0:
            questions.close()
            _serve(settings, stream, leash)
        stream.close()
        leash.close()


def _next(questions: socket.socket) -> tuple[dict[str, Any], socket.socket, socket.socket] | None:
    message, descriptors, _, _ = socket.recv_fds(questions, QUESTION_BYTES, 2)
    if not message:
        return None
    stream, leash = (socket.socket(fileno=descriptor) for descriptor in descriptors)
    return json.loads(message), stream, leash


def _serve(settings: dict[str, Any], stream: socket.socket, leash: socket.socket) -> NoReturn:
    """Be a submission's first process to the end; this process never becomes a zygote again."""
    try:
        begin(settings, stream, leash)
    except Exception:
        refuse(stream)
    finally:
        os._exit(0)


def refuse(stream: socket.socket) -> None:
    """Tell the grader, if it is still there, what has just gone wrong, and whether it may pass."""
    error = sys.exc_info()[1]
    passing = isinstance(error, MemoryError) or getattr(error, "errno", None) in SCARCE
    said = {"kind": "refused", "passing": passing, "text": traceback.format_exc()}
    with suppress(Closed, OSError):
        send(stream, said)


if __name__ == "__main__":
    main()
    sys.exit()
