"""What an export did, and for whom it could not be done."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Left:
    """A student whose mark did not go out, or not as they might think.

    Attributes:
        student: who, as the marks or the roster name them.
        why: in a sentence.
        lost: whether there is a mark or a submission that does not arrive because of it.
    """

    student: str
    why: str
    lost: bool = True


@dataclass(frozen=True)
class Report:
    """What an export did.

    Attributes:
        path: the file, or the folder, that was written.
        written: how many marks stand in it.
        left: for whom there is none, each with the reason.
        notes: what whoever uploads it should know.
    """

    path: Path
    written: int
    left: tuple[Left, ...] = ()
    notes: tuple[str, ...] = ()
