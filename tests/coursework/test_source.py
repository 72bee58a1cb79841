"""Rendering a source for a term: values drawn, cells filled, tests given the values."""

import json
import re

import course_bank
import pytest
import torch
from softlookup.course.exercises.verdict import Mistake
from softlookup_coursework.assignments import source
from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.assignments.term import Term, seed_from


@pytest.fixture
def rendered(tmp_path):
    course_bank.write_source(tmp_path / "sources")
    source.render(tmp_path / "sources" / "scales", tmp_path / "out", Term("first"))
    return tmp_path / "out"


def cell(folder, name):
    for one in json.loads((folder / "scales.ipynb").read_text())["cells"]:
        if one["metadata"]["nbgrader"]["grade_id"] == name:
            return one["source"]
    raise KeyError(name)


def test_the_same_term_draws_the_same_and_another_term_differs():
    assert Term("a").random("x").random() == Term("a").random("x").random()
    draws = {Term(s).seed(*w) for s in ("a", "b") for w in [("x",), ("y",), ("x", "y"), ("xy",)]}
    assert len(draws) == 8
    assert all(0 <= seed < 2**63 for seed in draws)
    assert seed_from("a", "x") == 8271459001840700641
    assert "secret" not in repr(Term("secret"))
    with pytest.raises(ValueError, match="empty"):
        Term("")


def test_values_are_inserted_into_the_template(rendered):
    drawn = json.loads((rendered / "term.json").read_text())["parameters"]
    assert cell(rendered, "title") == f"# Scales\n\nMultiply by {drawn['factor']}."
    assert f"return {drawn['factor']} * values" in cell(rendered, "scale")
    assert f"factor {drawn['factor']} cancels" in (rendered / "rubric.md").read_text()


def test_empty_cells_are_filled_with_tests_and_calls(rendered):
    drawn = json.loads((rendered / "term.json").read_text())["parameters"]
    checks = cell(rendered, "checks")
    assert course_bank.VISIBLE.strip() in checks
    assert checks.startswith("from softlookup.course.exercises.forbidding import Checks\n")
    made = {}
    exec(checks, made)
    assert made["check"].forbids == Assignment.load(rendered).forbids == ("einsum", "mul")
    assert cell(rendered, "test_scale") == (
        f"# This cell is worth 1 point.\ncheck(scales, scale, points=1, factor={drawn['factor']})"
    )
    assert cell(rendered, "test_reduce") == (
        "# This cell is worth 2 points.\n# Tests that are not shown give 2 points of it."
    )


def test_the_tests_get_the_terms_values(rendered):
    assignment = Assignment.load(rendered)
    assert assignment.parameters.keys() == {"factor", "kind"}
    assert assignment.seed == Term("first").seed("scales", "tests")
    assert assignment.forbids == ("einsum", "mul")
    assert "Full marks" in assignment.rubric
    tests = {test.name: test for given in assignment.cells for test in given.tests}
    assert tests["visible.scales"].takes == ("scale",)
    assert tests["visible.scales"].term == {"factor": assignment.parameters["factor"]}
    tests["visible.scales"].run(lambda values: assignment.parameters["factor"] * values)
    with pytest.raises(Mistake, match="the factor is another"):
        tests["visible.scales"].run(lambda values: values)


def test_an_assignment_that_forbids_nothing_has_a_plain_check(tmp_path):
    folder = course_bank.write_source(tmp_path / "sources")
    path = folder / "scales.ipynb"
    path.write_text(re.sub(r'"forbids": \["\w+"\]', '"forbids": []', path.read_text()))
    source.render(folder, tmp_path / "out", Term("first"))
    checks = cell(tmp_path / "out", "checks")
    assert checks.startswith("from softlookup.course.exercises.coursework import check\n")


def test_what_the_assignments_own_cells_define_is_given(tmp_path):
    source.render(source.find("attention_and_masks"), tmp_path / "out", Term("first"))
    checks = source.checks(Assignment.load(tmp_path / "out"))
    assert "        'scaled_dot_product_attention',\n" in checks
    assert "    given=['undecided'],\n" in checks


def test_inputs_are_determined_by_the_terms_seed(rendered):
    tests = {test.name: test for given in Assignment.load(rendered).cells for test in given.tests}
    assert tests["visible.scales"].seed != tests["hidden.reduces"].seed
    seen = []

    def look(values):
        seen.append(values)
        return values.sum(-1)

    for seed in (1, 2, 1):
        torch.manual_seed(seed)
        with pytest.raises(Mistake):
            tests["visible.scales"].run(look)
    assert torch.equal(seen[0], seen[1])
    assert torch.equal(seen[0], seen[2])


def test_the_secret_is_written_nowhere(tmp_path):
    course_bank.write_source(tmp_path / "sources")
    source.render(tmp_path / "sources" / "scales", tmp_path / "out", Term("word-of-the-teacher"))
    for path in (tmp_path / "out").rglob("*"):
        assert not path.is_file() or b"word-of-the-teacher" not in path.read_bytes()


def test_an_undrawn_value_of_a_template_is_named(tmp_path):
    folder = course_bank.write_source(tmp_path)
    text = (folder / "scales.ipynb").read_text()
    (folder / "scales.ipynb").write_text(text.replace("Multiply by « factor »", "« slope »"))
    with pytest.raises(ValueError, match=r"scales\.ipynb, cell 1: 'slope' is undefined"):
        source.render(folder, tmp_path / "out", Term("first"))


def test_a_test_that_takes_an_undrawn_value_is_named(tmp_path):
    folder = course_bank.write_source(tmp_path)
    (folder / "parameters.py").write_text("def draw(random):\n    return {'factor': 2}\n")
    (folder / "scales.ipynb").write_text(
        (folder / "scales.ipynb").read_text().replace("« kind »", "sum")
    )
    with pytest.raises(ValueError, match=r"hidden.reduces takes kind, .* \['factor'\]"):
        source.render(folder, tmp_path / "out", Term("first"))


def test_assignments_are_found_by_name_and_by_path(tmp_path):
    folder = course_bank.write_source(tmp_path / "sources")
    assert source.names(tmp_path / "sources") == ["scales"]
    assert source.find("scales", tmp_path / "sources") == folder
    assert source.find(str(folder), tmp_path / "none") == folder
    with pytest.raises(ValueError, match="ladders: no such assignment; expected one of: scales"):
        source.find("ladders", tmp_path / "sources")
