"""A student's mark for an assignment, as the gradebook tells it and as it goes out.

The tests' points and a person's are kept apart to the end: a mark whose written answer nobody has
read yet is not final, and whoever hands it on has to know.
"""

from dataclasses import dataclass

from softlookup_coursework.common.verdicts import Verdict


@dataclass(frozen=True)
class Remark:
    """What a person said about one cell.

    Attributes:
        cell: its ``grade_id``.
        score: the points that the person gave; ``None`` while nobody has.
        comment: their words.
    """

    cell: str
    score: float | None
    comment: str = ""


@dataclass(frozen=True)
class Mark:
    """One student's mark for one assignment.

    Attributes:
        student: as the layout or the roster names them.
        name: the assignment.
        tests_earned: what the tests gave.
        by_hand: what a person gave; ``None`` while a written answer waits to be read.
        earned: both together.
        points: what could be had.
        verdict: how the grading ended.
        why: in a sentence.
        remarks: what a person said, cell by cell.
        first_name: of the student, where the gradebook knows it; so too the next two.
        last_name: of the student.
        email: of the student.
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

    @property
    def waits(self) -> bool:
        """Whether points are still to come from a person."""
        return self.by_hand is None

    @property
    def full_name(self) -> str:
        """First name and last name; the student's identifier where neither is known."""
        return f"{self.first_name} {self.last_name}".strip() or self.student
