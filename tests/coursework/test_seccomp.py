"""The seccomp filter, interpreted as the kernel does, and the kernel's constants."""

import errno
import re
import struct
from pathlib import Path

import pytest
from softlookup_coursework.sandbox import seccomp
from softlookup_coursework.sandbox.inside import privileges

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def decide(program, number, architecture, first_argument=0):
    """What the filter returns for a system call: an interpreter of its instructions."""
    lines = list(struct.iter_unpack("=HBBI", program))
    data = {0: number, 4: architecture, 16: first_argument}
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
    denied = {numbers[column] for numbers in seccomp.DENIED.values()}
    assert len(denied) == len(seccomp.DENIED)
    clone = (56, 220)[column]
    for number in range(500):
        answer = decide(program, number, audit)
        if number in denied:
            assert answer == 0x00050000 | errno.EPERM
        elif number == 435:
            assert answer == 0x00050000 | errno.ENOSYS
        else:
            assert answer == 0x7FFF0000
    assert decide(program, clone, audit, 0x00000011) == 0x7FFF0000
    assert decide(program, clone, audit, 0x003D0F00) == 0x7FFF0000  # a thread
    prlimit = (302, 261)[column]
    assert decide(program, prlimit, audit, 0) == 0x7FFF0000  # of itself
    assert decide(program, prlimit, audit, 1) == 0x00050000 | errno.EPERM
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(program, clone, audit, flag | 0x11) == 0x00050000 | errno.EPERM


def test_system_calls_of_another_architecture_kill_the_process():
    program = seccomp.program("x86_64")
    assert decide(program, 0, AUDIT["aarch64"]) == 0x80000000
    assert decide(program, 0x40000000, AUDIT["x86_64"]) == 0x80000000


def test_an_unknown_machine_is_an_error():
    with pytest.raises(ValueError, match="expected one of x86_64, aarch64"):
        seccomp.program("z80")


INCLUDE = Path("/usr/include")
HEADERS = ("audit", "bpf_common", "capability", "elf-em", "if", "mount", "prctl", "sched",
           "seccomp", "sockios")  # fmt: skip
PREFIXES = ("__AUDIT_", "BPF_", "CLONE_", "EM_", "IFF_", "_LINUX_", "MS_", "PR_", "SECCOMP_",
            "SIOC")  # fmt: skip
# `#define NAME 0x10`, `#define NAME (1<<18)`, and in an enumeration `NAME = 1<<0`.
DEFINITION = re.compile(
    r"^(?:#\s*define\s+(\w+)\s+|\s*(\w+)\s*=\s*)\(?(0x[0-9a-fA-F]+|\d+)U?(?:\s*<<\s*(\d+))?", re.M
)
with_headers = pytest.mark.skipif(
    not (INCLUDE / "linux/sched.h").is_file(), reason="the kernel's headers are not installed"
)


def defined(*headers):
    """The integers that some headers define, by name."""
    found = {}
    for header in headers:
        for macro, member, number, shift in DEFINITION.findall(header.read_text()):
            found[macro or member] = int(number, 0) << int(shift or 0)
    return found


@with_headers
@pytest.mark.parametrize("module", [seccomp, privileges], ids=lambda module: module.__name__)
def test_the_constants_are_those_of_the_kernels_headers(module):
    ours = {name: value for name, value in vars(module).items() if name.startswith(PREFIXES)}
    theirs = defined(*(INCLUDE / "linux" / f"{name}.h" for name in HEADERS))
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
              "prlimit64": seccomp.PRLIMIT64}  # fmt: skip
    theirs = defined(path)
    assert {name: numbers[column] for name, numbers in listed.items()} == {
        name: theirs[f"__NR_{name}"] for name in listed
    }
