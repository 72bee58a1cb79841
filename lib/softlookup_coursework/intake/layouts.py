"""Finds a file's student and attempt from its path, as Canvas, Moodle and nbgrader lay it out.

Source: Canvas, ``lib/content_zipper.rb``: of each student the zip holds one submission, and each of
its files under ``lastfirst_101_5003_file``, with ``LATE`` before the first number, which is the
student's. The second is the upload's, so it grows with time and does not tell attempts apart.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from softlookup_coursework.intake.canvas_names import Reading, readings

MOODLE = re.compile(r"(?P<name>.*)_(?P<student>\d+)_assignsubmission_(?:file|onlinetext)_?")
# Where Moodle is asked for no folders, the file's own name stands behind that of the folder. The
# first number is Moodle's: another may stand in the file's name, which its student chose.
MOODLE_FILE = re.compile(
    r"(?P<name>.*?)_(?P<student>\d+)_assignsubmission_(?:file|onlinetext)_(?P<file>.+)"
)
# Moodle's name for everybody, where marking is blind.
BLIND = "Participant"
INBOUND = re.compile(r"(?P<student>.+?)\+(?P<assignment>[^+]+)\+(?P<attempt>\d{4}-[^+]+)(?:\+.*)?")
LITTER = re.compile(r"__MACOSX|\.ipynb_checkpoints|\..*|timestamp\.txt|Thumbs\.db|desktop\.ini")

# Folders that programs make for themselves.
SYSTEMS = re.compile(
    r"\.(?:_|\.|DS_Store|ipynb_checkpoints|git|svn|hg|Trash|venv|cache|config|local|jupyter|ipython"
    r"|vscode|idea|Spotlight|fseventsd|tmp)"
)


@dataclass(frozen=True)
class Place:
    """A file's student, attempt (the greatest is the newest), and path in the submission.

    ``exchange`` says that the folder lay in nbgrader's exchange, where anybody could have named it.
    ``name`` is the student's, where the layout tells it beside their number; Canvas tells it in
    small letters without spaces. ``number`` is Canvas's of the upload: of two, the greater was
    uploaded later.
    """

    student: str
    attempt: tuple[int, str]
    file: tuple[str, ...]
    exchange: bool = False
    name: str = ""
    number: int = 0


def is_litter(parts: Iterable[str]) -> bool:
    """Whether a path is of a hidden or temporary file that systems leave in folders."""
    return any(LITTER.fullmatch(part) for part in parts)


def is_hidden_student(parts: tuple[str, ...]) -> bool:
    """Whether a file lies in a folder that is hidden, and may be a student's.

    What systems themselves hide begins with a dot, too, and is known by its name.
    """
    first, *rest = parts
    hidden = first.startswith(".") and not SYSTEMS.match(first)
    return hidden and bool(rest) and not is_litter(rest)


def place(
    parts: tuple[str, ...], assignment: str, canvas: Sequence[Reading] | None = None
) -> Place | None:
    """Find a file's student and attempt.

    Args:
        parts: of the path, without ``..``.
        assignment: the assignment that is collected.
        canvas: how a name of Canvas's can be read; in all ways if not given.

    Returns:
        Its place; ``None`` for another assignment's file, for the hidden and temporary files that
        systems leave in folders, and where a name of Canvas's can be read in several ways.
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
    if readings(first):
        several = readings(first) if canvas is None else canvas
        if len(several) != 1:
            return None
        (one,) = several
        file = (one.file,)
        return Place(one.student, (0, ""), file, name=one.name or "", number=one.number)
    if first.endswith(".ipynb"):
        return Place(first.removesuffix(".ipynb"), (0, ""), (f"{assignment}.ipynb",))
    return None


def _moodle_name(match: re.Match[str]) -> str:
    return "" if match["name"] == BLIND else match["name"]
