"""Each submission is graded in a forked process; one that breaks does not affect the next."""

import itertools
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import deque
from importlib.machinery import ModuleSpec
from multiprocessing.spawn import get_preparation_data
from pathlib import Path
from types import ModuleType

import course_bank
import hostile_bank as bank
import pytest
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading import forked_grader
from softlookup_coursework.grading.reading import Reader
from softlookup_coursework.sandbox import enclosure
from softlookup_coursework.sandbox.processes import process_tree
from softlookup_coursework.sandbox.sandbox import NoSandbox
from waiting import wait_for


def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)


def read_without_end(*arguments):
    """One call in C, which no handler interrupts."""
    Reader(seconds=0.1, may_end=True).read(lambda: deque(itertools.repeat(0), maxlen=0), None)


def begin(assignment, submission, output):
    forked_grader.fork_grader(assignment, submission, output)


def identity(process):
    """A process's ID and start time, which identify it; nothing if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (process, int(fields[19]))


def cpu_seconds(process):
    """The CPU time of a process in seconds."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_grader_exits_when_its_parent_is_killed(tmp_path):
    """Its submission would run for two minutes, the limit of a cell."""
    (tmp_path / "assignment").mkdir()
    assignment = bank.write_assignment(tmp_path / "assignment")
    submission = bank.write_submission(tmp_path / "endless", bank.cells("while True: pass"))
    parent = multiprocessing.get_context("spawn").Process(
        target=begin, args=(assignment, submission, tmp_path / "out")
    )
    parent.start()
    # A start takes less than five seconds of CPU time: the process is in the endless loop.
    wait_for(lambda: any(cpu_seconds(member) > 5 for member in process_tree(parent.pid)))
    living = [known for known in map(identity, process_tree(parent.pid)) if known]
    assert len(living) > 3
    parent.kill()
    parent.join()
    started = time.monotonic()
    wait_for(lambda: not any(identity(process) == (process, start) for process, start in living))
    assert time.monotonic() - started < 30
    assert not (tmp_path / "out" / "result.json").exists()


def main_program_data():
    """The data with which a new process would import the main program again."""
    return {name for name in get_preparation_data("a grader") if name.startswith("init_main")}


@pytest.mark.parametrize(
    ("name", "value"),
    [("__file__", "/a/program.py"), ("__spec__", ModuleSpec("a.program", None))],
    ids=["a file", "a module"],
)
def test_a_forked_grader_does_not_import_the_main_program_again(name, value, monkeypatch):
    program = ModuleType("__main__")
    setattr(program, name, value)
    monkeypatch.setitem(sys.modules, "__main__", program)
    before, known = main_program_data(), dict(vars(program))
    assert before
    with forked_grader._main_module_hidden():
        assert not main_program_data()
    assert main_program_data() == before
    assert vars(program) == known


GREEDY = """

def module_agrees(Scaler):
    numbers = [int(number) for number in Scaler()]
    raise AssertionError(f"the grader took {len(numbers)} numbers")
"""


PLANTED = "from pathlib import Path\nPath(__file__).with_name('planted').touch()\nraise OSError"
# As the installed command begins, in whose path the working folder is not.
COMMAND = (
    "import sys; sys.path.remove(''); from softlookup_coursework.command_line import main; main()"
)


@pytest.mark.parametrize("kind", ["one", "grade"])
def test_no_file_is_imported_that_lies_where_the_teacher_stands(kind, tmp_path):
    here = tmp_path / "here"
    here.mkdir()
    for name in ("pickle", "socket", "tempfile", "torch"):
        (here / f"{name}.py").write_text(PLANTED)
    if kind == "one":
        (tmp_path / "assignment").mkdir()
        assignment = bank.write_assignment(tmp_path / "assignment")
        submission = bank.write_submission(tmp_path / "ada", bank.cells())
        arguments = ["one", assignment, submission, tmp_path / "result.json"]
    else:
        course = course_bank.make_course(tmp_path / "course", {"ada": {}})
        arguments = ["grade", "--course", course.folder, "--workers", "1"]
    ran = subprocess.run([sys.executable, "-c", COMMAND, *arguments], cwd=here, check=False)
    assert not (here / "planted").exists()
    assert ran.returncode == 0


def test_an_answer_cannot_make_its_grader_take_the_machines_memory(tmp_path):
    """The test takes several hundred bytes for each of the answer's 16 million."""
    (tmp_path / "assignment").mkdir()
    assignment = bank.write_assignment(tmp_path / "assignment")
    hidden = assignment / "tests" / "hidden.py"
    hidden.write_text(hidden.read_text() + GREEDY)
    large = "def Scaler(): return torch.ones(2**24, dtype=torch.bool)"
    submission = bank.write_submission(tmp_path / "large", bank.cells(module=large))
    result = forked_grader.fork_grader(assignment, submission, tmp_path / "out")
    assert (result.verdict, result.earned) == (Verdict.GRADED, 5.0)
    (message,) = [test.message for cell in result.cells for test in cell.tests if test.message]
    assert "cannot be compared" in message
    assert re.search("bad_alloc|memory", message, re.I)


def lack(assignment, submission, path, refusal, *others):
    refusal.write_text("bubblewrap is not installed")


def test_a_submission_that_breaks_its_grader_does_not_affect_the_next(tmp_path, monkeypatch):
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


def test_reading_that_nothing_interrupts_is_ended_and_the_student_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(forked_grader, "_run_grader", read_without_end)
    result = forked_grader.fork_grader(tmp_path / "assignment", tmp_path / "ada", tmp_path / "out")
    assert result.verdict == Verdict.NEEDS_A_HUMAN
    assert "longer to be read" in result.why


def test_what_is_read_in_time_leaves_the_processs_own_limit_as_it_was():
    before = resource.getrlimit(resource.RLIMIT_CPU)
    within = []
    Reader(may_end=True).read(lambda: within.append(resource.getrlimit(resource.RLIMIT_CPU)), None)
    assert resource.getrlimit(resource.RLIMIT_CPU) == before
    assert within[0][0] <= time.process_time() + 12
    Reader().read(lambda: within.append(resource.getrlimit(resource.RLIMIT_CPU)), None)
    assert within[1] == before


def test_an_assignment_that_a_submission_could_read_is_not_graded(tmp_path, monkeypatch):
    monkeypatch.setattr(enclosure, "python_folders", lambda: [tmp_path.resolve()])
    with pytest.raises(NoSandbox, match="where every submission can read it"):
        forked_grader.fork_grader(tmp_path / "assignment", tmp_path / "ada", tmp_path / "out")


READY = """
import sys, torch
from softlookup_coursework.grading import prepared
print("torch._dynamo" in sys.modules, torch.get_num_threads())
"""


def test_the_fork_server_has_made_the_first_step_on_one_thread():
    assert forked_grader.PREPARED == "softlookup_coursework.grading.prepared"
    ran = subprocess.run(
        [sys.executable, "-c", READY],
        env=os.environ | {"OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split() == ["True", "1"]
