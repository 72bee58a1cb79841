"""Writes every submission's feedback: ``feedback/<student>/<name>/<name>.html`` in the course.

Every submission with a verdict gets a page, including those that were unreadable or timed out. A
page that cannot be made is a row of the report, and does not prevent the others.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from softlookup_coursework.common import result_files
from softlookup_coursework.common.atomic_files import write_atomically
from softlookup_coursework.common.explanations import assignment_title, summary
from softlookup_coursework.common.marks import Mark
from softlookup_coursework.common.verdicts import Result, Verdict
from softlookup_coursework.feedback import shown_notebook
from softlookup_coursework.feedback.page import page
from softlookup_coursework.feedback.rendering import Renderer


@dataclass(frozen=True)
class Published:
    """One student's row of the report.

    Attributes:
        student: their identifier.
        path: the page; ``None`` if there is none.
        why: the verdict in short, or why there is no page.
        final: whether the mark is final: no answer waits to be read, and no person has to look.
        unread: whether nothing but a written answer, or a test in doubt, waits.
        name: the student's; their identifier where none is known.
    """

    student: str
    path: Path | None
    why: str
    final: bool = False
    unread: bool = False
    name: str = ""


def publish(course: Path, name: str, marks: Iterable[Mark]) -> list[Published]:
    """Make the page of each submission of an assignment.

    Args:
        course: the course folder.
        name: the assignment.
        marks: from the gradebook. A submission that was graded and has no mark there gets a
            page with the points from tests.

    Returns:
        A row for each student who has a mark or a result, sorted by student.
    """
    title = assignment_title(course, name)
    known = {mark.student: mark for mark in marks if mark.name == name}
    results = course / "results" / name
    graded = {path.parent.name for path in results.glob(f"*/{result_files.RESULT}")}
    with Renderer() as render:
        return [
            _publish(course, name, title, who, known.get(who), render)
            for who in sorted(graded | {*known})
        ]


def page_path(course: Path, name: str, student: str) -> Path:
    """The path of a student's page."""
    return course / "feedback" / student / name / f"{name}.html"


def _publish(
    course: Path, name: str, title: str, student: str, mark: Mark | None, render: Renderer
) -> Published:
    folder = course / "results" / name / student
    path = page_path(course, name, student)
    render.begin()
    try:
        result = Result.read(folder / result_files.RESULT)
        mark = mark or mark_of(result, name, student)
        cells = shown_notebook.read(folder / result_files.NOTEBOOK)
        html = page(title, mark, result, cells, render)
        write_atomically(path, html)
    except FileNotFoundError:
        return Published(student, None, "it has not been graded yet")
    except (OSError, ValueError) as error:
        return Published(student, None, f"no page could be made: {error}")
    final = not mark.waits and not result.asks(mark.decided)
    unread = mark.waits and result.verdict not in (Verdict.NEEDS_A_HUMAN, Verdict.UNREADABLE)
    return Published(student, path, summary(result), final, unread, mark.full_name)


def mark_of(result: Result, name: str, student: str) -> Mark:
    """The mark that follows from a result alone."""
    waits = result.doubt or any(cell.earned is None for cell in result.cells)
    by_hand = None if waits else 0.0
    return Mark(
        student, name, result.earned, by_hand, result.earned, result.points, result.verdict,
        result.why,
    )  # fmt: skip
