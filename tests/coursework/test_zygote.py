"""One zygote forks every submission of a worker, and no submission affects another."""

import errno
import os
import signal
import socket
import threading
import time

import hostile_bank as bank
import pytest
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.grading import forked_grader
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.sandbox import processes, zygote
from softlookup_coursework.sandbox.channel import Channel, Ended, Remote
from softlookup_coursework.sandbox.inside import frames
from softlookup_coursework.sandbox.inside.zygote import TEMPORARY_ERRORS
from softlookup_coursework.sandbox.sandbox import NoSandbox, Sandbox
from waiting import wait_for, wait_until_gone

LIMITS = RunLimits(memory_bytes=700 * MEBIBYTE, processes=23, files_bytes=13 * MEBIBYTE)

# Changes that a submission can make, and that a later one could find.
TRACES = """
import builtins, ctypes, fcntl, gc, mmap, os, pathlib, pty, signal, socket, sys, threading, time
import numpy, torch, IPython, matplotlib, tempfile

SYSTEM = ctypes.CDLL(None, use_errno=True)

def leave():
    for folder in ("/desk", "/desk/.tmp", "/tmp", "/dev/shm", tempfile.gettempdir(), "/var/tmp",
                   os.path.expanduser("~"), "/desk/.ipython", "/desk/.ipython/profile_default"):
        try:
            (pathlib.Path(folder) / "planted").write_text("planted")
        except OSError:
            pass
    os.makedirs("/desk/.ipython/profile_default/startup", exist_ok=True)
    pathlib.Path("/desk/.ipython/profile_default/startup/00.py").write_text("planted = 1")
    pathlib.Path("/desk/torch.py").write_text("planted = 1")
    os.environ["PLANTED"] = "planted"
    builtins.planted = numpy.planted = torch.planted = IPython.planted = "planted"
    matplotlib.rcParams["figure.dpi"] = 7
    torch.softmax = torch.allclose = numpy.allclose = lambda *a, **k: "planted"
    torch.manual_seed(1234); numpy.random.seed(1234)
    torch.set_default_dtype(torch.float64)
    sys.path.insert(0, "/planted"); sys.modules["planted"] = sys
    sys.setrecursionlimit(77777)
    gc.planted = "planted"
    os.umask(0o777)
    listener = socket.socket(socket.AF_UNIX); listener.bind("\\0planted"); listener.listen()
    held.append(listener)
    held.append(pty.openpty())
    fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND)
    os.nice(19)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    for _ in range(9):
        if os.fork() == 0:
            while True: time.sleep(60)
    return True

def kernel():
    for each in object.__subclasses__():
        if each.__module__ + each.__name__ == "inside.shellKernel":
            return each
def find():
    found = []
    for folder, _, files in os.walk("/"):
        if folder.startswith(("/proc", "/usr", "/sys")): continue
        found += [f"{folder}/{name}" for name in files if name in ("planted", "00.py")]
    if os.path.exists("/desk/torch.py"): found.append("torch.py")
    if "PLANTED" in os.environ: found.append("environment")
    for module in (builtins, numpy, torch, IPython, gc):
        if hasattr(module, "planted"): found.append(module.__name__)
    if matplotlib.rcParams["figure.dpi"] == 7: found.append("rcParams")
    if torch.softmax(torch.zeros(2), 0) is "planted": found.append("torch.softmax")
    if numpy.allclose(1, 1) is "planted": found.append("numpy.allclose")
    if torch.get_default_dtype() != torch.float32: found.append("dtype")
    if "/planted" in sys.path or "planted" in sys.modules: found.append("sys")
    if sys.getrecursionlimit() == 77777: found.append("recursion limit")
    if kernel().compute.__name__ == "<lambda>": found.append("kernel")
    if os.umask(0o022) == 0o777: found.append("umask")
    with socket.socket(socket.AF_UNIX) as one:
        if one.connect_ex("\\0planted") == 0: found.append("socket")
    found += [f"terminal {name}" for name in os.listdir("/dev/pts") if name != "ptmx"]
    if fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK: found.append("flags of descriptor 0")
    if os.nice(0) == 19: found.append("nice")
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN: found.append("signals")
    if signal.SIGUSR1 in signal.pthread_sigmask(signal.SIG_BLOCK, []): found.append("blocked")
    found += [f"process {n}" for n in os.listdir("/proc") if n.isdigit() and int(n) > 2]
    return found

def draws():
    return [torch.rand(1).item(), float(numpy.random.rand()), __import__("random").random()]

def children():
    made = 0
    try:
        for _ in range(60):
            if os.fork() == 0:
                time.sleep(5); os._exit(0)
            made += 1
    except OSError:
        pass
    return made
held = []
"""


