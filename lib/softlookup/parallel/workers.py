"""Worker processes on this machine, which end with the call that started them, whatever happens.

``run`` starts one launcher, a fresh Python that imports torch once, and the launcher starts the
workers of this call and of those that follow. A notebook's kernel cannot start them itself: it has
threads, and a fork keeps none of them. The workers find each other through a file in a folder of
their own, so no port is fixed. Every kind of training in this folder is run so.
"""

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

from softlookup.parallel.prepared import launcher_for_a_call

Result = TypeVar("Result")

# After so long without an answer a collective gives up: no worker waits for ever on a dead one.
PATIENCE = timedelta(seconds=120)

# PR_SET_PDEATHSIG of Linux's prctl: the signal that a process gets when its parent ends.
_END_WITH_PARENT = 1


class WorkerError(RuntimeError):
    """A worker failed; the message has its rank and its traceback."""


@dataclass(frozen=True)
class Job:
    """What a launcher is handed.

    Attributes:
        work: what each worker calls.
        n_workers: how many there are.
        arguments: what each calls it with.
    """

    work: Callable[..., object]
    n_workers: int
    arguments: tuple[object, ...]


@dataclass(frozen=True)
class Failure:
    """How a worker failed.

    Attributes:
        rank: which worker.
        moment: when, on a clock that all processes of a machine share, in seconds.
        what: its traceback, or the signal by which it ended.
    """

    rank: int
    moment: float
    what: str


def run(work: Callable[..., Result], n_workers: int, *arguments: object) -> list[Result]:
    """Call a function in each of several worker processes, which are one process group by gloo.

    Within it ``torch.distributed`` is ready: the group is the default one, with a rank for each
    worker. When ``run`` returns or raises, an interrupt included, no worker is left. The launcher
    waits for the next call when it returns; it ends when it raises, and with this process.

    Args:
        work: the function. It must be importable, because another process imports it: a function
            of the library or of a file, and not one of a notebook's cell.
        n_workers: how many workers.
        arguments: what each worker is handed, which must pickle.

    Returns:
        What each worker returned, by rank.

    Raises:
        ValueError: if there is no worker, or the function cannot be imported.
        WorkerError: if a worker raised, or was killed.
    """
    return _call(work, n_workers, arguments)[0]


def _call(
    work: Callable[..., Result], n_workers: int, arguments: tuple[object, ...]
) -> tuple[list[Result], str]:
    """What each worker returned, and what they printed."""
    if n_workers < 1:
        raise ValueError(f"n_workers is {n_workers}; expected at least 1")
    if work.__module__ == "__main__" or "<" in work.__qualname__:
        raise ValueError(
            f"work is {work.__qualname__!r} of {work.__module__!r}; expected a function that "
            "another process can import: write it into a file, at its top level"
        )
    with tempfile.TemporaryDirectory(prefix="workers-") as name:
        folder = Path(name)
        (folder / "job").write_bytes(pickle.dumps(Job(work, n_workers, arguments)))
        with launcher_for_a_call() as launcher:
            said = launcher.start(n_workers, folder)
            _raise_the_first_failure(folder, said)
            if not all((folder / f"result-{n}").exists() for n in range(n_workers)):
                raise WorkerError(launcher.last_words(said))
        results = [pickle.loads((folder / f"result-{n}").read_bytes()) for n in range(n_workers)]
    return results, said


def torchrun(arguments: Sequence[str]) -> str:
    """Run ``torchrun`` with these arguments, and end it and its workers with this call.

    A script that is named by ``--run-path`` is forked from a process that has imported torch.

    Args:
        arguments: those of the command, such as ``["--standalone", "--nproc-per-node=2", …]``.

    Returns:
        What it and its workers printed.

    Raises:
        WorkerError: if it did not end well, with what was printed.
    """
    return _call(_be_torchrun, 1, (arguments,))[1]


def _be_torchrun(arguments: Sequence[str]) -> None:
    from torch.distributed import run

    if sys.platform == "linux":
        multiprocessing.set_forkserver_preload(["torch._dynamo", "softlookup.parallel.resumable"])
        arguments = ["--start-method=forkserver", *arguments]
    run.main(arguments)


def end_with(process: int) -> None:
    """End this process, at once, when its parent is no longer the given process.

    A parent that is killed cannot tell its children. Linux kills them for it, even one that waits
    deep within a library; elsewhere a thread looks five times a second.

    Args:
        process: the number of the parent.
    """

    def watch() -> None:
        while os.getppid() == process:
            time.sleep(0.2)
        os._exit(1)

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != process:  # It ended before it could be asked for.
            os._exit(1)
    else:
        threading.Thread(target=watch, daemon=True).start()


def _raise_the_first_failure(folder: Path, said: str) -> None:
    """Raise what failed first: the others fail only because they no longer hear of it."""
    failures = [pickle.loads(file.read_bytes()) for file in folder.glob("failure-*[0-9]")]
    if failures:
        failure: Failure = min(failures, key=lambda each: each.moment)
        raise WorkerError(f"worker {failure.rank} {failure.what}\n{said}".rstrip())
