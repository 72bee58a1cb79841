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


def unknown(name: str, place: str) -> str:
    """That a place uses a name which nobody defines where it can be read."""
    return (
        f"{place} uses {name}, which no cell defines, so that nobody can read what it is; define "
        "it in a cell"
    )


def not_plain(what: str, place: str) -> str:
    """That a place uses what is not among the words that answers are written with."""
    return (
        f"{place} uses {what}, which this check does not know; a person looks what it does, and if "
        "that is nothing that the exercise forbids, it costs nothing"
    )
