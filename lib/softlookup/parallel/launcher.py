"""What ``workers.run`` starts: a process that starts the workers, and outlives none of its callers.

It imports torch once and forks, which costs a tenth of importing torch in every worker. On systems
other than Linux, where a fork of a process that has loaded its libraries is not safe, every worker
is a fresh Python.
"""

import multiprocessing
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from datetime import timedelta
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

import torch
import torch.distributed as dist

from softlookup.parallel.workers import PATIENCE, Failure, Job, end_with


def work(folder: Path, rank: int, launcher: int) -> None:
    """One worker: join the process group, do the job, and leave the result in the folder."""
    end_with(launcher)
    torch.set_num_threads(1)
    try:
        job: Job = pickle.loads((folder / "job").read_bytes())
        join_group(f"file://{folder / 'rendezvous'}", rank, job.n_workers, PATIENCE)
        result = job.work(*job.arguments)
        dist.barrier()
        dist.destroy_process_group()
        _write(folder / f"result-{rank}", result)
    except BaseException:
        told = f"raised:\n{traceback.format_exc()}"
        _write(folder / f"failure-{rank}", Failure(rank, time.monotonic(), told))
        os._exit(1)


def join_group(method: str, rank: int, n_workers: int, patience: timedelta) -> None:
    """Make the default process group: gloo, over the machine's own loopback.

    Args:
        method: where the workers meet, as ``torch.distributed.init_process_group`` takes it.
        rank: this worker's.
        n_workers: how many there are.
        patience: how long a collective waits.
    """
    dist.init_process_group(
        "gloo", init_method=method, rank=rank, world_size=n_workers, timeout=patience
    )


def launch(folder: Path, parent: int) -> None:
    """Start the workers and wait for them; when one fails, end the others."""
    job: Job = pickle.loads((folder / "job").read_bytes())
    linux = sys.platform == "linux"
    context = multiprocessing.get_context("fork") if linux else multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=work, args=(folder, rank, os.getpid()))
        for rank in range(job.n_workers)
    ]
    for worker in workers:
        worker.start()
    # Only now: a process with threads should not fork.
    end_with(parent)
    try:
        _wait(folder, workers)
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def _wait(folder: Path, workers: Sequence[BaseProcess]) -> None:
    """Until all have ended well, or one has not.

    A signal, or an exit from deep within a library, leaves no traceback, so it is noted here.
    """
    running = {worker.sentinel: rank for rank, worker in enumerate(workers)}
    while running:
        ended = wait(list(running))
        for sentinel in [each for each in running if each in ended]:
            rank = running.pop(sentinel)
            workers[rank].join()
            code = workers[rank].exitcode
            if code is not None and code < 0:
                _write(
                    folder / f"failure-{rank}",
                    Failure(rank, -1.0, f"was ended by {signal.Signals(-code).name}"),
                )
            elif not any((folder / f"{what}-{rank}").exists() for what in ("result", "failure")):
                _write(
                    folder / f"failure-{rank}",
                    Failure(rank, -1.0, f"left with code {code} and without a result"),
                )
            if code:
                return


def _write(file: Path, value: object) -> None:
    """In one step, so that nobody reads half of it."""
    partial = file.with_suffix(".partial")
    partial.write_bytes(pickle.dumps(value))
    partial.rename(file)


def main(arguments: list[str]) -> None:
    """Start the workers of a job, or torchrun with the arguments that follow."""
    where, parent, *rest = arguments
    if where == "torchrun":
        from torch.distributed import run

        end_with(int(parent))
        run.main(rest)
    else:
        launch(Path(where), int(parent))


if __name__ == "__main__":
    main(sys.argv[1:])
