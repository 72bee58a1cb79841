"""Which limits the kernel itself holds on this machine, and which are only watched.

With a delegated control group of version 2 it holds all of them. Without one, memory is seen in
``/proc`` ten times a second. The processor may still be shared out by the kernel: where the
scheduler groups tasks by session (``sched_autogroup_enabled``), each submission is one session, and
the filter of system calls lets it begin no other. Where it does not, a submission with more than a
few threads at work is made to give way (``SCHED_IDLE``) as soon as it is seen.
"""

from pathlib import Path

from softlookup_coursework.sandbox import control_groups

MEMORY = (
    "memory (watched ten times a second; between two looks, and in page tables and pipes, a "
    "submission can take more than its limit)"
)
PROCESSOR = (
    "shares of the processor (a submission with many threads is seen ten times a second, and gives "
    "way from then on)"
)
AUTOGROUP = Path("/proc/sys/kernel/sched_autogroup_enabled")
OWN = Path("/proc/self/cgroup")


def not_held(group: Path | None, by_session: bool) -> tuple[str, ...]:
    """What the kernel does not hold, in words.

    Args:
        group: the control group in which submissions get theirs, if there is one.
        by_session: whether sessions share out the processor.
    """
    if group is None:
        return (MEMORY,) if by_session else (MEMORY, PROCESSOR)
    return () if by_session or control_groups.shares_processor(group) else (PROCESSOR,)


def here() -> tuple[str, ...]:
    """What the kernel does not hold on this machine."""
    return not_held(control_groups.parent_group(), sessions_share_the_processor())


def sessions_share_the_processor(
    autogroup: Path = AUTOGROUP,
    own: Path = OWN,
    mount_points: tuple[Path, ...] = control_groups.MOUNT_POINTS,
) -> bool:
    """Whether the scheduler gives each session the same share.

    It does so only for tasks that no control group has. The root group, and no other, lacks the
    file ``cpu.weight``; in version 1, it is the group ``/``.

    Args:
        autogroup: the file that says whether it is switched on.
        own: the file that names this process's own groups.
        mount_points: where a hierarchy of version 2 may be mounted.
    """
    try:
        on = autogroup.read_text().strip() == "1"
        lines = [line.split(":", 2) for line in own.read_text().splitlines()]
    except OSError:
        return False
    for _, controllers, place in lines:
        if "cpu" in controllers.split(","):
            return on and place == "/"
    places = [place.strip("/") for _, controllers, place in lines if not controllers]
    return on and not any(
        (folder / "cpu.weight").exists()
        for mounted in mount_points
        for place in places
        for folder in (mounted / place, *(mounted / place).parents)
        if folder.is_relative_to(mounted)
    )
