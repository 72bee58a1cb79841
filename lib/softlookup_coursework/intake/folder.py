"""Lists the files of a folder as an archive's members: regular files only, and no links."""

import stat
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.common.untrusted_files import (
    Refused,
    kind_of,
    list_folder,
    read_regular_file,
)
from softlookup_coursework.intake.archive import Member
from softlookup_coursework.intake.owners import owner_of

DEEPEST = 4


@contextmanager
def members(root: Path, limits: IntakeLimits) -> Iterator[list[Member]]:
    """The files below a folder, in the order of their names, as ``archive.members`` gives them.

    A link, a device, or a folder that cannot be listed becomes a member that refuses to be read,
    so that it appears in the report under its name.

    Raises:
        Refused: if the folder itself is a link or unreadable.
    """
    waiting: deque[tuple[tuple[str, ...], Path]] = deque()
    waiting += [((child.name,), child) for child in list_folder(root, limits.archive_members)]
    found = []
    while waiting:
        parts, path = waiting.popleft()
        if kind_of(path) == stat.S_IFDIR:
            try:
                if len(parts) > DEEPEST:
                    raise Refused(f"it is more than {DEEPEST} folders deep")
                below = list_folder(path, limits.folder_files)
            except Refused as refusal:
                found.append(Member("/".join(parts), parts, _refusing(str(refusal))))
            else:
                waiting.extendleft(((*parts, child.name), child) for child in reversed(below))
        else:
            name, reading = "/".join(parts), _reading(path, root)
            found.append(Member(name, parts, reading, owner_of(path), _changed(path)))
    yield found


def folders(root: Path, depth: int, limits: IntakeLimits) -> list[tuple[str, ...]]:
    """The folders so many levels below a folder, as parts of their paths; no links.

    Raises:
        Refused: if one of them cannot be listed.
    """
    found: list[tuple[tuple[str, ...], Path]] = [((), root)]
    for _ in range(depth):
        found = [
            ((*parts, child.name), child)
            for parts, path in found
            for child in list_folder(path, limits.archive_members)
            if kind_of(child) == stat.S_IFDIR
        ]
    return [parts for parts, _ in found]


def _changed(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime)
    except (OSError, OverflowError, ValueError):
        return None


def _reading(path: Path, root: Path) -> Callable[[int], bytes]:
    return lambda limit: read_regular_file(path, limit, below=root)


def _refusing(reason: str) -> Callable[[int], bytes]:
    def refuse(limit: int) -> bytes:
        raise Refused(reason)

    return refuse
