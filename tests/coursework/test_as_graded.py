"""The graded notebook holds the assignment's cells, their outputs and the tests' messages."""

import base64
import json

import hostile_bank as bank
import nbformat
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.grading import forked_grader
from softlookup_coursework.grading.grade_one import grade

PICTURE = """
from matplotlib import pyplot
pyplot.plot([1, 2])
pyplot.show()
import sys
print("to be read")
print("a warning", file=sys.stderr)
from IPython.display import HTML, display
display(HTML("<script>alert(1)</script>"))
1 / 0
"""


def graded(tmp_path, cells):
    (tmp_path / "assignment").mkdir()
    folder = bank.write_assignment(tmp_path / "assignment")
    submission = bank.write_submission(tmp_path / "student", cells)
    result = grade(Assignment.load(folder), submission, graded=tmp_path / "graded.ipynb")
    stored = json.loads((tmp_path / "graded.ipynb").read_text())
    nbformat.validate(stored)
    return result, stored


def named(stored, name):
    return next(
        c for c in stored["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == name
    )


def test_it_holds_the_cells_their_outputs_and_the_tests_messages(tmp_path):
    cells = bank.cells(bank.ANSWER, "pass")
    cells.insert(3, bank.cell(PICTURE))
    cells[2]["metadata"]["nbgrader"].update(points=1000, grade=True)
    cells[2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "forged"}]
    result, stored = graded(tmp_path, cells)
    assert result.earned == 5
    assert named(stored, "attention")["outputs"] == []
    assert named(stored, "attention")["metadata"]["nbgrader"] == {
        "schema_version": 3, "grade_id": "attention", "cell_type": "code", "grade": False,
        "locked": False, "solution": True, "task": False,
    }  # fmt: skip
    essay = named(stored, "essay")["metadata"]["nbgrader"]
    assert (essay["grade"], essay["solution"], essay["points"]) == (True, True, 5)
    message = named(stored, "scale")["outputs"][0]["text"]
    assert message == "scores_are_scaled: passed (2 points)\nlarge_scores: passed (2 points)\n"
    assert named(stored, "modules")["outputs"][0]["text"].startswith(
        "module_agrees: not yet: Scaler: NameError"
    )
    own = next(cell for cell in stored["cells"] if "pyplot" in cell["source"])
    assert own["metadata"] == {}
    kinds = [next(iter(o.get("data", {"stream": 0}))) for o in own["outputs"]]
    assert kinds == ["image/png", "stream", "stream", "text/plain", "stream"]
    picture = base64.b64decode(own["outputs"][0]["data"]["image/png"])
    assert picture.startswith(b"\x89PNG")
    assert own["outputs"][1]["text"] == "to be read\n"
    assert "ZeroDivisionError" in own["outputs"][4]["text"]
    assert "text/html" not in json.dumps(stored)


def test_an_unreadable_submission_leaves_the_assignments_own_cells(tmp_path):
    result, stored = graded(tmp_path, b"no notebook")
    assert result.verdict == "unreadable"
    assert named(stored, "attention")["source"] == ""
    assert named(stored, "setup")["source"] == bank.SETUP


def test_the_forked_grader_writes_it_beside_the_result(tmp_path):
    (tmp_path / "assignment").mkdir()
    assignment = bank.write_assignment(tmp_path / "assignment")
    good = bank.write_submission(tmp_path / "good", bank.cells())
    forked_grader.fork_grader(assignment, good, tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["graded.ipynb", "result.json"]
