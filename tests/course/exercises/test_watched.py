"""What all checks share: arguments are lent as copies, and what becomes of them is looked at."""

import ast
import dataclasses
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
import torch
from chapters import all_chapters, run
from softlookup.course.exercises.verdict import Mistake
from softlookup.course.exercises.watched import is_untouched, watched

SOLUTIONS = [
    pytest.param(chapter, cell.source, id=number)
    for chapter in all_chapters()
    for number, cell in chapter.tagged("solution").items()
]
# Their functions are given numbers, models, a network that is to be changed, or nothing at all.
NOTHING_TO_CHANGE = {
    *(
        "1.3",
        "1.4",
        "2.5",
        "3.2",
        "4.4",
        "4.6",
        "5.4",
        "6.1",
        "7.1",
        "7.6",
        "8.4",
        "9.3",
        "9.5",
        "10.5",
        "10.6",
        "11.4",
        "13.2",
        "13.3",
        "13.5",
        "13.6",
        "14.1",
        "15.4",
        "15.5",
        "15.6",
        "16.2",
        "16.4",
        "17.5",
        "18.1",
        "18.2",
        "18.3",
        "18.4",
        "18.6",
    ),
}


class Pair(NamedTuple):
    one: torch.Tensor
    other: torch.Tensor


@dataclasses.dataclass(frozen=True)
class Parts:
    whole: torch.Tensor


GIVEN = {
    "tensor": lambda: torch.tensor([1.0, float("nan")]),
    "array": lambda: np.array([1.0, float("nan")]),
    "list": lambda: [torch.ones(2), 3],
    "nested": lambda: {"a": ([torch.ones(2)], 1)},
    "named": lambda: Pair(torch.ones(2), torch.zeros(2)),
    "parts": lambda: Parts(torch.ones(2)),
    "set": lambda: {1, 2},
    "counter": lambda: Counter("aab"),
    "shape": lambda: torch.Size([2, 3]),
}
CHANGES = {
    "tensor": lambda x: x.mul_(2),
    "array": lambda x: x.sort() or x.__imul__(2),
    "list": lambda x: x.append(4) or x,
    "nested": lambda x: x["a"][0][0].zero_(),
    "named": lambda x: x.other.add_(1),
    "parts": lambda x: x.whole.add_(1),
    "set": lambda x: x.add(3) or x,
    "counter": lambda x: x.update("c") or x,
}


@pytest.mark.parametrize("kind", CHANGES)
def test_what_is_given_stays_and_the_change_is_told(kind):
    given = GIVEN[kind]()
    before = repr(given)

    def changes(first, values):
        return CHANGES[kind](values)

    with pytest.raises(Mistake, match="your function changes `values` in place"):
        watched(changes)(1, given)
    with pytest.raises(Mistake, match="your function changes `values` in place"):
        watched(changes)(first=1, values=given)
    assert repr(given) == before


@pytest.mark.parametrize("kind", GIVEN)
def test_what_leaves_its_arguments_alone_is_left_alone(kind):
    given = GIVEN[kind]()
    assert repr(watched(lambda x: x)(given)) == repr(given)


@pytest.mark.parametrize("change", ["unsqueeze_", "t_", "zero_"])
def test_shape_and_order_are_looked_at_too(change):
    with pytest.raises(Mistake, match="in place"):
        watched(lambda x: getattr(x, change)(*([0] if change == "unsqueeze_" else [])))(
            torch.arange(4.0).view(2, 2)
        )


def test_gradients_flow_through_the_copies():
    x = torch.ones(2, requires_grad=True)
    (gradient,) = torch.autograd.grad(watched(lambda x: (3 * x).sum())(x), x)
    assert gradient.tolist() == [3.0, 3.0]


def test_models_and_classes_are_passed_on_themselves():
    model = torch.nn.Linear(2, 2)
    assert watched(lambda x: x)(model) is model
    assert watched(torch.nn.Linear) is torch.nn.Linear
    assert watched(7) == 7


def without_body(x): ...


def with_words_alone(x):
    """Return something."""


def constant(x):
    return 3


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (..., True), (without_body, True), (with_words_alone, True), (lambda x: None, True),
        (constant, False), (lambda x: x, False), (print, False), (7, False), (None, False),
    ],
)  # fmt: skip
def test_a_stub_is_what_does_nothing(answer, expected):
    assert is_untouched(answer) is expected


def verdict_on(chapter, source, misbehaving):
    """The verdict on a solution whose functions are put behind one that misbehaves."""
    *definitions, call = ast.parse(source).body
    namespace = {}
    run(chapter.setup, namespace)
    run(ast.unparse(ast.Module(definitions, [])), namespace)
    own = {node.name for node in definitions if isinstance(node, ast.FunctionDef)}
    handed_in = own & {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
    assert handed_in
    namespace |= {name: misbehaving(namespace[name]) for name in handed_in}
    return run(ast.unparse(call), namespace)


def forgets(answer):
    def forgetful(*args):
        answer(*args)

    return forgetful


def raises(answer):
    def raising(*args):
        raise ArithmeticError("planted")

    return raising


def changes(answer):
    def changing(*args):
        result = answer(*args)
        for each in args:
            change(each)
        return result

    return changing


def change(value):
    """Change a value in place, if it can be changed."""
    if isinstance(value, torch.Tensor):
        value.copy_(~value if value.dtype == torch.bool else value + 1)
    elif isinstance(value, np.ndarray):
        value += 1
    elif isinstance(value, list):
        value.append(value[0])
    elif isinstance(value, tuple):
        for each in value:
            change(each)
    elif dataclasses.is_dataclass(value):
        for each in vars(value).values():
            change(each)


@pytest.mark.parametrize(("chapter", "source"), SOLUTIONS)
def test_a_forgotten_return_is_told_in_every_exercise(chapter, source):
    verdict = verdict_on(chapter, source, forgets)
    assert verdict.outcome == "mistake"
    assert verdict.message.startswith("your function returned nothing")


@pytest.mark.parametrize(("chapter", "source"), SOLUTIONS)
def test_an_error_is_told_with_its_line_in_every_exercise(chapter, source):
    verdict = verdict_on(chapter, source, raises)
    assert verdict.outcome == "mistake"
    assert '`raise ArithmeticError("planted")`: planted' in verdict.message


@pytest.mark.parametrize(("chapter", "source"), SOLUTIONS)
def test_a_change_in_place_is_told_in_every_exercise(chapter, source):
    verdict = verdict_on(chapter, source, changes)
    if verdict.exercise in NOTHING_TO_CHANGE:
        assert verdict.outcome == "passed"
    else:
        assert "in place" in verdict.message
