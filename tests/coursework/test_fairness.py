"""Right answers get full marks in any style, and wrong ones exactly the points that they deserve.

Each submission is graded completely: rebuilt, run in the sandbox, tested over the channel.
"""

from collections import Counter

import fairness_bank as bank
import pytest
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.common.limits import RunLimits
from softlookup_coursework.common.verdicts import Verdict
from softlookup_coursework.grading.forked_grader import fork_grader

# Generous, since a loaded machine takes longer.
LIMITS = RunLimits(wall_seconds=900, cell_seconds=300, call_seconds=120)


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """Each assignment in the bank's term, rendered once, and what the term drew."""
    made = {}

    def get(name):
        if name not in made:
            folder = tmp_path_factory.mktemp("assignments") / name
            made[name] = folder, bank.render(name, folder)
        return made[name]

    return get


def grade(assignment, cells, tmp_path):
    """The result, and the messages of the failed tests."""
    submission = bank.hand_in(assignment, cells, tmp_path / "submission")
    result = fork_grader(assignment, submission, tmp_path / "result", LIMITS)
    failed = {
        test.name.partition(".")[2]: test.message
        for cell in result.cells
        for test in cell.tests
        if test.earned < test.points
    }
    return result, failed


def points_of_tests(assignment):
    return sum(cell.points for cell in Assignment.load(assignment).cells if cell.role == "tests")


@pytest.mark.parametrize("path", bank.PATHS, ids=lambda p: "-".join((*p.parts[-3:-1], p.stem)))
def test_a_submission_gets_exactly_the_points_that_it_deserves(path, rendered, tmp_path):
    assignment, parameters = rendered(path.parts[-3])
    answers = bank.read(path, parameters)

    result, failed = grade(assignment, answers.cells, tmp_path)

    assert result.verdict == Verdict.GRADED, (result, failed)
    assert failed.keys() == answers.fails.keys(), failed
    for test, words in answers.fails.items():
        assert words in failed[test]
    whole = points_of_tests(assignment)
    assert result.earned == (whole if answers.earns is None else answers.earns)
    if path.parts[-2] == "right":
        assert result.earned == whole
    else:
        assert result.earned < whole
    if path.parts[-2] == "own":
        assert result.earned <= whole / 2


@pytest.mark.parametrize("name", source.names())
def test_the_bank_is_large_enough(name):
    kinds = Counter(path.parts[-2] for path in bank.PATHS if path.parts[-3] == name)
    assert kinds["right"] >= 5
    assert kinds["wrong"] >= 8
    assert kinds["own"] >= 1


@pytest.mark.parametrize("name", source.names())
def test_last_terms_solution_loses_half_of_this_terms_points(name, tmp_path):
    last, this = tmp_path / "last", tmp_path / "this"
    bank.render(name, last, Term("last"))
    bank.render(name, this, Term("this"))
    answers = [
        (cell.name, cell.kind, cell.source)
        for cell in Assignment.load(last).cells
        if cell.role in ("answer", "by hand")
    ]

    result, failed = grade(this, answers, tmp_path)

    assert result.verdict == Verdict.GRADED, result
    assert result.earned <= points_of_tests(this) / 2, failed
