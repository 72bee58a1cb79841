"""Each assignment has the form that teachers and students are promised.

The students' notebook runs from top to bottom where the grader is not installed, and says what is
still to do; with the course's own answers, all its checks pass.
"""

import ast
import json
import os
import re

import fairness_bank
import nbformat
import pytest
from nbclient import NotebookClient
from softlookup_coursework.assignments import source, student_version
from softlookup_coursework.assignments.assignment import Assignment, run_file
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking import bank

PROJECT = source.SOURCES.parents[1]
LINE = re.compile(r"^(\w+): (passed|not yet|to do)", re.M)
# A rubric's criteria are bold, "**1 point**" or "**2. Beyond it (1 point).**", or a table's rows.
CRITERION = re.compile(
    r"\*\*[^*\n]*?(\d+(?:\.5)?) points?\b[^*\n]*\*\*|^\|[^|\n]+\|\s*(\d+(?:\.5)?)\s*\|", re.M
)

every_assignment = pytest.mark.parametrize("name", source.names())


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """Each assignment once, as the bank's term has it."""
    made = {}

    def get(name):
        if name not in made:
            made[name] = tmp_path_factory.mktemp("assignments") / name
            fairness_bank.render(name, made[name])
        return made[name]

    return get


@pytest.fixture
def student_folder(rendered, tmp_path):
    """What a student receives, without the wheel's content."""

    def make(name):
        wheel = tmp_path / "softlookup-0.0-py3-none-any.whl"
        wheel.touch()
        return student_version.make(rendered(name), tmp_path / "released", wheel).parent

    return make


def run_alone(folder, notebook, tmp_path):
    """Run a notebook in a fresh kernel without the grader."""
    away = tmp_path / "away" / "softlookup_coursework"
    away.mkdir(parents=True)
    (away / "__init__.py").write_text("raise ImportError('students have no grader')\n")
    client = NotebookClient(
        notebook, timeout=1200, kernel_name="python3", resources={"metadata": {"path": folder}}
    )
    client.execute(env={**os.environ, "PYTHONPATH": str(away.parent), "MPLBACKEND": "agg"})
    return notebook


def printed(cell):
    return "".join(output.get("text", "") for output in cell.get("outputs", []))


def test_there_are_assignments():
    assert "attention_and_masks" in source.names()


@every_assignment
def test_an_assignment_states_its_audience_hours_and_points(name):
    stored = json.loads((source.find(name) / f"{name}.ipynb").read_text())
    says = stored["metadata"]["softlookup"]
    graded = [cell["metadata"]["nbgrader"] for cell in stored["cells"]]
    assert says["title"]
    assert 3 <= len(says["goals"]) <= 5
    assert 1 <= says["hours"] <= 30
    assert says["prerequisites"]
    for chapter in says["prerequisites"]:
        assert list((PROJECT / "notebooks").glob(f"{str(chapter)[:2]}*.ipynb")), chapter
    assert says["points"] == sum(one.get("points", 0) for one in graded)
    assert graded[0]["cell_type"] == "markdown"
    first = "".join(stored["cells"][0]["source"])
    assert "hours" in first
    assert "points" in first
    assert "**What you will be able to do**" in first
    (checks,) = [cell for cell in stored["cells"] if cell["id"] == "checks"]
    assert checks["metadata"]["jupyter"]["source_hidden"]
    for cell, one in zip(stored["cells"], graded, strict=True):
        assert one["schema_version"] == 3
        assert one["cell_type"] == cell["cell_type"]
        assert one["locked"] is not one["solution"]
        assert not cell.get("outputs")


@every_assignment
def test_exactly_one_answer_is_graded_by_hand_with_a_rubric(name, rendered):
    assignment = Assignment.load(rendered(name))
    (written,) = [cell for cell in assignment.cells if cell.role == "by hand"]
    assert written.kind == "markdown"
    criteria = [float(bold or column) for bold, column in CRITERION.findall(assignment.rubric)]
    assert len(criteria) >= 2
    assert sum(criteria) == written.points


