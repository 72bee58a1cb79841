"""Dispatches all submissions of an assignment to workers. It can be killed at any moment.

Each result is stored as it arrives, with a fingerprint of all that it follows from, and is not made
again while the fingerprint matches. Only this process writes into the course folder; workers send
bytes back, so they may be processes of this machine or of a cluster without a shared disk.
"""

import itertools
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dask
from distributed import Client, LocalCluster, as_completed

from softlookup_coursework.assignments.course import Course
from softlookup_coursework.common import result_files
from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.safe_path import nothing_imported_from_here
from softlookup_coursework.common.usage_error import UsageError
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.grading import job
from softlookup_coursework.sandbox import control_groups
from softlookup_coursework.sandbox.sandbox import NoSandbox

# How many submissions are queued per worker, so that none is idle and few are in memory.
QUEUED_PER_WORKER = 2
WAIT_FOR_WORKERS = 120
# Must be set before a worker starts.
DASK_SETTINGS = {"distributed.worker.daemon": False, "distributed.comm.timeouts.connect": "60s"}


@dataclass(frozen=True)
class Graded:
    """The result of one submission; ``kept`` if it is from an earlier run."""

    student: str
    result: Result
    kept: bool


@dataclass
class Batch:
    """The grading of one assignment's submissions.

    Args:
        course: the course.
        name: the assignment.
        limits: what a submission may use.
        again: whether to grade again what has a result that is still valid.
    """

    course: Course
    name: str
    limits: RunLimits = field(default_factory=RunLimits)
    again: bool = False

    def __post_init__(self) -> None:
        self.assignment = job.read(self.course.assignment(self.name))
        self.students = [folder.name for folder in self.course.collected(self.name)]

    def kept(self) -> dict[str, Result]:
        """The results of earlier runs that are still valid, by student."""
        if self.again:
            return {}
        found = {student: self._kept(student) for student in self.students}
        return {student: result for student, result in found.items() if result}

    def dispatch(self, client: Client | None) -> Iterator[Graded]:
        """Submit every submission without a valid result to the workers, and store what comes back.

        Args:
            client: dask's client of the workers; not needed if nothing is left to grade.

        Yields:
            Each submission's result: first those that were kept, then the others as they arrive,
            and last those that timed out on a busy machine and were tried once more, one by one.

        Raises:
            NoSandbox: if a worker cannot run the sandbox. Nothing more is graded then.
            UsageError: if a worker has another version of the grader.
        """
        kept = self.kept()
        for student, result in kept.items():
            yield Graded(student, result, True)
        waiting = [student for student in self.students if student not in kept]
        if not waiting or client is None:
            return
        assignment = client.scatter(self.assignment, broadcast=True)
        queue = iter(waiting)
        width = QUEUED_PER_WORKER * max(1, sum(client.nthreads().values()))
        sent: dict[str, str] = {}

        def submit(student: str) -> Any:  # noqa: ANN401
            files = self._submission(student)
            # Of what was sent, and not of what lies there when the result arrives.
            sent[student] = job.fingerprint(self.assignment, files, self.limits)
            return client.submit(
                job.run, assignment, files, self.limits, job.version(),
                pure=False, key=f"{self.name}-{student}-{os.urandom(4).hex()}",
            )  # fmt: skip

        students = {submit(student): student for student in itertools.islice(queue, width)}
        running = as_completed(list(students), raise_errors=False)
        crowded = []
        for future in running:
            student = students.pop(future)
            result = self._store(student, future, sent[student])
            if result.crowded:
                crowded.append(student)
            else:
                yield Graded(student, result, False)
            for next_student in itertools.islice(queue, 1):
                following = submit(next_student)
                students[following] = next_student
                running.add(following)
        # Nobody else is graded now.
        for student in crowded:
            for future in as_completed([submit(student)], raise_errors=False):
                result = self._store(student, future, sent[student], calm=True)
                yield Graded(student, result, False)

    def _submission(self, student: str) -> job.Files:
        return job.read(self.course.folder / "collected" / self.name / student)

    def _kept(self, student: str) -> Result | None:
        """The result of an earlier run, if it is still valid."""
        folder = self.course.results(self.name, student)
        try:
            stored = (folder / result_files.FINGERPRINT).read_text(encoding="utf-8").strip()
            result = Result.read(folder / result_files.RESULT)
        except (OSError, ValueError):
            return None
        valid = stored == job.fingerprint(self.assignment, self._submission(student), self.limits)
        return result if valid and result.cells else None

    def _store(
        self,
        student: str,
        future: Any,  # noqa: ANN401
        fingerprint: str,
        calm: bool = False,
    ) -> Result:
        """Store what came back; the fingerprint last, as a sign that the rest is complete.

        A result that deserves another try gets none, unless the machine was calm already.
        """
        folder = self.course.results(self.name, student)
        error = future.exception()
        files: job.Files = {} if error else future.result()
        if isinstance(error, job.OtherVersion):
            raise UsageError(str(error))
        if result_files.NO_SANDBOX in files:
            raise NoSandbox(files[result_files.NO_SANDBOX].decode())
        folder.mkdir(parents=True, exist_ok=True)
        for name in (result_files.FINGERPRINT, result_files.RESULT, result_files.NOTEBOOK):
            (folder / name).unlink(missing_ok=True)
        if error:
            why = f"the worker failed: {type(error).__name__}: {error}"[:500]
            Result(Verdict.NEEDS_A_HUMAN, why).write(folder / result_files.RESULT)
        for name in (result_files.NOTEBOOK, result_files.RESULT):
            if name in files:
                write_atomically(folder / name, files[name])
        result = Result.read(folder / result_files.RESULT)
        # Where the grader itself failed, no cell has a mark, and the next run tries again.
        if result.cells and (calm or not result.crowded):
            write_atomically(folder / result_files.FINGERPRINT, fingerprint + "\n")
        return result


@contextmanager
def start_workers(folder: Path, number: int | None = None, scheduler: str = "") -> Iterator[Client]:
    """Start workers on this machine, or connect to those of a cluster.

    Args:
        folder: the working folder of this machine's workers.
        number: of worker processes on this machine; by default one per core.
        scheduler: the address of a cluster's scheduler, to use instead of this machine.

    Yields:
        A client that submits work to them.

    Raises:
        UsageError: if no scheduler answers, or it has no workers.
    """
    with dask.config.set(DASK_SETTINGS):
        if scheduler:
            try:
                with Client(scheduler, timeout=WAIT_FOR_WORKERS) as client:
                    client.wait_for_workers(1, timeout=WAIT_FOR_WORKERS)
                    yield client
            except (OSError, TimeoutError, ValueError) as error:
                raise UsageError(
                    f"{scheduler}: no scheduler with workers answers: {error}"
                ) from error
            return
        # Where this moves the grader into the leaf of a delegated group, the workers begin there.
        control_groups.parent_group()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        with nothing_imported_from_here():
            cluster = LocalCluster(
                n_workers=number or dask.system.CPU_COUNT,
                threads_per_worker=1,
                processes=True,
                # The sandbox limits a submission's memory.
                memory_limit=0,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                local_directory=str(folder),
                silence_logs=50,
            )
            with cluster, Client(cluster) as client:
                yield client
        shutil.rmtree(folder, ignore_errors=True)
