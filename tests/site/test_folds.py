"""What checks and what draws is folded; what teaches stands open."""

import built  # noqa: F401 - puts the extensions on the path
import pytest
from docutils import nodes

import folds  # isort: skip

CELL = """weights = torch.softmax(scores, dim=-1)

# What a distribution is.
claims.law("2-sums", "rows sum to one", weights.sum(-1).max(), "<=", 1)
claims.law("2-positive", "no weight is negative", -weights.min(), "<=", 0)


def look_up(query):
    return query @ weights


figure, (left, right) = style.canvas("wide", columns=2)
for axes in (left, right):
    curves(axes, weights)
print(look_up(query))
predictions.compare(prediction, {"a": True, "b": False})"""


def test_a_cell_is_cut_between_statements():
    cut = folds.pieces(CELL)
    assert [kind for kind, _ in cut] == ["", "check", "", "drawing", "", "check"]
    assert cut[1][1].startswith("# What a distribution is.\nclaims.law(")
    assert cut[3][1].endswith("    curves(axes, weights)")
    # Nothing is lost but the empty lines at a cut.
    assert "\n".join(text for _, text in cut).split() == CELL.split()


@pytest.mark.parametrize(
    ("before", "kinds"),
    [
        ("figure, axes = style.canvas()\naxes.plot(x)", ["drawing"]),
        ("figure, axes = style.canvas()\nclaims.law('2-x', 'x', 1, '<=', 1)", ["drawing", "check"]),
        ("x = 3", [""]),
    ],
)
def test_what_shows_a_figure_stands_with_what_is_before_it(before, kinds):
    cut = folds.pieces(f"{before}\nplt.show()")
    assert [kind for kind, _ in cut] == kinds
    assert cut[-1][1].endswith("\nplt.show()")


@pytest.mark.parametrize(
    "source",
    ["curves(axes, lines)", "checked = claims.law", "figure = other.canvas()", "# nothing", ""],
)
def test_what_only_looks_like_a_check_or_a_drawing_stays_open(source):
    assert {kind for kind, _ in folds.pieces(source)} <= {""}


def cell(source, **metadata):
    code = nodes.container("", nb_element="cell_code_source")
    code += nodes.literal_block(source, source, language="ipython3")
    return nodes.container("", code, nb_element="cell_code", **metadata)


def folded(made):
    document = nodes.container()
    document += made
    folds.set_folds(None, document)
    return [type(block).__name__ for block in made.children[0]]


def test_a_cell_shows_what_teaches_and_folds_the_rest():
    assert folded(cell(CELL)) == ["literal_block", "HideCodeCellNode"] * 3


@pytest.mark.parametrize(
    "metadata",
    [
        {"hide_mode": "input"},
        {"cell_metadata": {"tags": ["exercise:2.1"]}},
        {"cell_metadata": {"tags": ["hide-cell", "solution:2.1"]}, "hide_mode": "all"},
    ],
)
def test_what_is_hidden_already_and_what_is_the_learners_stays(metadata):
    assert folded(cell(CELL, **metadata)) == ["literal_block"]
