"""The seccomp filter, interpreted as the kernel does, and the kernel's constants."""

import errno
import re
import struct
from pathlib import Path

import pytest
from softlookup_coursework.sandbox import seccomp
from softlookup_coursework.sandbox.inside import privileges

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


ALLOWED, FAILS = 0x7FFF0000, 0x00050000


def decide(program, number, architecture, *arguments):
    """What the filter returns for a system call: an interpreter of its instructions."""
    lines = list(struct.iter_unpack("=HBBI", program))
    data = {0: number, 4: architecture}
    data |= {16 + 8 * n: value for n, value in enumerate((*arguments, 0, 0, 0, 0)[:4])}
    at = accumulator = 0
    tests = {
        0x15: lambda value: accumulator == value,
        0x35: lambda value: accumulator >= value,
        0x45: lambda value: bool(accumulator & value),
    }
    while True:
        code, skip_if, skip_unless, value = lines[at]
        at += 1
        if code == 0x06:
            return value
        if code == 0x20:
            accumulator = data[value]
        else:
            at += skip_if if tests[code](value) else skip_unless


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_exactly_the_listed_system_calls_are_denied(machine, column):
    program, audit = seccomp.program(machine), AUDIT[machine]
    denied = [numbers[column] for numbers in seccomp.DENIED.values() if numbers[column] is not None]
    assert len(set(denied)) == len(denied)
    clone = (56, 220)[column]
    unix = 1  # the first argument of ``socket``
    for number in range(500):
        answer = decide(program, number, audit, unix * (number in SOCKETS[column]))
        if number in denied:
            assert answer == FAILS | errno.EPERM
        elif number in (435, (73, 32)[column]):
            assert answer == FAILS | errno.ENOSYS
        else:
            assert answer == ALLOWED
    assert decide(program, clone, audit, 0x00000011) == 0x7FFF0000
    assert decide(program, clone, audit, 0x003D0F00) == 0x7FFF0000  # a thread
    prlimit = (302, 261)[column]
    assert decide(program, prlimit, audit, 0) == 0x7FFF0000  # of itself
    assert decide(program, prlimit, audit, 1) == 0x00050000 | errno.EPERM
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(program, clone, audit, flag | 0x11) == 0x00050000 | errno.EPERM


SOCKETS = ((41, 53), (198, 199))


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_of_all_families_of_sockets_only_unix_is_allowed(machine, column):
    program, audit = seccomp.program(machine), AUDIT[machine]
    for number in SOCKETS[column]:
        answers = [decide(program, number, audit, family, 1) for family in range(64)]
        assert answers.pop(1) == ALLOWED
        assert set(answers) == {FAILS | errno.EAFNOSUPPORT}


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_shared_memory_needs_a_file_and_files_tell_nothing_of_neighbours(machine, column):
    program, audit = seccomp.program(machine), AUDIT[machine]
    mmap, fcntl = ((9, 72), (222, 25))[column]
    shared, private, validated, anonymous = 0x01, 0x02, 0x03, 0x20
    for flags in (shared, private, validated, private | anonymous, private | anonymous | 0x4000):
        assert decide(program, mmap, audit, 0, 4096, 3, flags) == ALLOWED
    for flags in (shared | anonymous, validated | anonymous, shared | anonymous | 0x8000):
        assert decide(program, mmap, audit, 0, 4096, 3, flags) == FAILS | errno.EPERM
    locks = {5, 6, 7, 36, 37, 38}  # F_GETLK, F_SETLK, F_SETLKW, and what F_OFD_ has of each
    watching = locks | {1024, 1026, 1036}  # F_SETLEASE, F_NOTIFY, a hint
    for command in (*range(48), *range(1024, 1048)):
        answer = decide(program, fcntl, audit, 3, command)
        assert answer == (FAILS | errno.EPERM if command in watching else ALLOWED), command


def test_system_calls_of_another_architecture_kill_the_process():
    program = seccomp.program("x86_64")
    assert decide(program, 0, AUDIT["aarch64"]) == 0x80000000
    assert decide(program, 0x40000000, AUDIT["x86_64"]) == 0x80000000