FINDS = [
    "/dev/shm/planted", "/desk/planted", "/desk/.tmp/planted", "/00.py", "torch.py", "environment",
    "builtins", "numpy", "torch", "IPython", "gc", "rcParams", "torch.softmax", "numpy.allclose",
    "dtype", "sys", "recursion limit", "umask", "socket", "terminal", "descriptor 0",
    "nice", "signals", "blocked", "process",
]  # fmt: skip


def kernel(running):
    channel = Channel(running)
    assert not channel.run(TRACES).error
    return channel


def evaluate(channel, expression):
    """The value of an expression in the kernel."""
    channel.run(f"def value(): return {expression}")
    return Remote(channel, "value")()


def test_nothing_that_one_submission_does_affects_another():
    mine = zygote.current()
    with Sandbox(LIMITS) as running, Sandbox(LIMITS) as beside:
        first, neighbour = kernel(running), kernel(beside)
        assert Remote(first, "find")() == []
        assert Remote(first, "leave")() is True
        # The search finds what was planted.
        found = " ".join(Remote(first, "find")())
        assert [trace for trace in FINDS if trace not in found] == []
        planted = "lambda *_: ({'kind': 'answer', 'tree': {'plain': 'planted'}}, b'')"
        first.run(f"kernel().compute = {planted}")
        assert Remote(first, "find")() == "planted"
        # Neither a concurrent submission nor the next one sees anything of it.
        assert Remote(neighbour, "find")() == []
    with Sandbox(LIMITS) as running:
        second = kernel(running)
        assert Remote(second, "find")() == []
        # The processes of the first do not count against this one's limit.
        assert Remote(second, "children")() >= LIMITS.processes - 3
    assert zygote.current() is mine


def test_numpys_and_pythons_seeds_are_fresh_and_torchs_is_its_default():
    drawn = []
    for _ in range(2):
        with Sandbox(LIMITS) as running:
            drawn.append(Remote(kernel(running), "draws")())
    (torch_1, numpy_1, random_1), (torch_2, numpy_2, random_2) = drawn
    assert torch_1 == torch_2
    assert numpy_1 != numpy_2
    assert random_1 != random_2


def test_a_kernel_has_no_writable_shared_memory_and_no_foreign_descriptor():
    with Sandbox(LIMITS) as running:
        channel = kernel(running)
        maps = evaluate(channel, "[line.split()[1] for line in open('/proc/self/maps')]")
        assert len(maps) > 100
        assert not [flags for flags in maps if "w" in flags and "s" in flags]
        links = "[os.readlink(f'/proc/self/fd/{n}') for n in range(256) if os.path.exists("
        (*nothing, stream) = evaluate(channel, f"{links}f'/proc/self/fd/{{n}}')]")
        assert nothing == ["/dev/null"] * 3
        assert stream.startswith("socket:")


