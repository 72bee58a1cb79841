"""Finds the folder that was put around everything, such as ``handed_in/`` in a zip of that name.

Whoever zips a folder gets an archive whose only entry is that folder. Taken for a student, it
would hide all of them behind its name.
"""

from collections import defaultdict
from collections.abc import Iterable

from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.intake.canvas_names import Reading, readings
from softlookup_coursework.intake.layouts import INBOUND, MOODLE, MOODLE_FILE, is_litter
from softlookup_coursework.intake.names import names_assignment

Path = tuple[str, ...]
NOBODY = Reading("", "", 0, "")


def wrappers(paths: Iterable[Path], assignment: str) -> int:
    """How many folders stand around the students' own.

    Args:
        paths: the parts of each path that was handed in.
        assignment: the assignment that is collected.

    Raises:
        Refused: if it cannot be told whether a folder is a student's or stands around them.
    """
    left = [parts for parts in paths if not is_litter(parts)]
    depth = 0
    while left and _is_wrapper(left, assignment):
        left = [parts[1:] for parts in left]
        depth += 1
    return depth


def downloads(paths: Iterable[Path]) -> set[str]:
    """The first parts of paths that are no student's but hold a platform's whole download.

    Where two downloads were unpacked into one folder, each would be taken for a student.
    """
    found, students = set[str](), defaultdict[str, set[str]](set)
    for first, *rest in filter(None, paths):
        if not rest or MOODLE.fullmatch(first) or INBOUND.fullmatch(first):
            continue
        *folders, file = rest
        if MOODLE_FILE.fullmatch(file) or any(
            MOODLE.fullmatch(one) or INBOUND.fullmatch(one) for one in folders
        ):
            found.add(first)
        if not folders and file.endswith(".ipynb"):
            # What names nobody is the file of somebody whose folder this is.
            students[first].add((readings(file) or [NOBODY])[0].student)
    canvas = {first for first, some in students.items() if len(some) > 1 and "" not in some}
    return found | canvas


def _is_wrapper(paths: list[Path], assignment: str) -> bool:
    """Whether the first part of all paths is a folder around those of the students."""
    first = {parts[0] for parts in paths if parts}
    if len(first) != 1 or any(len(parts) < 2 for parts in paths):
        return False
    (name,) = first
    if MOODLE.fullmatch(name) or INBOUND.fullmatch(name):
        return False
    files = {parts[1] for parts in paths if len(parts) == 2}
    folders = {parts[1] for parts in paths if len(parts) > 2}
    own = {parts[:-1] for parts in paths if names_assignment(parts[-1], assignment)}
    # A teacher may have said by the folder whose a file is that Canvas leaves open.
    if (name,) in own or any(one.student == name for file in files for one in readings(file)):
        return False
    known = any(MOODLE.fullmatch(one) or INBOUND.fullmatch(one) for one in folders)
    if known or any(readings(one) or MOODLE_FILE.fullmatch(one) for one in files):
        return True
    if (name, assignment) in own:
        return False
    notebooks = {file for file in files if file.endswith(".ipynb")}
    holding = {parts[1] for parts in paths if len(parts) > 2 and parts[-1].endswith(".ipynb")}
    if notebooks or not holding:
        return len(notebooks) > 1
    if len(holding) > 1:
        return True
    (inner,) = holding
    if _is_wrapper([parts[1:] for parts in paths if parts[1] == inner], assignment):
        return True
    raise Refused(
        f"is {name} a student, or a folder around the student {inner}? Collect the folder in which "
        "the students' own lie"
    )
