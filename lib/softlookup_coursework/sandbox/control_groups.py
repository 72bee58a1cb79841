"""Limits of memory and processes that the system itself holds, where control groups can be had.

The watcher looks ten times a second; a group of version 2 never lets a page too many through. It
needs a hierarchy with the controllers ``memory`` and ``pids`` in which the one who grades may make
groups: a superuser's, a container's own, or one that systemd has delegated. Where there is none,
the watcher and the limits of each process do it alone, and ``doctor`` says so.
"""

import secrets
import time
from contextlib import suppress
from pathlib import Path

from softlookup_coursework.common.limits import RunLimits

MOUNTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
NEEDED = ("memory", "pids")
OURS = "softlookup-"


def home(mounts: tuple[Path, ...] = MOUNTS, own: Path = Path("/proc/self/cgroup")) -> Path | None:
    """The group below which groups can be made, or ``None``.

    Args:
        mounts: where a hierarchy of version 2 may be mounted.
        own: the file that tells this process's own group.
    """
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return None
    places = [line.removeprefix("0::/") for line in lines if line.startswith("0::/")]
    for mounted in mounts:
        for place in places:
            group = mounted / place
            if _offers(group / "cgroup.controllers") and _hands_down(group):
                return group
    return None


def _offers(listing: Path) -> bool:
    try:
        return set(NEEDED) <= set(listing.read_text().split())
    except OSError:
        return False


def _hands_down(group: Path) -> bool:
    """Whether groups below have the controllers, and a first one can be made."""
    handed = group / "cgroup.subtree_control"
    try:
        if not _offers(handed):
            handed.write_text(" ".join(f"+{name}" for name in NEEDED))
        trial = group / f"{OURS}{secrets.token_hex(8)}"
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return False
    return True


class Group:
    """A group for one submission.

    Args:
        above: the group below which it is made.
        limits: what its processes may use together.

    Raises:
        OSError: if it cannot be made after all.
    """

    def __init__(self, above: Path, limits: RunLimits) -> None:
        self.folder = above / f"{OURS}{secrets.token_hex(8)}"
        self.folder.mkdir()
        settings = {
            "memory.max": limits.memory_bytes,
            "memory.oom.group": 1,
            "pids.max": limits.processes + 1,  # the first process is ours
        }
        for name, value in settings.items():
            (self.folder / name).write_text(str(value))
        with suppress(OSError):  # a system without swap has no such file
            (self.folder / "memory.swap.max").write_text("0")

    def add(self, process: int) -> None:
        """Put a process under the limits, with all that it will fork."""
        (self.folder / "cgroup.procs").write_text(str(process))

    @property
    def exceeded(self) -> bool:
        """Whether the system ended a process of the group because its memory was used up."""
        try:
            lines = (self.folder / "memory.events").read_text().splitlines()
        except OSError:
            return False
        counts = dict(line.split() for line in lines)
        return int(counts.get("oom_kill", 0)) > 0

    def remove(self) -> None:
        """Remove it, when its processes have ended."""
        for _ in range(50):
            try:
                self.folder.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.02)
