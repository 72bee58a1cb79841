"""Without a sandbox: only if told so in so many words, and every result says so."""

import time
from dataclasses import replace
from pathlib import Path

import hostile_bank as bank
import pytest
from softlookup_coursework.grading import workers
from softlookup_coursework.limits import MEBIBYTE, RunLimits
from softlookup_coursework.sandbox import enclosure, processes, zygote
from softlookup_coursework.sandbox.channel import Channel, Ended, Remote
from softlookup_coursework.sandbox.sandbox import NoSandbox, Sandbox
from softlookup_coursework.verdicts import Result, Verdict

OPEN = RunLimits(enclosed=False, memory_bytes=600 * MEBIBYTE)
CHILDREN = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        time.sleep(60)
"""


@pytest.fixture
def assignment(tmp_path):
    (tmp_path / "assignment").mkdir()
    return bank.write_assignment(tmp_path / "assignment")


def test_it_grades_as_the_sandbox_does_and_says_what_it_lacks(assignment, tmp_path, monkeypatch):
    monkeypatch.setattr(enclosure, "bubblewrap", lambda: None)
    zygote.end()
    good = bank.write_submission(tmp_path / "good", bank.cells(), {"data.txt": b"here"})
    with pytest.raises(NoSandbox, match="apt-get install bubblewrap"):
        workers.grade_apart(assignment, good, tmp_path / "out")
    for submission, verdict, earned in (
        (good, Verdict.GRADED, 8.0),
        (bank.write_submission(tmp_path / "bad", b"{"), Verdict.UNREADABLE, 0.0),
    ):
        result = workers.grade_apart(assignment, submission, tmp_path / "out", OPEN)
        assert (result.verdict, result.earned) == (verdict, earned)
        assert result.notes[0].startswith("graded without a sandbox")
        assert Result.read(tmp_path / "out" / "result.json").notes == result.notes


def test_no_process_and_no_file_is_left():
    with Sandbox(OPEN) as running:
        channel = Channel(running)
        assert not channel.run(CHILDREN + "\nopen('mine', 'w').write('x')").error
        channel.run("def where(): return os.getcwd()")
        folder = Path(Remote(channel, "where")())
        assert (folder / "mine").exists()
        members = processes.family(running.first)
        assert len(members) >= 5
    assert not [member for member in members if Path(f"/proc/{member}").exists()]
    assert not folder.exists()


def test_memory_and_time_are_bound_all_the_same():
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
