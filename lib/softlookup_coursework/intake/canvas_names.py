"""Reads whose a file is from the name that Canvas gives it, in all ways in which that can be read.

Before a student's number stands their name, in small letters, and behind it a number of the upload
and the file's own name. All three may hold ``_`` and digits: ``x_105_104_5004_scales.ipynb`` may be
the student 104, called X_105, or the student 105, called X. Who guessed could give the one's
mark to the other. So all readings are kept, and only what cannot be is left out.

Source: Canvas, ``lib/content_zipper.rb``. It takes ``_105_`` out of a name before it takes out
what is no letter, digit or ``_``, so that it may come about again.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# No number of Canvas's begins with 0. What was typed into Canvas instead of uploaded has none.
UPLOAD = r"_(?:(?P<number>[1-9][0-9]*)_(?P<file>.+)|(?P<typed>text\.html|link\.html))"
NAMED = re.compile(r"_(?:LATE_)?(?P<student>[1-9][0-9]*)" + UPLOAD)
# Where marking is blind, Canvas names each student by five letters and digits.
BLIND = re.compile(r"(?:LATE_)?(?P<student>anon_[A-Za-z0-9]{5})" + UPLOAD)
# Of the readings of one name; two are too many already.
MOST = 8


@dataclass(frozen=True)
class Reading:
    """One way to read a file's name: the student, their name, the upload's number, the file.

    ``name`` is ``None`` where marking is blind.
    """

    student: str
    name: str | None
    number: int
    file: str


def readings(file: str) -> list[Reading]:
    """All ways to read a file's name; none if it is not from Canvas."""
    blind = BLIND.fullmatch(file)
    found = [_reading(blind, None)] if blind else []
    for sign in re.finditer("_", file):
        name = file[: sign.start()]
        if len(found) < MOST and not name.endswith("_LATE"):
            match = NAMED.fullmatch(file, sign.start())
            found += [_reading(match, name)] if match else []
    return found


def possible(files: Iterable[str]) -> Mapping[str, Sequence[Reading]]:
    """For each file of a download the readings that the others leave possible.

    What can be read in one way is so. It tells the name of its student, which is the same in all
    their files, and whether marking is blind.
    """
    found = {file: readings(file) for file in files}
    certain = [one for (one, *others) in filter(None, found.values()) if not others]
    names: dict[str, set[str | None]] = defaultdict(set)
    for one in certain:
        names[one.student].add(one.name)
    kinds = {one.name is None for one in certain}

    def can_be(one: Reading) -> bool:
        known = names.get(one.student)
        return (not kinds or (one.name is None) in kinds) and (not known or one.name in known)

    return {
        file: [one for one in several if can_be(one)] if len(several) > 1 else several
        for file, several in found.items()
    }


def doubt(several: Sequence[Reading]) -> str:
    """A sentence that asks whose a file is that can be read in several ways."""
    either = " or ".join(
        one.student if one.name is None else f"{one.student}, called {one.name or 'nothing'}"
        for one in several
    )
    return (
        f"whose is it? By its name of {either}; nobody got it. Put it into a folder that is named "
        "by the student's number, and collect the folder around that one"
    )


def _reading(match: re.Match[str], name: str | None) -> Reading:
    number = int((match["number"] or "0")[:18])
    return Reading(match["student"], name, number, match["file"] or match["typed"])
