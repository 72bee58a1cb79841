"""Limits of memory, processes and CPU that the kernel enforces, where there are control groups.

The watcher polls ten times a second; a control group (version 2) never allows one page too many,
and counts what belongs to no process: buffers of sockets, page tables, shared memory that nobody
maps. It needs a hierarchy with the controllers ``memory`` and ``pids``, and better ``cpu`` too, in
which the grader's user may create groups: root's, a container's own, or one that systemd has
delegated. Where there is none, only the watcher and the limits of each process apply, and
``doctor`` says so.

A group whose children have controllers may hold no processes itself, except the root. So where the
grader runs in a delegated group, its processes move into a child of their own, the leaf.
"""

import errno
import os
import secrets
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from softlookup_coursework.common.limits import RunLimits

MOUNT_POINTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified"))
CONTROLLERS, WANTED = ("memory", "pids"), "cpu"
PREFIX, LEAF = "softlookup-", "softlookup-graders"
# What systemd marks a delegated group with: root's, or a user's. A user's own manager marks none
# in systemd 252, and is asked.
DELEGATED = ("trusted.delegate", "user.delegate")
# The default: each submission has the same share of the processor.
WEIGHT = 100


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
            group = group.parent if group.name == LEAF else group
            if _has_controllers(group / "cgroup.controllers") and _can_delegate(group):
                return group
    return None


def _has_controllers(listing: Path) -> bool:
    try:
        return set(CONTROLLERS) <= set(listing.read_text().split())
    except OSError:
        return False


def shares_processor(group: Path) -> bool:
    """Whether the processor is shared out among the children of a group."""
    try:
        return WANTED in (group / "cgroup.subtree_control").read_text().split()
    except OSError:
        return False


def _can_delegate(group: Path) -> bool:
    """Whether child groups get the controllers, and one can be created."""
    enabled = group / "cgroup.subtree_control"
    try:
        wanted = WANTED in (group / "cgroup.controllers").read_text().split()
        if not _has_controllers(enabled) or (wanted and not shares_processor(group)):
            names = (*CONTROLLERS, WANTED) if wanted else CONTROLLERS
            _enable(group, " ".join(f"+{name}" for name in names))
        trial = group / f"{PREFIX}{secrets.token_hex(8)}"
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return False
    return True


def _enable(group: Path, controllers: str) -> None:
    """Give a group's children controllers; first move its processes into the leaf, if need be."""
    try:
        _write(group / "cgroup.subtree_control", controllers)
    except OSError as error:
        if error.errno != errno.EBUSY or not _is_delegated(group):
            raise
        leaf = group / LEAF
        leaf.mkdir(exist_ok=True)
        for process in (group / "cgroup.procs").read_text().split():
            with suppress(ProcessLookupError):  # it has ended
                _write(leaf / "cgroup.procs", process)
        _write(group / "cgroup.subtree_control", controllers)


def _is_delegated(group: Path) -> bool:
    """Whether a group is the grader's to arrange: systemd says so, or it is a container's root."""
    if group in MOUNT_POINTS:
        return True
    for name in DELEGATED:
        with suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return True
    whose = ["--user"] if f"user@{os.geteuid()}.service" in group.parts else []
    question = ["show", "--property=Delegate", "--value", "--", group.name]
    try:
        said = subprocess.run(
            ["systemctl", *whose, *question], capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.stdout.strip() == b"yes"


def _write(path: Path, text: str) -> None:
    """Write a file of the hierarchy."""
    path.write_text(text)


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
        # A system without swap has no such file, and neither has one without the controller.
        for name, value in (("memory.swap.max", 0), ("cpu.weight", WEIGHT)):
            with suppress(OSError):
                (self.folder / name).write_text(str(value))

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
