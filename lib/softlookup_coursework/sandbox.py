"""The sandbox: a kernel that can hurt nobody but itself, for as long as it is watched.

Bubblewrap encloses it, a filter of system calls and the system's own limits bind each of its
processes, and a watcher outside ends it whole when all of them together use too much.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from softlookup_coursework import enclosure, processes, seccomp
from softlookup_coursework.inside import frames
from softlookup_coursework.limits import RunLimits
from softlookup_coursework.verdicts import Verdict

WATCH_SECONDS = 0.1
START_SECONDS = 60.0


class NoSandbox(Exception):  # noqa: N818 - said to the teacher, who can mend it
    """Says what this machine lacks to enclose a student's code."""


class Sandbox:
    """A kernel in its enclosure, from ``with`` to the end of the block.

    Afterwards nothing is left of it: its processes have ended, and what it wrote lay in memory.

    Args:
        limits: what it may use.
        files: a folder of files that it starts with in its working folder.

    Attributes:
        stream: the way to the kernel.
        reader: the way back.
        ended: why the watcher ended it: a verdict and a sentence; ``None`` while it did not.
        peak_bytes: the most memory that it was seen to use.
    """

    def __init__(self, limits: RunLimits, files: Path | None = None) -> None:
        self.limits, self.files = limits, files
        self.ended: tuple[Verdict, str] | None = None
        self.peak_bytes = 0
        self._over = threading.Event()

    def __enter__(self) -> Self:
        bubblewrap = enclosure.bubblewrap()
        if bubblewrap is None:
            raise NoSandbox("bubblewrap is not installed; on Debian: apt-get install bubblewrap")
        self.stream, theirs = socket.socketpair()
        self.reader = frames.Reader(self.stream)
        arguments = enclosure.arguments(self.limits, self.files)
        told = _in_a_pipe("\0".join(arguments).encode() + b"\0")
        denied = _in_a_pipe(seccomp.program())
        facts, facts_end = os.pipe()
        command = [bubblewrap, "--args", str(told), "--seccomp", str(denied)]
        command += ["--info-fd", str(facts_end), sys.executable, "-u", "-m", "inside.kernel"]
        try:
            self._bubblewrap = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(told, denied, facts_end),
                start_new_session=True,
                env={"PATH": "/usr/bin:/bin"},
            )
        finally:
            theirs.close()
            for descriptor in (told, denied, facts_end):
                os.close(descriptor)
        with os.fdopen(facts) as file:
            self._init = _process_in(file.read())
        self._started = time.monotonic()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        try:
            self._greet()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self.kill()
        self._bubblewrap.wait()
        self._watcher.join()
        self.stream.close()
        if self._bubblewrap.stderr:
            self._bubblewrap.stderr.close()

    def kill(self) -> None:
        """End every process of the sandbox: with the first of a namespace, all of them end."""
        for process in (self._init, self._bubblewrap.pid):
            if process and self._bubblewrap.poll() is None:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def end(self, verdict: Verdict, why: str) -> None:
        """End the sandbox and say why; the first reason stands."""
        self.ended = self.ended or (verdict, why)
        self.kill()

    def interrupt(self) -> None:
        """Interrupt the kernel, as the stop button of a notebook does."""
        for process in processes.family(self._init or 0)[1:2]:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGINT)

    @property
    def seconds_left(self) -> float:
        """Until the whole run's time is over."""
        return self.limits.wall_seconds - (time.monotonic() - self._started)

    def _greet(self) -> None:
        """Tell the kernel its limits, and wait until it has taken them."""
        settings: dict[str, Any] = {
            "user": enclosure.kernel_user(),
            "answer_bytes": self.limits.answer_bytes,
            "limits": enclosure.resource_limits(self.limits),
        }
        self.stream.settimeout(START_SECONDS)
        try:
            frames.send(self.stream, settings)
            header, _ = self.reader.receive(1 << 16, 0)
        except (frames.Closed, frames.Malformed, TimeoutError) as error:
            self.kill()
            said = self._bubblewrap.stderr.read().decode() if self._bubblewrap.stderr else ""
            raise NoSandbox(f"the sandbox does not start: {said.strip()[-2000:]}") from error
        if header != {"kind": "ready"}:
            raise NoSandbox(f"the kernel began with {header} instead of its greeting")

    def _watch(self) -> None:
        """End the sandbox when all of it together uses more than it may."""
        limits = self.limits
        while not self._over.wait(WATCH_SECONDS):
            members = processes.family(self._init or self._bubblewrap.pid)
            written, files = processes.stored(members[0], "/work")
            shared, more_files = processes.stored(members[0], "/dev/shm")
            memory = sum(map(processes.memory, members)) + written + shared
            self.peak_bytes = max(self.peak_bytes, memory)
            if memory > limits.memory_bytes:
                megabytes = limits.memory_bytes >> 20
                self.end(Verdict.OUT_OF_MEMORY, f"it used more than {megabytes:,} MiB of memory")
            elif files + more_files > limits.files:
                self.end(Verdict.TOO_MUCH_OUTPUT, f"it made more than {limits.files:,} files")
            elif self.seconds_left < 0:
                self.end(Verdict.TIMED_OUT, f"it ran for more than {limits.wall_seconds:g} s")


def _in_a_pipe(content: bytes) -> int:
    """A descriptor from which a short content can be read."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as file:
        file.write(content)
    return reading


def _process_in(facts: str) -> int | None:
    """The number of the sandbox's first process, as bubblewrap tells it."""
    return json.loads(facts)["child-pid"] if facts.strip() else None
