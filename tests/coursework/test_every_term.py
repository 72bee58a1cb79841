"""In every term the solution passes the tests, and so do right answers in every style.

These answers are the course's own, so they run in this process, and many terms can be tried.
"""

import json

import fairness_bank
import pytest
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking import bank
from softlookup_coursework.checking.own_process import failed_tests

TERMS = [Term(f"term {number}") for number in range(12)]
NAMES = ["block_and_gradients", "positions"]
STYLES = [
    path for path in fairness_bank.PATHS if path.parts[-3] in NAMES and path.parts[-2] == "right"
]


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """An assignment as a term has it."""
    made = {}

    def get(name, number):
        if (name, number) not in made:
            folder = tmp_path_factory.mktemp("term") / name
            made[name, number] = fairness_bank.render(name, folder, TERMS[number])
        return made[name, number]

    return get


@pytest.mark.parametrize("number", range(len(TERMS)))
@pytest.mark.parametrize("name", NAMES)
def test_the_solution_passes_in_every_term(name, number, rendered):
    term = rendered(name, number)
    cells = bank.notebook(term.folder)["cells"]
    assert not failed_tests(term.assignment, cells), term.parameters


@pytest.mark.parametrize("number", [1, 4, 7])
@pytest.mark.parametrize("path", STYLES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_right_answers_pass_in_other_terms(path, number, rendered, tmp_path):
    term = rendered(path.parts[-3], number)
    answers = bank.read(path, term.parameters)
    stored = bank.notebook(term.folder)
    submission = bank.hand_in(stored, answers.cells, tmp_path / "submission")
    cells = json.loads((submission / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    assert not failed_tests(term.assignment, cells), term.parameters


@pytest.mark.parametrize("name", NAMES)
def test_these_terms_draw_every_structural_choice(name, rendered):
    seen = {}
    for number in range(len(TERMS)):
        drawn = rendered(name, number).parameters
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