def test_an_unknown_machine_is_an_error():
    with pytest.raises(ValueError, match="expected one of x86_64, aarch64"):
        seccomp.program("z80")


INCLUDE = Path("/usr/include")
HEADERS = ("linux/audit", "linux/bpf_common", "linux/capability", "linux/elf-em", "linux/fcntl",
           "linux/if", "linux/mman", "linux/mount", "linux/prctl", "linux/sched", "linux/seccomp",
           "linux/sockios", "asm-generic/fcntl", "asm-generic/mman-common")  # fmt: skip
PREFIXES = ("__AUDIT_", "BPF_", "CLONE_", "EM_", "F_", "IFF_", "_LINUX_", "MAP_", "MS_", "PR_",
            "SECCOMP_", "SIOC")  # fmt: skip
# `#define NAME 0x10`, `#define NAME (1<<18)`, and in an enumeration `NAME = 1<<0`.
DEFINITION = re.compile(
    r"^(?:#\s*define\s+(\w+)\s+|\s*(\w+)\s*=\s*)\(?(0x[0-9a-fA-F]+|\d+)U?(?:\s*<<\s*(\d+))?", re.M
)
# `#define NAME (OTHER + 2)`.
SUM = re.compile(r"^#\s*define\s+(\w+)\s+\((\w+)\s*\+\s*(\d+)\)", re.M)
with_headers = pytest.mark.skipif(
    not (INCLUDE / "linux/sched.h").is_file(), reason="the kernel's headers are not installed"
)


def defined(*headers):
    """The integers that some headers define, by name."""
    found = {}
    for header in headers:
        for macro, member, number, shift in DEFINITION.findall(header.read_text()):
            octal = re.fullmatch(r"0\d+", number)
            found[macro or member] = int(number, 8 if octal else 0) << int(shift or 0)
    for header in headers:
        for name, other, number in SUM.findall(header.read_text()):
            found[name] = found[other] + int(number)
    return found


@with_headers
@pytest.mark.parametrize("module", [seccomp, privileges], ids=lambda module: module.__name__)
def test_the_constants_are_those_of_the_kernels_headers(module):
    ours = {name: value for name, value in vars(module).items() if name.startswith(PREFIXES)}
    theirs = defined(*(INCLUDE / f"{name}.h" for name in HEADERS))
    assert len(ours) >= 20
    assert {name: hex(value) for name, value in ours.items()} == {
        name: hex(theirs[name]) for name in ours
    }


@with_headers
@pytest.mark.parametrize(
    ("header", "column"),
    [("x86_64-linux-gnu/asm/unistd_64.h", 0), ("asm-generic/unistd.h", 1)],
    ids=["x86_64", "aarch64"],
)
def test_the_system_calls_have_the_numbers_of_the_kernels_headers(header, column):
    path = INCLUDE / header
    if not path.is_file():
        pytest.skip(f"{path} is not installed")
    listed = {**seccomp.DENIED, "clone": seccomp.CLONE, "clone3": seccomp.CLONE3,
              "prlimit64": seccomp.PRLIMIT64, "socket": seccomp.SOCKET,
              "socketpair": seccomp.SOCKETPAIR, "mmap": seccomp.MMAP, "fcntl": seccomp.FCNTL,
              "flock": seccomp.FLOCK}  # fmt: skip
    theirs = defined(path)
    # The generic table has other names for calls that differ on machines of 32 bits.
    theirs |= {name.replace("3264", ""): number for name, number in theirs.items()}
    # A call that is newer than the headers has a greater number than all of theirs.
    theirs.pop("__NR_syscalls", None)
    newest = max(number for name, number in theirs.items() if name.startswith("__NR_"))
    ours = {name: numbers[column] for name, numbers in listed.items()}
    ours = {name: number for name, number in ours.items() if number is None or number <= newest}
    assert ours == {name: theirs.get(f"__NR_{name}") for name in ours}
