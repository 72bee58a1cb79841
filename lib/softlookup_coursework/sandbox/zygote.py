"""The grader's side of the zygote: each grading process starts one when it first needs it.

Inside the sandbox, ``inside/zygote.py`` imports torch once and forks a process for each submission.
This file starts it under bubblewrap, sends it requests, and starts another if it has died. The
zygote exits by itself when the last process that holds its socket is gone.
"""

import json
import os
import select
import socket
import struct
import subprocess
import sys
import threading
from typing import Any

from softlookup_coursework.sandbox import enclosure

START_SECONDS = 300.0
END_SECONDS = 30.0
# Whatever killed a submission from outside may kill the zygote a little later.
DYING_SECONDS = 1.0
CREDENTIALS = struct.Struct("=3i")  # ``struct ucred``: process, user and group ID

NO_BUBBLEWRAP = (
    "bubblewrap is not installed; install 0.8 or newer (on Debian and Ubuntu: apt-get install "
    "bubblewrap), or grade on a machine that has it"
)


class NoSandbox(Exception):  # noqa: N818 - shown to the teacher, who can fix it
    """Raised when this machine cannot run the sandbox; the text says what it lacks."""


class Lost(Exception):  # noqa: N818 - not the student's fault
    """Raised when the zygote died, and the submission with it."""


class Zygote:
    """A zygote, started by this process or by the one that passed its socket on.

    Args:
        requests: the socket for requests.
        process: bubblewrap's process, if this process started it.
    """

    def __init__(
        self, requests: socket.socket, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        self.requests, self.process = requests, process

    @classmethod
    def start(cls, enclosed: bool = True) -> "Zygote":
        """Start a zygote, and wait until it has imported everything.

        Raises:
            NoSandbox: if this machine cannot run the sandbox, saying why or what to install.
        """
        bubblewrap = enclosure.bubblewrap_path()
        if enclosed and bubblewrap is None:
            raise NoSandbox(NO_BUBBLEWRAP)
        read_end, write_end = os.pipe()
        if enclosed:
            arguments = "\0".join(enclosure.bubblewrap_arguments()) + "\0"
            os.write(write_end, arguments.encode())
            command = [str(bubblewrap), "--args", str(read_end)]
            command += [sys.executable, "-m", "inside.zygote"]
            environment = {"PATH": "/usr/bin:/bin"}
        else:
            command = [sys.executable, "-m", f"{__package__}.inside.zygote"]
            environment = enclosure.unenclosed_environment()
        os.close(write_end)
        requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(read_end,),
                start_new_session=True,
                env=environment,
            )
        finally:
            theirs.close()
            os.close(read_end)
        zygote = cls(requests, process)
        requests.settimeout(START_SECONDS)
        try:
            ready = requests.recv(64) == b"ready"
        except (TimeoutError, ConnectionError):
            ready = False
        if not ready:
            raise NoSandbox(f"the sandbox does not start: {zygote._startup_error()}")
        return zygote

    def fork_submission(
        self, settings: dict[str, Any], stream: socket.socket, lifeline: socket.socket
    ) -> None:
        """Have the zygote fork a submission's first process, and pass it its two sockets.

        Raises:
            Lost: if the zygote is dead.
        """
        try:
            message = json.dumps(settings).encode()
            socket.send_fds(self.requests, [message], [stream.fileno(), lifeline.fileno()])
        except OSError as error:
            raise Lost("the zygote is dead") from error

    def has_died(self, within_seconds: float = 0.0) -> bool:
        """Whether it has ended, or ends within a time: readable means that the peer has died."""
        if self.requests.fileno() < 0:
            return True
        polling = select.poll()
        polling.register(self.requests, select.POLLIN)
        return bool(polling.poll(within_seconds * 1000))

    def close(self) -> None:
        """Close it and reap it. Its submissions run on until their own graders end them."""
        self.requests.close()
        if self.process:
            self.process.wait()
            if self.process.stderr:
                self.process.stderr.close()

    def _startup_error(self) -> str:
        """What the zygote wrote to stderr instead of starting."""
        self.requests.close()
        if self.process is None:
            return "it was started elsewhere"
        try:
            stderr = self.process.communicate(timeout=END_SECONDS)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            return f"it was neither ready nor had it exited within {START_SECONDS:g} s"
        return stderr.decode("utf-8", "replace").strip()[-2000:]


def receive_sender(lifeline: socket.socket) -> int | None:
    """The ID of the process that has sent a message, from the credentials that come with it."""
    try:
        message, ancillary, _, _ = lifeline.recvmsg(4, socket.CMSG_SPACE(CREDENTIALS.size))
    except TimeoutError:
        return None
    # If the peer has closed the socket without a message, Linux still attaches credentials: of no
    # process.
    for level, kind, content in ancillary:
        if message and (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
            return int(CREDENTIALS.unpack(content[: CREDENTIALS.size])[0])
    return None


_lock = threading.Lock()
_zygotes: dict[tuple[int, bool], Zygote] = {}


def current(enclosed: bool = True) -> Zygote:
    """This process's zygote, started if there is none or if it has died.

    Args:
        enclosed: whether it runs in a sandbox; there is one zygote of each kind.

    Raises:
        NoSandbox: if this machine cannot run the sandbox.
    """
    key = (os.getpid(), enclosed)
    with _lock:
        found = _zygotes.get(key)
        if found and found.has_died():
            found.close()
            found = None
        if found is None:
            found = _zygotes[key] = Zygote.start(enclosed)
        return found


def adopt(requests: socket.socket, enclosed: bool = True) -> None:
    """Use a zygote that another process has started as this process's own."""
    with _lock:
        _zygotes[os.getpid(), enclosed] = Zygote(requests)


def close_all() -> None:
    """Close this process's zygotes; the next submission starts another."""
    with _lock:
        for key in [key for key in _zygotes if key[0] == os.getpid()]:
            _zygotes.pop(key).close()
