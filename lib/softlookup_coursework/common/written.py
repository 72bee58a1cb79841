"""Writes files whole or not at all, for their owner's eyes alone: they hold marks and names."""

import os
from pathlib import Path


def write(path: Path, content: str | bytes) -> Path:
    """Write a file, and the folders that it needs.

    The content lies under another name until all of it is there, so that whoever reads ``path``
    finds the old file or the new one and never half of either.

    Returns:
        The path.
    """
    for folder in [*reversed(path.parents)]:
        folder.mkdir(exist_ok=True, mode=0o700)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    partial.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(partial, flags, 0o600), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path
