"""What one submission may use, and what one submission may be.

Every number here is a promise to the submissions that come after: whatever one of them does, it
does within these. They are generous for an honest answer and small for a machine.
"""

from dataclasses import dataclass

MEBIBYTE = 2**20


@dataclass(frozen=True)
class IntakeLimits:
    """How large a submission may be before it is opened.

    Attributes:
        notebook_bytes: of the notebook's file.
        cells: in the notebook.
        cell_characters: in the source of one cell.
        extra_files: beside the notebook.
        extra_bytes: of all files beside the notebook together.
        archive_members: in one archive.
        archive_bytes: of all that an archive unpacks to.
        ratio: how many times larger than packed a member of an archive may be.
    """

    notebook_bytes: int = 10 * MEBIBYTE
    cells: int = 500
    cell_characters: int = 200_000
    extra_files: int = 20
    extra_bytes: int = 10 * MEBIBYTE
    archive_members: int = 20_000
    archive_bytes: int = 4096 * MEBIBYTE
    ratio: int = 200


@dataclass(frozen=True)
class RunLimits:
    """What a submission may use while it runs.

    Attributes:
        wall_seconds: from the start of its kernel to the last test.
        cell_seconds: for one cell.
        call_seconds: for one call of a student's function by a test.
        processor_seconds: of one process.
        memory_bytes: of all its processes together; what lies in its own file system counts.
        processes: processes and threads together.
        files_bytes: what it may write in its own file system.
        files: how many it may create there.
        output_bytes: what it may print and draw, over the whole run.
        answer_bytes: of one answer to a test.
        enclosed: whether it runs in a sandbox. Without one it may read and change whatever the
            one who grades may, and of the limits only those of time, memory and single files
            hold; for code of one's own, or of people whom one would let into one's office.
    """

    wall_seconds: float = 600.0
    cell_seconds: float = 120.0
    call_seconds: float = 20.0
    processor_seconds: int = 600
    memory_bytes: int = 2048 * MEBIBYTE
    processes: int = 128
    files_bytes: int = 128 * MEBIBYTE
    files: int = 10_000
    output_bytes: int = 20 * MEBIBYTE
    answer_bytes: int = 64 * MEBIBYTE
    enclosed: bool = True

    def for_each_process(self) -> dict[str, int]:
        """The limits that each process of the sandbox has, as ``resource`` names them.

        A process's address space is larger than what it occupies (libraries, stacks of threads),
        so it is given room; what all of them occupy together is watched from outside. Without a
        sandbox the system would count all the processes of whoever grades: these are not bound.
        """
        counted = {"RLIMIT_NPROC": self.processes, "RLIMIT_SIGPENDING": 256}
        return (counted if self.enclosed else {}) | {
            "RLIMIT_AS": self.memory_bytes + 1024 * MEBIBYTE,
            "RLIMIT_CPU": self.processor_seconds,
            "RLIMIT_FSIZE": self.files_bytes,
            "RLIMIT_NOFILE": 256,
            "RLIMIT_CORE": 0,
            "RLIMIT_MSGQUEUE": 0,
            "RLIMIT_MEMLOCK": 0,
        }
