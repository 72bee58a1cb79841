"""Puts a submission into namespaces of its own and drops every privilege, by direct system calls.

Bubblewrap builds the zygote's sandbox from command-line options. A submission's process is forked
and not started as a program, so it has to make the same system calls itself, in the same order.

Source: the constants bear the names and values of the kernel's headers, which are ``linux/sched.h``
(``CLONE_*``), ``mount.h`` (``MS_*``), ``sockios.h``, ``if.h``, ``prctl.h``, ``seccomp.h`` and
``capability.h``. Python has ``os.CLONE_*`` from 3.12 only, and the course supports 3.11.
"""

import ctypes
import fcntl
import os
import socket
import struct
from pathlib import Path
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x0002_0000, 0x0400_0000, 0x0800_0000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x1000_0000, 0x2000_0000, 0x4000_0000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 0x20, 0x1000, 0x4000, 0x4_0000
SIOCSIFFLAGS, IFF_UP = 0x8914, 1

PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 4, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
SECCOMP_MODE_FILTER = 2
_LINUX_CAPABILITY_VERSION_3 = 0x2008_0522
# Of a ``struct sock_filter``, in bytes.
INSTRUCTION_BYTES = 8
# Inside, a submission has this user ID, whatever it is outside.
USER_INSIDE = 1000
# Pseudo-terminals of one submission: the machine has a few thousand for everybody.
TERMINALS = 8
# Bubblewrap binds the machine's own; all of them have the same ones.
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
# What /proc tells of the machine, and no notebook needs. Some of it would carry letters from one
# submission to another: the bounds of a lock on a shared file, and what is counted exactly.
HIDDEN = ("cmdline", "kallsyms", "kcore", "key-users", "keys", "latency_stats", "locks", "modules",
          "sched_debug", "timer_list", "sys/kernel/pty/nr", "sys/fs/dentry-state",
          "sys/fs/file-nr", "sys/fs/inode-nr", "sys/fs/inode-state")  # fmt: skip


class SockFprog(ctypes.Structure):
    """``struct sock_fprog``, a filter as ``prctl`` takes it: instruction count and address."""

    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def call_libc(function: str, *arguments: Any) -> None:
    """Call a C library function that returns -1 on failure.

    Raises:
        OSError: if the call fails, naming the function.
    """
    if getattr(LIBC, function)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{function}: {os.strerror(number)}")


def prctl(option: int, *values: int) -> None:
    """Call ``prctl`` with integers; those that are left out are 0."""
    call_libc("prctl", option, *(ctypes.c_ulong(v) for v in (*values, 0, 0, 0, 0)[:4]))


def fork_into_pid_namespace() -> int:
    """Fork a child that is the first process of a PID namespace of its own; 0 in the child."""
    here = os.open("/proc/self/ns/pid", os.O_RDONLY)
    try:
        call_libc("unshare", CLONE_NEWPID)
        child = os.fork()
        if child:
            call_libc("setns", here, CLONE_NEWPID)
    finally:
        os.close(here)
    return child


def enter_namespaces(files_bytes: int, shared_bytes: int) -> None:
    """Enter fresh mount, host-name, IPC and network namespaces, with empty folders to write in.

    Args:
        files_bytes: the capacity of ``/desk``.
        shared_bytes: the capacity of ``/dev/shm``.
    """
    call_libc("unshare", CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET)
    mount("none", "/", "", MS_REC | MS_PRIVATE, "")
    restricted = MS_NOSUID | MS_NODEV
    mount("tmpfs", "/desk", "tmpfs", restricted, f"size={files_bytes},mode=1777")
    mount("tmpfs", "/dev/shm", "tmpfs", restricted, f"size={shared_bytes},mode=1777")
    terminals = f"newinstance,ptmxmode=0666,mode=0620,max={TERMINALS}"
    mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, terminals)
    mount("proc", "/proc", "proc", restricted | MS_NOEXEC, "")
    # A device can be written to all the same, and no longer be dated, which others would see.
    for name in DEVICES:
        make_read_only(f"/dev/{name}")
    for name in ("sys", "sysrq-trigger", "irq", "bus"):
        path = f"/proc/{name}"
        if Path(path).exists():
            mount(path, path, "", MS_BIND, "")
            make_read_only(path)
    for name in HIDDEN:
        if Path(f"/proc/{name}").exists():
            mount("/dev/null", f"/proc/{name}", "", MS_BIND, "")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def make_read_only(path: str) -> None:
    """Make the mount at a path read-only, and leave what else is restricted in it as it is."""
    kept = os.statvfs(path).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mount("none", path, "", MS_BIND | MS_REMOUNT | MS_RDONLY | kept, "")


def mount(source: str, target: str, file_system: str, flags: int, options: str) -> None:
    """Call ``mount``."""
    texts = [text.encode() for text in (source, target, file_system)]
    call_libc("mount", *texts, ctypes.c_ulong(flags), options.encode())


def become_unprivileged(user: int | None) -> None:
    """Become a user who owns nothing: on the machine, or in a user namespace with no other user.

    Args:
        user: a user ID, where this process is root on the machine; ``None`` where it is not.
    """
    if user is not None:
        clear_bounding_set()
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        return
    call_libc("unshare", CLONE_NEWUSER)
    me = Path("/proc/self")
    (me / "setgroups").write_text("deny")
    for kind in ("uid_map", "gid_map"):
        (me / kind).write_text(f"{USER_INSIDE} 0 1")
    clear_bounding_set()


def drop_privileges(seccomp_filter: bytes) -> None:
    """Drop every capability for good, and install a seccomp filter on this process."""
    header = struct.pack("=Ii", _LINUX_CAPABILITY_VERSION_3, 0)
    call_libc("capset", header, bytes(24))
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    program = SockFprog(len(seccomp_filter) // INSTRUCTION_BYTES, seccomp_filter)
    call_libc("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program))


def clear_bounding_set() -> None:
    """Empty the capability bounding set, so that no program started later gains a capability."""
    for capability in range(int(Path("/proc/sys/kernel/cap_last_cap").read_text()) + 1):
        prctl(PR_CAPBSET_DROP, capability)
