"""A process for each submission, forked from one that has imported torch once; on both sides.

On the trusted side a server forks graders: it has imported the grader and nothing else, and has
read no assignment, no submission and no mark. In the sandbox the worker's zygote forks kernels:
`inside/zygote.py` says what two of them share. A worker starts either once, and anew if it dies.
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
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.sandbox import zygote
from softlookup_coursework.sandbox.sandbox import NoSandbox

# Beyond the submission's own time: to start, to load the assignment, to compare.
SPARE_SECONDS = 120.0
GRADER_BYTES = 8 * 2**30


def grade_apart(
    assignment: Path, submission: Path, output: Path, limits: RunLimits | None = None
) -> Result:
    """Grade a submission in a process of its own.

    Args:
        assignment: the assignment's folder.
        submission: the submission's folder.
        output: where ``result.json`` and ``graded.ipynb`` are written.
        limits: what the submission may use.

    Returns:
        What came of it. If the process ended without a result, a person has to look.

    Raises:
        NoSandbox: if this machine cannot enclose a submission.
    """
    limits = limits or RunLimits()
    set_forkserver_preload([__name__])
    output.mkdir(parents=True, exist_ok=True)
    path, refusal = output / "result.json", output / "no_sandbox.txt"
    for old in (path, refusal, output / "graded.ipynb"):
        old.unlink(missing_ok=True)
    questions = zygote.mine(limits.enclosed).questions
    process = multiprocessing.get_context("forkserver").Process(
        target=_grade, args=(assignment, submission, path, refusal, limits, questions)
    )
    with _main_unnamed():
        process.start()
    process.join(limits.wall_seconds + SPARE_SECONDS)
    late = process.is_alive()
    if late:
        process.kill()
        process.join()
    if refusal.exists():
        raise NoSandbox(refusal.read_text(encoding="utf-8"))
    if not late and path.exists():
        return Result.read(path)
    why = "took too long" if late else f"ended with {process.exitcode}"
    result = Result(Verdict.NEEDS_A_HUMAN, f"the grader's own process {why}; nothing is marked")
    result.write(path)
    return result


@contextmanager
def _main_unnamed() -> Iterator[None]:
    """Hide which program this is: whoever is forked meanwhile would run its file once more.

    Nothing that a grading process is handed stands in there, and importing a command line takes
    longer than grading.
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


def _end_with_parent() -> None:
    """End this process when the one that wants its result is gone, however that came about."""
    if parent := multiprocessing.parent_process():
        parent.join()
    os.kill(os.getpid(), signal.SIGKILL)


def _grade(
    assignment: Path,
    submission: Path,
    path: Path,
    refusal: Path,
    limits: RunLimits,
    questions: socket.socket,
) -> None:
    """Run in the forked process."""
    os.setsid()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    zygote.adopt(questions, limits.enclosed)
    # An answer may be large and a comparison of it larger; a machine is larger still.
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > GRADER_BYTES:
        resource.setrlimit(resource.RLIMIT_AS, (GRADER_BYTES, most))
    try:
        graded = path.with_name("graded.ipynb")
        grade(Assignment.load(assignment), submission, limits, graded).write(path)
    except NoSandbox as error:
        refusal.write_text(str(error), encoding="utf-8")
