"""The errors that end a command with a sentence: it was called wrongly, or the disk refuses."""

import errno


class UsageError(Exception):
    """Raised when a command was called wrongly; the text says what was wrong and what to do."""


# What a disk or its owner refuses, whatever is written.
NOT_WRITABLE = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is full",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "you may not write or read there",
    errno.EPERM: "you may not write or read there",
    errno.EIO: "the disk is broken",
}


def disk_fault(error: BaseException) -> str:
    """What is wrong with the disk, in a sentence; empty if it is something else."""
    if not isinstance(error, OSError) or error.errno not in NOT_WRITABLE:
        return ""
    where = f"{error.filename}: " if error.filename else ""
    return (
        f"{where}{NOT_WRITABLE[error.errno]}. What was done is kept; see to that, and say it again"
    )
