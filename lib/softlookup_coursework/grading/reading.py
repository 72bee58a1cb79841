"""Reads what students wrote, in the grader's own process: within a time, and whatever it is.

What cannot be read, or not in time, leaves a doubt. Where one call in C takes longer than that, no
handler runs before it returns; a process that was made for one submission then ends.
"""

import math
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from softlookup.course.student_code.source_checks import Objection, Slice, StudentCode

# No honest notebook comes near, on the slowest machine.
SECONDS = 8.0
# So much later the kernel ends a process that may end; by then a handler would have run.
GRACE_SECONDS = 3
UNREAD = Objection(
    "your code cannot be read as far as it has to be for what this exercise forbids; write it "
    "shorter and plainer",
    sure=False,
)
T = TypeVar("T")


class _TooLong(BaseException):
    """Raised where reading has taken too long; no error, so that nobody on the way catches it."""


class Reader:
    """Reads the code of one submission, in so many seconds of processor time at most.

    Args:
        seconds: for all that is read.
        may_end: whether this process reads for one submission alone, so that the kernel may end it,
            by ``SIGXCPU``, where reading cannot be interrupted.
    """

    def __init__(self, seconds: float = SECONDS, may_end: bool = False) -> None:
        self._left, self._may_end = seconds, may_end

    def code(
        self,
        cells: Iterable[tuple[int, str]],
        modules: Mapping[str, str],
        given: Iterable[str],
    ) -> "ReadCode":
        """What a student wrote; the arguments are those of ``StudentCode``."""
        return ReadCode(self, self.read(lambda: StudentCode(cells, modules, given), None))

    def read(self, what: Callable[[], T], otherwise: T) -> T:
        """What is read, or something else where it cannot be."""
        try:
            with self._in_time():
                return what()
        except (Exception, SystemExit, _TooLong):
            return otherwise

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        """Raise an exception where the time is over."""
        if self._left <= 0:
            raise _TooLong
        started = time.process_time()
        before = signal.signal(signal.SIGVTALRM, _ends)
        held, most = resource.getrlimit(resource.RLIMIT_CPU)
        if self._may_end:
            last = math.ceil(started + self._left) + GRACE_SECONDS
            least = last if most == resource.RLIM_INFINITY else min(last, most)
            resource.setrlimit(resource.RLIMIT_CPU, (least, most))
        signal.setitimer(signal.ITIMER_VIRTUAL, self._left)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (held, most))
            signal.signal(signal.SIGVTALRM, before)
            self._left -= time.process_time() - started


class ReadCode:
    """A student's code, as far as it can be read.

    Args:
        reader: who reads it.
        code: the code; None, if it could not be read.
    """

    def __init__(self, reader: Reader, code: StudentCode | None) -> None:
        self._reader, self._code = reader, code

    def against(self, names: Iterable[str], forbids: Iterable[str]) -> Objection:
        """As ``StudentCode.against``; what cannot be read is a doubt."""
        code = self._code
        if code is None:
            return UNREAD if [*forbids] else Objection()
        return self._reader.read(lambda: code.against(names, forbids), UNREAD)

    def needed_by(self, names: Iterable[str], forbids: Iterable[str]) -> Slice:
        """As ``StudentCode.needed_by``; of what cannot be read nothing runs."""
        code, nothing = self._code, Slice({}, {})
        if code is None:
            return nothing
        return self._reader.read(lambda: code.needed_by(names, forbids), nothing)


def _ends(signal_number: int, frame: FrameType | None) -> None:
    raise _TooLong
