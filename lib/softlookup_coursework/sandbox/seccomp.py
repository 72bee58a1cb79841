"""A filter of system calls, for what namespaces and limits leave open.

Without it, memory could be had that no process owns (a System V segment, a ``memfd``), new
namespaces could be made, and a student's code could reach more of the system's kernel than any
exercise needs. A call on the list fails with ``EPERM``; ``clone3`` with ``ENOSYS``, upon which the
C library falls back to ``clone``, whose flags a filter can read.
"""

import errno
import platform
import struct

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
ALLOW, FAIL, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NEW_NAMESPACES = 0x7E020000
X32 = 0x40000000

# The kernel's audit number of the architecture, and its numbers of the calls.
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
CLONE, CLONE3, PRLIMIT = (56, 220), (435, 435), (302, 261)
DENIED = {
    "acct": (163, 89), "add_key": (248, 217), "bpf": (321, 280), "chroot": (161, 51),
    "delete_module": (176, 106), "finit_module": (313, 273), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fsopen": (430, 430), "init_module": (175, 105),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "io_uring_setup": (425, 425),
    "kexec_load": (246, 104), "keyctl": (250, 219), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "mount": (165, 40), "mount_setattr": (442, 442),
    "move_mount": (429, 429), "mq_open": (240, 180), "msgget": (68, 186),
    "open_by_handle_at": (304, 265), "open_tree": (428, 428), "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "ptrace": (101, 117), "quotactl": (179, 60), "reboot": (169, 142), "request_key": (249, 218),
    "semget": (64, 190), "setns": (308, 268), "shmat": (30, 196), "shmctl": (31, 195),
    "shmget": (29, 194), "swapon": (167, 224), "syslog": (103, 116), "umount2": (166, 39),
    "unshare": (272, 97), "userfaultfd": (323, 282),
}  # fmt: skip


def program(machine: str = "") -> bytes:
    """The filter, as the kernel takes it (and ``bwrap --seccomp``).

    Args:
        machine: the architecture, as ``platform.machine`` names it; this one's if empty.

    Raises:
        ValueError: for an architecture whose numbers are not known here.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        raise ValueError(f"{machine}: expected one of {', '.join(ARCHITECTURES)}")
    audit, column = ARCHITECTURES[machine]
    lines = [
        _line(LOAD, ARCHITECTURE),
        _line(EQUAL, audit, skip_if=1),
        _line(RETURN, KILL),
        _line(LOAD, NUMBER),
        _line(AT_LEAST, X32, skip_unless=1),
        _line(RETURN, KILL),
    ]
    for numbers in DENIED.values():
        lines += [
            _line(EQUAL, numbers[column], skip_unless=1),
            _line(RETURN, FAIL | errno.EPERM),
        ]
    lines += [
        # A process may bind itself, and no other of the same user: the first is not to be starved.
        _line(EQUAL, PRLIMIT[column], skip_unless=4),
        _line(LOAD, FIRST_ARGUMENT),
        _line(EQUAL, 0, skip_if=1),
        _line(RETURN, FAIL | errno.EPERM),
        _line(RETURN, ALLOW),
        _line(EQUAL, CLONE3[column], skip_unless=1),
        _line(RETURN, FAIL | errno.ENOSYS),
        _line(EQUAL, CLONE[column], skip_unless=3),
        _line(LOAD, FIRST_ARGUMENT),
        _line(ANY_BIT, NEW_NAMESPACES, skip_unless=1),
        _line(RETURN, FAIL | errno.EPERM),
        _line(RETURN, ALLOW),
    ]
    return b"".join(lines)


def _line(code: int, value: int, skip_if: int = 0, skip_unless: int = 0) -> bytes:
    """One instruction: a test skips lines if it holds, or unless it holds."""
    return struct.pack("=HBBI", code, skip_if, skip_unless, value)
