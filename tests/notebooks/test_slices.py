"""A slice holds what a claim depends on, and leaves out what it does not."""

import ast

import pytest
from chapters import Chapter
from effects import harmless, pictures_of
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
    return [ast.unparse(statement.node) for statement in part if not statement.always][:-1]


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
        (["for i in range(3):\n    x = i"], ["x = 0", "for i in range(3):\n    print(i)"]),
        (["x = 0", "if x < 1:\n    x = 2"], []),
        (["def f():\n    return later", "later = 1", "x = f()"], ["def g():\n    return 2"]),
        (["box = [0]", "def fill(b):\n    b[0] = 1", "fill(box)", "x = box[0]"], []),
        (
            ["box = {'a': []}", "for part in box.values():\n    part.append(1)", "x = box['a'][0]"],
            [],
        ),
        (
            [
                "box = [[]]",
                "kept = []",
                "for part in box:\n    kept.append(fill(part))",
                "x = box[0]",
            ],
            ["for part in box:\n    print(len(part))"],
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


PICTURE = "from softlookup.figures.curves import curves as draw_curves"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("print(f'{x.mean():.2f}', *sorted(names))", True),
        ("def f(y=1):\n    y.append(2)\n    return train(y)", True),
        ("shares = {name: float(each.amax()) for name, each in found.items()}", True),
        ("figure, axes = style.canvas('wide')", True),
        ("axes.set_xticks([1, 2])", True),
        ("draw_curves(axes, found)", True),
        ("y = model(x)", False),
        ("print(model(x))", False),
        ("x = torch.rand(3)", False),
        ("def f(y=[].append(1)):\n    pass", False),
        ("class A:\n    made = build()", False),
        ("x.weight[0] = 1", False),
        ("x += 1", False),
        ("del x", False),
        ("first = next(numbers)", False),
        ("makers['one'](x)", False),
        ("for axes in panels:\n    model.train()", False),
        ("axes.append(step(model))", False),
    ],
)
def test_what_changes_nothing_is_told_from_what_might(source, expected):
    (node,) = ast.parse(source).body
    assert harmless(node, pictures_of(ast.parse(PICTURE).body)) == expected


def test_a_name_that_a_loop_binds_needs_no_loop_before():
    loop = "for name in {!r}:\n    row = name\n    print(row)"
    last = "for name in 'cd':\n    row = name\n    x = row"
    assert sliced(loop.format("ab"), last, CHECK) == [last]


def test_a_picture_changes_what_it_is_drawn_on_alone():
    found = [PICTURE, "x = [1]", "draw_curves(axes, x)", CHECK]
    assert sliced(*found) == ["x = [1]"]


def test_what_seeds_the_draws_belongs_to_every_slice():
    later = "def begin():\n    seed_everything(1)"
    found = statements(chapter("y = 1", "s = 0", "seed_everything(s)", later, "x = 2", CHECK))
    kept = [ast.unparse(found[place].node) for place in slice_for(found, "1-a")]
    assert kept[2:5] == ["s = 0", "seed_everything(s)", "x = 2"]
