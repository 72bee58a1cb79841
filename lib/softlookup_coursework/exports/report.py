"""The report of an export: what was written, and whose marks were left out."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Left:
    """A student whose mark was left out, or was exported although something is wrong with it.

    Attributes:
        student: the identifier in the marks or the roster.
        why: the reason, in a sentence.
        lost: whether a mark or a submission does not arrive because of it.
    """

    student: str
    why: str
    lost: bool = True


@dataclass(frozen=True)
class Report:
    """The result of an export.

    Attributes:
        path: the file or folder that was written.
        written: the number of marks in it.
        left: the students who were left out, each with the reason.
        notes: for the person who uploads it.
    """

    path: Path
    written: int
    left: tuple[Left, ...] = ()
    notes: tuple[str, ...] = ()
