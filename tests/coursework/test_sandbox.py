"""Each limit of the sandbox by itself."""

import os
import socket
import time

import pytest
from softlookup_coursework.commands import machine
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.sandbox import enclosure, processes, sandbox, zygote
from softlookup_coursework.sandbox.channel import Channel, Ended, Fault, Remote
from softlookup_coursework.sandbox.sandbox import NoSandbox, Sandbox
from waiting import wait_until_gone

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
    for name, value in LIMITS.for_each_process().items():
        assert evaluate(kernel, f"resource.getrlimit(resource.{name})") == (value, value), name


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
    assert evaluate(kernel, "[name for _, name in socket.if_nameindex()]") == ["lo"]


def test_a_server_on_this_machine_is_unreachable(kernel):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert "refused" in kernel.run(f"socket.create_connection(('127.0.0.1', {port}), 1)").error


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
