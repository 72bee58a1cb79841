"""A course with the whole bank as submissions, and a good submission around each attack."""

import contextlib
import ctypes
import hashlib
import os
import site
import socket
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import hostile_bank as bank
import hostile_files
import hostile_malformed
import hostile_notebooks
import pytest
from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common.limits import MEBIBYTE, RunLimits
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.sandbox import enclosure, processes
from softlookup_coursework.sandbox.channel import Channel, Ended, Remote
from softlookup_coursework.sandbox.sandbox import Sandbox

NAME = "attention"
BY_CODE, BY_FILES = bank.by_code(), hostile_files.MADE
ATTACKS = [*BY_CODE, *hostile_notebooks.MADE, *hostile_malformed.MADE, *BY_FILES]
LIMITS = RunLimits(
    wall_seconds=120,
    cell_seconds=8,
    call_seconds=4,
    memory_bytes=700 * MEBIBYTE,
    processes=24,
    files_bytes=32 * MEBIBYTE,
    files=1500,
    output_bytes=2 * MEBIBYTE,
    answer_bytes=8 * MEBIBYTE,
)
PR_SET_CHILD_SUBREAPER = 36
# The prefixes of the files' names that the bank's attacks try to write.
PLANTED = (
    "planted",
    "softlookup_planted",
    "sitecustomize",
    "00.py",
    "graded.ipynb",
    "core",
    "fill",
)
# Long-lived helpers of `multiprocessing`, and the browser of other tests.
HELPERS = (b"multiprocessing.resource_tracker", b"multiprocessing.forkserver", b"/chrom")


def check_limits():
    """Test each limit by itself, so that no attack is run if one of them fails."""
    with Sandbox(LIMITS) as sandbox, socket.create_server(("127.0.0.1", 0)) as server:
        channel = Channel(sandbox)

        def evaluate(expression):
            assert not channel.run(f"def value(): return {expression}").error
            return Remote(channel, "value")()

        def refusal(statement):
            return channel.run(statement).error

        assert not refusal("import os, pathlib, resource, socket, threading")
        for name, value in LIMITS.for_each_process().items():
            soft, hard = evaluate(f"resource.getrlimit(resource.{name})")
            # What is mapped for the libraries comes on top.
            most = value + 8192 * MEBIBYTE if name == "RLIMIT_AS" else value
            assert value <= soft == hard <= most, name
        status = evaluate("pathlib.Path('/proc/self/status').read_text()")
        facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert (int(facts["CapEff"], 16), facts["NoNewPrivs"], facts["Seccomp"]) == (0, "1", "2")
        assert evaluate("os.getuid()") != 0
        assert evaluate("sorted(n for n in os.listdir('/proc') if n.isdigit())") == ["1", "2"]
        for folder in ("/", "/usr", "/etc", "/dev", sys.prefix, str(Path(__file__).parent)):
            assert refusal(f"open('{folder}/planted', 'w')"), folder
        size = LIMITS.files_bytes + MEBIBYTE
        assert "OSError" in refusal(f"open('all', 'wb').write(bytes({size}))")
        refusal("pathlib.Path('all').unlink()")
        threads = f"[threading.Thread(target=e.wait, args=(9,)).start() for _ in range({60})]"
        limited = refusal(f"e = threading.Event()\ntry: {threads}\nfinally: e.set()")
        assert "can't start new thread" in limited
        port = server.getsockname()[1]
        assert "Address family" in refusal(f"socket.create_connection(('127.0.0.1', {port}), 1)")
    more = LIMITS.memory_bytes + 100 * MEBIBYTE
    endless = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(60)"
    for source, verdict in (
        (f"import time; hoard = bytes(1) * {more}; time.sleep(9)", Verdict.OUT_OF_MEMORY),
        (endless, Verdict.TIMED_OUT),
    ):
        with Sandbox(replace(LIMITS, cell_seconds=10 if "hoard" in source else 1)) as sandbox:
            with pytest.raises(Ended):
                Channel(sandbox).run(source)
            assert sandbox.ended is not None
            assert sandbox.ended[0] == verdict


@dataclass(frozen=True)
class HandedIn:
    """A submission of the batch: the student, and the attack, if it is one."""

    student: str
    attack: bank.Attack | None = None


def make_course(folder):
    """A course with the bank's assignment."""
    course = Course.make(folder, "hostile")
    assignment = folder / "assignments" / NAME
    assignment.mkdir()
    bank.write_assignment(assignment)
    return course


def hand_in(folder, solution, port):
    """Write all submissions: a good one, an attack, a good one, an attack, …, a good one.

    Args:
        folder: the folder to write.
        solution: the teacher's, for attacks that hand it in.
        port: of the server, for the attack that connects to it.
    """
    handed_in = []
    for number, attack in enumerate([*ATTACKS, None]):
        good = HandedIn(f"s{number:03}_before_{attack.name if attack else 'nobody'}")
        handed_in.append(good)
        _write(folder / good.student, bank.notebook(bank.cells()).encode())
        if attack is None:
            break
        bad = HandedIn(f"s{number:03}_{attack.name}", attack)
        handed_in.append(bad)
        if attack in BY_FILES:
            (folder / bad.student).mkdir()
            attack.make(folder / bad.student, solution)
        else:
            _write(folder / bad.student, attack.make(port) if attack in BY_CODE else attack.make())
    return handed_in


def _write(folder, content):
    folder.mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_bytes(content)


def snapshot(*folders):
    """Everything below some folders: mode, owner, size, time of change, and digest."""
    found = {}
    for folder in folders:
        for path in [folder, *folder.rglob("*")]:
            facts = path.lstat()
            plain = path.is_file() and not path.is_symlink()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if plain else ""
            # A folder's time changes with its entries, which are compared anyway.
            when = facts.st_mtime_ns if plain else 0
            found[path] = (
                facts.st_mode,
                facts.st_uid,
                facts.st_size if plain else 0,
                when,
                content,
            )
    return found


def names_outside():
    """What attacks have left in the machine's folders.

    Other programs use the machine at the same time. So only the names that the bank's attacks
    write count, and files of a user whom only a sandbox has.
    """
    home = Path("~").expanduser()
    folders = ["/", "/etc", "/usr", "/tmp", "/var/tmp", "/dev/shm", "/kernel", "/desk", home]
    folders += [home / ".ipython/profile_default/startup", Path.cwd(), Path.cwd().parent]
    folders += [*sys.path, sys.prefix, *site.getsitepackages(), site.getusersitepackages()]
    found = set()
    for folder in {Path(folder).resolve() for folder in folders}:
        with contextlib.suppress(OSError):
            for path in folder.iterdir():
                theirs = path.lstat().st_uid >= enclosure.FIRST_USER
                if theirs or path.name.startswith(PLANTED):
                    found.add(path)
    return found


@contextlib.contextmanager
def adopted_orphans():
    """Make this process the subreaper, so that it finds orphans among its children."""
    system = ctypes.CDLL(None)
    assert system.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        system.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def left_over(before, seconds=20):
    """The descendants of this process that were not there before and do not end by themselves."""
    end = time.monotonic() + seconds
    while (left := [p for p in processes.process_tree(os.getpid()) if _counts(p, before)]) and (
        time.monotonic() < end
    ):
        for process in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process, os.WNOHANG)
        time.sleep(0.1)
    return [(process, _line(process)) for process in left]


def _counts(process, before):
    line = _line(process)
    return process not in before and not any(helper in line for helper in HELPERS)


def _line(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
