"""Reads untrusted files: regular files only, up to a size, and never through a link."""

import codecs
import io
import os
import stat
import tokenize
from pathlib import Path

# Encodings of host names: to decode a text takes the square of its length, and no file is in one.
ENDLESS = ("idna", "punycode")


class Refused(Exception):  # noqa: N818 - a refusal is an outcome, reported in a row
    """Raised when something that was handed in is not accepted; the text is for the report."""


def read_regular_file(path: Path, limit: int, below: Path | None = None) -> bytes:
    """Read a regular file of at most ``limit`` bytes.

    The file is opened first and checked afterwards, so that it cannot be replaced in between.
    Opening a pipe or a device does not block.

    Args:
        path: the file.
        limit: of its bytes.
        below: a folder above it. The folders between them are opened one by one, so that none can
            be exchanged for a link to the files of somebody else; without it, they are trusted.

    Raises:
        Refused: if it is a link, not a regular file, has several names, is too large or unreadable.
    """
    try:
        descriptor = _open(path, below or path.parent)
    except OSError as error:
        link = kind_of(path) == stat.S_IFLNK
        kind = "a link" if link else f"unreadable: {error.strerror}"
        raise Refused(f"{path.name} is {kind}") from error
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        os.close(descriptor)
        raise Refused(f"{path.name} is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        if facts.st_nlink != 1:
            raise Refused(f"{path.name} is a hard link: it has {facts.st_nlink} names")
        content = file.read(limit + 1)
    if len(content) > limit:
        raise Refused(f"{path.name} is larger than {limit:,} bytes")
    return content


def kind_of(path: Path) -> int:
    """What a path is, as ``stat.S_IFMT`` says it; 0 where it may not be looked at.

    No link is followed. ``Path.is_dir`` follows them, and raises where a folder may be listed and
    not passed through, or where a link leads to a name that is too long.
    """
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except OSError:
        return 0


def _open(path: Path, below: Path) -> int:
    """A descriptor of a file, on the way to which no link is followed from a folder on."""
    *between, name = path.relative_to(below).parts
    # Whoever may pass through a folder need not be allowed to list it.
    passing = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC
    folder = os.open(below, passing)
    try:
        for part in between:
            inner = os.open(part, passing | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        return os.open(name, flags, dir_fd=folder)
    finally:
        os.close(folder)


def python_source(content: bytes) -> str:
    """The text of a Python file as Python reads it: in whatever encoding it names at its top."""
    try:
        named, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        encoding = codecs.lookup(named).name
        return content.decode("utf-8" if encoding in ENDLESS else encoding, "replace")
    except (SyntaxError, LookupError, ValueError):
        return content.decode("utf-8", "replace")


def list_folder(folder: Path, limit: int) -> list[Path]:
    """The entries of a folder, sorted by name.

    Raises:
        Refused: if the folder is a link or unreadable, or has more than ``limit`` entries.
    """
    if kind_of(folder) != stat.S_IFDIR:
        raise Refused(f"{folder.name} is not a folder, or is a link to one")
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
