"""Rebuilds a submission from the assignment and the student's answers.

Of a student's cell only its source is used, and the ``grade_id`` that it claims. The first cell to
claim an answer is the answer; a later one with the same claim counts as the student's own cell.
Locked cells are restored and missing ones added. The assignment's cells are put into the
assignment's order, each followed by the cells that the student added after it.
"""

from dataclasses import dataclass

from softlookup_coursework.assignments.assignment import Assignment, Given
from softlookup_coursework.intake.notebook import StudentCell, oddities

PUT_BACK = "was changed, and was put back"


@dataclass(frozen=True)
class Rebuilt:
    """A cell as it is graded: its kind, its source, and the assignment's cell, if it is one."""

    kind: str
    source: str
    given: Given | None = None

    @property
    def students_code(self) -> bool:
        """Whether it is code that a student wrote: an answer, or a cell of their own."""
        return self.kind == "code" and (self.given is None or self.given.role == "answer")


@dataclass(frozen=True)
class Notebook:
    """A notebook as it is graded.

    Attributes:
        cells: in the order in which they run.
        notes: what was changed, in sentences.
        unanswered: the names of answers whose cells are missing.
    """

    cells: tuple[Rebuilt, ...]
    notes: tuple[str, ...]
    unanswered: tuple[str, ...]


def rebuild(student: list[StudentCell], assignment: Assignment) -> Notebook:
    """Insert a student's answers into the assignment.

    Args:
        student: the cells as handed in.
        assignment: the assignment.

    Returns:
        The notebook to grade.
    """
    known = {given.name: given for given in assignment.cells}
    found: dict[str, StudentCell] = {}
    # What the student added, under the name of the assignment's cell that it follows.
    own: dict[str, list[Rebuilt]] = {"": []}
    notes, order, last = oddities(student), [], ""
    for cell in student:
        given = known.get(cell.claims or "")
        if given and given.name not in found and given.kind == cell.kind:
            last = given.name
            found[last], own[last] = cell, []
            order.append(last)
            continue
        if given:
            wrong = "occurs twice" if given.name in found else f"is no longer a {given.kind} cell"
            notes.append(f"the cell {given.name} {wrong}")
        if not (given and given.role in ("given", "tests")):
            own[last].append(Rebuilt(cell.kind, cell.source))
    if order != [given.name for given in assignment.cells if given.name in found]:
        notes.append("the cells were in another order")
    cells, unanswered = own[""], []
    for given in assignment.cells:
        theirs = found.get(given.name)
        locked = given.role in ("given", "tests")
        if theirs is None:
            notes.append(f"the cell {given.name} was missing")
            if not locked:
                unanswered.append(given.name)
        elif locked and theirs.source.strip() != given.source.strip():
            notes.append(f"the cell {given.name} {PUT_BACK}")
        source = given.source if locked else theirs.source if theirs else ""
        cells = [*cells, Rebuilt(given.kind, source, given), *own.get(given.name, [])]
    return Notebook(tuple(cells), tuple(notes), tuple(unanswered))
