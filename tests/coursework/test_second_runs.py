"""A wrong answer costs its own points, and not those of what builds on it."""

import ast
import json

import fairness_bank
import hostile_bank
import pytest
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.checking import bank, judging
from softlookup_coursework.grading import second_runs
from softlookup_coursework.grading.grade_one import grade

NAME = "attention_and_masks"
# The solution's `scores`, handed out by whoever has it in the kernel: as an error, by a print, and
# as the numbers of an answer.
HANDS_OUT = """
import inspect

def source():
    return inspect.getsource(scores)

def attend(query, key, value, mask=None):
    print(source())
    raise ValueError(source())

def look_back(query, key, value):
    return torch.tensor([float(ord(letter)) for letter in source()])
"""
WRONG_SCORES = "def scores(query, key):\n    return query @ key.mT"


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    return fairness_bank.render(NAME, tmp_path_factory.mktemp("assignment") / NAME)


def graded(rendered, tmp_path, **answers):
    """The result and the graded notebook of the solution with other answers in some places."""
    cells = [
        (name, kind, answers.get(name, source))
        for name, kind, source in judging.solutions(rendered.folder)
    ]
    submission = bank.hand_in(
        bank.notebook(rendered.folder), cells, tmp_path / f"student{len([*tmp_path.iterdir()])}"
    )
    path = tmp_path / "graded.ipynb"
    result = grade(Assignment.load(rendered.folder), submission, judging.LIMITS, path)
    return result, path.read_text()


def unread(rendered, name):
    """The solution's answer, of which nobody can read what it does."""
    (source,) = [text for each, _, text in judging.solutions(rendered.folder) if each == name]
    tree = ast.parse(source)
    for each in tree.body:
        if isinstance(each, ast.FunctionDef):
            each.body.insert(0, ast.parse("locals()").body[0])
    return ast.unparse(tree)


def test_what_is_right_behind_a_wrong_answer_waits_where_the_code_leaves_a_doubt(
    rendered, tmp_path
):
    clean, _ = graded(rendered, tmp_path, scores=WRONG_SCORES)
    parts = {name: unread(rendered, name) for name in ("pattern", "attention", "newest")}
    doubted, _ = graded(rendered, tmp_path, scores=WRONG_SCORES, **parts)
    assert doubted.earned == 0
    held = sum(doubted.in_doubt(cell.cell) for cell in doubted.cells)
    assert held == clean.earned > 0
    assert by_name(doubted)["attention_agrees"].message.startswith("the test passes")


def test_a_doubt_alone_asks_for_no_second_run(rendered, tmp_path, monkeypatch):
    monkeypatch.setattr(second_runs, "with_solution", None)
    result, _ = graded(rendered, tmp_path, scores=unread(rendered, "scores"))
    assert len(by_name(result)) == 12
    # The pattern of who may see whom needs no scores.
    own = {cell.cell: cell for cell in result.cells}["test_pattern"]
    assert result.earned == own.earned > 0
    others = [test for test in by_name(result).values() if test.earned == 0]
    assert len(others) == 10
    assert all(test.doubt for test in others)


def by_name(result):
    return {test.name.partition(".")[2]: test for cell in result.cells for test in cell.tests}


def test_what_is_right_behind_a_wrong_answer_earns_its_points_and_says_how(rendered, tmp_path):
    result, notebook = graded(rendered, tmp_path, scores=WRONG_SCORES)
    tests = by_name(result)
    assert tests["attention_agrees"].earned == tests["attention_agrees"].points
    said = "passes with the solution's `scores` in place of yours"
    assert tests["attention_agrees"].message == said
    assert f"attention_agrees: {said} (2 points)" in notebook
    assert {cell.cell for cell in result.cells if cell.earned != cell.points} >= {"test_scores"}
    whole = judging.points_of_tests(Assignment.load(rendered.folder))
    own = [test for name, test in tests.items() if name.startswith("scores_")]
    assert result.earned == whole - sum(test.points - test.earned for test in own)
    assert any(test.earned == 0 for test in own)


def test_two_wrong_answers_each_cost_their_own_points(rendered, tmp_path):
    wrong = {"scores": WRONG_SCORES, "pattern": "def pattern(length):\n    return None"}
    result, _ = graded(rendered, tmp_path, **wrong)
    lost = {
        cell.cell for cell in result.cells if cell.earned is not None and cell.earned < cell.points
    }
    assert lost == {"test_scores", "test_pattern"}
    last = by_name(result)["newest_takes_a_long_past"].message
    assert last == "passes with the solution's `scores`, `pattern` in place of yours"


def test_the_answer_under_test_stays_the_students(rendered, tmp_path):
    """Nothing is earned by what was left empty, however much of the rest is the solution's."""
    stubs = {name: "pass" for name, kind, _ in judging.solutions(rendered.folder) if kind == "code"}
    result, _ = graded(rendered, tmp_path, **stubs)
    assert result.earned == 0
    result, _ = graded(rendered, tmp_path, scores="pass", attention="pass")
    earned = {cell.cell: cell.earned for cell in result.cells}
    assert earned["test_scores"] == earned["test_attention"] == 0
    assert earned["test_newest"] == next(c.points for c in result.cells if c.cell == "test_newest")


def test_the_solution_in_the_kernel_reaches_nobody(rendered, tmp_path):
    result, notebook = graded(rendered, tmp_path, scores=WRONG_SCORES, attention=HANDS_OUT)
    (solution,) = [
        source for name, _, source in judging.solutions(rendered.folder) if name == "scores"
    ]
    lines = [line.strip() for line in solution.splitlines() if len(line.strip()) > 30]
    told = [test.message for test in by_name(result).values()]
    outputs = [cell.get("outputs", []) for cell in json.loads(notebook)["cells"]]
    page = json.dumps([told, outputs, list(result.notes)])
    assert len(lines) > 2
    assert not [line for line in lines if line in page]
    assert "return query @ key.mT" in page, "the first run's own error should be there"


def test_an_answer_with_two_cells_of_tests_is_replaced_in_neither(tmp_path):
    """The bank's assignment judges one function in two cells; a wrong one earns in none of them."""
    (tmp_path / "assignment").mkdir()
    folder = hostile_bank.write_assignment(tmp_path / "assignment")
    wrong = "def attention(query, key, value):\n    return torch.zeros(2, 5, 3)"
    submission = hostile_bank.write_submission(tmp_path / "student", hostile_bank.cells(wrong, ""))
    assert grade(Assignment.load(folder), submission, judging.LIMITS).earned == 0


def test_names_that_the_assignment_gives_are_defined_again_before_they_are_tested(tmp_path):
    rendered = fairness_bank.render("block_and_gradients", tmp_path / "block_and_gradients")
    cells = [
        (name, kind, "pass" if name == "numerical_gradient" else source)
        for name, kind, source in judging.solutions(rendered.folder)
    ]
    own = "def difference_of(function, x):\n    return 2 * x"
    at = next(n for n, (name, _, _) in enumerate(cells) if name == "numerical_gradient")
    cells.insert(at + 1, ("+", "code", own))
    submission = bank.hand_in(bank.notebook(rendered.folder), cells, tmp_path / "student")
    result = grade(Assignment.load(rendered.folder), submission, judging.LIMITS)
    assert by_name(result)["differences_of_a_parabola"].earned == 0
