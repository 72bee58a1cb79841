"""Workers give what they return, say why they failed, and never outlive who started them."""

import os
import signal
import subprocess
import sys
import time

import parallel_jobs as jobs
import pytest
from softlookup.parallel import workers

SLEEPERS = """
import pathlib, signal, sys
import parallel_jobs
from softlookup.parallel import workers
# A shell that starts the tests in the background has them, and so this, ignore an interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
workers.run(parallel_jobs.sleep_for_ever, 2, pathlib.Path(sys.argv[1]))
"""

ONE_CALL = """
import parallel_jobs
from softlookup.parallel import workers
print(workers.run(parallel_jobs.own_and_parent_number, 1)[0][1], flush=True)
input()
"""
# A fork whose call is broken off by a kill, while the process that forked it lives on.
FORKED = """
import os, pathlib, sys
import parallel_jobs
from softlookup.parallel import workers
workers.run(parallel_jobs.own_and_parent_number, 1)
child = os.fork()
if child == 0:
    workers.run(parallel_jobs.sleep_for_ever, 2, pathlib.Path(sys.argv[1]))
print(child, flush=True)
input()
"""


def alive(pid):
    """Whether a process runs; one that has ended and that nobody has asked about does not."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return found.stdout.strip() not in ("",) and not found.stdout.startswith("Z")


def wait_until(happened):
    """The limit is for a machine on which nothing will come any more."""
    deadline = time.monotonic() + 240
    while not happened():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)


def test_every_worker_is_called_and_answers_by_rank():
    assert workers.run(jobs.sum_of_ranks, 3, 5) == [(0, 18), (1, 18), (2, 18)]


def test_an_error_names_the_worker_that_raised_first_and_its_line():
    with pytest.raises(workers.WorkerError, match="worker 1 raised") as raised:
        workers.run(jobs.raise_in_one, 2, 1)
    assert "ArithmeticError: seven is not eight" in str(raised.value)
    assert "in raise_in_one" in str(raised.value)


def test_a_killed_worker_is_told_from_those_that_only_miss_it():
    with pytest.raises(workers.WorkerError, match="worker 0 was ended by SIGKILL"):
        workers.run(jobs.kill_one, 2, 0)


def test_what_no_other_process_can_import_is_refused():
    with pytest.raises(ValueError, match="another process can import"):
        workers.run(lambda: 1, 2)
    with pytest.raises(ValueError, match="n_workers is 0"):
        workers.run(jobs.sum_of_ranks, 0, 1)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_an_interrupted_or_a_killed_parent(how, tmp_path):
    path = os.pathsep.join(sys.path)
    parent = subprocess.Popen(
        [sys.executable, "-c", SLEEPERS, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": path},
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: len([*tmp_path.glob("*.pid")]) == 2)
        pids = [int(file.read_text()) for file in tmp_path.glob("*.pid")]
        assert all(alive(pid) for pid in pids)
    finally:
        parent.send_signal(how)
        parent.wait()
    wait_until(lambda: not any(alive(pid) for pid in pids))


def start(source, *arguments):
    """A fresh Python with this source, which can import what this one can."""
    return subprocess.Popen(
        [sys.executable, "-c", source, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def test_the_launcher_is_used_again_and_the_workers_are_new():
    ((first, launcher),) = workers.run(jobs.own_and_parent_number, 1)
    ((second, same),) = workers.run(jobs.own_and_parent_number, 1)
    assert launcher == same
    assert first != second
    assert not alive(first)
    assert not alive(second)


def test_a_launcher_that_was_killed_is_replaced():
    ((_, launcher),) = workers.run(jobs.own_and_parent_number, 1)
    os.kill(launcher, signal.SIGKILL)
    wait_until(lambda: not alive(launcher))
    assert workers.run(jobs.sum_of_ranks, 2, 5) == [(0, 11), (1, 11)]


def test_no_launcher_is_left_after_a_failure():
    ((_, launcher),) = workers.run(jobs.own_and_parent_number, 1)
    with pytest.raises(workers.WorkerError, match="worker 1 raised"):
        workers.run(jobs.raise_in_one, 2, 1)
    assert not alive(launcher)


def test_workers_have_the_environment_of_the_call(monkeypatch):
    for value in ("one", "other"):
        monkeypatch.setenv("SOFTLOOKUP_TEST", value)
        assert workers.run(jobs.value_in_environment, 1, "SOFTLOOKUP_TEST") == [value]


@pytest.mark.parametrize("how", ["by itself", "killed"])
def test_a_launcher_ends_with_the_process_that_it_serves(how):
    with start(ONE_CALL) as parent:
        launcher = int(parent.stdout.readline())
        assert alive(launcher)
        if how == "killed":
            parent.kill()
    wait_until(lambda: not alive(launcher))


@pytest.mark.skipif(sys.platform != "linux", reason="a fork shares its launcher on Linux alone")
def test_no_worker_outlives_a_killed_fork_whose_parent_lives(tmp_path):
    with start(FORKED, tmp_path) as parent:
        child = int(parent.stdout.readline())
        wait_until(lambda: len([*tmp_path.glob("*.pid")]) == 2)
        pids = [int(file.read_text()) for file in tmp_path.glob("*.pid")]
        assert all(alive(pid) for pid in pids)
        os.kill(child, signal.SIGKILL)
        wait_until(lambda: not any(alive(pid) for pid in pids))
        assert parent.poll() is None
