"""Each limit of the sandbox by itself."""

import os
import socket
import time
from dataclasses import replace

import pytest
from softlookup_coursework.commands import machine
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.sandbox import enclosure, processes, sandbox, zygote
from softlookup_coursework.sandbox.answers import Fault
from softlookup_coursework.sandbox.channel import Channel, Ended, Remote
from softlookup_coursework.sandbox.sandbox import NoSandbox, Sandbox
from waiting import wait_for, wait_until_gone

LIMITS = RunLimits(
    wall_seconds=60, cell_seconds=20, call_seconds=10, memory_bytes=600 * MEBIBYTE, processes=31,
    files_bytes=7 * MEBIBYTE, files=211,
)  # fmt: skip


@pytest.fixture(scope="module")
def kernel():
    with Sandbox(LIMITS) as running:
        channel = Channel(running)
        channel.run("import os, resource, socket, pathlib, torch")
        yield channel


def evaluate(channel, expression):
    """The value of an expression in the kernel."""
    channel.run(f"def value(): return {expression}")
    return Remote(channel, "value")()


def test_every_process_has_its_resource_limits(kernel):
    limits = LIMITS.for_each_process()
    of_address_space = limits.pop("RLIMIT_AS")
    for name, value in limits.items():
        assert evaluate(kernel, f"resource.getrlimit(resource.{name})") == (value, value), name
    pages = "int(pathlib.Path('/proc/self/statm').read_text().split()[0])"
    left = f"resource.getrlimit(resource.RLIMIT_AS)[1] - {pages} * resource.getpagesize()"
    assert of_address_space - 256 * MEBIBYTE < evaluate(kernel, left) <= of_address_space


def test_the_kernel_has_no_privileges(kernel):
    assert evaluate(kernel, "os.getuid()") not in (0, os.getuid() if os.getuid() else 0)
    status = evaluate(kernel, "pathlib.Path('/proc/self/status').read_text()")
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert int(facts["CapEff"], 16) == int(facts["CapPrm"], 16) == 0
    assert facts["NoNewPrivs"] == "1"
    assert facts["Seccomp"] == "2"


def test_a_file_may_be_called_tmp(tmp_path):
    (tmp_path / "tmp").write_text("a table")
    with Sandbox(LIMITS, tmp_path) as running:
        channel = Channel(running)
        channel.run("import pathlib, tempfile")
        assert evaluate(channel, "pathlib.Path('tmp').read_text()") == "a table"
        assert not channel.run("tempfile.TemporaryFile()").error
        assert evaluate(channel, "pathlib.Path('/tmp').is_dir()")


def test_only_its_own_folder_is_writable(kernel):
    for folder in ("/", "/dev", "/usr", "/kernel/inside", "/etc", "/proc/sys/kernel"):
        assert kernel.run(f"open('{folder}/planted', 'w')").error.startswith(
            ("OSError", "PermissionError", "FileNotFoundError")
        ), folder
    assert not kernel.run("open('/desk/mine', 'w').write('x')").error


def test_the_total_size_of_files_is_limited(kernel):
    ran = kernel.run("for i in range(9): open(f'part{i}', 'wb').write(bytes(1_000_000))")
    assert "No space left" in ran.error
    kernel.run("for i in range(9): pathlib.Path(f'part{i}').unlink(missing_ok=True)")


def test_nothing_of_the_machine_is_visible(kernel):
    here = os.path.realpath(__file__)
    assert evaluate(kernel, f"os.path.exists({here!r})") is False
    assert evaluate(kernel, "sorted(n for n in os.listdir('/proc') if n.isdigit())") == ["1", "2"]
    devices = "[line.split(':')[0].strip() for line in open('/proc/net/dev') if ':' in line]"
    assert evaluate(kernel, devices) == ["lo"]


def test_a_server_on_this_machine_is_unreachable(kernel):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        asked = f"socket.create_connection(('127.0.0.1', {port}), 1)"
        assert "Address family not supported" in kernel.run(asked).error


def test_commands_are_run_as_in_a_notebook(kernel):
    ran = kernel.run("word = 'two'\n!echo one; echo {word}; exit 3\nprint(_exit_code)")
    assert b"".join(text for _, text in ran.outputs) == b"one\ntwo\n3\n"
    assert not kernel.run("listed = !echo one; echo {word} >&2").error
    assert evaluate(kernel, "list(listed)") == ["one", "two"]
    assert not kernel.run("%matplotlib inline\nfrom matplotlib import pyplot").error


def test_the_number_of_processes_is_limited(kernel):
    # At most fifty threads, which end with the cell.
    ran = kernel.run("import threading; e = threading.Event()\n"
                     "try:\n    for _ in range(50): threading.Thread(target=e.wait).start()\n"
                     "finally: e.set()")  # fmt: skip
    assert "can't start new thread" in ran.error


