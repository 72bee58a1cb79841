"""In every term the solutions of the two assignments that train models pass their tests.

Each term takes seconds, so there are few of them, which together draw every rule.
"""

import json

import fairness_bank
import pytest
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.assignment import run_file
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking import checks

TERMS = {"own_gpt": (0, 1, 100, 103), "open_question": (0, 1, 10)}


@pytest.mark.parametrize(("name", "term"), [(n, term) for n in TERMS for term in TERMS[n]])
def test_the_solution_passes_in_every_term(name, term, tmp_path):
    rendered = fairness_bank.render(name, tmp_path / name, Term(f"term {term}"))
    assert not [*checks.solves([rendered], tmp_path)]


@pytest.mark.parametrize("name", TERMS)
def test_these_terms_draw_every_rule(name):
    draw = run_file(source.find(name) / "parameters.py").draw
    many = [draw(Term(f"term {n}").random(name, "parameters")) for n in range(200)]
    for key, value in many[0].items():
        if isinstance(value, str | bool):
            tried = {json.dumps(many[term][key]) for term in TERMS[name]}
            assert tried == {json.dumps(one[key]) for one in many}, key
