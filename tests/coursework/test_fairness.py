"""Right answers get full marks in any style, and wrong ones exactly the points that they deserve.

Each submission is graded completely: rebuilt, run in the sandbox, tested over the channel.
"""

from collections import Counter

import fairness_bank
import pytest
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.term import Term
from softlookup_coursework.checking import checks, judging


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """Each assignment in the bank's term, rendered once."""
    made = {}

    def get(name):
        if name not in made:
            folder = tmp_path_factory.mktemp("assignments") / name
            made[name] = fairness_bank.render(name, folder)
        return made[name]

    return get


@pytest.mark.parametrize(
    "path", fairness_bank.PATHS, ids=lambda p: "-".join((*p.parts[-3:-1], p.stem))
)
def test_a_submission_gets_exactly_the_points_that_it_deserves(path, rendered):
    assignment = rendered(path.parts[-3])
    assert not judging.wrongly_judged(assignment.folder, path, assignment.parameters)


@pytest.mark.parametrize("name", source.names())
def test_the_bank_is_large_enough(name):
    kinds = Counter(path.parts[-2] for path in fairness_bank.PATHS if path.parts[-3] == name)
    assert kinds["right"] >= 5
    assert kinds["wrong"] >= 8
    assert kinds["own"] >= 1


@pytest.mark.parametrize("name", source.names())
def test_last_terms_solution_loses_half_of_this_terms_points(name, tmp_path):
    terms = [fairness_bank.render(name, tmp_path / term, Term(term)) for term in ("last", "this")]
    assert not [*checks.changes(terms, tmp_path)]


@pytest.mark.parametrize("name", source.names())
def test_a_stub_earns_nothing(name, rendered, tmp_path):
    assert not [*checks.asks([rendered(name)], tmp_path)]
