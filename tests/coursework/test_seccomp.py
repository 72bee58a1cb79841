"""The seccomp filter, interpreted instruction by instruction as the kernel does."""

import errno
import struct

import pytest
from softlookup_coursework.sandbox import seccomp

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
