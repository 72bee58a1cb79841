"""What ``workers.run`` starts: a process that starts the workers, and outlives none of its callers.

It imports all that trainings need once and forks, for one call after the other: that costs a tenth
of importing it in every worker. On systems other than Linux, where a fork of a process that has
loaded its libraries is not safe, every worker is a fresh Python.
"""

import importlib
import multiprocessing
import os
import pickle
import signal
import socket
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

# What workers need is imported before they are forked: the kinds of training, and what torch's
# optimisers import in their first step.
_FOR_TRAININGS = ["torch._dynamo"] + [
    f"softlookup.parallel.{kind}"
    for kind in ("data_parallel", "grid", "pipeline", "ring", "sharded", "tensor_parallel")
]


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


def launch(folder: Path, n_workers: int) -> None:
    """Start the workers and wait for them; when one fails, end the others."""
    linux = sys.platform == "linux"
    context = multiprocessing.get_context("fork") if linux else multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=work, args=(folder, rank, os.getpid())) for rank in range(n_workers)
    ]
    try:
        for worker in workers:
            worker.start()
        _wait(folder, workers)
    finally:
        for worker in workers:
            if worker.pid is not None:
                worker.kill()
                worker.join()


def _wait(folder: Path, workers: Sequence[BaseProcess]) -> None:
    """Until all have ended well, or one has not, or nobody waits for them any more.

    On Linux, a pipe can be waited for until nobody reads any more what this process prints. A
    signal, or an exit from deep within a library, leaves no traceback, so it is noted here.
    """
    running = {worker.sentinel: rank for rank, worker in enumerate(workers)}
    caller = [1] if sys.platform == "linux" else []
    while running:
        ended = wait([*running, *caller])
        if 1 in ended:
            return
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


def serve(channel: socket.socket) -> None:
    """Start the workers of one call after the other, until the caller closes the channel.

    With each message comes the end of a pipe, on which the workers print. The caller waits until
    it is closed: when they have ended, and this process has noted how.
    """
    for module in _FOR_TRAININGS if sys.platform == "linux" else ():
        importlib.import_module(module)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    while True:
        message, ends, *_ = socket.recv_fds(channel, 4096, 1)
        if not message:
            return
        n_workers, folder = message.decode().split(" ", 1)
        _print_to(ends[0])
        os.close(ends[0])
        launch(Path(folder), int(n_workers))
        _print_to(nowhere)


def _print_to(file: int) -> None:
    """Send to an open file what this process and its children print, errors included."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.dup2(file, 1)
    os.dup2(file, 2)


def main(arguments: list[str]) -> None:
    """Serve on an open socket, of this number, the process of that number."""
    channel, parent = map(int, arguments)
    # On Linux this makes no thread; a process that has some should not fork.
    end_with(parent)
    serve(socket.socket(fileno=channel))


if __name__ == "__main__":
    main(sys.argv[1:])
