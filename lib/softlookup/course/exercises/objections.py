"""What speaks against an answer that may use what its exercise forbids, in sentences."""

from dataclasses import dataclass

# What a student is told of a name that is forbidden, behind the name.
REFUSED = "which does for you what this exercise asks you to write; write it out"
# Of the places that leave a doubt, this many are named.
MOST_PLACES = 6


@dataclass(frozen=True)
class Objection:
    """What speaks against an answer.

    Attributes:
        why: a sentence for the student; empty, if nothing does.
        sure: whether the answer uses what is forbidden for sure; otherwise a person has to look.
    """

    why: str = ""
    sure: bool = True

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self.why)


def uses(name: str, place: str) -> str:
    """That an answer uses a forbidden name for sure."""
    return f"your answer uses {name} ({place}), {REFUSED}"


def calls(name: str) -> str:
    """That an answer was seen to call what is forbidden, by whatever name."""
    return f"your answer calls {name}, {REFUSED}"


def runs_unread(what: str, place: str) -> str:
    """That a place runs what cannot be read."""
    return (
        f"{place} runs {what}, so that nobody can read what it uses; write the code itself, here "
        "or in a .py file beside the notebook"
    )


def listed(places: list[str]) -> str:
    """The first of some places, and how many more there are."""
    more = len(places) - MOST_PLACES
    return ", ".join(places[:MOST_PLACES]) + (f" and {more} more" if more > 0 else "")


def may_use(name: str, place: str) -> str:
    """That a place names what is forbidden, and the code does not tell more."""
    return (
        f"{place} names {name}, which does for you what this exercise asks you to write, and the "
        "code does not tell whether your answer uses it; take the name out"
    )


def nested(place: str) -> str:
    """That a place cannot be read, as one thing stands within another too often."""
    return f"{place} is nested too deeply to be read here; write it in several statements"


def unknown(name: str, place: str) -> str:
    """That a place uses a name which nobody defines where it can be read."""
    return (
        f"{place} uses {name}, which no cell defines, so that nobody can read what it is; define "
        "it in a cell"
    )


def leads_out(name: str, place: str) -> str:
    """That a place uses what may compute an answer that nobody can read."""
    return (
        f"{place} uses {name}, by which an answer may come from where nobody can read it; write "
        "the answer without it"
    )


def put_together(place: str) -> str:
    """That a place looks something up by a name that does not stand there."""
    return (
        f"{place} looks up a part of a module by a name that is put together, so that nobody can "
        "read which; write the name"
    )


def not_plain(what: str, place: str) -> str:
    """That a place uses what is not among the words that answers are written with."""
    return (
        f"{place} uses {what}, which this check does not know; a person looks what it does, and if "
        "that is nothing that the exercise forbids, it costs nothing"
    )
