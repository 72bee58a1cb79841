"""Formulas are set as MathML when the book is built, and what cannot be set is reported."""

import json
from pathlib import Path

import built  # noqa: F401 - puts the extensions on the path
import pytest
from bs4 import BeautifulSoup
from built import ROOT, SITE, built_page, is_chapter, pages

import formulas  # isort: skip


def parsed(formula, display=False):
    (answer,) = formulas.answers([(formula, display)])
    return BeautifulSoup(answer["mathml"], "html.parser").math


def test_a_formula_keeps_its_structure():
    made = parsed(r"\frac{QK^\top}{\sqrt{d_k}}", display=True)
    assert made["class"] == ["tml-display"]
    above, below = made.mfrac.find_all(True, recursive=False)
    assert above.get_text() == "QK⊤"
    assert below.find("msqrt") is not None or below.name == "msqrt"
    assert [child.get_text() for child in made.msub.find_all(True, recursive=False)] == ["d", "k"]


def test_formulas_are_answered_in_their_order():
    letters = "abcdefg"
    made = formulas.answers([(letter, False) for letter in letters])
    assert [BeautifulSoup(each["mathml"], "html.parser").get_text() for each in made] == [*letters]


@pytest.mark.parametrize("formula", [r"\softmaxx(x)", r"\frac{1}", "{x", r"\begin{cases} x"])
def test_what_cannot_be_set_is_a_fault_and_the_others_are_set(formula):
    wrong, right = formulas.answers([(formula, False), ("x", False)])
    assert set(wrong) == {"fault"}
    assert "<mi>x</mi>" in right["mathml"]


@pytest.mark.site
@pytest.mark.parametrize("name", [name for name in pages() if is_chapter(name)])
def test_no_line_of_a_chapter_begins_with_the_mark_behind_a_formula(site, name):
    in_lines = built_page(SITE / name).soup.select("span.math")
    behind = [str(formula.next_sibling or "") for formula in in_lines]
    marked = [after.startswith((*".,;:!?)]’”",)) for after in behind]
    kept = [formula.parent.get("class") == ["unbroken"] for formula in in_lines]
    assert any(marked)
    assert kept == marked


@pytest.mark.site
@pytest.mark.parametrize("name", [name for name in pages() if is_chapter(name)])
def test_a_chapter_holds_each_formula_and_no_script_for_them(site, name):
    page = built_page(SITE / name)
    notebook = json.loads((ROOT / Path(name).with_suffix(".ipynb")).read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    displayed = sum("".join(cell["source"]).count("$$") for cell in cells) // 2
    set_so = page.soup.select("div.math > math.tml-display")
    assert len(set_so) == displayed
    assert len(page.soup.select(".math")) == len(page.soup.select(".math > math"))
    scripts = [str(script.get("src")) + script.get_text() for script in page.soup.select("script")]
    assert [script for script in scripts if "mathjax" in script.lower()] == []
