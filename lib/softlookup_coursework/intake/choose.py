"""Chooses the notebook to grade among what a student handed in, and says what was left.

Whoever downloads or copies a file again gets ``NAME (1).ipynb`` beside the old one, and often
hands in both. These count as one name, of which the newest is graded. Where neither dates nor
Canvas's numbers tell which that is, nothing is guessed. Another notebook that lies beside the
chosen one is named: perhaps it was the one that was meant.
"""

from datetime import datetime, timedelta

from softlookup_coursework.common.explanations import NO_NOTEBOOK, NOT_OPENED
from softlookup_coursework.common.untrusted_files import Refused
from softlookup_coursework.intake.names import names_assignment, shown
from softlookup_coursework.intake.owners import Offered

# A zip keeps every other second, and what was copied in one go has about one date.
SAME_MOMENT = timedelta(seconds=2)
# Of the files that a sentence names.
MOST = 5
PACKED = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")


def choose(offered: list[Offered], assignment: str) -> tuple[Offered, list[Offered], str]:
    """The assignment's notebook: the newest with its name, or the only one.

    One that lies in no folder below the student's own comes before all that do.

    Args:
        offered: what a student handed in at one time.
        assignment: the assignment's name.

    Returns:
        The notebook, the others of its name, and what a person should know of the choice: which
        was taken and which left, with dates or Canvas's numbers; empty where there was none.

    Raises:
        Refused: if there is none, or it cannot be told which one is meant.
    """
    notebooks = [one for one in offered if one.place.file[-1].lower().endswith(".ipynb")]
    named = [offer for offer in notebooks if names_assignment(offer.place.file[-1], assignment)]
    named = [offer for offer in named if len(offer.place.file) == 1] or named
    if not notebooks:
        raise Refused(_nothing(offered))
    if not named and len(notebooks) > 1:
        raise Refused(
            f"{len(notebooks)} notebooks were handed in, and none of them is named "
            f"{assignment}.ipynb: {_listed([_file(one) for one in notebooks])}"
        )
    chosen, left, choice = _newest(named or notebooks)
    others = [_with_date(one) for one in notebooks if one is not chosen and one not in left]
    if others:
        beside = f"{_file(chosen)} was taken, and not {_listed(others)} beside it"
        choice = f"{choice}; {beside}" if choice else beside
    return chosen, left, choice


def _newest(named: list[Offered]) -> tuple[Offered, list[Offered], str]:
    """The newest of the notebooks of one name, the others, and what they are, if there are any.

    Raises:
        Refused: if it cannot be told which is the newest.
    """
    if len(named) == 1:
        return named[0], [], ""
    newest_first = sorted(named, key=_date, reverse=True)
    if all(one.place.number for one in named):
        # Canvas gives all files the date of the download.
        newest_first = sorted(named, key=lambda one: one.place.number, reverse=True)
    chosen, *left = newest_first
    if not _is_newer(chosen, left):
        listed = _listed([_with_date(one) for one in sorted(named, key=_file)])
        raise Refused(
            f"{len(named)} notebooks were handed in, and their dates do not tell which is the "
            f"newest: {listed}"
        )
    listed = _listed([_with_date(one) for one in left])
    return chosen, left, f"{_with_date(chosen)} was taken, and the older {listed} left"


def _listed(names: list[str]) -> str:
    """Names in a sentence, which says how many more there are."""
    more = [f"{len(names) - MOST} more"] if len(names) > MOST else []
    return " and ".join([*names[:MOST], *more])


def _is_newer(newest: Offered, others: list[Offered]) -> bool:
    """Whether it can be told that a file is newer than others, which come newest first."""
    named = [newest, *others]
    if len({one.member.name for one in named}) < len(named):
        return False
    if all(one.place.number for one in named):
        return newest.place.number > others[0].place.number
    return _date(others[-1]) != datetime.min and _date(newest) - _date(others[0]) >= SAME_MOMENT


def _file(offer: Offered) -> str:
    """A file's path in what a student handed in, fit for a table."""
    return shown("/".join(offer.place.file), 100)


def _date(offer: Offered) -> datetime:
    return offer.member.changed or datetime.min


def _with_date(offer: Offered) -> str:
    if offer.place.number:
        return f"{_file(offer)} (Canvas's number {offer.place.number})"
    date = offer.member.changed
    when = f"of {date:%Y-%m-%d %H:%M:%S}" if date else "without a date"
    return f"{_file(offer)} {when}"


def _nothing(offered: list[Offered]) -> str:
    """Why there is no notebook among the files."""
    packed = [one for one in offered if one.place.file[-1].lower().endswith(PACKED)]
    if not packed:
        return f"{NO_NOTEBOOK}, but {_listed([_file(one) for one in offered])}"
    name = _file(packed[0])
    return f"{name} was handed in, and {NOT_OPENED}; hand in the .ipynb itself"
