"""A seccomp filter of system calls, for what namespaces and limits leave open.

Without it a submission could allocate memory that is charged to no process (a System V segment, a
``memfd``, shared memory without a file), take what the whole machine has once (slots of AIO), make
itself further shares of the processor (a session each), watch or signal its neighbours by what all
share (``inotify``, locks on files and devices), and reach more of the kernel than any exercise
needs.

A call on the list fails with ``EPERM``. Of the families of sockets only ``AF_UNIX`` is left.
``clone3`` and ``flock`` fail with ``ENOSYS``, upon which the C library falls back to ``clone``,
whose flags a filter can read, and programs say that there are no locks.

Source: the constants bear the names and values of the kernel's headers, which are
``linux/bpf_common.h`` (``BPF_*``), ``seccomp.h``, ``audit.h``, ``elf-em.h``, ``sched.h``,
``asm-generic/mman-common.h`` and ``linux/mman.h`` (``MAP_*``), ``asm-generic/fcntl.h`` and
``linux/fcntl.h`` (``F_*``), and ``asm/unistd.h``.
"""

import errno
import platform
import struct
from socket import AF_UNIX

BPF_LD, BPF_JMP, BPF_RET = 0x00, 0x05, 0x06
BPF_W, BPF_ABS, BPF_K = 0x00, 0x20, 0x00
BPF_JEQ, BPF_JGE, BPF_JSET = 0x10, 0x30, 0x40
LOAD, RETURN = BPF_LD | BPF_W | BPF_ABS, BPF_RET | BPF_K
JUMP_IF_EQUAL, JUMP_IF_AT_LEAST = BPF_JMP | BPF_JEQ | BPF_K, BPF_JMP | BPF_JGE | BPF_K
JUMP_IF_ANY_BIT = BPF_JMP | BPF_JSET | BPF_K
# Offsets in a ``struct seccomp_data``: ``nr``, ``arch``, and the low halves of three ``args``.
OFFSET_NR, OFFSET_ARCH, OFFSET_ARGS_0, OFFSET_ARGS_1, OFFSET_ARGS_3 = 0, 4, 16, 24, 40
SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO = 0x7FFF0000, 0x00050000
SECCOMP_RET_KILL_PROCESS = 0x80000000

CLONE_NEWNS, CLONE_NEWCGROUP = 0x0002_0000, 0x0200_0000
CLONE_NEWUTS, CLONE_NEWIPC = 0x0400_0000, 0x0800_0000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x1000_0000, 0x2000_0000, 0x4000_0000
NEW_NAMESPACES = (
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
    | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
)  # fmt: skip
__X32_SYSCALL_BIT = 0x40000000
MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20
F_GETLK, F_SETLK, F_SETLKW = 5, 6, 7
F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW = 36, 37, 38
F_LINUX_SPECIFIC_BASE = 1024
F_SETLEASE, F_NOTIFY = F_LINUX_SPECIFIC_BASE + 0, F_LINUX_SPECIFIC_BASE + 2
F_SET_RW_HINT = F_LINUX_SPECIFIC_BASE + 12
# Commands of ``fcntl`` that tell of other processes with the same file, who locks it and who opens
# it: who asks for a lock is told that too, and may write to the devices, which all share. And one
# that leaves a mark on a file, which older kernels let everybody leave who reads it.
WATCHING_A_FILE = (
    F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW,
    F_SETLEASE, F_NOTIFY, F_SET_RW_HINT,
)  # fmt: skip

EM_X86_64, EM_AARCH64 = 62, 183
__AUDIT_ARCH_64BIT, __AUDIT_ARCH_LE = 0x80000000, 0x40000000
AUDIT_ARCH_X86_64 = EM_X86_64 | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE
AUDIT_ARCH_AARCH64 = EM_AARCH64 | __AUDIT_ARCH_64BIT | __AUDIT_ARCH_LE

# For each machine its audit value, and its column in the tables of system-call numbers below.
ARCHITECTURES = {"x86_64": (AUDIT_ARCH_X86_64, 0), "aarch64": (AUDIT_ARCH_AARCH64, 1)}
CLONE, CLONE3, PRLIMIT64 = (56, 220), (435, 435), (302, 261)
SOCKET, SOCKETPAIR, MMAP, FCNTL, FLOCK = (41, 198), (53, 199), (9, 222), (72, 25), (73, 32)
# ``None`` where a machine has no such call.
DENIED: dict[str, tuple[int, int | None]] = {
    "acct": (163, 89), "add_key": (248, 217), "bpf": (321, 280), "cachestat": (451, 451),
    "chroot": (161, 51), "delete_module": (176, 106), "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fsopen": (430, 430),
    "init_module": (175, 105), "inotify_add_watch": (254, 27), "inotify_init": (253, None),
    "inotify_init1": (294, 26), "io_setup": (206, 0), "io_submit": (209, 2),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "io_uring_setup": (425, 425),
    "ioperm": (173, None), "iopl": (172, None), "kcmp": (312, 272),
    "kexec_file_load": (320, 294), "kexec_load": (246, 104), "keyctl": (250, 219),
    "lookup_dcookie": (212, 18), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "mincore": (27, 232), "modify_ldt": (154, None), "mount": (165, 40),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "mq_open": (240, 180),
    "msgget": (68, 186), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "open_tree": (428, 428), "perf_event_open": (298, 241), "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41), "process_madvise": (440, 440), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "ptrace": (101, 117), "quotactl": (179, 60),
    "quotactl_fd": (443, 443), "reboot": (169, 142), "request_key": (249, 218),
    "semget": (64, 190), "setns": (308, 268), "setsid": (112, 157), "shmat": (30, 196),
    "shmctl": (31, 195), "shmget": (29, 194), "swapon": (167, 224), "syslog": (103, 116),
    "umount2": (166, 39), "unshare": (272, 97), "userfaultfd": (323, 282),
    "preadv2": (327, 286), "vmsplice": (278, 75),
}  # fmt: skip


