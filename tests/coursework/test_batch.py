"""A batch that is killed at any point and started again ends with the same marks."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import course_bank
import hostile_bank as bank
import pytest
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.commands.giving import release
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.locks import locked
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.common.usage_error import UsageError
from softlookup_coursework.common.verdicts import CellResult, Result, Verdict
from softlookup_coursework.grading import batch, gradebook, job
from softlookup_coursework.grading.batch import Batch, start_workers
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.grading.receive import receive
from softlookup_coursework.sandbox import processes
from softlookup_coursework.sandbox.sandbox import NoSandbox
from waiting import wait_for

SLOWLY = "import time\ntime.sleep(1)\n"
RIGHT, WRONG = 3.0, 1.0
STANDARD = RunLimits()


def processes_with(word):
    """The processes whose command line or environment holds a word."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "cmdline").read_bytes() + (folder / "environ").read_bytes()
        except OSError:
            continue
        if word.encode() in text:
            found.append(int(folder.name))
    return found


class Instead:
    """A stand-in for the workers that grades without a sandbox."""

    def __init__(self, **outcomes):
        self.outcomes, self.asked = outcomes, []

    def nthreads(self):
        return {"one": 1}

    def scatter(self, value, broadcast):
        return value

    def submit(self, function, assignment, submission, limits, version, **options):
        assert function is job.run
        student = next(s for s in self.outcomes if f"-{s}-" in options["key"])
        self.asked.append(student)
        return (self, student)


@pytest.fixture
def instead(monkeypatch):
    """A stand-in for a cluster that returns given outcomes."""

    class Future:
        def __init__(self, outcome):
            self.outcome = outcome

        def exception(self):
            return self.outcome if isinstance(self.outcome, Exception) else None

        def result(self):
            return self.outcome

    class Completed(list):
        def __init__(self, futures, raise_errors):
            super().__init__(futures)

        def __iter__(self):
            while self:
                yield self.pop(0)

        add = list.append

    def make(**outcomes):
        client = Instead(**outcomes)
        plain = client.submit

        def submit(*given, **options):
            outcome = outcomes[plain(*given, **options)[1]]
            # A list holds what comes of each try.
            return Future(outcome.pop(0) if isinstance(outcome, list) else outcome)

        client.submit = submit
        monkeypatch.setattr(batch, "as_completed", Completed)
        return client

    return make


def done(earned=3.0, verdict=Verdict.GRADED, **others):
    """What a worker returns."""
    result = Result(verdict, "", (CellResult("test_scale", 3.0, earned),), **others)
    folder = Path(os.environ["PYTEST_FOLDER"])
    result.write(folder / "result.json")
    return {"result.json": (folder / "result.json").read_bytes(), "graded.ipynb": b"{}"}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_FOLDER", str(tmp_path))


def test_what_is_handed_in_while_it_is_graded_is_graded_the_next_time(tmp_path, instead):
    course = course_bank.make_course(tmp_path, {"ada": {}})
    outcome = done()

    class Meanwhile(dict):
        def __contains__(self, name):
            course_bank.put(course, "ada", handed_in="another")
            return super().__contains__(name)

    list(Batch(course, "scales").dispatch(instead(ada=Meanwhile(outcome))))
    assert not Batch(course, "scales").kept()


def test_a_result_is_kept_until_one_of_its_inputs_changes(tmp_path, instead):
    course = course_bank.make_course(tmp_path, {"ada": {}, "max": {}})

    def asked(limits=STANDARD, again=False):
        client = instead(ada=done(), max=done())
        graded = list(Batch(course, "scales", limits, again).dispatch(client))
        assert {one.student for one in graded} == {"ada", "max"}
        assert {one.student for one in graded if not one.kept} == set(client.asked)
        return sorted(client.asked)

    assert asked() == ["ada", "max"]
    assert asked() == []
    assert asked(again=True) == ["ada", "max"]
    place = course.folder / "collected/scales/max"
    (place / "files" / "data.txt").write_text("new")
    assert asked() == ["max"]
    (place / "notebook.ipynb").write_text(course_bank.hand_in(course.folder, essay="Other."))
    assert asked() == ["max"]
    assert asked(RunLimits(cell_seconds=60)) == ["ada", "max"]
    assert asked(RunLimits(cell_seconds=60)) == []
    hidden = course.assignment("scales") / "tests" / "hidden.py"
    hidden.write_text(hidden.read_text() + "\n")
    assert asked(RunLimits(cell_seconds=60)) == ["ada", "max"]


def test_what_timed_out_on_a_busy_machine_is_tried_once_more_when_nobody_else_is_graded(
    tmp_path, instead
):
    course = course_bank.make_course(tmp_path, {"ada": {}, "max": {}, "zoe": {}})
    crowded = done(1.0, Verdict.TIMED_OUT, crowded=True)
    outcomes = {"ada": [crowded, done()], "max": [done()], "zoe": [crowded, crowded]}
    client = instead(**outcomes)

    graded = list(Batch(course, "scales").dispatch(client))

    assert client.asked == ["ada", "max", "zoe", "ada", "zoe"]
    assert [(one.student, one.result.earned) for one in graded] == [
        ("max", 3.0), ("ada", 3.0), ("zoe", 1.0),
    ]  # fmt: skip
    client = instead()
    assert len(list(Batch(course, "scales").dispatch(client))) == 3
    assert client.asked == []


