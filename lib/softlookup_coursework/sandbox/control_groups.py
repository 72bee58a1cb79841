"""Limits of memory and processes that the kernel enforces, where control groups are available.

The watcher polls ten times a second; a control group (version 2) never allows one page too many. It
needs a hierarchy with the controllers ``memory`` and ``pids`` in which the grader's user may create
groups: root's, a container's own, or one that systemd has delegated. Where there is none, only the
watcher and the limits of each process apply, and ``doctor`` says so.
"""

import secrets
import time
from contextlib import suppress
from pathlib import Path

from softlookup_coursework.common.limits import RunLimits

MOUNT_POINTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
CONTROLLERS = ("memory", "pids")
PREFIX = "softlookup-"


def parent_group(
    mount_points: tuple[Path, ...] = MOUNT_POINTS, own: Path = Path("/proc/self/cgroup")
) -> Path | None:
    """The group in which groups can be created, or ``None``.

    Args:
        mount_points: where a hierarchy of version 2 may be mounted.
        own: the file that names this process's own group.
    """
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return None
    places = [line.removeprefix("0::/") for line in lines if line.startswith("0::/")]
    for mounted in mount_points:
        for place in places:
            group = mounted / place
            if _has_controllers(group / "cgroup.controllers") and _can_delegate(group):
                return group
    return None


def _has_controllers(listing: Path) -> bool:
    try:
        return set(CONTROLLERS) <= set(listing.read_text().split())
    except OSError:
        return False


def _can_delegate(group: Path) -> bool:
    """Whether child groups get the controllers, and one can be created."""
    enabled = group / "cgroup.subtree_control"
    try:
        if not _has_controllers(enabled):
            enabled.write_text(" ".join(f"+{name}" for name in CONTROLLERS))
        trial = group / f"{PREFIX}{secrets.token_hex(8)}"
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return False
    return True


class Group:
    """A control group for one submission.

    Args:
        parent: the group in which it is created.
        limits: what its processes may use together.

    Raises:
        OSError: if it cannot be created after all.
    """

    def __init__(self, parent: Path, limits: RunLimits) -> None:
        self.folder = parent / f"{PREFIX}{secrets.token_hex(8)}"
        self.folder.mkdir()
        settings = {
            "memory.max": limits.memory_bytes,
            "memory.oom.group": 1,
            "pids.max": limits.processes + 1,  # the first process is the grader's
        }
        for name, value in settings.items():
            (self.folder / name).write_text(str(value))
        with suppress(OSError):  # a system without swap has no such file
            (self.folder / "memory.swap.max").write_text("0")

    def add(self, process: int) -> None:
        """Move a process into the group; what it forks later belongs to it too."""
        (self.folder / "cgroup.procs").write_text(str(process))

    @property
    def exceeded(self) -> bool:
        """Whether the kernel killed a process of the group for lack of memory."""
        try:
            lines = (self.folder / "memory.events").read_text().splitlines()
        except OSError:
            return False
        counts = dict(line.split() for line in lines)
        return int(counts.get("oom_kill", 0)) > 0

    def remove(self) -> None:
        """Remove the group, once its processes have ended."""
        for _ in range(50):
            try:
                self.folder.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.02)
