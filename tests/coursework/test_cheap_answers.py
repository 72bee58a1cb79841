"""Who writes nothing of an answer earns nothing by it.

Each test of each assignment is asked with every cheap answer of the bank.
"""

import contextlib

import fairness_bank
import hostile_bank
import pytest
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.checking import cheap, own_process


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Each assignment in the bank's term, and what its solution defines."""
    made = {}

    def get(name):
        if name not in made:
            folder = tmp_path_factory.mktemp("solved") / name
            assignment = fairness_bank.render(name, folder).assignment
            with contextlib.chdir(folder):
                made[name] = assignment, own_process.defined(assignment)
        return made[name]

    return get


@pytest.mark.parametrize("what", cheap.ANSWERS)
@pytest.mark.parametrize("name", source.names())
def test_a_cheap_answer_earns_nothing(name, what, solved):
    assert not cheap.earned(*solved(name), what)


@pytest.mark.parametrize("what", [w for w in cheap.ANSWERS if "number" in w or "infinit" in w])
def test_neither_infinities_nor_empty_tensors_earn_where_attacks_are_graded(what, tmp_path):
    assignment = Assignment.load(hostile_bank.write_assignment(tmp_path))
    assert not cheap.earned(assignment, own_process.defined(assignment), what)


@pytest.mark.parametrize("name", source.names())
def test_the_solution_passes_where_cheap_answers_fail(name, solved):
    assignment, names = solved(name)
    for cell in assignment.cells:
        for test in cell.tests:
            answers = [names[taken] for taken in test.takes]
            assert not own_process.failure(test, answers), test.name