@pytest.mark.parametrize(("waits", "crowded"), [(0.5, True), (0.0, False)])
def test_a_call_that_times_out_is_a_verdict_and_crowded_where_the_kernel_waited(
    tmp_path, monkeypatch, waits, crowded
):
    (tmp_path / "assignment").mkdir()
    assignment = Assignment.load(bank.write_assignment(tmp_path / "assignment"))
    sleeps = bank.cells("import time\ndef attention(*given): time.sleep(60)")
    started = time.monotonic()
    monkeypatch.setattr(processes, "waited", lambda _: waits * (time.monotonic() - started))
    submission = bank.write_submission(tmp_path / "student", sleeps)
    result = grade(assignment, submission, RunLimits(call_seconds=1))
    assert (result.verdict, result.crowded) == (Verdict.TIMED_OUT, crowded)
    assert result.why == "attention: no answer within 1 s"
    assert result.earned == 3.0
    result.write(tmp_path / "result.json")
    assert Result.read(tmp_path / "result.json").crowded == crowded


def test_a_batch_that_was_killed_before_the_second_try_tries_again(tmp_path, instead):
    course = course_bank.make_course(tmp_path, {"ada": {}})
    crowded = done(1.0, Verdict.TIMED_OUT, crowded=True)
    dispatched = Batch(course, "scales").dispatch(instead(ada=[crowded, RuntimeError("killed")]))
    assert next(dispatched).result.verdict == Verdict.NEEDS_A_HUMAN
    client = instead(ada=done())
    assert [one.result.earned for one in Batch(course, "scales").dispatch(client)] == [3.0]


def test_an_incomplete_result_is_made_again(tmp_path, instead):
    course = course_bank.make_course(tmp_path, {"ada": {}})
    for name in ("fingerprint.txt", "result.json"):
        list(Batch(course, "scales").dispatch(instead(ada=done())))
        (course.results("scales", "ada") / name).unlink()
        client = instead(ada=done())
        list(Batch(course, "scales").dispatch(client))
        assert client.asked == ["ada"]


def test_a_failed_submission_is_a_row_and_is_tried_again_next_time(tmp_path, instead):
    course = course_bank.make_course(tmp_path, {"ada": {}, "max": {}})
    client = instead(ada=OSError("no space left on device"), max=done())
    graded = {one.student: one.result for one in Batch(course, "scales").dispatch(client)}
    assert graded["max"].earned == 3.0
    assert graded["ada"].verdict == Verdict.NEEDS_A_HUMAN
    assert "no space left" in graded["ada"].why
    gradebook.record(course, "scales")
    client = instead(ada=done(), max=done())
    graded = {one.student: one.result for one in Batch(course, "scales").dispatch(client)}
    assert client.asked == ["ada"]
    assert graded["ada"].earned == 3.0


def test_an_error_that_concerns_all_submissions_ends_the_batch(tmp_path, instead):
    course = course_bank.make_course(tmp_path, {"ada": {}})
    with pytest.raises(NoSandbox, match="bubblewrap is not installed"):
        list(
            Batch(course, "scales").dispatch(
                instead(ada={"no_sandbox.txt": b"bubblewrap is not installed"})
            )
        )
    with pytest.raises(UsageError, match="another version"):
        list(Batch(course, "scales").dispatch(instead(ada=job.OtherVersion("another version"))))
    assert not course.results("scales", "ada").exists()


def test_a_job_refuses_another_version_and_links(tmp_path):
    with pytest.raises(job.OtherVersion, match="install the same on both"):
        job.run({}, {}, RunLimits(), "another")
    (tmp_path / "link").symlink_to("/etc/passwd")
    with pytest.raises(Refused, match="is a link"):
        job.read(tmp_path)


def test_what_a_student_is_called_hides_nothing_of_theirs(tmp_path):
    folder = tmp_path / "__pycache__"
    (folder / "files" / "__pycache__").mkdir(parents=True)
    (folder / "notebook.ipynb").write_text("{}")
    (folder / "files" / "__pycache__" / "helper.pyc").write_bytes(b"x")
    assert job.read(folder) == {"notebook.ipynb": b"{}"}


def test_the_digest_depends_on_where_a_name_ends_and_its_content_begins():
    assert job.digest({"a": b"bc"}) != job.digest({"ab": b"c"})
    assert job.digest({"a": b"", "b": b"x"}) != job.digest({"a": b"x", "b": b""})
    assert job.digest({"a": b"1", "b": b"2"}) == job.digest({"b": b"2", "a": b"1"})


