"""What came of one submission: a verdict, the points, and the words for it.

``result.json`` is this and nothing else, so that the process that keeps the marks reads a small
file of known form and never anything that a student's code has touched.
"""

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path


class Verdict(StrEnum):
    """How the grading of a submission ended. Points earned before the end stand."""

    GRADED = "graded"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    TOO_MUCH_OUTPUT = "too much output"
    UNREADABLE = "unreadable"
    NEEDS_A_HUMAN = "needs a human"


@dataclass(frozen=True)
class TestResult:
    """One test: its name, what it is worth, what it earned, and the message that it gave."""

    __test__ = False  # a record, which pytest is not to collect

    name: str
    points: float
    earned: float
    message: str


@dataclass(frozen=True)
class CellResult:
    """One graded cell.

    Attributes:
        cell: its ``grade_id`` in the assignment.
        points: what it is worth.
        earned: what it earned; ``None`` where a person gives the points.
        tests: the tests that decided.
    """

    cell: str
    points: float
    earned: float | None
    tests: tuple[TestResult, ...] = ()


@dataclass(frozen=True)
class Result:
    """What came of one submission.

    Attributes:
        verdict: how it ended.
        why: in a sentence, for the teacher's table.
        cells: the graded cells, in the assignment's order.
        notes: what was restored, moved or left out before it ran.
        seconds: how long it took.
    """

    verdict: Verdict
    why: str
    cells: tuple[CellResult, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def earned(self) -> float:
        """The points that the tests gave; those that a person gives come on top."""
        return sum(cell.earned or 0.0 for cell in self.cells)

    @property
    def points(self) -> float:
        """The points that could be had."""
        return sum(cell.points for cell in self.cells)

    def write(self, path: Path) -> None:
        """Write ``result.json`` whole or not at all."""
        partial = path.with_name(path.name + ".partial")
        partial.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        partial.replace(path)

    @classmethod
    def read(cls, path: Path) -> "Result":
        """Read what ``write`` wrote.

        Raises:
            ValueError: if the file is not such a result.
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
            return cls(verdict, stored["why"], cells, tuple(stored["notes"]), stored["seconds"])
        except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError(
                f"{path}: expected a result as `write` writes it, {error!r}"
            ) from error