def test_no_file_tells_what_others_lock_date_or_count():
    with Sandbox(LIMITS) as running:
        channel = kernel(running)
        devices = "fcntl.lockf(open('/dev/null', 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
        assert channel.run(devices).error.startswith("PermissionError")
        for device in ("null", "zero", "full", "random", "urandom", "tty"):
            assert "Read-only" in channel.run(f"os.utime('/dev/{device}')").error, device
        assert "Read-only" in channel.run("os.utime('/proc/locks')").error
        assert not channel.run("open('/dev/null', 'w').write('nothing')").error
        for name in ("locks", "sys/kernel/pty/nr", "sys/fs/file-nr", "sys/fs/dentry-state"):
            assert evaluate(channel, f"open('/proc/{name}').read()") == "", name


# The pages that loading torch's libraries has filled: private and shared ones.
LOADED = """
def pages():
    found = {"Private_Dirty:": 0, "Shared_Dirty:": 0}
    for line in open("/proc/self/smaps"):
        name, *rest = line.split()
        if not name.endswith(":"):
            of_torch = "libtorch" in line
        elif of_torch and name in found:
            found[name] += int(rest[0])
    return list(found.values())
"""


def test_torch_is_imported_once_and_not_for_each_submission():
    with Sandbox(LIMITS) as running:
        channel = kernel(running)
        channel.run(LOADED)
        own, shared = Remote(channel, "pages")()
    assert shared > 1000  # KiB; a process that loads the libraries itself shares none of these
    assert own < shared / 10


def test_a_notebook_that_asks_for_many_threads_gets_a_few():
    with Sandbox(LIMITS) as running:
        channel = kernel(running)
        work = "torch.randn(700, 700) @ torch.randn(700, 700); torch.randn(3_000_000).exp().sum()"
        assert not channel.run(f"torch.set_num_threads(64); {work}").error
        assert evaluate(channel, "torch.get_num_threads()") == 3
        assert "expects a positive integer" in channel.run("torch.set_num_threads(0)").error


def test_the_first_process_cannot_be_read_written_or_limited():
    with Sandbox(LIMITS) as running:
        channel = kernel(running)
        for path in ("mem", "environ", "fd/0", "root", "cwd", "maps"):
            assert channel.run(f"open('/proc/1/{path}', 'rb').read(1)").error, path
        assert channel.run("open('/proc/1/mem', 'r+b')").error.startswith("PermissionError")
        for name in ("AS", "NOFILE", "CPU"):
            asked = f"resource.prlimit(1, resource.RLIMIT_{name}, (0, 0))"
            assert channel.run(f"import resource; {asked}").error.startswith("PermissionError")
        files = "[str(p) for p in pathlib.Path('/proc/sys').rglob('*') if p.is_file()"
        assert len(evaluate(channel, f"{files}]")) > 100
        assert evaluate(channel, f"{files} and os.access(p, os.W_OK)]") == []


def with_five_children(held):
    """The most memory that a kernel and five children use, with so many bytes shared by all."""
    with Sandbox(LIMITS) as running:
        channel = kernel(running)
        channel.run(f"hoard = b'1' * {held}")
        channel.run("for _ in range(5):\n    if os.fork() == 0: time.sleep(60); os._exit(0)")
        wait_for(lambda: len(processes.process_tree(running.first)) == 7)
        time.sleep(1)  # the watcher polls ten times
        return running.peak_bytes


def test_memory_shared_with_a_child_is_not_counted_twice():
    # What a fork costs by itself, since each process changes some pages, is another matter. A
    # watcher that looks in the midst of a fork sees half of it again, with or without what is
    # shared; so the least of a few is taken. Six times would be 1,200 MB.
    with_it, without = (
        min(with_five_children(size) for _ in range(3)) for size in (200_000_000, 0)
    )
    assert 180_000_000 < with_it - without < 350_000_000


def test_closing_the_lifeline_ends_all_processes():
    with Sandbox(LIMITS) as running:
        channel = kernel(running)
        channel.run("if os.fork() == 0: os.setpgrp(); time.sleep(60)")
        members = processes.process_tree(running.first)
        assert len(members) == 3
        running._lifeline.close()  # as when the grader is killed
        with pytest.raises(Ended):
            channel.run("time.sleep(60)")
    wait_until_gone(members)


