"""Keeps what was collected, in one folder per student, whole or not at all.

::

    <destination>/<student>/notebook.ipynb
    <destination>/<student>/files/…           what was handed in beside it
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

BEFORE = ".before"  # the ending of what is about to be replaced


def store(destination: Path, student: str, files: Mapping[str, bytes]) -> None:
    """Write a student's folder under another name, and rename it when it is complete.

    The one before is put aside first, and comes back if the command ends in between.
    """
    partial = destination / f".{student}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    (partial / "files").mkdir(parents=True)
    for name, content in files.items():
        (partial / name).write_bytes(content)
    final, before = destination / student, destination / f".{student}{BEFORE}"
    shutil.rmtree(before, ignore_errors=True)
    if final.exists():
        final.rename(before)
    partial.rename(final)
    shutil.rmtree(before, ignore_errors=True)


def bring_back(destination: Path) -> None:
    """Bring back what was put aside by a command that ended before it could replace it."""
    for before in destination.glob(f".*{BEFORE}"):
        final = destination / before.name.removeprefix(".").removesuffix(BEFORE)
        if not final.exists():
            before.rename(final)
