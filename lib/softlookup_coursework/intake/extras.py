"""Reads the files beside a notebook, within limits, under the names that the notebook expects.

Where a student uploads ``helper.py`` once more, Canvas calls the new one ``helper-1.py``. But a
student may have named it so. So it is kept under both names.
"""

import re

from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.intake.names import can_be_kept, shown
from softlookup_coursework.intake.owners import Offered

# Of the files left out that a sentence names.
MOST = 5
AGAIN = re.compile(r"(?P<stem>.+?)-(?P<again>\d{1,4})(?P<suffix>\.\w+)")


def files_beside(
    offered: list[Offered], notebook: Offered, limits: IntakeLimits
) -> tuple[dict[str, bytes], list[str]]:
    """The files that a student handed in beside the notebook.

    Args:
        offered: the files.
        notebook: the one beside which they lie. If it lies in a folder, so do those that it needs,
            and of what lies in other folders only the student's own is looked at.
        limits: on their number and their size.

    Returns:
        Contents by name, and what a person should know: which were left out and why, and which may
        be an older one of another.
    """
    files: dict[str, bytes] = {}
    left_out, left = [], limits.extra_bytes
    folder = notebook.place.file[:-1]
    # Of two that Canvas has under one name, the one that was uploaded later.
    for offer in sorted(
        offered, key=lambda one: (one.place.file[:-1] != folder, -one.place.number)
    ):
        *above, name = offer.place.file
        try:
            if name in files:
                raise Refused("another file has its name")
            if tuple(above) not in ((), folder) or not can_be_kept(name):
                raise Refused("its name cannot be kept")
            if len(files) >= limits.extra_files:
                raise Refused(f"only {limits.extra_files} files are taken")
            files[name] = offer.member.read(left)
            left -= len(files[name])
        except Refused as refusal:
            left_out.append(f"{shown(name)} was left out: {refusal}")
    if len(left_out) > MOST:
        left_out[MOST:] = [f"{len(left_out) - MOST} more files were left out"]
    if any(offer.place.number for offer in offered):
        left_out += _add_plain_names(files)
    return files, left_out


def _add_plain_names(files: dict[str, bytes]) -> list[str]:
    """Add files with a number under the name without it; say where both names are there."""
    newest: dict[str, tuple[int, str]] = {}
    for name in files:
        if (match := AGAIN.fullmatch(name)) and not name.endswith(".ipynb"):
            plain = match["stem"] + match["suffix"]
            newest[plain] = max(newest.get(plain, (-1, "")), (int(match["again"]), name))
    doubts = []
    for plain, (_, name) in newest.items():
        if plain in files:
            doubts.append(
                f"{shown(name)} lies beside {shown(plain)}, and may be a newer upload of it, for "
                "Canvas numbers these; both are kept"
            )
        else:
            files[plain] = files[name]
    return doubts
