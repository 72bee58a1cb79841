"""A slice holds what a claim depends on, and leaves out what it does not."""

import ast

import pytest
from chapters import Chapter
from nbformat.v4 import new_code_cell, new_notebook
from slices import slice_for, statements

SETUP = "from softlookup.course import claims\nimport math"


def chapter(*sources, setup=SETUP):
    cells = [new_code_cell(setup, metadata={"tags": ["setup"]})]
    cells += [new_code_cell(source) for source in sources]
    return Chapter("01_sliced", new_notebook(cells=cells))


def sliced(*sources):
    found = statements(chapter(*sources))
    part = [found[place] for place in slice_for(found, "1-a")]
    return [ast.unparse(statement.node) for statement in part if not statement.setup][:-1]


CHECK = 'claims.law("1-a", "a fact", x, ">", 0)'


@pytest.mark.parametrize(
    ("needed", "spare"),
    [
        (["x = 1"], ["y = 2"]),
        (["y = 1", "x = y + 1"], ["z = y"]),
        (["x = 2"], ["print(3)"]),
        (["x = []", "x.append(1)", "x = x[0]"], []),
        (["x = {}", "x['a'] = 1", "x = x['a']"], []),
        (["x = 1", "x += 1"], ["y = 1"]),
        (["x = 0", "for i in range(3):\n    x = i"], ["for j in range(3):\n    print(j)"]),
        (["def f():\n    return later", "later = 1", "x = f()"], ["def g():\n    return 2"]),
        (["box = [0]", "def fill(b):\n    b[0] = 1", "fill(box)", "x = box[0]"], []),
        (
            ["box = {'a': []}", "for part in box.values():\n    part.append(1)", "x = box['a'][0]"],
            [],
        ),
        (["with open(1) as f:\n    x = f"], []),
        (["x, y = (1, 2)"], ["z = 1"]),
        (["x = [y for y in range(3)]"], ["y = 7"]),
        (["y = 3", "f = lambda y=y: y", "x = f()"], []),
        (["def f(y):\n    z = y\n    return z", "x = f(1)"], ["y = 7", "z = 8"]),
        (["class A:\n    value = 1", "x = A.value"], ["class B:\n    pass"]),
    ],
)
def test_the_slice_is_what_is_needed(needed, spare):
    assert sliced(*spare, *needed, CHECK) == needed


def test_what_is_defined_anew_needs_no_past():
    assert sliced("x = 1", "x = 2", CHECK) == ["x = 2"]


def test_what_comes_after_the_claim_does_not_count():
    assert sliced("x = 1", CHECK, "x = 0") == ["x = 1"]


def test_other_claims_are_left_out():
    assert sliced("x = 1", CHECK.replace("1-a", "1-b"), CHECK) == ["x = 1"]


def test_a_composed_id_is_found():
    source = 'for name in "ab":\n    claims.law(f"1-{name}-x", "a fact", 1, ">", 0)'
    assert slice_for(statements(chapter(source)), "1-b-x")


def test_an_unknown_claim_is_refused():
    with pytest.raises(ValueError, match="no statement states claim 1-z"):
        slice_for(statements(chapter(CHECK)), "1-z")


def test_a_replacement_must_be_unambiguous():
    with pytest.raises(ValueError, match="stands 2 times"):
        statements(chapter("x = 1", "y = 1"), ("= 1", "= 2"))