def test_the_kernel_survives_an_interrupt():
    with Sandbox(RunLimits(call_seconds=4)) as running:
        channel = Channel(running)
        channel.run("def slow():\n    while True: pass\ndef quick(): return 3")
        with pytest.raises(Fault, match="slow: no answer within 4 s"):
            Remote(channel, "slow")()
        assert Remote(channel, "quick")() == 3


def test_an_interrupt_goes_to_the_kernel_and_not_to_an_orphan():
    with Sandbox(RunLimits(call_seconds=4)) as running:
        channel = Channel(running)
        orphan = "import os, time\nif os.fork() == 0:\n    if os.fork(): os._exit(0)\n"
        assert not channel.run(f"{orphan}    time.sleep(100)\nos.wait()").error
        channel.run("def slow():\n    while True: pass\ndef quick(): return 3")
        with pytest.raises(Fault, match="slow: no answer within 4 s"):
            Remote(channel, "slow")()
        assert Remote(channel, "quick")() == 3


def test_the_watcher_kills_all_processes_that_use_too_much_memory():
    with Sandbox(RunLimits(memory_bytes=400 * MEBIBYTE)) as running:
        channel = Channel(running)
        with pytest.raises(Ended):
            channel.run("import time; hoard = bytes(1) * 450_000_000; time.sleep(60)")
        assert running.ended is not None
        assert running.ended[0] == Verdict.OUT_OF_MEMORY
        members = processes.process_tree(running.first)
    wait_until_gone(members)


ENDED = """
import ctypes, os, threading, time
if os.fork() == 0:
    def hoard():
        time.sleep(1)
        held = b"x" * 200_000_000
        time.sleep(60)
    threading.Thread(target=hoard).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
"""


def test_a_process_whose_first_thread_has_ended_counts_with_what_the_others_hold():
    with Sandbox(LIMITS) as running:
        assert not Channel(running).run(ENDED).error
        wait_for(lambda: running.peak_bytes > 200_000_000)


SPINNERS = """
import os, time
def spin(seconds):
    end, before = time.monotonic() + seconds, time.process_time()
    while time.monotonic() < end: pass
    return time.process_time() - before
def spread():
    for _ in range(8):
        if os.fork() == 0:
            try: os.setsid()
            except OSError: pass
            spin(100)
            os._exit(0)
"""


def cpu_seconds(members):
    """The CPU time that some processes have had."""
    return sum(
        int((processes.PROC / str(member) / "schedstat").read_text().split()[0]) * 1e-9
        for member in members
    )


def test_a_submission_of_many_processes_leaves_its_neighbour_half_of_a_core():
    core = min(os.sched_getaffinity(0))
    limits = replace(LIMITS, wall_seconds=300, call_seconds=100)
    with Sandbox(limits) as crowd, Sandbox(limits) as honest:
        for running in (crowd, honest):
            for member in processes.process_tree(running.first):
                os.sched_setaffinity(member, {core})
            assert not Channel(running).run(SPINNERS).error
        Remote(Channel(crowd), "spread")()
        time.sleep(1)
        members = processes.process_tree(crowd.first)
        assert len(members) == 10
        before = cpu_seconds(members)
        own = Remote(Channel(honest), "spin")(4)
        others = cpu_seconds(members) - before
        assert own > 0.4 * (own + others)


def test_what_a_submissions_sockets_may_hold_counts_as_its_memory():
    with Sandbox(LIMITS) as running:
        channel = Channel(running)
        assert not channel.run(
            "import socket; held = [socket.socketpair() for _ in range(99)]"
        ).error
        wait_for(lambda: running.peak_bytes > 198 * processes.SOCKET_BYTES)


def test_the_whole_run_has_a_time_limit():
    start = time.monotonic()
    with Sandbox(RunLimits(wall_seconds=8)) as running:
        channel = Channel(running)
        with pytest.raises(Ended):
            channel.run("import time; time.sleep(60)")
        assert running.ended is not None
        assert running.ended[0] == Verdict.TIMED_OUT
    assert time.monotonic() - start < 30


def test_without_bubblewrap_it_refuses_and_says_what_to_install(monkeypatch):
    monkeypatch.setattr(enclosure, "bubblewrap_path", lambda: None)
    zygote.close_all()
    with pytest.raises(NoSandbox, match="apt-get install bubblewrap"):
        sandbox.Sandbox(LIMITS).__enter__()
    lacking = [fact for fact in machine.facts() if not fact.fine]
    assert [fact.name for fact in lacking] == ["bubblewrap", "namespaces"]
    assert all(fact.remedy for fact in lacking)


def test_doctor_finds_this_machine_fit():
    assert [(fact.name, fact.remedy) for fact in machine.facts() if not fact.fine] == []
