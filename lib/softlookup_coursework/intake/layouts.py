"""Finds a file's student and attempt from its path, as Canvas, Moodle and nbgrader lay it out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

MOODLE = re.compile(r"(?P<name>.*)_(?P<student>\d+)_assignsubmission_(?:file|onlinetext)_?")
# Where Moodle is asked for no folders, the file's own name stands behind that of the folder. The
# first number is Moodle's: another may stand in the file's name, which its student chose.
MOODLE_FILE = re.compile(
    r"(?P<name>.*?)_(?P<student>\d+)_assignsubmission_(?:file|onlinetext)_(?P<file>.+)"
)
# Moodle's name for everybody, where marking is blind.
BLIND = "Participant"
CANVAS = re.compile(r"[^_/]+_(?:LATE_)?(?P<student>\d+)_(?P<attempt>\d+)_(?P<file>.+)")
# Canvas numbers a file that was submitted again: attention-1.ipynb.
CANVAS_AGAIN = re.compile(r"(?P<stem>.+?)-(?P<again>\d{1,4})(?P<suffix>\.\w+)")
INBOUND = re.compile(r"(?P<student>.+?)\+(?P<assignment>[^+]+)\+(?P<attempt>\d{4}-[^+]+)(?:\+.*)?")
LITTER = re.compile(r"__MACOSX|\.ipynb_checkpoints|\..*|timestamp\.txt|Thumbs\.db|desktop\.ini")


@dataclass(frozen=True)
class Place:
    """A file's student, attempt (the greatest is the newest), and path in the submission.

    ``exchange`` says that the folder lay in nbgrader's exchange, where anybody could have named it.
    ``name`` is the student's, where the layout tells it beside their number.
    """

    student: str
    attempt: tuple[int, str]
    file: tuple[str, ...]
    exchange: bool = False
    name: str = ""


def is_litter(parts: Iterable[str]) -> bool:
    """Whether a path is of a hidden or temporary file that systems leave in folders."""
    return any(LITTER.fullmatch(part) for part in parts)


def place(parts: tuple[str, ...], assignment: str) -> Place | None:
    """Find a file's student and attempt.

    Args:
        parts: of the path, without ``..``.
        assignment: the assignment that is collected.

    Returns:
        Its place; ``None`` for another assignment's file, and for the hidden and temporary files
        that systems leave in folders.
    """
    if is_litter(parts):
        return None
    first, rest = parts[0], parts[1:]
    if rest:
        if match := MOODLE.fullmatch(first):
            return Place(match["student"], (0, ""), rest, name=_moodle_name(match))
        if match := INBOUND.fullmatch(first):
            ours = match["assignment"] == assignment
            attempt = (0, match["attempt"])
            return Place(match["student"], attempt, rest, exchange=True) if ours else None
        # nbgrader's own `submitted/`: a folder per student, and in it one per assignment.
        if len(rest) > 1 and rest[0] == assignment:
            return Place(first, (0, ""), rest[1:])
        return Place(first, (0, ""), rest)
    if match := MOODLE_FILE.fullmatch(first):
        return Place(match["student"], (0, ""), (match["file"],), name=_moodle_name(match))
    if match := CANVAS.fullmatch(first):
        name, again = match["file"], 0
        if numbered := CANVAS_AGAIN.fullmatch(name):
            name, again = numbered["stem"] + numbered["suffix"], int(numbered["again"])
        return Place(match["student"], (int(match["attempt"][:18]), f"{again:04}"), (name,))
    if first.endswith(".ipynb"):
        return Place(first.removesuffix(".ipynb"), (0, ""), (f"{assignment}.ipynb",))
    return None


def _moodle_name(match: re.Match[str]) -> str:
    return "" if match["name"] == BLIND else match["name"]
