"""Grading without a sandbox: only on request, and every result has a note about it."""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import hostile_bank as bank
import pytest
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading import forked_grader
from softlookup_coursework.sandbox import enclosure, processes, zygote
from softlookup_coursework.sandbox.channel import Channel, Ended, Remote
from softlookup_coursework.sandbox.sandbox import NoSandbox, Sandbox
from waiting import wait_until_gone

OPEN = RunLimits(enclosed=False, memory_bytes=600 * MEBIBYTE)
CHILDREN = """
import os, time
reading, writing = os.pipe()
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        os.fork()
        os.write(writing, b"x")
        time.sleep(60)
started = sum(len(os.read(reading, 1)) for _ in range(4))
open("mine", "w").write("x")
"""
BEFORE = """
import os, signal, socket, time
from pathlib import Path
from softlookup_coursework.sandbox.inside import first_process, privileges

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def live(*given):
    time.sleep(60)
    os._exit(0)
"""
# Each child has ended before it is killed.
TOO_LATE = """
end = os.kill
def too_late(process, how):
    end(process, how)
    while Path(f"/proc/{process}").exists():
        time.sleep(0.01)
    end(process, how)

privileges.prctl(privileges.PR_SET_CHILD_SUBREAPER, 1)
for _ in range(3):
    if os.fork() == 0:
        live()
os.kill = too_late
first_process.kill_descendants()
"""
THE_LIFELINE_IS_CLOSED = """
first_process.serve = live
(stream, _), (lifeline, other) = socket.socketpair(), socket.socketpair()
other.close()
try:
    first_process.run({"enclosed": False}, stream, lifeline)
except BrokenPipeError:
    print("broken pipe,", end=" ")
"""
AFTER = """
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no process is left")
"""


@pytest.fixture
def assignment(tmp_path):
    (tmp_path / "assignment").mkdir()
    return bank.write_assignment(tmp_path / "assignment")


def test_the_marks_equal_the_sandboxs_and_a_note_is_added(assignment, tmp_path, monkeypatch):
    monkeypatch.setattr(enclosure, "bubblewrap_path", lambda: None)
    zygote.close_all()
    good = bank.write_submission(tmp_path / "good", bank.cells(), {"data.txt": b"here"})
    with pytest.raises(NoSandbox, match="apt-get install bubblewrap"):
        forked_grader.fork_grader(assignment, good, tmp_path / "out")
    for submission, verdict, earned in (
        (good, Verdict.GRADED, 8.0),
        (bank.write_submission(tmp_path / "bad", b"{"), Verdict.UNREADABLE, 0.0),
    ):
        result = forked_grader.fork_grader(assignment, submission, tmp_path / "out", OPEN)
        assert (result.verdict, result.earned) == (verdict, earned)
        assert result.notes[0].startswith("graded without a sandbox")
        assert Result.read(tmp_path / "out" / "result.json").notes == result.notes


def test_no_process_and_no_file_is_left():
    with Sandbox(OPEN) as running:
        channel = Channel(running)
        assert not channel.run(CHILDREN).error
        channel.run("def where(): return os.getcwd()")
        folder = Path(Remote(channel, "where")())
        assert (folder / "mine").exists()
        members = processes.process_tree(running.first)
        # The first process, the kernel, and four in sessions of their own.
        assert len(members) == 6
    wait_until_gone(members)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("what", "printed"),
    [
        (TOO_LATE, "no process is left\n"),
        (THE_LIFELINE_IS_CLOSED, "broken pipe, no process is left\n"),
    ],
    ids=["a child ends before it is killed", "the grader ends before the first message"],
)
def test_no_process_is_left_after_a_race(what, printed):
    program = BEFORE + what + AFTER
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == (printed, "")


def test_memory_and_time_are_limited_without_a_sandbox():
    with Sandbox(replace(OPEN, memory_bytes=400 * MEBIBYTE)) as running:
        with pytest.raises(Ended):
            Channel(running).run("hoard = bytes(1) * 450_000_000; import time; time.sleep(60)")
        assert running.ended is not None
        assert running.ended[0] == Verdict.OUT_OF_MEMORY
    start = time.monotonic()
    with Sandbox(replace(OPEN, wall_seconds=3)) as running:
        with pytest.raises(Ended):
            Channel(running).run("import time; time.sleep(100)")
        assert running.ended is not None
        assert running.ended[0] == Verdict.TIMED_OUT
    assert time.monotonic() - start < 60
