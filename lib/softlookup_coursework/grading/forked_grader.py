"""Forks a grading process for each submission from a fork server that has imported torch once.

There are two such servers. On the trusted side, multiprocessing's fork server forks graders: it
has imported the grader, has made what ``prepared`` says, and has read no assignment, submission or
mark. In the sandbox, the worker's zygote forks kernels; `inside/zygote.py` says what two of them
share. A worker starts each once, and again if it dies.
"""

import multiprocessing
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.forkserver import set_forkserver_preload
from pathlib import Path

from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.common import result_files
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.safe_path import nothing_imported_from_here
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.grading.reading import Reader
from softlookup_coursework.sandbox import enclosure, zygote
from softlookup_coursework.sandbox.sandbox import NoSandbox

PREPARED = "softlookup_coursework.grading.prepared"
# Added to the submission's own time: to start, to load the assignment, to compare.
EXTRA_SECONDS = 120.0
# What a test may take for its inputs, its own answer and its comparison, on top of what a grader
# has when it starts.
GRADER_MEMORY = 1 * 2**30


def fork_grader(
    assignment: Path,
    submission: Path,
    output: Path,
    limits: RunLimits | None = None,
    marks_alone: bool = False,
) -> Result:
    """Fork a process that grades a submission, and wait for its result.

    Args:
        assignment: the assignment's folder.
        submission: the submission's folder.
        output: the folder for ``result.json`` and ``graded.ipynb``.
        limits: what the submission may use.
        marks_alone: whether to leave out ``graded.ipynb``.

    Returns:
        The result. If the process ended without one, the verdict asks for a person.

    Raises:
        NoSandbox: if this machine cannot run the sandbox, or would show it the assignment.
    """
    limits = limits or RunLimits()
    if limits.enclosed and (seen := enclosure.shown_with(assignment)):
        raise NoSandbox(f"{assignment} lies in {seen}, where every submission can read it")
    set_forkserver_preload([__name__, PREPARED])
    output.mkdir(parents=True, exist_ok=True)
    path, refusal = output / result_files.RESULT, output / result_files.NO_SANDBOX
    for old in (path, refusal, output / result_files.NOTEBOOK):
        old.unlink(missing_ok=True)
    requests = zygote.current(limits.enclosed).requests
    process = multiprocessing.get_context("forkserver").Process(
        target=_run_grader,
        args=(assignment, submission, path, refusal, limits, requests, marks_alone),
    )
    with _main_module_hidden(), nothing_imported_from_here():
        process.start()
    # The sandbox's clock stands still for as long at most as the limit itself.
    process.join(2 * limits.wall_seconds + EXTRA_SECONDS)
    late = process.is_alive()
    if late:
        process.kill()
        process.join()
    if refusal.exists():
        raise NoSandbox(refusal.read_text(encoding="utf-8"))
    if not late and path.exists():
        return Result.read(path)
    why = "took too long" if late else f"ended with {process.exitcode}"
    why = f"the grader's own process {why}; nothing is marked"
    if process.exitcode == -signal.SIGXCPU:
        why = "its code takes longer to be read than any honest code does; nothing is marked"
    result = Result(Verdict.NEEDS_A_HUMAN, why)
    result.write(path)
    return result


@contextmanager
def _main_module_hidden() -> Iterator[None]:
    """Hide ``__main__``'s file: multiprocessing would import it again in every forked process.

    A grading process needs nothing from it, and importing a command line takes longer than
    grading.
    """
    main = sys.modules["__main__"]
    hidden = {
        name: main.__dict__.pop(name) for name in ("__file__", "__spec__") if hasattr(main, name)
    }
    main.__spec__ = None
    try:
        yield
    finally:
        main.__dict__.update(hidden)


def _exit_with_parent() -> None:
    """Kill this process once its parent has ended, in whatever way."""
    if parent := multiprocessing.parent_process():
        parent.join()
    os.kill(os.getpid(), signal.SIGKILL)


def limit_own_memory(more: int) -> None:
    """Let this process allocate so many bytes more than it has, and then raise ``MemoryError``.

    A large answer, what a test makes of it and what it draws by it must not exhaust the machine.
    ``RLIMIT_DATA`` counts what a process writes and not the libraries that it maps.
    """
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    limit = int(status["VmData"].split()[0]) * 1024 + more
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    if most == resource.RLIM_INFINITY or most > limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def _run_grader(
    assignment: Path,
    submission: Path,
    path: Path,
    refusal: Path,
    limits: RunLimits,
    requests: socket.socket,
    marks_alone: bool,
) -> None:
    """Grade the submission: the forked process's main function."""
    os.setsid()
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    zygote.adopt(requests, limits.enclosed)
    try:
        limit_own_memory(GRADER_MEMORY)
        graded = None if marks_alone else path.with_name(result_files.NOTEBOOK)
        reader = Reader(may_end=True)
        grade(Assignment.load(assignment), submission, limits, graded, reader).write(path)
    except NoSandbox as error:
        refusal.write_text(str(error), encoding="utf-8")
