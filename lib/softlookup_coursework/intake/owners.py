"""Compares whose a folder of nbgrader's exchange is with the name that it bears.

Everybody may write into the exchange's ``inbound``, so a folder may be named for somebody else, and
with a later date it would supersede what they handed in. The file system knows who made it.
"""

import pwd
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.intake.archive import Member
from softlookup_coursework.intake.layouts import Place


@dataclass(frozen=True)
class Offered:
    """A file with its place."""

    member: Member
    place: Place


def owner_of(path: Path) -> str:
    """The name of a file's owner; the number, where no name is known."""
    try:
        number = path.lstat().st_uid
    except OSError:
        return ""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def tell_students(offered: Iterable[Offered]) -> bool:
    """Whether owners tell students apart here: somebody owns what bears their name.

    Where all work under one account, or the exchange was copied, nobody does.
    """
    return any(o.place.exchange and o.member.owner == o.place.student for o in offered)


def foreign(offered: list[Offered]) -> str:
    """Somebody else who owns files of an attempt; empty if nobody does."""
    others = {o.member.owner for o in offered if o.member.owner != o.place.student}
    return min(others, default="")
