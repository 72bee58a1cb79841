"""What an assignment's notebook calls: one line a check, and gradients of whatever was written."""

import pytest
import torch
from softlookup.course.exercises.coursework import check, gradients
from softlookup.course.exercises.verdict import Mistake


def doubles(double, *, factor):
    drawn = torch.randn(3)
    if not torch.allclose(double(drawn), factor * drawn):
        raise Mistake("your double: it does not double")


def shapes(double):
    assert double(torch.ones(3)).shape == (3,)


def one(answer):
    raise AssertionError("it is one too many")


def silent(answer):
    raise AssertionError


def unwritten(drawn):
    raise NotImplementedError


def divides(drawn):
    return drawn / "2"


def unready(drawn):
    raise NotImplementedError("'tril' is not implemented for this dtype")


@pytest.mark.parametrize(
    ("test", "answer", "term", "line"),
    [
        (doubles, lambda x: 2 * x, {"factor": 2}, "doubles: passed (2 points)"),
        (doubles, lambda x: x, {"factor": 2}, "doubles: not yet: your double: it does not double"),
        (doubles, unwritten, {"factor": 2}, "doubles: to do"),
        (doubles, divides, {"factor": 2}, "doubles: not yet: your code raised TypeError in line"),
        (doubles, unready, {"factor": 2}, "doubles: not yet: your code raised NotImplementedError"),
        (shapes, lambda x: x[:2], {}, "shapes: not yet: "),
        (one, lambda x: x, {}, "one: not yet: it is one too many"),
        (silent, lambda x: x, {}, "silent: not yet: the answer is wrong"),
        (doubles, None, {"factor": 2}, "doubles: not yet: the check cannot go on with your answer"),
    ],
)
def test_a_check_prints_one_line_and_never_raises(capsys, test, answer, term, line):
    check(test, answer, points=2, **term)
    printed = capsys.readouterr().out
    assert printed.startswith(line)
    assert printed.count("\n") == 1


def test_one_point_is_one_point(capsys):
    check(shapes, torch.relu, points=1)
    assert capsys.readouterr().out == "shapes: passed (1 point)\n"


def test_inputs_are_the_same_each_time_and_the_notebooks_own_numbers_go_on():
    seen = []

    def look(answer):
        seen.append(torch.randn(3))

    torch.manual_seed(5)
    expected = torch.randn(2, 3)
    torch.manual_seed(5)
    first = torch.randn(3)
    check(look, None, points=1)
    assert torch.equal(torch.stack([first, torch.randn(3)]), expected)
    check(look, None, points=1)
    assert torch.equal(seen[0], seen[1])


def test_gradients_agree_with_calculus():
    x, y, weights = torch.randn(5), torch.randn(5), torch.randn(5)
    by_x, by_y = gradients(lambda x, y: x * y**2, [x, y], weights)
    assert torch.allclose(by_x, weights * y**2)
    assert torch.allclose(by_y, 2 * weights * x * y)
    assert not x.requires_grad


def test_a_module_has_gradients_and_an_unused_input_has_none():
    layer = torch.nn.Linear(5, 3).double()
    tokens, unused = torch.randn(7, 5).double(), torch.randn(2)
    weights = torch.randn(7, 3).double()
    by_tokens, by_unused = gradients(lambda t, _: layer(t), [tokens, unused], weights)
    assert torch.allclose(by_tokens, weights @ layer.weight)
    assert torch.equal(by_unused, torch.zeros(2))


@pytest.mark.parametrize("answer", [lambda x: x.detach(), lambda x: torch.tensor(x.tolist())])
def test_a_detached_answer_is_named(answer):
    with pytest.raises(Mistake, match="no gradient flows"):
        gradients(answer, [torch.randn(5)], torch.ones(5))


def test_what_runs_elsewhere_computes_its_gradients_there():
    class Handle:
        def gradients(self, inputs, weights):
            return [weights * 3, torch.zeros(0)]

    weights = torch.randn(5)
    first, second = gradients(Handle(), [torch.ones(5), torch.ones(2, 3)], weights)
    assert torch.equal(first, 3 * weights)
    assert torch.equal(second, torch.zeros(2, 3))

    class Wrong:
        def gradients(self, inputs, weights):
            return [torch.ones(7)]

    with pytest.raises(Mistake, match="its gradient has the shape"):
        gradients(Wrong(), [torch.ones(5)], weights)
