"""The sandbox: a kernel that can harm nothing but itself, and the watcher that ends it.

The zygote forks it into namespaces of its own. A seccomp filter and resource limits apply to each
of its processes, and a watcher outside kills them all when together they use too much.
"""

import os
import select
import signal
import socket
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from softlookup_coursework.common.limits import IntakeLimits, RunLimits
from softlookup_coursework.common.untrusted_files import Refused, list_folder, read_regular_file
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.sandbox import (
    control_groups,
    enclosure,
    held,
    processes,
    seccomp,
    zygote,
)
from softlookup_coursework.sandbox.inside import frames
from softlookup_coursework.sandbox.zygote import Lost, NoSandbox

__all__ = ["Lost", "NoSandbox", "Sandbox"]

WATCH_SECONDS = 0.1
# A submission that has more threads than this at work gives way to all others from then on.
MOST_RUNNABLE = 3
START_SECONDS = 120.0
END_SECONDS = 60.0


class Sandbox:
    """A kernel in a sandbox, from ``with`` to the end of the block.

    Afterwards nothing is left of it: its processes have ended, and its files were in memory.

    Args:
        limits: what it may use.
        files: a folder whose files are copied into its working folder at the start.

    Attributes:
        stream: the connection to the kernel.
        reader: reads messages from the stream.
        ended: why the grader ended it: a verdict and a sentence; ``None`` if it did not.
        peak_bytes: the largest use of memory that the watcher saw.
        not_held: the limits that the kernel itself does not hold here, in words.
    """

    def __init__(self, limits: RunLimits, files: Path | None = None) -> None:
        self.limits, self.files = limits, files
        self.ended: tuple[Verdict, str] | None = None
        self.peak_bytes = 0
        self.not_held: tuple[str, ...] = ()
        self._over = threading.Event()
        self._group: control_groups.Group | None = None
        self._kernel = 0
        self._excused, self._crowds_itself = 0.0, False

    def __enter__(self) -> Self:
        self._zygote = zygote.current(self.limits.enclosed)
        # Without a sandbox it has no folder in memory; this one is removed at the end.
        self._folder = None if self.limits.enclosed else tempfile.TemporaryDirectory()
        self.stream, kernel_end = socket.socketpair()
        self.reader = frames.Reader(self.stream)
        # Only this process holds its end: when it ends, in whatever way, so does the kernel.
        self._lifeline, far_end = socket.socketpair()
        self._lifeline.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        try:
            with kernel_end, far_end:
                self._zygote.fork_submission(self._settings(), kernel_end, far_end)
            self.first = self._receive_first_process()
            self._first = os.pidfd_open(self.first)
        except OSError as error:
            # The process ID was 0 or is no longer in use: the process died while it reported.
            self.stream.close()
            self._lifeline.close()
            raise Lost("the first process ended before the kernel was ready") from error
        except BaseException:
            self.stream.close()
            self._lifeline.close()
            raise
        self._started = self.clock()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        try:
            self._join_control_group()
            self._wait_until_ready()
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
        # The first process of a PID namespace ends only after all the others.
        ended = select.poll()
        ended.register(self._first, select.POLLIN)
        ended.poll(END_SECONDS * 1000)
        self._watcher.join()
        self.stream.close()
        self._lifeline.close()
        os.close(self._first)
        if self._group:
            self._group.remove()
        if self._folder:
            self._folder.cleanup()

    def kill(self) -> None:
        """Kill all processes of the sandbox, by killing the first of their PID namespace."""
        if not self.limits.enclosed:
            with suppress(OSError):
                self._lifeline.shutdown(socket.SHUT_RDWR)
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._first, signal.SIGKILL)

    def end(self, verdict: Verdict, why: str) -> None:
        """Kill the sandbox and record why; the first reason is kept."""
        self.ended = self.ended or (verdict, why)
        self.kill()

    def end_reason(self) -> tuple[Verdict, str] | None:
        """Why the grader or the control group ended it; ``None`` if neither did."""
        if self.ended is None and self._group and self._group.exceeded:
            self._end_out_of_memory()
        return self.ended

    def _end_out_of_memory(self) -> None:
        megabytes = self.limits.memory_bytes >> 20
        self.end(Verdict.OUT_OF_MEMORY, f"it used more than {megabytes:,} MiB of memory")

    def interrupt(self) -> None:
        """Interrupt the kernel, as the stop button of a notebook does."""
        if self._kernel in processes.process_tree(self.first)[1:]:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self._kernel, signal.SIGINT)

    @property
    def lost(self) -> bool:
        """Whether it ended because the zygote died, which is not the student's fault."""
        return self.end_reason() is None and self._zygote.has_died(zygote.DYING_SECONDS)

    def clock(self) -> float:
        """Seconds that count: those in which the kernel computed or slept.

        While it waits for a processor, which others have, the clock stands still; but for no more
        than the limit of the whole run, and not for a submission that crowds itself out.
        """
        if not self._crowds_itself:
            self._excused = min(max(self._excused, self.waited), self.limits.wall_seconds)
        return time.monotonic() - self._excused

    @property
    def waited(self) -> float:
        """The seconds for which the kernel has waited for a processor."""
        return processes.waited(self._kernel) if self._kernel else 0.0

    @property
    def seconds_left(self) -> float:
        """The seconds until the time limit of the whole run."""
        return self.limits.wall_seconds - (self.clock() - self._started)

    def _settings(self) -> dict[str, Any]:
        """The settings that the zygote passes on to its child."""
        return {
            "enclosed": self.limits.enclosed,
            "folder": self._folder.name if self._folder else "/desk",
            "user": enclosure.kernel_user(),
            "filter": seccomp.program().hex(),
            "limits": self.limits.for_each_process(),
            "answer_bytes": self.limits.answer_bytes,
            "output_bytes": self.limits.output_bytes,
            "files_bytes": self.limits.files_bytes,
            "shared_bytes": enclosure.SHARED_MEMORY_BYTES,
        }

    def _receive_first_process(self) -> int:
        """The first process's ID, from the credentials that come with its message."""
        self._lifeline.settimeout(START_SECONDS)
        if sender := zygote.receive_sender(self._lifeline):
            return sender
        self._receive_ready()
        raise Lost("the first process did not report its start")

    def _receive_ready(self) -> None:
        """Wait for the kernel's message that it is ready.

        Raises:
            NoSandbox: if it failed for a permanent reason, which the text gives.
            Lost: if it failed for a temporary reason, or sent nothing.
        """
        self.stream.settimeout(START_SECONDS)
        try:
            header, _ = self.reader.receive(1 << 16, 0)
        except (frames.Closed, frames.Malformed, TimeoutError) as error:
            raise Lost("the kernel ended before it was ready") from error
        why = f"the kernel does not start: {header.get('text', header)}"
        if header.get("temporary"):
            raise Lost(why)
        if header != {"kind": "ready"}:
            raise NoSandbox(why)

    def _join_control_group(self) -> None:
        """Move the kernel into a control group, where there is one."""
        parent = control_groups.parent_group()
        self.not_held = held.not_held(parent, held.sessions_share_the_processor())
        if parent and self.limits.enclosed:
            self._group = control_groups.Group(parent, self.limits)
            for process in processes.process_tree(self.first):
                self._group.add(process)

    def _wait_until_ready(self) -> None:
        """Wait until the kernel is ready, and send it the student's files."""
        self._receive_ready()
        # The first child of the first process; orphans are reparented to it later.
        self._kernel = next(iter(processes.process_tree(self.first)[1:]), 0)
        try:
            most = IntakeLimits()
            for path in list_folder(self.files, most.archive_members) if self.files else []:
                with suppress(Refused):  # such as a folder that a teacher has put there by hand
                    content = read_regular_file(path, most.extra_bytes)
                    frames.send(self.stream, {"do": "file", "name": path.name}, content)
        except (frames.Closed, frames.Malformed, TimeoutError) as error:
            raise Lost("the kernel ended before it was ready") from error

    def _watch(self) -> None:
        """Poll what the sandbox uses, and end it when that exceeds a limit."""
        limits = self.limits
        while not self._over.wait(WATCH_SECONDS):
            try:
                use = processes.use(self.first, limits.enclosed)
            except MemoryError:  # a test has all of the grader's for a moment
                continue
            self.peak_bytes = max(self.peak_bytes, use.memory)
            if self._crowds_itself or processes.runnable(use.members) > MOST_RUNNABLE:
                self._crowds_itself = True
                processes.make_idle(use.members)
            if use.memory > limits.memory_bytes:
                self._end_out_of_memory()
            elif use.files > limits.files:
                self.end(Verdict.TOO_MUCH_OUTPUT, f"it made more than {limits.files:,} files")
            elif self.seconds_left < 0:
                self.end(Verdict.TIMED_OUT, f"it ran for more than {limits.wall_seconds:g} s")
