"""Reads files that strangers made: plain ones only, up to a size, never through a link."""

import os
import stat
from pathlib import Path


class Refused(Exception):  # noqa: N818 - a refusal is an outcome, reported in a row
    """Says why something a student handed in is not taken. Its text is for the report."""


def read_plain(path: Path, limit: int) -> bytes:
    """Read a plain file of at most ``limit`` bytes.

    The file is opened first and looked at afterwards, so that nothing can be put in its place
    between the two; a pipe or a device is never waited for.

    Raises:
        Refused: if it is a link, no plain file, has other names, is too large or cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        kind = "a link" if path.is_symlink() else f"unreadable: {error.strerror}"
        raise Refused(f"{path.name} is {kind}") from error
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise Refused(f"{path.name} is no plain file")
        if facts.st_nlink != 1:
            raise Refused(f"{path.name} is a hard link: it has {facts.st_nlink} names")
        content = file.read(limit + 1)
    if len(content) > limit:
        raise Refused(f"{path.name} is larger than {limit:,} bytes")
    return content


def children(folder: Path, limit: int) -> list[Path]:
    """What lies in a folder, sorted by name, at most ``limit`` entries.

    Raises:
        Refused: if the folder is a link or unreadable, or holds more.
    """
    if folder.is_symlink() or not folder.is_dir():
        raise Refused(f"{folder.name} is no plain folder")
    try:
        with os.scandir(folder) as entries:
            found = []
            for entry in entries:
                found.append(Path(entry.path))
                if len(found) > limit:
                    raise Refused(f"{folder.name} holds more than {limit:,} files")
    except OSError as error:
        raise Refused(f"{folder.name} is unreadable: {error.strerror}") from error
    return sorted(found)
