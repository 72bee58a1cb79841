"""A process for each submission; one that breaks is a verdict, and the next is graded."""

import multiprocessing
import os
import signal
import sys
import time
from importlib.machinery import ModuleSpec
from multiprocessing.spawn import get_preparation_data
from pathlib import Path
from types import ModuleType

import hostile_bank as bank
import pytest
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading import forked_grader
from softlookup_coursework.sandbox.processes import family
from softlookup_coursework.sandbox.sandbox import NoSandbox
from waiting import wait_for


def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)


def begin(assignment, submission, output):
    forked_grader.fork_grader(assignment, submission, output)


def born(process):
    """A process's number and birth, by which it is known again; nothing if it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (process, int(fields[19]))


def worked(process):
    """How many seconds a process has computed."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_grader_whose_parent_is_killed_ends_at_once(tmp_path):
    """Its submission would go on for two minutes, the limit of a cell."""
    (tmp_path / "assignment").mkdir()
    assignment = bank.write_assignment(tmp_path / "assignment")
    submission = bank.write_submission(tmp_path / "endless", bank.cells("while True: pass"))
    parent = multiprocessing.get_context("spawn").Process(
        target=begin, args=(assignment, submission, tmp_path / "out")
    )
    parent.start()
    # No start takes so long: whoever has computed for five seconds is in the endless loop.
    wait_for(lambda: any(worked(member) > 5 for member in family(parent.pid)))
    living = [known for known in map(born, family(parent.pid)) if known]
    assert len(living) > 3
    parent.kill()
    parent.join()
    started = time.monotonic()
    wait_for(lambda: not any(born(process) == (process, birth) for process, birth in living))
    assert time.monotonic() - started < 30
    assert not (tmp_path / "out" / "result.json").exists()


def told_of_the_program():
    """What a new process is told of the program that it belongs to, to run it once more."""
    return {name for name in get_preparation_data("a grader") if name.startswith("init_main")}


@pytest.mark.parametrize(
    ("name", "value"),
    [("__file__", "/a/program.py"), ("__spec__", ModuleSpec("a.program", None))],
    ids=["a file", "a module"],
)
def test_a_grader_does_not_run_the_program_that_asked_for_it(name, value, monkeypatch):
    program = ModuleType("__main__")
    setattr(program, name, value)
    monkeypatch.setitem(sys.modules, "__main__", program)
    before, known = told_of_the_program(), dict(vars(program))
    assert before
    with forked_grader._main_module_hidden():
        assert not told_of_the_program()
    assert told_of_the_program() == before
    assert vars(program) == known


def lack(assignment, submission, path, refusal, *others):
    refusal.write_text("bubblewrap is not installed")


def test_submissions_one_after_another(tmp_path, monkeypatch):
    (tmp_path / "assignment").mkdir()
    assignment = bank.write_assignment(tmp_path / "assignment")
    good = bank.write_submission(tmp_path / "good", bank.cells())
    broken = bank.write_submission(tmp_path / "broken", b"no notebook")

    result = forked_grader.fork_grader(assignment, good, tmp_path / "out1")
    assert (result.verdict, result.earned) == (Verdict.GRADED, 8.0)
    assert Result.read(tmp_path / "out1" / "result.json") == result
    result = forked_grader.fork_grader(assignment, broken, tmp_path / "out2")
    assert (result.verdict, result.earned, result.points) == (Verdict.UNREADABLE, 0.0, 13.0)

    monkeypatch.setattr(forked_grader, "_run_grader", die)
    result = forked_grader.fork_grader(
        assignment, good, tmp_path / "out1", RunLimits(wall_seconds=5)
    )
    assert result.verdict == Verdict.NEEDS_A_HUMAN
    assert "ended with -9" in result.why
    assert Result.read(tmp_path / "out1" / "result.json").earned == 0.0

    monkeypatch.setattr(forked_grader, "_run_grader", lack)
    with pytest.raises(NoSandbox, match="bubblewrap"):
        forked_grader.fork_grader(assignment, good, tmp_path / "out1")
