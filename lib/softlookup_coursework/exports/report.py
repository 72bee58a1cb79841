"""The report of an export: what was written, and whose marks were left out."""

from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.common.display_text import number
from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import Result


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


def undecided(mark: Mark, result: Result, then: str) -> str:
    """What a person has to decide before points of tests count; empty, if there is nothing.

    Args:
        mark: the mark, with the judgements that there are.
        result: of the submission.
        then: what becomes of the mark until then.
    """
    settled = {remark.cell for remark in mark.remarks if remark.score is not None}
    old = {remark.cell for remark in mark.remarks if remark.outdated}
    for cell in result.cells:
        if cell.cell in old and cell.earned is not None:
            return (
                f"{cell.cell}: {then}: a person gave its points before the notebook or the tests "
                "were changed"
            )
        if cell.doubt and cell.cell not in settled:
            doubted, earned = result.in_doubt(cell.cell), cell.earned or 0.0
            return (
                f"{cell.cell}: {then} until a person decides on {number(doubted)} of its points, "
                f"and enters {number(earned + doubted)} for the cell if they count, and "
                f"{number(earned)} if not: {cell.doubt}"
            )
    return ""
