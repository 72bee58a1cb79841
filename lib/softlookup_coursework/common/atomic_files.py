"""Writes files atomically, by default readable by their owner only: they hold marks and names."""

import os
from pathlib import Path

PRIVATE = 0o600
# As permissive as the umask allows, as for files that ``Path.write_text`` makes.
BY_UMASK = 0o666


def write_atomically(path: Path, content: str | bytes, mode: int = PRIVATE) -> Path:
    """Write a file, and the folders that it needs.

    The content is written under another name, which is then renamed to ``path``: a reader finds
    either the old file or the new one, and never half of either. It is on the disk before it gets
    its name, so that no loss of power leaves an empty file behind.

    Args:
        path: the file.
        content: what it is to hold; text is encoded as UTF-8.
        mode: the file's permissions, less those that the umask removes.

    Returns:
        The path.
    """
    for folder in [*reversed(path.parents)]:
        folder.mkdir(exist_ok=True, mode=0o700)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    partial.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(partial, flags, mode), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path
