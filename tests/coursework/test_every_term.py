"""In every term the solution passes the tests, and so do right answers in every style.

These answers are the course's own, so they run in this process, and many terms can be tried.
"""

import contextlib
import io
import json

import fairness_bank as bank
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.term import Term

# Cells that train, whose result no test takes; they run in the tests of whole notebooks.
SKIPPED = {"race"}
TERMS = [Term(f"term {number}") for number in range(12)]
NAMES = ["block_and_gradients", "positions"]
STYLES = [path for path in bank.PATHS if path.parts[-3] in NAMES and path.parts[-2] == "right"]


class Shell:
    """A stand-in for the notebook's shell, whose magics do nothing here."""

    def run_line_magic(self, *_):
        """Do nothing."""


def failed_tests(assignment, cells):
    """Run a notebook's cells, and return the messages of the tests that fail."""
    given = {cell.name: cell for cell in assignment.cells}
    names, failed = {"get_ipython": Shell}, {}
    for cell in cells:
        own = given.get(bank.grade_id(cell))
        if own and own.tests:
            for test in own.tests:
                try:
                    test.run(*(names[name] for name in test.takes))
                except Exception as error:
                    failed[test.name] = repr(error)
        elif cell["cell_type"] == "code" and bank.grade_id(cell) not in SKIPPED:
            source = TransformerManager().transform_cell("".join(cell["source"]))
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(source, bank.grade_id(cell) or "own", "exec"), names)
    return failed


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """A term's assignment: its folder, what was drawn, and the assignment."""
    made = {}

    def get(name, number):
        if (name, number) not in made:
            folder = tmp_path_factory.mktemp("term") / name
            drawn = bank.render(name, folder, TERMS[number])
            made[name, number] = folder, drawn, Assignment.load(folder)
        return made[name, number]

    return get


@pytest.mark.parametrize("number", range(len(TERMS)))
@pytest.mark.parametrize("name", NAMES)
def test_the_solution_passes_in_every_term(name, number, rendered):
    folder, drawn, assignment = rendered(name, number)
    assert not failed_tests(assignment, bank.notebook(folder)["cells"]), drawn


@pytest.mark.parametrize("number", [1, 4, 7])
@pytest.mark.parametrize("path", STYLES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_right_answers_pass_in_other_terms(path, number, rendered, tmp_path):
    folder, drawn, assignment = rendered(path.parts[-3], number)
    answers = bank.read(path, drawn)
    submission = bank.hand_in(folder, answers.cells, tmp_path / "submission")
    cells = json.loads((submission / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    assert not failed_tests(assignment, cells), drawn


@pytest.mark.parametrize("name", NAMES)
def test_these_terms_draw_every_structural_choice(name, rendered):
    seen = {}
    for number in range(len(TERMS)):
        _, drawn, _ = rendered(name, number)
        flat = {key: value for key, value in drawn.items() if not isinstance(value, dict)}
        for group in (value for value in drawn.values() if isinstance(value, dict)):
            flat |= group
        for key, value in flat.items():
            if isinstance(value, str):
                seen.setdefault(key, set()).add(value)
    expected = {
        "block_and_gradients": {
            "arrangement": 2, "centre": 2, "kind": 3, "placement": 4, "stencil": 3,
        },
        "positions": {
            "spacing": 4, "arrangement": 4, "odd": 2, "side": 2, "end": 2, "pairing": 2,
            "way": 2, "slopes": 3, "shape": 3, "ahead": 3, "average": 2,
        },
    }[name]  # fmt: skip
    assert {key: len(values) for key, values in seen.items()} == expected
