"""Gives every submission its feedback: ``feedback/<student>/<name>/<name>.html`` in the course.

A page is made for whatever has a verdict, the unreadable and the endless included. One that cannot
be made is a row of the report, and the others are made all the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.common.words import in_short, title_of
from softlookup_coursework.common.written import write
from softlookup_coursework.feedback import shown_notebook
from softlookup_coursework.feedback.page import page


@dataclass(frozen=True)
class Published:
    """One student's row of the report.

    Attributes:
        student: who.
        path: the page; ``None`` if there is none.
        why: the verdict in short, or why there is no page.
        final: whether the mark on it is: no answer waits to be read, and nobody has to look.
    """

    student: str
    path: Path | None
    why: str
    final: bool = False


def publish(course: Path, name: str, marks: Iterable[Mark]) -> list[Published]:
    """Make the page of each submission of an assignment.

    Args:
        course: the course's folder.
        name: the assignment.
        marks: the marks, as the gradebook tells them. A submission that was graded and has no
            mark there gets a page with what the tests gave.

    Returns:
        A row for each student who has a mark or a result, by name.
    """
    title = title_of(course, name)
    known = {mark.student: mark for mark in marks if mark.name == name}
    results = course / "results" / name
    graded = {path.parent.name for path in results.glob("*/result.json")}
    return [_publish(course, name, title, who, known.get(who)) for who in sorted(graded | {*known})]


def page_path(course: Path, name: str, student: str) -> Path:
    """Where a student's page lies."""
    return course / "feedback" / student / name / f"{name}.html"


def _publish(course: Path, name: str, title: str, student: str, mark: Mark | None) -> Published:
    folder = course / "results" / name / student
    path = page_path(course, name, student)
    try:
        result = Result.read(folder / "result.json")
        mark = mark or mark_of(result, name, student)
        html = page(title, mark, result, shown_notebook.read(folder / "graded.ipynb"))
        write(path, html)
    except FileNotFoundError:
        return Published(student, None, "it has not been graded yet")
    except (OSError, ValueError) as error:
        return Published(student, None, f"no page could be made: {error}")
    final = not mark.waits and result.verdict != Verdict.NEEDS_A_HUMAN
    return Published(student, path, in_short(result), final)


def mark_of(result: Result, name: str, student: str) -> Mark:
    """The mark that a result alone gives."""
    by_hand = None if any(cell.earned is None for cell in result.cells) else 0.0
    return Mark(
        student, name, result.earned, by_hand, result.earned, result.points, result.verdict,
        result.why,
    )  # fmt: skip
