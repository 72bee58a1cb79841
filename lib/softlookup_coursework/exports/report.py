"""The report of an export: what was written, and whose marks were left out."""

from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.common.display_text import number
from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import CellResult, Result


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
    old = {remark.cell for remark in mark.remarks if remark.outdated}
    for cell in result.cells:
        if cell.cell in old:
            return (
                f"{cell.cell}: {then}: a person gave its points before the notebook or the tests "
                "were changed; to keep them, press Resolve beside them in the Formgrader"
            )
    if not (waiting := result.undecided(mark.decided)):
        return ""
    first, *others = waiting
    most, least = _either_way(result, first)
    also = [f"{cell.cell} ({' or '.join(_either_way(result, cell))})" for cell in others]
    return (
        f"{first.cell}: {then} until a person decides on {number(result.in_doubt(first.cell))} of "
        f"its points, and enters {most} for the cell if they count, and {least} if not: "
        f"{first.doubt}" + (f". So it is with {', '.join(also)}" if also else "")
    )


def _either_way(result: Result, cell: CellResult) -> tuple[str, str]:
    """What a person enters for a cell whose tests are in doubt: if they count, and if not."""
    earned = cell.earned or 0.0
    return number(earned + result.in_doubt(cell.cell)), number(earned)
