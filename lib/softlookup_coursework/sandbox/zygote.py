"""This side of the zygote: one for each process that grades, started when it is first needed.

Inside, ``inside/zygote.py`` imports torch once and forks a process for each submission. Here it is
started in bubblewrap's enclosure, asked, and started anew if it should have died. It ends by itself
when nobody is left who could ask it.
"""

import json
import os
import select
import socket
import subprocess
import sys
import threading
from typing import Any

from softlookup_coursework.sandbox import enclosure

START_SECONDS = 300.0
END_SECONDS = 30.0
# What ended a submission from without may reach the zygote a little later.
DYING_SECONDS = 1.0

LACKING = (
    "bubblewrap is not installed; install 0.8 or newer (on Debian and Ubuntu: apt-get install "
    "bubblewrap), or grade where it is"
)


class NoSandbox(Exception):  # noqa: N818 - said to the teacher, who can mend it
    """Says what this machine lacks to enclose a student's code."""


class Lost(Exception):  # noqa: N818 - nobody's fault who handed in
    """Raised when the zygote died, and the submission with it."""


class Zygote:
    """A zygote that was started here, or by the process that passed its socket on.

    Args:
        questions: the socket on which it is asked.
        process: bubblewrap, where it was started here.
    """

    def __init__(
        self, questions: socket.socket, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        self.questions, self.process = questions, process

    @classmethod
    def start(cls, enclosed: bool = True) -> "Zygote":
        """Start one, and wait until it has imported everything.

        Raises:
            NoSandbox: if this machine cannot enclose it, saying why or what to install.
        """
        bubblewrap = enclosure.bubblewrap()
        if enclosed and bubblewrap is None:
            raise NoSandbox(LACKING)
        told, end = os.pipe()
        if enclosed:
            os.write(end, "\0".join(enclosure.arguments()).encode() + b"\0")
            command = [str(bubblewrap), "--args", str(told), sys.executable, "-m", "inside.zygote"]
            environment = {"PATH": "/usr/bin:/bin"}
        else:
            command = [sys.executable, "-m", f"{__package__}.inside.zygote"]
            environment = enclosure.environment_without()
        os.close(end)
        questions, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(told,),
                start_new_session=True,
                env=environment,
            )
        finally:
            theirs.close()
            os.close(told)
        zygote = cls(questions, process)
        questions.settimeout(START_SECONDS)
        try:
            ready = questions.recv(64) == b"ready"
        except (TimeoutError, ConnectionError):
            ready = False
        if not ready:
            raise NoSandbox(f"the sandbox does not start: {zygote._complaint()}")
        return zygote

    def ask(self, settings: dict[str, Any], stream: socket.socket, leash: socket.socket) -> None:
        """Ask for a submission's first process, and hand it its two sockets.

        Raises:
            Lost: if the zygote is dead.
        """
        try:
            message = json.dumps(settings).encode()
            socket.send_fds(self.questions, [message], [stream.fileno(), leash.fileno()])
        except OSError as error:
            raise Lost("the zygote is dead") from error

    def dead(self, within_seconds: float = 0.0) -> bool:
        """Whether it has ended, or does so soon. It never speaks unasked, but in dying."""
        if self.questions.fileno() < 0:
            return True
        listening = select.poll()
        listening.register(self.questions, select.POLLIN)
        return bool(listening.poll(within_seconds * 1000))

    def close(self) -> None:
        """End it. A submission that it has forked lives on until its own grader ends it."""
        self.questions.close()
        if self.process:
            self.process.wait()
            if self.process.stderr:
                self.process.stderr.close()

    def _complaint(self) -> str:
        """What it said instead of starting."""
        self.questions.close()
        if self.process is None:
            return "it was started elsewhere"
        try:
            said = self.process.communicate(timeout=END_SECONDS)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            return f"it neither stands nor falls within {START_SECONDS:g} s"
        return said.decode("utf-8", "replace").strip()[-2000:]


_lock = threading.Lock()
_mine: dict[tuple[int, bool], Zygote] = {}


def mine(enclosed: bool = True) -> Zygote:
    """This process's zygote, started if there is none, or none that lives.

    Args:
        enclosed: whether in a sandbox; each kind is kept for itself.

    Raises:
        NoSandbox: if this machine cannot enclose it.
    """
    key = (os.getpid(), enclosed)
    with _lock:
        found = _mine.get(key)
        if found and found.dead():
            found.close()
            found = None
        if found is None:
            found = _mine[key] = Zygote.start(enclosed)
        return found


def adopt(questions: socket.socket, enclosed: bool = True) -> None:
    """Take as this process's own the zygote that another process has started."""
    with _lock:
        _mine[os.getpid(), enclosed] = Zygote(questions)


def end() -> None:
    """End this process's zygotes; the next submission starts another."""
    with _lock:
        for key in [key for key in _mine if key[0] == os.getpid()]:
            _mine.pop(key).close()