def program(machine: str = "") -> bytes:
    """The filter in the form that the kernel and ``bwrap --seccomp`` take.

    Args:
        machine: the architecture, as ``platform.machine`` names it; this one's if empty.

    Raises:
        ValueError: for an architecture whose system-call numbers are not in the table.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        raise ValueError(f"{machine}: expected one of {', '.join(ARCHITECTURES)}")
    audit, column = ARCHITECTURES[machine]
    instructions = [
        _instruction(LOAD, OFFSET_ARCH),
        _instruction(JUMP_IF_EQUAL, audit, skip_if=1),
        _instruction(RETURN, SECCOMP_RET_KILL_PROCESS),
        _instruction(LOAD, OFFSET_NR),
        _instruction(JUMP_IF_AT_LEAST, __X32_SYSCALL_BIT, skip_unless=1),
        _instruction(RETURN, SECCOMP_RET_KILL_PROCESS),
    ]
    for numbers in DENIED.values():
        if (number := numbers[column]) is not None:
            instructions += _call(number, _fail(errno.EPERM))
    allow = _instruction(RETURN, SECCOMP_RET_ALLOW)
    for numbers in (CLONE3, FLOCK):
        instructions += _call(numbers[column], _fail(errno.ENOSYS))
    for numbers in (SOCKET, SOCKETPAIR):
        instructions += _call(
            numbers[column],
            _instruction(LOAD, OFFSET_ARGS_0),
            _instruction(JUMP_IF_EQUAL, AF_UNIX, skip_if=1),
            _fail(errno.EAFNOSUPPORT),
            allow,
        )
    instructions += [
        # A process may limit itself, but no other of the same user: the first process must not be
        # starved. A process ID of 0 means the caller.
        *_call(
            PRLIMIT64[column],
            _instruction(LOAD, OFFSET_ARGS_0),
            _instruction(JUMP_IF_EQUAL, 0, skip_if=1),
            _fail(errno.EPERM),
            allow,
        ),
        *_call(
            CLONE[column],
            _instruction(LOAD, OFFSET_ARGS_0),
            _instruction(JUMP_IF_ANY_BIT, NEW_NAMESPACES, skip_unless=1),
            _fail(errno.EPERM),
            allow,
        ),
        # Shared memory without a file stays allocated when no process maps it, and is then in
        # nobody's resident set. ``MAP_SHARED_VALIDATE`` has the bit of ``MAP_SHARED``.
        *_call(
            MMAP[column],
            _instruction(LOAD, OFFSET_ARGS_3),
            _instruction(JUMP_IF_ANY_BIT, MAP_ANONYMOUS, skip_unless=2),
            _instruction(JUMP_IF_ANY_BIT, MAP_SHARED, skip_unless=1),
            _fail(errno.EPERM),
            allow,
        ),
    ]
    commands = [
        _instruction(JUMP_IF_EQUAL, command, skip_if=len(WATCHING_A_FILE) - place)
        for place, command in enumerate(WATCHING_A_FILE)
    ]
    instructions += _call(
        FCNTL[column], _instruction(LOAD, OFFSET_ARGS_1), *commands, allow, _fail(errno.EPERM)
    )
    return b"".join([*instructions, allow])


def _call(number: int, *block: bytes) -> list[bytes]:
    """Instructions that run a block for one system call; the block ends with a return."""
    return [_instruction(JUMP_IF_EQUAL, number, skip_unless=len(block)), *block]


def _fail(number: int) -> bytes:
    """The instruction that makes a call fail with an error number."""
    return _instruction(RETURN, SECCOMP_RET_ERRNO | number)


def _instruction(code: int, value: int, skip_if: int = 0, skip_unless: int = 0) -> bytes:
    """One ``struct sock_filter``; a jump skips so many instructions if its test holds or fails."""
    return struct.pack("=HBBI", code, skip_if, skip_unless, value)
