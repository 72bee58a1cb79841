"""The sandbox: a kernel that can hurt nobody but itself, for as long as it is watched.

The zygote forks it into namespaces of its own, a filter of system calls and the system's own limits
bind each of its processes, and a watcher outside ends it whole when all of them together use too
much.
"""

import os
import select
import signal
import socket
import struct
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from softlookup_coursework.common.limits import IntakeLimits, RunLimits
from softlookup_coursework.common.plain_files import Refused, children, read_plain
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.sandbox import control_groups, enclosure, processes, seccomp, zygote
from softlookup_coursework.sandbox.inside import frames
from softlookup_coursework.sandbox.zygote import Lost, NoSandbox

__all__ = ["Lost", "NoSandbox", "Sandbox"]

WATCH_SECONDS = 0.1
START_SECONDS = 120.0
END_SECONDS = 60.0
CREDENTIALS = struct.Struct("=3i")  # process, user, group


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
        self._group: control_groups.Group | None = None

    def __enter__(self) -> Self:
        self._zygote = zygote.mine(self.limits.enclosed)
        # Without an enclosure there is no folder of its own in memory; this one is removed.
        self._folder = None if self.limits.enclosed else tempfile.TemporaryDirectory()
        self.stream, kernel_end = socket.socketpair()
        self.reader = frames.Reader(self.stream)
        # Only this process holds its end: when it is gone, however it went, the kernel goes too.
        self._leash, far_end = socket.socketpair()
        self._leash.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        try:
            with kernel_end, far_end:
                self._zygote.ask(self._settings(), kernel_end, far_end)
            self.first = self._whom_it_leads()
            self._first = os.pidfd_open(self.first)
        except OSError as error:
            # Its number was 0, or is nobody's any more: it died as it greeted.
            self.stream.close()
            self._leash.close()
            raise Lost("the first process was gone before the kernel stood") from error
        except BaseException:
            self.stream.close()
            self._leash.close()
            raise
        self._started = time.monotonic()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        try:
            self._bind()
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
        # The first of a namespace is gone only when all the others are.
        gone = select.poll()
        gone.register(self._first, select.POLLIN)
        gone.poll(END_SECONDS * 1000)
        self._watcher.join()
        self.stream.close()
        self._leash.close()
        os.close(self._first)
        if self._group:
            self._group.remove()
        if self._folder:
            self._folder.cleanup()

    def kill(self) -> None:
        """End every process of the sandbox: with the first of a namespace, all of them end."""
        if not self.limits.enclosed:
            with suppress(OSError):
                self._leash.shutdown(socket.SHUT_RDWR)
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._first, signal.SIGKILL)

    def end(self, verdict: Verdict, why: str) -> None:
        """End the sandbox and say why; the first reason stands."""
        self.ended = self.ended or (verdict, why)
        self.kill()

    def explained(self) -> tuple[Verdict, str] | None:
        """Why it ended, if it was ended, by the watcher or by the system itself."""
        if self.ended is None and self._group and self._group.exceeded:
            self._too_much_memory()
        return self.ended

    def _too_much_memory(self) -> None:
        megabytes = self.limits.memory_bytes >> 20
        self.end(Verdict.OUT_OF_MEMORY, f"it used more than {megabytes:,} MiB of memory")

    def interrupt(self) -> None:
        """Interrupt the kernel, as the stop button of a notebook does.

        It is the first child of the first process; orphans come to that one later.
        """
        for process in processes.family(self.first)[1:2]:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGINT)

    @property
    def lost(self) -> bool:
        """Whether it ended because the zygote did, which is not the student's doing."""
        return self.explained() is None and self._zygote.dead(zygote.DYING_SECONDS)

    @property
    def seconds_left(self) -> float:
        """Until the whole run's time is over."""
        return self.limits.wall_seconds - (time.monotonic() - self._started)

    def _settings(self) -> dict[str, Any]:
        """What the zygote and its child are told."""
        return {
            "enclosed": self.limits.enclosed,
            "folder": self._folder.name if self._folder else "/desk",
            "user": enclosure.kernel_user(),
            "filter": seccomp.program().hex(),
            "limits": self.limits.for_each_process(),
            "answer_bytes": self.limits.answer_bytes,
            "files_bytes": self.limits.files_bytes,
            "shared_bytes": enclosure.SHARED_MEMORY_BYTES,
        }

    def _whom_it_leads(self) -> int:
        """The number of the sandbox's first process, as the system told it with its greeting."""
        self._leash.settimeout(START_SECONDS)
        try:
            said, told, _, _ = self._leash.recvmsg(4, socket.CMSG_SPACE(CREDENTIALS.size))
        except TimeoutError:
            said, told = b"", []
        # Where nobody has said anything, the system tells all the same, of nobody.
        for level, kind, content in told:
            if said and (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                return int(CREDENTIALS.unpack(content[: CREDENTIALS.size])[0])
        self._greeting()
        raise Lost("nobody has taken the leash")

    def _greeting(self) -> None:
        """Hear whether the kernel stands.

        Raises:
            NoSandbox: if it was refused something for good, saying what.
            Lost: if it was refused what the machine lacks for a moment, or says nothing.
        """
        self.stream.settimeout(START_SECONDS)
        try:
            header, _ = self.reader.receive(1 << 16, 0)
        except (frames.Closed, frames.Malformed, TimeoutError) as error:
            raise Lost("the kernel was gone before it stood") from error
        why = f"the kernel does not start: {header.get('text', header)}"
        if header.get("passing"):
            raise Lost(why)
        if header != {"kind": "ready"}:
            raise NoSandbox(why)

    def _bind(self) -> None:
        """Put the kernel under limits that the system holds, where it can."""
        above = control_groups.home()
        if above and self.limits.enclosed:
            self._group = control_groups.Group(above, self.limits)
            for process in processes.family(self.first):
                self._group.add(process)

    def _greet(self) -> None:
        """Wait until the kernel stands, and hand it the student's files."""
        self._greeting()
        try:
            most = IntakeLimits()
            for path in children(self.files, most.archive_members) if self.files else []:
                with suppress(Refused):  # a folder, say, that a teacher has put there by hand
                    content = read_plain(path, most.extra_bytes)
                    frames.send(self.stream, {"do": "file", "name": path.name}, content)
        except (frames.Closed, frames.Malformed, TimeoutError) as error:
            raise Lost("the kernel was gone before it stood") from error

    def _watch(self) -> None:
        """End the sandbox when all of it together uses more than it may."""
        limits = self.limits
        while not self._over.wait(WATCH_SECONDS):
            members = processes.family(self.first)
            written = files = shared = more_files = 0
            if limits.enclosed:
                written, files = processes.stored(members[0], "/desk")
                shared, more_files = processes.stored(members[0], "/dev/shm")
            # The first is ours. Of the pages that the others have from the zygote, and have not
            # changed, each counts its share; what it changes is its own and counts whole.
            memory = sum(map(processes.memory, members[1:])) + written + shared
            self.peak_bytes = max(self.peak_bytes, memory)
            if memory > limits.memory_bytes:
                self._too_much_memory()
            elif files + more_files > limits.files:
                self.end(Verdict.TOO_MUCH_OUTPUT, f"it made more than {limits.files:,} files")
            elif self.seconds_left < 0:
                self.end(Verdict.TIMED_OUT, f"it ran for more than {limits.wall_seconds:g} s")
