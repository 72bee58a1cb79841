"""A student's mark for an assignment, as the gradebook holds it and as it is exported.

Points from tests and points from a person are kept apart: a mark whose written answer nobody has
read yet is not final, and exports must be able to tell.
"""

from dataclasses import dataclass

from softlookup_coursework.common.verdicts import Verdict


@dataclass(frozen=True)
class Remark:
    """A person's judgement of one cell.

    Attributes:
        cell: its ``grade_id``.
        score: the points that the person gave; ``None`` if they gave none.
        comment: their comment.
        outdated: whether the points were given before the notebook or its tests were changed.
    """

    cell: str
    score: float | None
    comment: str = ""
    outdated: bool = False


@dataclass(frozen=True)
class Mark:
    """One student's mark for one assignment.

    Attributes:
        student: their identifier in the layout or the roster.
        name: the assignment.
        tests_earned: the points from tests.
        by_hand: the points from a person; ``None`` while a written answer waits to be read.
        earned: both together.
        points: the maximum.
        verdict: how the grading ended.
        why: the reason for the verdict, in a sentence.
        remarks: a person's judgements, cell by cell.
        first_name: of the student, empty if the gradebook does not know it; so too the next two.
        last_name: of the student.
        email: of the student.
        to_come: the points that a person may still give.
    """

    student: str
    name: str
    tests_earned: float
    by_hand: float | None
    earned: float
    points: float
    verdict: Verdict
    why: str
    remarks: tuple[Remark, ...] = ()
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    to_come: float = 0.0

    @property
    def decided(self) -> frozenset[str]:
        """The cells to which a person gave points, since the notebook or its tests changed."""
        remarks = (one for one in self.remarks if not one.outdated)
        return frozenset(one.cell for one in remarks if one.score is not None)

    @property
    def waits(self) -> bool:
        """Whether points are still to come from a person."""
        return self.by_hand is None

    @property
    def known_name(self) -> str:
        """First name and last name; empty where neither is known."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def full_name(self) -> str:
        """First name and last name; the student's identifier where neither is known."""
        return self.known_name or self.student
