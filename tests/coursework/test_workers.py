"""A process for each submission; one that breaks is a verdict, and the next is graded."""

import os
import signal

import hostile_bank as bank
import pytest
from softlookup_coursework import workers
from softlookup_coursework.limits import RunLimits
from softlookup_coursework.sandbox import NoSandbox
from softlookup_coursework.verdicts import Result, Verdict


def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)


def lack(assignment, submission, path, refusal, *others):
    refusal.write_text("bubblewrap is not installed")


def test_submissions_one_after_another(tmp_path, monkeypatch):
    (tmp_path / "assignment").mkdir()
    assignment = bank.write_assignment(tmp_path / "assignment")
    good = bank.write_submission(tmp_path / "good", bank.cells())
    broken = bank.write_submission(tmp_path / "broken", b"no notebook")

    result = workers.grade_apart(assignment, good, tmp_path / "out1")
    assert (result.verdict, result.earned) == (Verdict.GRADED, 8.0)
    assert Result.read(tmp_path / "out1" / "result.json") == result
    result = workers.grade_apart(assignment, broken, tmp_path / "out2")
    assert (result.verdict, result.earned, result.points) == (Verdict.UNREADABLE, 0.0, 13.0)

    monkeypatch.setattr(workers, "_grade", die)
    result = workers.grade_apart(assignment, good, tmp_path / "out1", RunLimits(wall_seconds=5))
    assert result.verdict == Verdict.NEEDS_A_HUMAN
    assert "ended with -9" in result.why
    assert Result.read(tmp_path / "out1" / "result.json").earned == 0.0

    monkeypatch.setattr(workers, "_grade", lack)
    with pytest.raises(NoSandbox, match="bubblewrap"):
        workers.grade_apart(assignment, good, tmp_path / "out1")