@pytest.fixture
def assignment(tmp_path):
    (tmp_path / "assignment").mkdir()
    return bank.write_assignment(tmp_path / "assignment")


@pytest.mark.parametrize("whole", [True, False])
def test_a_submission_whose_zygote_dies_still_gets_its_mark(assignment, tmp_path, whole):
    slow = bank.cells(bank.ANSWER + "\nimport time\ntime.sleep(9)")
    submission = bank.write_submission(tmp_path / "slow", slow)
    mine = zygote.current()

    def kill():
        wait_for(lambda: len(processes.process_tree(mine.process.pid)) >= 5)
        # Below bubblewrap: the first process of its namespace, with which all end, and the zygote.
        _, first, second, *_ = processes.process_tree(mine.process.pid)
        os.kill(first if whole else second, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    result = grade(Assignment.load(assignment), submission)
    killer.join()
    assert (result.verdict, result.earned) == (Verdict.GRADED, 8.0)
    assert mine.has_died(within_seconds=60)
    assert zygote.current() is not mine


def test_a_zygote_that_dies_shortly_after_its_submission_is_waited_for(monkeypatch):
    monkeypatch.setattr(zygote, "DYING_SECONDS", 60)
    ours, its_end = socket.socketpair()
    with ours, Sandbox(LIMITS) as running:
        running._zygote = zygote.Zygote(ours)
        threading.Timer(0.3, its_end.close).start()
        assert running.lost


def test_a_worker_keeps_its_zygote_and_starts_another_if_it_dies(assignment, tmp_path):
    submission = bank.write_submission(tmp_path / "good", bank.cells())
    mine = zygote.current()
    for _ in range(2):
        assert forked_grader.fork_grader(assignment, submission, tmp_path / "out").earned == 8
        assert zygote.current() is mine
    os.kill(processes.process_tree(mine.process.pid)[2], signal.SIGKILL)
    assert mine.has_died(within_seconds=60)
    assert forked_grader.fork_grader(assignment, submission, tmp_path / "out").earned == 8
    assert zygote.current() is not mine


def test_a_temporary_error_is_retried_and_a_permanent_one_reported(
    assignment, tmp_path, monkeypatch
):
    submission = bank.write_submission(tmp_path / "good", bank.cells())
    fork_submission, asked = zygote.Zygote.fork_submission, []

    def lacking(number):
        def refused(self, settings, stream, lifeline):
            asked.append(number)
            if len(asked) > 1 and number == errno.ENOMEM:
                return fork_submission(self, settings, stream, lifeline)
            # As `inside/zygote.py` reports it.
            temporary = number in TEMPORARY_ERRORS
            return frames.send(stream, {"kind": "refused", "temporary": temporary, "text": "no"})

        return refused

    monkeypatch.setattr(zygote.Zygote, "fork_submission", lacking(errno.ENOMEM))
    assert grade(Assignment.load(assignment), submission).earned == 8
    # What answers need runs in one sandbox, and the whole notebook in another.
    assert len(asked) == 3
    monkeypatch.setattr(zygote.Zygote, "fork_submission", lacking(errno.EPERM))
    with pytest.raises(NoSandbox, match="does not start: no"):
        grade(Assignment.load(assignment), submission)
    # The zygote itself reports a permanent error as such.
    settings = Sandbox._settings
    wrong = {"files_bytes": "many"}
    monkeypatch.setattr(zygote.Zygote, "fork_submission", fork_submission)
    monkeypatch.setattr(Sandbox, "_settings", lambda self: settings(self) | wrong)
    with pytest.raises(NoSandbox, match="mount: Invalid argument"):
        grade(Assignment.load(assignment), submission)
