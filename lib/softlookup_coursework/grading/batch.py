"""Grades all submissions of an assignment, side by side, and can be ended at any moment.

What is done is kept, submission by submission, and is not done again: a result carries the
fingerprint of all that it follows from. Only this process writes into the course folder; those
that grade send bytes back, so they may be this machine's or a cluster's without a shared disk.
"""

import fcntl
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
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.misuse import Misuse
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.common.written import write
from softlookup_coursework.grading import job
from softlookup_coursework.sandbox.sandbox import NoSandbox

# How many submissions wait at each worker, so that none is idle and few are in memory.
AHEAD = 2
WAIT_FOR_WORKERS = 120
# What dask must know before a worker starts.
SETTINGS = {"distributed.worker.daemon": False, "distributed.comm.timeouts.connect": "60s"}


@dataclass(frozen=True)
class Graded:
    """What came of one submission; ``kept`` if an earlier run had graded it."""

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
        again: whether results that still hold are made anew.
    """

    course: Course
    name: str
    limits: RunLimits = field(default_factory=RunLimits)
    again: bool = False

    def __post_init__(self) -> None:
        self.assignment = job.read(self.course.assignment(self.name))
        self.students = [folder.name for folder in self.course.collected(self.name)]

    def kept(self) -> dict[str, Result]:
        """The results that an earlier run left and that still hold, by student."""
        if self.again:
            return {}
        found = {student: self._kept(student) for student in self.students}
        return {student: result for student, result in found.items() if result}

    def run(self, client: Client | None) -> Iterator[Graded]:
        """Grade what has no result that holds.

        Args:
            client: the way to those who do the work; not needed if all is done.

        Yields:
            Each submission's result: first those that were kept, then the others as they come.

        Raises:
            NoSandbox: if a worker cannot enclose a submission. Nothing more is graded then.
        """
        kept = self.kept()
        for student, result in kept.items():
            yield Graded(student, result, True)
        waiting = [student for student in self.students if student not in kept]
        if not waiting or client is None:
            return
        assignment = client.scatter(self.assignment, broadcast=True)
        queue = iter(waiting)
        width = AHEAD * max(1, sum(client.nthreads().values()))
        submit: Any = lambda student: client.submit(  # noqa: E731
            job.grade, assignment, self._submission(student), self.limits, job.version(),
            pure=False, key=f"{self.name}-{student}-{os.urandom(4).hex()}",
        )  # fmt: skip
        students = {submit(student): student for student in itertools.islice(queue, width)}
        running = as_completed(list(students), raise_errors=False)
        for future in running:
            student = students.pop(future)
            yield Graded(student, self._store(student, future), False)
            for next_student in itertools.islice(queue, 1):
                following = submit(next_student)
                students[following] = next_student
                running.add(following)

    def _submission(self, student: str) -> job.Files:
        return job.read(self.course.folder / "collected" / self.name / student)

    def _kept(self, student: str) -> Result | None:
        """The result that an earlier run left, if it still holds."""
        folder = self.course.results(self.name, student)
        try:
            stored = (folder / job.FINGERPRINT).read_text(encoding="utf-8").strip()
            result = Result.read(folder / job.RESULT)
        except (OSError, ValueError):
            return None
        holds = stored == job.fingerprint(self.assignment, self._submission(student), self.limits)
        return result if holds and result.cells else None

    def _store(self, student: str, future: Any) -> Result:  # noqa: ANN401
        """Write what came back. The fingerprint comes last: it says that all of it is there."""
        folder = self.course.results(self.name, student)
        error = future.exception()
        files: job.Files = {} if error else future.result()
        if isinstance(error, job.OtherVersion):
            raise Misuse(str(error))
        if job.NO_SANDBOX in files:
            raise NoSandbox(files[job.NO_SANDBOX].decode())
        folder.mkdir(parents=True, exist_ok=True)
        for name in (job.FINGERPRINT, job.RESULT, job.NOTEBOOK):
            (folder / name).unlink(missing_ok=True)
        if error:
            why = f"the worker failed: {type(error).__name__}: {error}"[:500]
            Result(Verdict.NEEDS_A_HUMAN, why).write(folder / job.RESULT)
        for name in (job.NOTEBOOK, job.RESULT):
            if name in files:
                write(folder / name, files[name])
        result = Result.read(folder / job.RESULT)
        # Where the grader itself failed, no cell has a mark; another run is to try again.
        if result.cells:
            told = job.fingerprint(self.assignment, self._submission(student), self.limits)
            write(folder / job.FINGERPRINT, told + "\n")
        return result


@contextmanager
def alone(course: Course) -> Iterator[None]:
    """See to it that this is the only batch at work in a course.

    Raises:
        Misuse: if another one is.
    """
    with (course.folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Misuse(f"another command is grading in {course.folder}; wait for it") from error
        yield


@contextmanager
def workers(folder: Path, number: int | None = None, scheduler: str = "") -> Iterator[Client]:
    """Those who do the work: processes of this machine, or a cluster's.

    Args:
        folder: where this machine's workers keep what they work on.
        number: how many processes of this machine; as many as it has cores if not told.
        scheduler: the address of another cluster's scheduler, instead of this machine.

    Raises:
        Misuse: if no scheduler answers, or it has no workers.
    """
    with dask.config.set(SETTINGS):
        if scheduler:
            try:
                with Client(scheduler, timeout=WAIT_FOR_WORKERS) as client:
                    client.wait_for_workers(1, timeout=WAIT_FOR_WORKERS)
                    yield client
            except (OSError, TimeoutError, ValueError) as error:
                raise Misuse(f"{scheduler}: no scheduler with workers answers: {error}") from error
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        cluster = LocalCluster(
            n_workers=number or dask.system.CPU_COUNT,
            threads_per_worker=1,
            processes=True,
            # A submission's memory is its sandbox's affair.
            memory_limit=0,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            local_directory=str(folder),
            silence_logs=50,
        )
        with cluster, Client(cluster) as client:
            yield client
        shutil.rmtree(folder, ignore_errors=True)
