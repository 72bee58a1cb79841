"""The checks of an assignment: what must hold of it before students are given it.

Each is a generator that yields what is wrong, and nothing if all is well. The project's own
assignments and a teacher's private ones are held to the same.
"""

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from softlookup_coursework.assignments import source, student_version
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking import bank, cheap, judging, own_process
from softlookup_coursework.common.display_text import one_line


@dataclass(frozen=True)
class Rendered:
    """An assignment as a term has it.

    Attributes:
        folder: of the rendered assignment.
        parameters: what the term drew.
        assignment: as the grader uses it.
    """

    folder: Path
    parameters: dict[str, Any]
    assignment: Assignment

    @classmethod
    def make(cls, whole: Path, folder: Path, term: Term) -> "Rendered":
        """Render the whole source of an assignment for a term into a folder.

        Raises:
            ValueError: if the source is malformed, saying where.
        """
        source.render(whole, folder, term)
        drawn = json.loads((folder / "term.json").read_text(encoding="utf-8"))
        return cls(folder, drawn["parameters"], Assignment.load(folder))


@dataclass(frozen=True)
class Check:
    """A check: its name, what it asks for, what to do about it, and how it finds what is wrong."""

    name: str
    asks: str
    remedy: str
    wrong: Callable[[list[Rendered], Path], Iterator[str]]


def hides(terms: list[Rendered], answers: Path) -> Iterator[str]:
    """Students get no line of a solution, a hidden test or the rubric."""
    for one in terms:
        try:
            student_version.student_notebook(one.folder)
        except (ValueError, RuntimeError) as error:
            yield str(error)


def solves(terms: list[Rendered], answers: Path) -> Iterator[str]:
    """The solution passes every test in every term."""
    for one in terms:
        cells = bank.notebook(one.folder)["cells"]
        with contextlib.chdir(one.folder):
            for test, why in own_process.failed_tests(one.assignment, cells).items():
                yield f"{test} says {why}, where the term drew {json.dumps(one.parameters)}"


def asks(terms: list[Rendered], answers: Path) -> Iterator[str]:
    """The notebook that students get, handed in as it is, earns nothing."""
    stored = student_version.student_notebook(terms[0].folder)
    result = judging.grade(terms[0].folder, json.loads(json.dumps(stored)))
    for test in (test for cell in result.cells for test in cell.tests):
        if test.earned:
            yield f"{test.name} gives {test.earned:g} for a stub"


def costs(terms: list[Rendered], answers: Path) -> Iterator[str]:
    """What costs nothing to write earns nothing."""
    with contextlib.chdir(terms[0].folder):
        try:
            names = own_process.defined(terms[0].assignment)
        except Exception as error:
            yield f"not tried, since the solution does not run: {error!r}"
            return
        for what in cheap.ANSWERS:
            for test in cheap.earned(terms[0].assignment, names, what):
                yield f"{test}, is passed by {what}"


def changes(terms: list[Rendered], answers: Path) -> Iterator[str]:
    """A term's solution gets at most half of the points in another term."""
    for last, this in pairwise(terms):
        result = judging.grade(
            this.folder, bank.notebook(this.folder), judging.solutions(last.folder)
        )
        most = judging.points_of_tests(this.assignment) / 2
        if result.earned > most:
            yield f"a term's solution earns {result.earned:g} in another; expected {most:g} at most"


def judges(terms: list[Rendered], answers: Path, kinds: tuple[str, ...]) -> Iterator[str]:
    """The bank's answers of some kinds get the marks and the messages that they must get."""
    paths = [path for path in bank.files(answers) if path.parent.name in kinds]
    if not paths:
        yield f"there are none in {answers.name}/{kinds[0]}"
    for path in paths:
        try:
            why = judging.wrongly_judged(terms[0].folder, path, terms[0].parameters)
        except ValueError as error:
            why = str(error)
        if why:
            yield f"{path.parent.name}/{path.name}: {why}"


CHECKS = (
    Check("hidden", "no line of it is released", "take that line out of what students get", hides),
    Check("solution", "it passes in every term", "mend the solution or the test", solves),
    Check("stub", "it earns nothing", "test what the stub cannot do", asks),
    Check("cheap answers", "they earn nothing", "ask for numbers that vary with the input", costs),
    Check("last term", "it earns half at most", "let more tests depend on the draws", changes),
    Check(
        "right answers",
        "they get full marks",
        "write some in other styles, and do not punish a style",
        lambda terms, answers: judges(terms, answers, ("right",)),
    ),
    Check(
        "wrong answers",
        "they get what they deserve",
        "write the mistakes that students make, and name each in a message",
        lambda terms, answers: judges(terms, answers, ("wrong", "own")),
    ),
)


def shown(faults: list[str], most: int = 3) -> str:
    """Some faults on a line, and how many more there are."""
    more = f"; and {len(faults) - most} more" if len(faults) > most else ""
    return "; ".join(one_line(fault, 300) for fault in faults[:most]) + more