@every_assignment
def test_every_answer_is_tested(name, rendered):
    assignment = Assignment.load(rendered(name))
    taken = {taken for cell in assignment.cells for test in cell.tests for taken in test.takes}
    for cell in assignment.cells:
        # A locked cell between an answer and its tests may convert what cannot be sent.
        if cell.role == "given" and any(f"def {name}(" in cell.source for name in taken):
            used = ast.walk(ast.parse(cell.source))
            taken |= {node.id for node in used if isinstance(node, ast.Name)}
    for cell in assignment.cells:
        if cell.role == "answer":
            defined = {
                target
                for step in ast.parse(cell.source).body
                for target in (
                    [step.name]
                    if isinstance(step, ast.FunctionDef | ast.ClassDef)
                    else [n.id for n in ast.walk(step) if isinstance(n, ast.Name)]
                )
            }
            assert defined & taken, f"nothing tests the cell {cell.name}"
    files = {test.name.partition(".")[0] for cell in assignment.cells for test in cell.tests}
    assert files == {"visible", "hidden"}
    names = [test.name.partition(".")[2] for cell in assignment.cells for test in cell.tests]
    assert len(names) == len(set(names)), "two tests have one name"


@every_assignment
def test_terms_draw_differently(name):
    draw = run_file(source.find(name) / "parameters.py").draw
    terms = [f"term {number}" for number in range(30)]
    drawn = [draw(Term(term).random(name, "parameters")) for term in terms]
    again = [draw(Term(term).random(name, "parameters")) for term in terms]
    assert drawn == again
    assert json.loads(json.dumps(drawn)) == drawn
    # Two terms may draw the same single value, but not nearly all of them.
    assert len({json.dumps(one, sort_keys=True) for one in drawn}) >= 28
    free = [key for key in drawn[0] if len({json.dumps(one[key]) for one in drawn}) > 1]
    assert len(free) >= 3


@every_assignment
def test_every_term_can_be_released(name, tmp_path):
    for number in range(6):
        folder = tmp_path / str(number)
        fairness_bank.render(name, folder / "assignment", Term(f"term {number}"))
        wheel = tmp_path / "softlookup-0.0-py3-none-any.whl"
        wheel.touch()
        student_version.make(folder / "assignment", folder / "released", wheel)
        for cell in bank.notebook(folder / "assignment")["cells"]:
            text = "".join(cell["source"])
            assert "«" not in text
            assert "»" not in text


@every_assignment
def test_no_line_of_a_solution_is_released(name, rendered, student_folder):
    released = bank.notebook(student_folder(name))
    text = "\n".join("".join(cell["source"]) for cell in released["cells"])
    assert "BEGIN SOLUTION" not in text
    for cell in bank.notebook(rendered(name))["cells"]:
        parts = re.findall(
            r"### BEGIN SOLUTION\n(.*?)\n\s*### END SOLUTION", "".join(cell["source"]), re.S
        )
        assert parts or not cell["metadata"]["nbgrader"]["solution"], cell["metadata"]["nbgrader"]
        assert not [part for part in parts if part in text]


@every_assignment
def test_the_students_notebook_runs_and_says_what_is_to_do(name, student_folder, tmp_path):
    folder = student_folder(name)
    notebook = nbformat.read(next(folder.glob("*.ipynb")), as_version=4)
    run_alone(folder, notebook, tmp_path)
    said = [found for cell in notebook.cells for found in LINE.findall(printed(cell))]
    assert len(said) >= 3
    assert {verdict for _, verdict in said} <= {"not yet", "to do"}, said


@every_assignment
def test_with_the_courses_own_answers_every_check_passes(name, rendered, student_folder, tmp_path):
    folder = student_folder(name)
    whole = bank.notebook(rendered(name))
    notebook = nbformat.from_dict(whole)
    run_alone(folder, notebook, tmp_path)
    tests = {
        cell.name: sum(test.name.startswith("visible.") for test in cell.tests)
        for cell in Assignment.load(rendered(name)).cells
    }
    for cell in notebook.cells:
        said = LINE.findall(printed(cell))
        wanted = tests[cell.metadata.nbgrader.grade_id]
        assert [verdict for _, verdict in said] == ["passed"] * wanted, printed(cell)
