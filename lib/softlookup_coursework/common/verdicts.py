"""The result of grading one submission: a verdict, the points, and messages.

``result.json`` holds this and nothing else. So the process that keeps the marks reads a small file
of known form, and never anything that a student's code has touched.
"""

import json
from collections.abc import Set
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

from softlookup_coursework.common.atomic_files import BY_UMASK, write_atomically


class Verdict(StrEnum):
    """How the grading of a submission ended. Points earned before the end are kept."""

    GRADED = "graded"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    TOO_MUCH_OUTPUT = "too much output"
    UNREADABLE = "unreadable"
    NEEDS_A_HUMAN = "needs a human"


@dataclass(frozen=True)
class TestResult:
    """One test.

    Attributes:
        name: its own.
        points: what it is worth.
        earned: what it earned.
        message: what it says.
        doubt: why a person has to decide whether the points are deserved; they are not earned
            before. Empty, if nobody has to.
    """

    __test__ = False  # pytest must not collect it

    name: str
    points: float
    earned: float
    message: str
    doubt: str = ""


@dataclass(frozen=True)
class CellResult:
    """One graded cell.

    Attributes:
        cell: its ``grade_id`` in the assignment.
        points: what it is worth.
        earned: what it earned; ``None`` where a person gives the points.
        tests: the results of its tests.
    """

    cell: str
    points: float
    earned: float | None
    tests: tuple[TestResult, ...] = ()

    @property
    def doubt(self) -> str:
        """Why a person has to decide on points of its tests; empty, if nobody has to."""
        return next((test.doubt for test in self.tests if test.doubt), "")


@dataclass(frozen=True)
class Result:
    """The result of one submission.

    Attributes:
        verdict: how it ended.
        why: in a sentence, for the teacher's table.
        cells: the graded cells, in the assignment's order.
        notes: what was restored, moved or left out before it ran.
        seconds: how long it took.
        crowded: whether it timed out on a machine so busy that it deserves another try.
        not_held: the limits that the kernel itself did not hold meanwhile, in words.
    """

    verdict: Verdict
    why: str
    cells: tuple[CellResult, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    crowded: bool = field(default=False, compare=False)
    not_held: tuple[str, ...] = field(default=(), compare=False)

    @property
    def earned(self) -> float:
        """The points that the tests gave; those that a person gives come on top."""
        return sum(cell.earned or 0.0 for cell in self.cells)

    @property
    def doubt(self) -> str:
        """Why a person has to decide on points of tests; empty, if nobody has to."""
        return next((cell.doubt for cell in self.cells if cell.doubt), "")

    def in_doubt(self, name: str) -> float:
        """The points of a cell's tests on which a person has to decide."""
        tests = [test for cell in self.cells if cell.cell == name for test in cell.tests]
        return sum(test.points for test in tests if test.doubt)

    def undecided(self, decided: Set[str]) -> list[CellResult]:
        """The cells on whose tests a person has still to decide.

        Args:
            decided: the names of the cells to which a person gave points.
        """
        return [cell for cell in self.cells if cell.doubt and cell.cell not in decided]

    def asks(self, decided: Set[str]) -> bool:
        """Whether a person has still to look at it, be it at a test or at all of it.

        Args:
            decided: the names of the cells to which a person gave points.
        """
        if self.verdict != Verdict.NEEDS_A_HUMAN:
            return bool(self.undecided(decided))
        lost = {cell.cell for cell in self.cells if cell.earned != cell.points}
        return not self.cells or not lost <= decided

    @property
    def points_of_tests(self) -> float:
        """The points that tests could give."""
        return sum(cell.points for cell in self.cells if cell.earned is not None)

    @property
    def points(self) -> float:
        """The points that could be had."""
        return sum(cell.points for cell in self.cells)

    def write(self, path: Path) -> None:
        """Write ``result.json`` atomically."""
        # A cluster's job may write it under another account than the one that reads the marks.
        write_atomically(path, json.dumps(asdict(self), indent=1), mode=BY_UMASK)

    @classmethod
    def read(cls, path: Path) -> "Result":
        """Read what ``write`` wrote.

        Raises:
            ValueError: if the file does not hold a result.
        """
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            cells = tuple(
                CellResult(
                    cell["cell"],
                    cell["points"],
                    cell["earned"],
                    tuple(TestResult(**test) for test in cell["tests"]),
                )
                for cell in stored["cells"]
            )
            verdict = Verdict(stored["verdict"])
            return cls(
                verdict, stored["why"], cells, tuple(stored["notes"]), stored["seconds"],
                stored.get("crowded", False), tuple(stored.get("not_held", ())),
            )  # fmt: skip
        except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError(
                f"{path}: expected a result of the grader, got {error!r}; grade it again"
            ) from error
