"""The launcher of a process, which is started once and waits for one call after the other.

What ``workers.run`` tells a launcher, and how a process keeps its own and ends it.
"""

import atexit
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_COMMAND = [sys.executable, "-m", "softlookup.parallel.launcher"]

# Left to itself, torchrun keeps one store over a restart, and workers that start anew may read in
# it where those before them were, and wait for them (issue 135712 of pytorch/pytorch). With this
# each start has a store of its own.
_ENVIRONMENT = {"TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1"}


class Launcher:
    """A process that starts workers, and the channel on which it is told to.

    It can import what this process can.

    A fork of this process may use it too: each call is one message, and is answered on a pipe of
    its own.
    """

    def __init__(self) -> None:
        self.made_in, self.owner = _circumstances(), os.getpid()
        self.words = tempfile.TemporaryFile()  # noqa: SIM115
        self.channel, its_end = socket.socketpair()
        with its_end:
            self.process = subprocess.Popen(
                [*_COMMAND, str(its_end.fileno()), str(os.getpid())],
                env=os.environ | _ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(sys.path)},
                stdin=subprocess.DEVNULL,
                stdout=self.words,
                stderr=subprocess.STDOUT,
                pass_fds=[its_end.fileno()],
                start_new_session=True,
            )

    def start(self, n_workers: int, folder: Path) -> str:
        """Have the workers of a job started, and wait until they have ended; what was printed.

        If the wait is broken off, the launcher finds nobody at the other end of the pipe, and ends
        the workers.
        """
        end, its_end = os.pipe()
        with open(end, errors="replace") as pipe:  # noqa: PTH123
            try:
                socket.send_fds(self.channel, [f"{n_workers} {folder}".encode()], [its_end])
            except BrokenPipeError:
                pass  # It has ended; so the pipe will, and there will be no result.
            finally:
                os.close(its_end)
            return pipe.read()

    def serves(self) -> bool:
        """Whether it can be used for another call; a fork learns too late that it cannot."""
        alive = self.owner != os.getpid() or self.process.poll() is None
        return alive and self.made_in == _circumstances()

    def last_words(self, said: str) -> str:
        """How a launcher ended by itself, what its workers had said, and what it says of it."""
        code = self.process.wait()
        self.words.seek(0)
        words = self.words.read().decode(errors="replace")
        return f"the launcher ended with code {code} and said:\n{said}{words}"

    def end(self) -> None:
        """Kill it and its workers; a fork leaves that to the process whose launcher it is."""
        self.channel.close()
        self.words.close()
        if self.owner == os.getpid() and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


# The launcher that waits for the next call, if there is one.
_waiting: list[Launcher] = []


@contextmanager
def launcher_for_a_call() -> Iterator[Launcher]:
    """The launcher that waits, or a new one; if the block is left early, it is killed."""
    while _waiting and not _waiting[-1].serves():
        _waiting.pop().end()
    launcher = _waiting.pop() if _waiting else Launcher()
    try:
        yield launcher
    except BaseException:
        launcher.end()
        raise
    _waiting.append(launcher)


@atexit.register
def _end_waiting() -> None:
    while _waiting:
        _waiting.pop().end()


def _circumstances() -> tuple[object, ...]:
    """What a launcher takes over when it is made: one that was made otherwise is of no use."""
    return Path.cwd(), tuple(sys.path), dict(os.environ)
