"""What an assignment's notebook calls: a check that prints one line, and gradients of an answer.

The tests of an assignment are functions that raise ``Mistake``. A student runs the visible ones
with ``check``; the teacher's grader runs the same functions on other inputs.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.verdict import Mistake
from softlookup.course.exercises.watched import raised_by_stub, words_for


def check(
    test: Callable[..., None],
    /,
    *answers: object,
    points: float,
    **term: Any,
) -> None:
    """Run a test on what a student wrote, and print one line; nothing is ever raised.

    Inputs that the test draws are the same at every call, and the notebook's own random numbers
    go on afterwards as if nothing had been drawn.

    Args:
        test: the test, which raises ``Mistake`` if an answer is wrong.
        answers: the student's functions and classes, in the test's order.
        points: what the test is worth.
        term: the term's values that the test takes.
    """
    name = getattr(test, "__name__", "the test")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        try:
            test(*answers, **term)
        except (Mistake, AssertionError) as mistake:
            line = f"not yet: {str(mistake) or 'the answer is wrong'}"
        except Exception as error:
            line = "to do" if raised_by_stub(error) else f"not yet: {words_for(error, answers)}"
        else:
            line = f"passed ({points:g} point{'' if points == 1 else 's'})"
    print(f"{name}: {' '.join(line.split())}")


def gradients(answer: Any, inputs: list[Tensor], weights: Tensor) -> list[Tensor]:  # noqa: ANN401
    """The gradients of the weighted sum of an answer's output, by each of its inputs.

    Args:
        answer: a student's function or module; in the grader, where what students wrote runs
            elsewhere, a handle to it that computes gradients there.
        inputs: what it is called with, floating-point tensors.
        weights: what its output is multiplied with before it is summed, of the output's shape.

    Returns:
        A gradient for each input, of its shape; zeros by an input that the output does not use.

    Raises:
        Mistake: if no gradient can flow through the output, or one has another shape.
    """
    elsewhere = getattr(type(answer), "gradients", None)
    found: list[Tensor | None]
    if elsewhere:
        found = [gradient if gradient.numel() else None for gradient in
                 elsewhere(answer, inputs, weights)]  # fmt: skip
    else:
        leaves = [value.detach().clone().requires_grad_() for value in inputs]
        output = answer(*leaves)
        if not isinstance(output, Tensor) or not output.requires_grad:
            raise Mistake("your result: no gradient flows through it; was it detached or copied?")
        found = list(torch.autograd.grad((output * weights).sum(), leaves, allow_unused=True))
    whole = [
        torch.zeros_like(value) if gradient is None else gradient
        for value, gradient in zip(inputs, found, strict=True)
    ]
    for value, gradient in zip(inputs, whole, strict=True):
        if gradient.shape != value.shape:
            raise Mistake(
                f"your result: its gradient has the shape {tuple(gradient.shape)}, its input "
                f"{tuple(value.shape)}"
            )
    return whole
