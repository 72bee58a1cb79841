"""The graded notebook holds the assignment's cells, their outputs and the tests' messages."""

import base64
import json

import hostile_bank as bank
import nbformat
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.feedback import shown_notebook
from softlookup_coursework.grading import as_graded, forked_grader, job
from softlookup_coursework.grading.grade_one import grade
from softlookup_coursework.grading.overwrite import rebuild
from softlookup_coursework.intake.notebook import StudentCell

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
    # Where nothing is forbidden, all that tests ask is asked where the whole notebook runs.
    (tmp_path / "assignment").mkdir()
    folder = bank.write_assignment(tmp_path / "assignment", forbids=())
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


def test_no_text_or_picture_of_a_student_is_rendered_where_it_is_opened(tmp_path):
    """JupyterLab renders Markdown and fetches the pictures that it names."""
    remote = "![](https://afar.invalid/a.png) <img src='https://afar.invalid/b.png'>"
    cells = bank.cells()
    cells[0]["source"] = cells[-1]["source"] = remote
    cells += [bank.cell(remote, kind) for kind in ("markdown", "raw")]
    _, stored = graded(tmp_path, cells)
    rendered = [cell["source"] for cell in stored["cells"] if cell["cell_type"] == "markdown"]
    assert rendered == ["# Attention"] or not rendered
    assert sum(cell["source"] == remote for cell in stored["cells"]) >= 3
    assert "kernelspec" not in stored["metadata"]
    shown = shown_notebook.read(tmp_path / "graded.ipynb")
    kinds = [cell.kind for cell in shown if cell.source == remote]
    assert kinds.count("markdown") == len(kinds) - 1


CONTROLS = [("stdout", b"\x01" * 2**20)]


def test_control_characters_do_not_make_it_too_large_to_be_sent(tmp_path):
    path = tmp_path / "graded.ipynb"
    (tmp_path / "assignment").mkdir()
    assignment = Assignment.load(bank.write_assignment(tmp_path / "assignment"))
    given = [StudentCell("code", "print()") for _ in range(12)]
    notebook = rebuild(given, assignment)
    as_graded.write(path, notebook, dict.fromkeys(range(1, 13), CONTROLS))
    stored = json.loads(path.read_text())
    assert path.stat().st_size < 0.6 * job.LARGEST
    assert set(job.read(path.parent)) >= {"graded.ipynb"}
    texts = [cell["outputs"][0]["text"] for cell in stored["cells"] if cell.get("outputs")]
    assert texts[0] == "␁" * 2**20
    assert "left out" in texts[-1]


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


REMEMBERS = bank.ANSWER.replace(
    "scores = query",
    "seen.append(query.shape)\n    print('asked', query.shape)\n    scores = query",
)
TELLS = "print(f'{len(seen)} calls, {seen}')\nif seen:\n    raise RuntimeError(f'told {seen}')"
RAISES = """
class Scaler(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))
    def forward(self, tokens):
        raise ValueError(f"told {tokens.tolist()}")
"""


def test_nothing_that_a_hidden_test_asked_reaches_the_page(tmp_path):
    cells = bank.cells("seen = []\n" + REMEMBERS, RAISES)
    cells.insert(3, bank.cell("print('an honest line')"))
    cells.insert(6, bank.cell(TELLS))
    cells.append(bank.cell("print('at the end', seen)"))
    result, stored = graded(tmp_path, cells)
    assert result.earned == 5
    printed = {
        "".join(output["text"] for output in cell["outputs"])
        for cell in stored["cells"]
        if cell["cell_type"] == "code"
        and "print(" in cell["source"]
        and "def " not in cell["source"]
    }
    # Honest lines are there, and later cells show what they show where nothing was tested.
    assert printed == {"an honest line\n", "0 calls, []\n", "at the end []\n"}
    page = json.dumps(stored) + " ".join(result.notes)
    assert "asked" not in page.replace("print('asked'", "")
    assert "torch.Size" not in page
    (message,) = [test.message for cell in result.cells for test in cell.tests if test.message]
    assert message.startswith("your object: ValueError: told [[")
    assert len(message) == 160
    assert result.verdict == "graded"


def test_which_cells_show_something_does_not_tell_what_a_hidden_test_asked(tmp_path):
    """By cells that print for what was asked, and others that do not, each would tell a bit."""
    cells = bank.cells("seen = []\n" + REMEMBERS, "pass")
    cells += [bank.cell("print(1) if seen else None"), bank.cell("None if seen else print(2)")]
    _, stored = graded(tmp_path, cells)
    # As where nothing is tested.
    assert [len(cell["outputs"]) for cell in stored["cells"][-2:]] == [0, 1]


TELLS_LATER = """
seen = []

def attention(query, key, value):
    seen.append(query.tolist())
    if len(seen) > 3:
        raise ValueError(f"told {seen[2]}")
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return torch.softmax(scores, -1) @ value
"""


def test_an_error_behind_a_hidden_test_tells_no_more_than_one_in_it(tmp_path):
    (tmp_path / "assignment").mkdir()
    folder = bank.write_assignment(tmp_path / "assignment", forbids=())
    stored = json.loads((folder / "attention.ipynb").read_text())
    stored["cells"][6]["metadata"]["softlookup"]["tests"] = {"visible.rows_sum_to_one": 3}
    (folder / "attention.ipynb").write_text(json.dumps(stored))
    submission = bank.write_submission(tmp_path / "student", bank.cells(TELLS_LATER))
    result = grade(Assignment.load(folder), submission)
    assert result.earned == 5
    (message,) = [test.message for cell in result.cells for test in cell.tests if test.message]
    assert message.startswith("attention: ValueError: told [[[")
    assert len(message) == 160


def test_where_a_run_ended_and_in_which_letters_an_error_speaks_tells_little(tmp_path):
    """Of many cells, the one that ends the kernel would tell a number; 160 letters could, too."""
    cells = bank.cells("seen = []\n" + REMEMBERS, RAISES.replace("told {", "漢{"))
    cells.append(bank.cell("import os\nif seen: os._exit(0)"))
    result, _ = graded(tmp_path, cells)
    assert result.why == "in a cell behind the tests, the kernel ended itself"
    (message,) = [test.message for cell in result.cells for test in cell.tests if test.message]
    assert "\\u6f22[[" in message
    assert message[:-1].isascii()
    assert len(message) == 160


def test_a_second_run_that_ends_early_shows_nothing(tmp_path):
    first = "import os\nfrom pathlib import Path\nseen = []\n"
    cells = bank.cells(first + REMEMBERS, "pass")
    cells.append(bank.cell("if not seen:\n    os._exit(0)\nprint(seen)"))
    result, stored = graded(tmp_path, cells)
    assert result.earned == 5
    assert stored["cells"][-1]["outputs"] == []
    assert f"cell {len(cells)}: its output is not shown" in result.notes
