"""Remembers what was released, so that a teacher's own correction is not overwritten unseen.

A digest of each file lies beside the assignments, in a folder that nobody hands out and that no
result depends on.
"""

import hashlib
import json
from pathlib import Path

from softlookup_coursework.common.atomic_files import write_atomically

Digests = dict[str, str]
# What Jupyter and Python leave in a folder is nobody's correction.
LITTER = (".ipynb_checkpoints", "__pycache__")
# More names are not read by anybody.
MOST_NAMED = 5


def remember(course: Path, name: str) -> None:
    """Store the digests of an assignment's files, as they were just released."""
    found = _digests(course, course / "assignments" / name, course / "release" / name)
    write_atomically(_record(course, name), json.dumps(found, indent=1))


def refuse_if_changed(course: Path, name: str, rendered: Path) -> None:
    """Refuse to overwrite what differs from what was released.

    Args:
        course: the course folder.
        name: of the assignment.
        rendered: the assignment as it would be released now, which stands for what was released
            where no digests were kept.

    Raises:
        ValueError: if files were changed, added or deleted, saying which and what to do.
    """
    whole = course / "assignments" / name
    if not whole.is_dir():
        return
    now = _digests(course, whole, course / "release" / name)
    fresh = {f"assignments/{name}/{p}": d for p, d in _digests(rendered, rendered).items()}
    try:
        before = json.loads(_record(course, name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        before, now = fresh, _digests(course, whole)
    if _ended_half_way(before, now, fresh):
        return
    changed = sorted(path for path in {*before, *now} if before.get(path) != now.get(path))
    if not changed:
        return
    named = ", ".join(changed[:MOST_NAMED])
    more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
    raise ValueError(
        f"{named}{more} in {course} changed since the release, and would be lost; nothing was "
        "written. Keep them as they are, or copy them elsewhere and say --overwrite"
    )


def _ended_half_way(before: Digests, now: Digests, fresh: Digests) -> bool:
    """Whether the last release wrote its files, and was ended before it could remember them."""
    own = [
        {p: d for p, d in each.items() if p.startswith("assignments/")} for each in (before, now)
    ]
    return own[0] != fresh == own[1]


def _record(course: Path, name: str) -> Path:
    return course / "assignments" / ".released" / f"{name}.json"


def _digests(above: Path, *folders: Path) -> Digests:
    """The digest of each file in some folders, by its path from a folder above them."""
    files = (path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(above).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if not set(LITTER) & set(path.relative_to(above).parts)
    }
