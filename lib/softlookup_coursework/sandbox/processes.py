"""What a process tree uses, read from ``/proc``."""

import os
from collections import deque
from pathlib import Path

PROC = Path("/proc")
KIBIBYTE = 1024


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

    Where the kernel does not report that, the resident set size (RSS).
    """
    try:
        lines = (PROC / str(process) / "smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * KIBIBYTE
    except (OSError, IndexError, ValueError):
        pass
    try:
        pages = int((PROC / str(process) / "statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def file_system_use(process: int, folder: str) -> tuple[int, int]:
    """The bytes and the files in use in the file system that a process sees under ``folder``."""
    try:
        facts = os.statvfs(f"{PROC}/{process}/root{folder}")
    except OSError:
        return 0, 0
    return (facts.f_blocks - facts.f_bfree) * facts.f_frsize, facts.f_files - facts.f_ffree
