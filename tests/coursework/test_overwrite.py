"""The assignment determines everything except the student's answers and own cells."""

import hostile_bank as bank
import pytest
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.common.limits import IntakeLimits
from softlookup_coursework.grading.overwrite import rebuild
from softlookup_coursework.intake.notebook import parse


@pytest.fixture
def assignment(tmp_path):
    return Assignment.load(bank.write_assignment(tmp_path))


def rebuilt(cells, assignment):
    return rebuild(parse(bank.notebook(cells).encode(), IntakeLimits()), assignment)


def names(notebook):
    return [cell.given.name if cell.given else cell.source[:8] for cell in notebook.cells]


ORDER = ["# Attent", "setup", "attention", "rows", "scale", "module", "modules", "essay"]


def test_an_honest_notebook_is_unchanged(assignment):
    notebook = rebuilt(bank.cells("mine = 1", "mine = 2"), assignment)
    assert names(notebook) == ORDER
    assert [cell.source for cell in notebook.cells if cell.given][1] == "mine = 1"
    assert (notebook.notes, notebook.unanswered) == ((), ())


def test_all_metadata_of_the_student_is_dropped(assignment):
    cells = bank.cells()
    for cell in cells[1:]:
        cell["metadata"]["nbgrader"].update(points=1000, grade=True, solution=True, locked=False)
        cell["metadata"].update(
            tags=["skip-execution", "raises-exception"], softlookup={"tests": {}}
        )
    notebook = rebuilt(cells, assignment)
    assert [cell.given for cell in notebook.cells if cell.given] == list(assignment.cells)


def test_locked_cells_are_restored(assignment):
    cells = bank.cells()
    cells[1]["source"] = "class math: sqrt = abs"
    cells[3]["source"] = "pass"
    notebook = rebuilt(cells, assignment)
    assert notebook.cells[1].source == bank.SETUP
    assert notebook.cells[3].source == "tests.rows_sum_to_one(attention)"
    assert sum("was put back" in note for note in notebook.notes) == 2


def test_missing_cells_are_added(assignment):
    notebook = rebuild([], assignment)
    assert names(notebook) == ORDER[1:]
    assert notebook.unanswered == ("attention", "module", "essay")


def test_a_second_claim_becomes_the_students_own_cell(assignment):
    cells = bank.cells()
    cells[4:4] = [bank.cell("again = 1", claims="attention"), bank.cell("pass", claims="scale")]
    notebook = rebuilt(cells, assignment)
    # The second answer runs as the student's own cell. The cell that claims a test comes first and
    # is used for it; the true one, which comes later, is left out.
    assert names(notebook) == [*ORDER[:4], "again = ", *ORDER[4:]]
    assert any("attention occurs twice" in note for note in notebook.notes)
    assert notebook.cells[5].source == "tests.scores_are_scaled(attention)"


def test_reordered_cells_are_put_back_with_the_cells_that_follow_them(assignment):
    cells = bank.cells()
    cells.insert(3, bank.cell("helper = 1"))
    notebook = rebuilt(cells[4:] + cells[:4], assignment)
    own = [name for name in names(notebook) if name not in ORDER]
    assert own == ["helper ="]
    assert names(notebook).index("helper =") == names(notebook).index("attention") + 1
    assert [name for name in names(notebook) if name in ORDER[1:]] == ORDER[1:]
    assert "the cells were in another order" in notebook.notes


def test_a_claim_by_a_cell_of_another_kind_does_not_count(assignment):
    cells = bank.cells()
    cells[2]["cell_type"] = "markdown"
    notebook = rebuilt(cells, assignment)
    assert notebook.unanswered == ("attention",)


def test_an_unknown_claim_becomes_the_students_own_cell(assignment):
    notebook = rebuilt([bank.cell("mine", claims="no such"), *bank.cells()], assignment)
    assert names(notebook) == ["mine", *ORDER]


@pytest.mark.parametrize("odd", [{"cell_type": "heading"}, {"source": None}])
def test_an_odd_cell_answers_nothing_and_is_pointed_out(odd, assignment):
    cells = bank.cells()
    cells[2] |= odd
    cells[3] |= odd
    notebook = rebuilt([*cells, bank.cell("x = 1") | odd], assignment)
    assert notebook.unanswered == ("attention",)
    assert "the cell attention is no longer a code cell" in notebook.notes
    assert notebook.notes[0].startswith("cell 3 and 2 more: it ")
    (rows,) = (cell for cell in notebook.cells if cell.given and cell.given.name == "rows")
    assert rows.source == "tests.rows_sum_to_one(attention)"
    assert [cell.kind for cell in notebook.cells if not cell.given][-1] == "raw"
    assert {cell.kind for cell in notebook.cells if "x = 1" in cell.source} <= {"raw"}
