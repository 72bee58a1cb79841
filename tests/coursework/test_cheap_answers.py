"""Who writes nothing of an answer earns nothing by it.

Each test of each assignment is asked with every cheap answer of the bank: in the place of all that
it takes, and in the place of one thing, with the solution's own beside it. The solution's part
deserves no point then, since every point asks for what all parts do together.
"""

import contextlib
import io
from functools import cache

import fairness_bank
import pytest
from cheap_bank import ANSWERS, Cheap
from IPython.core.inputtransformer2 import TransformerManager
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.assignment import Assignment

# What trains is asked the same by every test that is repeated, and needs to train once.
TRAINS = ("train_gpt", "experiment")
# Cells that only compute and show, of which no test takes anything.
SHOWN = {"race", "result", "checks"}
SHOWN_BY = {"own_gpt": {"own_training", "own_run"}}


class Shell:
    """A stand-in for the notebook's shell, whose magics do nothing here."""

    def run_line_magic(self, *_):
        """Do nothing."""


def defined(name, cells):
    """What the solution's cells of an assignment define, by name."""
    names, shown = {"get_ipython": Shell}, SHOWN | SHOWN_BY.get(name, set())
    for cell in cells:
        if cell.kind == "code" and cell.role in ("given", "answer") and cell.name not in shown:
            code = TransformerManager().transform_cell(cell.source)
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, cell.name, "exec"), names)
    return names | {trains: cache(names[trains]) for trains in TRAINS if trains in names}


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Each assignment in the bank's term, and what its solution defines."""
    made = {}

    def get(name):
        if name not in made:
            folder = tmp_path_factory.mktemp("solved") / name
            fairness_bank.render(name, folder)
            assignment = Assignment.load(folder)
            with contextlib.chdir(folder):
                made[name] = assignment, defined(name, assignment.cells)
        return made[name]

    return get


def passes(test, answers):
    """Whether a test says nothing against these answers."""
    try:
        test.run(*answers)
    except Exception:
        return False
    return True


@pytest.mark.parametrize("what", ANSWERS)
@pytest.mark.parametrize("name", source.names())
def test_a_cheap_answer_earns_nothing(name, what, solved):
    assignment, names = solved(name)
    cheap = Cheap(ANSWERS[what])
    earned = []
    for cell in assignment.cells:
        for test in cell.tests:
            if passes(test, [cheap] * len(test.takes)):
                earned.append(f"{test.name}, nothing written")
            if len(test.takes) == 1:
                continue
            for place, left_out in enumerate(test.takes):
                answers = [names[taken] for taken in test.takes]
                answers[place] = cheap
                if passes(test, answers):
                    earned.append(f"{test.name}, {left_out} not written")
    assert not earned, ", ".join(earned)


@pytest.mark.parametrize("name", source.names())
def test_the_solution_passes_where_cheap_answers_fail(name, solved):
    assignment, names = solved(name)
    for cell in assignment.cells:
        for test in cell.tests:
            assert passes(test, [names[taken] for taken in test.takes]), test.name
