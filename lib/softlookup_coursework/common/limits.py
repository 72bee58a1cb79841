"""Limits on what a submission may contain and on what it may use while it runs.

They protect the submissions that come after: none can use more than this. They are generous for an
honest answer and small for a machine.
"""

from dataclasses import dataclass

MEBIBYTE = 2**20


@dataclass(frozen=True)
class IntakeLimits:
    """Limits on the size of a submission, checked before it is graded.

    What is in an archive or a folder as a whole is many students', and one who exceeds it would
    cost the others. So the limits on the whole are far above any class.

    Attributes:
        handed_in_bytes: size of the notebook's file as it is handed in, with its outputs.
        notebook_bytes: size of the notebook's file without them, if it is larger than this.
        cells: number of cells in the notebook.
        cell_characters: length of one cell's source.
        extra_files: number of files beside the notebook.
        extra_bytes: size of all files beside the notebook together.
        archive_members: number of members in one archive, or of entries in the folder that is
            collected.
        folder_files: number of entries in each folder below that.
        archive_bytes: size of all that an archive unpacks to.
    """

    handed_in_bytes: int = 50 * MEBIBYTE
    notebook_bytes: int = 10 * MEBIBYTE
    cells: int = 500
    cell_characters: int = 200_000
    extra_files: int = 20
    extra_bytes: int = 10 * MEBIBYTE
    archive_members: int = 200_000
    folder_files: int = 20_000
    archive_bytes: int = 262_144 * MEBIBYTE


@dataclass(frozen=True)
class RunLimits:
    """Limits on what a submission may use while it runs.

    Attributes:
        wall_seconds: from the start of its kernel to the last test.
        cell_seconds: for one cell. Of this and of the other two, time in which the kernel waits for
            a processor does not count, up to ``wall_seconds``.
        call_seconds: for one call of a student's function by a test.
        processor_seconds: CPU time of one process.
        memory_bytes: of all its processes together, including the files in its file system.
        processes: processes and threads together.
        files_bytes: what it may write in its own file system.
        files: how many it may create there.
        output_bytes: what it may print and draw, over the whole run.
        answer_bytes: of one answer to a test.
        enclosed: whether it runs in a sandbox. Without one it may read and change whatever the
            grader's user may, and only the limits on time, memory and single files hold. Use that
            for trusted code only.
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
        """The resource limits of each process in the sandbox, by their names in ``resource``.

        ``RLIMIT_AS`` is what a process may map beside what it begins with, its libraries. That is
        more than it writes to (stacks of threads), so there is room; the watcher limits the memory
        of all processes together. Two limits count all processes of a user. Without a sandbox
        that would include the grader's own, so they are not set.
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
            # A priority that was lowered cannot be raised again.
            "RLIMIT_NICE": 0,
            "RLIMIT_RTPRIO": 0,
        }
