"""What a process tree uses, read from ``/proc``."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
KIBIBYTE = 1024
NANOSECOND = 1e-9
# What a socket's buffer may hold where nobody has changed the default (``net.core.wmem_max``). The
# kernel grants twice what it is asked for.
SOCKET_BYTES = 2 * 212_992


@dataclass(frozen=True)
class Use:
    """What a submission uses at one moment.

    Attributes:
        members: its processes, but the first, which is the grader's own.
        memory: in bytes, with its files and with what its sockets may hold.
        files: how many there are.
    """

    members: list[int]
    memory: int
    files: int


def use(first: int, enclosed: bool) -> Use:
    """What the submission with this first process uses.

    Pages that its processes share with the zygote count proportionally; pages that they have
    changed count in full.
    """
    members, held, files = process_tree(first)[1:], 0, 0
    if enclosed:
        for folder in ("/desk", "/dev/shm"):
            written, number = file_system_use(first, folder)
            held, files = held + written, files + number
        held += sockets(first) * SOCKET_BYTES
    return Use(members, sum(map(memory, members)) + held, files)


def process_tree(root: int) -> list[int]:
    """A process and all its descendants, as far as they are still running.

    The order is breadth-first; children come in the order in which ``/proc`` lists them.
    """
    found, waiting = [], deque([root])
    while waiting:
        process = waiting.popleft()
        found.append(process)
        try:
            for thread in (PROC / str(process) / "task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
        except (OSError, ValueError):
            continue
    return found


def memory(process: int) -> int:
    """The memory of a process in bytes: its proportional set size (PSS).

    Where the kernel does not report that, the resident set size (RSS). Its threads are asked until
    one tells: the first may have ended before the others, and then knows of no memory.
    """
    for read in (_proportional, _resident):
        for thread in threads([process]):
            with suppress(OSError, IndexError, ValueError):
                if found := read(thread):
                    return found
    return 0


def _proportional(thread: Path) -> int:
    lines = (thread / "smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * KIBIBYTE


def _resident(thread: Path) -> int:
    pages = int((thread / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def sockets(process: int) -> int:
    """The number of Unix sockets in a process's network namespace, also those that are in flight.

    A submission has a namespace of its own, and can have no other sockets. What lies in their
    buffers belongs to no process. The file has a line more than there are sockets.
    """
    try:
        return len((PROC / str(process) / "net/unix").read_bytes().splitlines()) - 1
    except OSError:
        return 0


def waited(process: int) -> float:
    """The seconds for which a process's main thread could have run and had no processor.

    Zero where the kernel does not report it (``CONFIG_SCHED_INFO``).
    """
    try:
        return int((PROC / str(process) / "schedstat").read_text().split()[1]) * NANOSECOND
    except (OSError, IndexError, ValueError):
        return 0.0


def threads(members: Iterable[int]) -> Iterator[Path]:
    """The folders in ``/proc`` of all threads of some processes."""
    for process in members:
        try:
            yield from (PROC / str(process) / "task").iterdir()
        except OSError:
            continue


def runnable(members: Iterable[int]) -> int:
    """The number of threads of some processes that run or could run at this moment."""
    found = 0
    for thread in threads(members):
        try:
            found += (thread / "stat").read_bytes().rpartition(b")")[2].split()[0] == b"R"
        except (OSError, IndexError):
            continue
    return found


def make_idle(members: Iterable[int]) -> None:
    """Let all threads of some processes run only while nobody else wants to: ``SCHED_IDLE``.

    What they start inherits it, and without a privilege they cannot leave it.
    """
    for thread in threads(members):
        with suppress(OSError):
            os.sched_setscheduler(int(thread.name), os.SCHED_IDLE, os.sched_param(0))


def file_system_use(process: int, folder: str) -> tuple[int, int]:
    """The bytes and the files in use in the file system that a process sees under ``folder``."""
    try:
        facts = os.statvfs(f"{PROC}/{process}/root{folder}")
    except OSError:
        return 0, 0
    return (facts.f_blocks - facts.f_bfree) * facts.f_frsize, facts.f_files - facts.f_ffree