@pytest.mark.parametrize(
    ("changed", "is_graded_anew"),
    [
        ("softlookup_coursework/grading/cell_results.py", True),
        ("softlookup_coursework/sandbox/inside/audit.py", True),
        ("softlookup/course/exercises/coursework.py", True),
        ("softlookup/course/student_code/plain_words.py", True),
        ("softlookup_coursework/feedback/page.py", False),
        ("softlookup/figures/style.py", False),
    ],
)
def test_what_decides_a_mark_is_part_of_the_graders_version(monkeypatch, changed, is_graded_anew):
    version = job.version.__wrapped__
    before, read, met = version(), Path.read_bytes, set()

    def edited(path):
        met.add(path.as_posix())
        return read(path) + (b"#" if path.as_posix().endswith(changed) else b"")

    monkeypatch.setattr(Path, "read_bytes", edited)
    assert (version() != before) == is_graded_anew
    assert any(path.endswith(changed) for path in met) == is_graded_anew


def test_only_one_command_changes_a_course_at_a_time(tmp_path):
    course = course_bank.make_course(tmp_path, {})
    with (
        locked(course.folder),
        pytest.raises(UsageError, match="another command is at work"),
        locked(course.folder),
    ):
        pass
    (tmp_path / "handed_in").mkdir()
    with locked(course.folder), pytest.raises(UsageError, match="another command is at work"):
        receive(course, "scales", tmp_path / "handed_in")
    for another_term in (False, True):
        with locked(course.folder), pytest.raises(UsageError, match="another command is at work"):
            release(["multi_head"], course.folder, "another", another_term)
    with locked(course.folder):
        pass


def test_an_unreachable_scheduler_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "WAIT_FOR_WORKERS", 1)
    with (
        pytest.raises(UsageError, match="no scheduler with workers answers"),
        start_workers(tmp_path, scheduler="tcp://127.0.0.1:9"),
    ):
        pass


def test_workers_of_another_cluster_need_no_shared_disk(tmp_path):
    """A scheduler and a worker as an administrator starts them, in a folder of their own."""
    course = course_bank.make_course(tmp_path, {"ada": {}, "max": {"reduce": "reduce = None"}})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    address = elsewhere / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
    dask += ["--port", "0", "--no-dashboard", "--scheduler-file", address]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", address]
    worker += ["--nthreads", "1", "--no-dashboard", "--local-directory", elsewhere / "work"]
    with subprocess.Popen(dask, cwd=elsewhere) as scheduler:
        wait_for(address.exists)
        with subprocess.Popen([*worker, "--host", "127.0.0.1"], cwd=elsewhere) as working:
            where = json.loads(wait_for(address.read_text))["address"]
            try:
                with start_workers(tmp_path / "unused", scheduler=where) as client:
                    found = {g.student: g.result for g in Batch(course, "scales").dispatch(client)}
            finally:
                working.terminate()
                working.wait(60)
                scheduler.terminate()
    assert {student: result.earned for student, result in found.items()} == {
        "ada": RIGHT, "max": WRONG,
    }  # fmt: skip
    assert not (tmp_path / "unused").exists()


def test_a_batch_that_was_killed_and_started_again_gives_the_same_marks(tmp_path):
    """The command is killed in the first run, and a worker in the second."""
    students = {f"s{n}": {"setup": "", "scale": SLOWLY + "def scale(values):\n    return values"}
                if n % 2 else {} for n in range(6)}  # fmt: skip
    course = course_bank.make_course(tmp_path, students)
    word = f"ONLY_HERE_{os.getpid()}"
    command = [sys.executable, "-m", "softlookup_coursework.command_line", "grade"]
    command += ["--course", str(course.folder), "--workers", "2"]
    options = {"env": {**os.environ, "MARKED": word}, "stdout": subprocess.DEVNULL}
    results = course.folder / "results" / "scales"

    first = subprocess.Popen(command, **options)
    wait_for(lambda: list(results.glob("*/fingerprint.txt")))
    first.send_signal(signal.SIGKILL)
    first.wait()
    kept = {path: path.stat().st_mtime_ns for path in results.glob("*/fingerprint.txt")}
    assert 0 < len(kept) < 6
    wait_for(lambda: not processes_with(word))  # no worker outlives it

    second = subprocess.Popen(command, **options)
    grading = wait_for(lambda: _worker_of(second.pid))
    os.kill(grading, signal.SIGKILL)
    assert second.wait(300) == 0
    wait_for(lambda: not processes_with(word))
    assert all(path.stat().st_mtime_ns == before for path, before in kept.items())
    marks = {mark.student: mark.earned for mark in gradebook.marks(course.folder, ["scales"])}
    assert marks == {f"s{n}": 2.0 if n % 2 else RIGHT for n in range(6)}


def _worker_of(parent):
    """A worker process that has started to grade."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
            own = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(own) == parent and b"spawn_main" in line:
            children = (folder / "task" / folder.name / "children").read_text().split()
            if len(children) > 1:
                return int(folder.name)
    return None
