"""Namespaces of a submission's own, and the loss of every power, by the system's own calls.

Bubblewrap makes the zygote's enclosure from a command line; a process that is forked and not
started has to ask the system itself, in the same order and for the same things.
"""

import ctypes
import fcntl
import os
import socket
import struct
from pathlib import Path
from typing import Any

LIBRARY = ctypes.CDLL(None, use_errno=True)

NEW_MOUNTS, NEW_HOST_NAME, NEW_IPC = 0x0002_0000, 0x0400_0000, 0x0800_0000
NEW_USERS, NEW_PROCESSES, NEW_NETWORK = 0x1000_0000, 0x2000_0000, 0x4000_0000
READ_ONLY, NO_SETUID, NO_DEVICES, NO_PROGRAMS = 1, 2, 4, 8
AGAIN, BIND, RECURSIVE, PRIVATE = 0x20, 0x1000, 0x4000, 0x4_0000
SET_INTERFACE, UP = 0x8914, 1

SET_DUMPABLE, SET_FILTER, DROP_FROM_BOUND, NO_NEW_POWERS, AMBIENT, SUBREAPER = 4, 22, 24, 38, 47, 36
FILTER_MODE, CLEAR_ALL, CAPABILITIES_VERSION, INSTRUCTION = 2, 4, 0x2008_0522, 8
# Inside, a submission is this user, whoever it is outside.
USER_INSIDE = 1000


class Program(ctypes.Structure):
    """A filter, as ``prctl`` takes it: its number of instructions, and where they lie."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def ask(call: str, *arguments: Any) -> None:
    """Make a call of the system.

    Raises:
        OSError: if it is refused, naming the call.
    """
    if getattr(LIBRARY, call)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")


def control(option: int, *values: int) -> None:
    """Make a call of ``prctl``."""
    ask("prctl", option, *(ctypes.c_ulong(v) for v in (*values, 0, 0, 0, 0)[:4]))


def fork_in_processes_of_its_own() -> int:
    """Fork a child that is the first process of a namespace of its own; 0 in the child."""
    here = os.open("/proc/self/ns/pid", os.O_RDONLY)
    try:
        ask("unshare", NEW_PROCESSES)
        child = os.fork()
        if child:
            ask("setns", here, NEW_PROCESSES)
    finally:
        os.close(here)
    return child


def enclose(files_bytes: int, shared_bytes: int) -> None:
    """Enter fresh namespaces: empty folders to write in, no network, no other process in sight.

    Args:
        files_bytes: what ``/desk`` holds at most.
        shared_bytes: what ``/dev/shm`` holds at most.
    """
    ask("unshare", NEW_MOUNTS | NEW_HOST_NAME | NEW_IPC | NEW_NETWORK)
    mount("none", "/", "", RECURSIVE | PRIVATE, "")
    harmless = NO_SETUID | NO_DEVICES
    mount("tmpfs", "/desk", "tmpfs", harmless, f"size={files_bytes},mode=1777")
    mount("tmpfs", "/dev/shm", "tmpfs", harmless, f"size={shared_bytes},mode=1777")
    terminals = "newinstance,ptmxmode=0666,mode=0620"
    mount("devpts", "/dev/pts", "devpts", NO_SETUID | NO_PROGRAMS, terminals)
    mount("proc", "/proc", "proc", harmless | NO_PROGRAMS, "")
    for name in ("sys", "sysrq-trigger", "irq", "bus"):
        path = f"/proc/{name}"
        if Path(path).exists():
            mount(path, path, "", BIND, "")
            mount("none", path, "", BIND | AGAIN | READ_ONLY | harmless | NO_PROGRAMS, "")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SET_INTERFACE, struct.pack("16sh14x", b"lo", UP))


def mount(what: str, where: str, kind: str, flags: int, options: str) -> None:
    """Mount a file system."""
    texts = [text.encode() for text in (what, where, kind)]
    ask("mount", *texts, ctypes.c_ulong(flags), options.encode())


def become(user: int | None) -> None:
    """Become a user who owns nothing: of the machine, or of a namespace without any other user.

    Args:
        user: a number, where this process is the machine's superuser; ``None`` where it is not.
    """
    if user is not None:
        empty_the_bound()
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        return
    ask("unshare", NEW_USERS)
    me = Path("/proc/self")
    (me / "setgroups").write_text("deny")
    for kind in ("uid_map", "gid_map"):
        (me / kind).write_text(f"{USER_INSIDE} 0 1")
    empty_the_bound()


def give_up(filter_of_calls: bytes) -> None:
    """Give up every power for good, and bind this process to a filter of system calls."""
    header = struct.pack("=Ii", CAPABILITIES_VERSION, 0)
    ask("capset", header, bytes(24))
    control(AMBIENT, CLEAR_ALL)
    control(NO_NEW_POWERS, 1)
    program = Program(len(filter_of_calls) // INSTRUCTION, filter_of_calls)
    ask("prctl", SET_FILTER, FILTER_MODE, ctypes.byref(program))


def empty_the_bound() -> None:
    """See to it that no program that is started from here on brings a power with it."""
    for capability in range(int(Path("/proc/sys/kernel/cap_last_cap").read_text()) + 1):
        control(DROP_FROM_BOUND, capability)
