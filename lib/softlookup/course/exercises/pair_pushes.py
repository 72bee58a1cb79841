"""What a pair pushes in the preference loss, with the parts that can each go wrong.

The chapter on answers has the learner derive it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from softlookup.course.exercises.slips import Slips
from softlookup.course.exercises.verdict import Mistake

COMPLEX = "a complex tensor: its imaginary part differentiates the loss; do so on paper"


class RealNumbers(TorchFunctionMode):
    """Refuses complex tensors inside: by an imaginary step a loss derives itself, to all digits."""

    def __torch_function__(
        self,
        function: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        """Call what PyTorch was asked for, and look at what it gives."""
        result = function(*args, **(kwargs or {}))
        if isinstance(result, Tensor) and result.is_complex():
            raise Mistake(COMPLEX)
        return result


def gap(
    given: Tensor,
    within: Callable[[Tensor], Tensor] = lambda beta: beta,
    reference: Callable[[Tensor, Tensor], Tensor] = lambda chosen, rejected: chosen - rejected,
    moved: Callable[[Tensor, Tensor], Tensor] = lambda chosen, rejected: chosen - rejected,
) -> Tensor:
    """How much more the chosen answer has gained than the rejected, times β.

    Args:
        given: the two log-probabilities, the two of the reference, and β, each (pairs,).
        within: what stands for β.
        reference: what is taken off for the reference.
        moved: what it is taken off.
    """
    chosen, rejected, before, before_rejected, beta = given
    return within(beta) * (moved(chosen, rejected) - reference(before, before_rejected))


def derivatives(
    given: Tensor,
    weight: Callable[[Tensor], Tensor] = lambda z: torch.sigmoid(-z),
    outside: Callable[[Tensor], Tensor] = lambda beta: beta,
    signs: tuple[float, float] = (-1.0, 1.0),
    **parts: Callable[..., Tensor],
) -> Tensor:
    """The derivatives by both, (2, pairs); as the parts stand, the right ones."""
    push = outside(given[4]) * weight(gap(given, **parts))
    return torch.tensor(signs, dtype=push.dtype)[:, None] * push


_LOG = "the loss is -log σ"

PUSHES: Slips = {
    "signs": {
        "both signs are turned: the loss falls when the chosen rises": (1.0, -1.0),
        "the two answers push in the same direction, upwards; one enters the gap with a minus": (
            1.0,
            1.0,
        ),
        "the two answers push in the same direction; one enters the gap with a minus": (-1.0, -1.0),
        "the rejected answer pushes too: the gap falls with it": (-1.0, 0.0),
        "the chosen answer pushes too: the gap grows with it": (0.0, 1.0),
    },
    "outside": {
        "the factor β is missing: it stands within the sigmoid, and comes out by the chain rule": (
            torch.ones_like
        ),
        "you have the square of β, which comes out by the chain rule once": torch.square,
        "you divide by β, which comes out of the sigmoid as a factor": torch.reciprocal,
        "you halve the push; there is no mean to be taken": lambda beta: beta / 2,
        "you double the push": lambda beta: 2 * beta,
    },
    "weight": {
        "your weight is the probability that the model judges *rightly*; a pair that it knows "
        "should push no more": torch.sigmoid,
        f"this is the derivative of σ; {_LOG}": lambda z: torch.sigmoid(z) * torch.sigmoid(-z),
        "every pair has the same weight here; differentiate the logarithm as well": torch.ones_like,
        f"you divide by σ and stop: {_LOG}, and σ itself has a derivative too": (
            lambda z: 1 / torch.sigmoid(z)
        ),
        "your weight is the loss itself; differentiate it": lambda z: (
            -torch.nn.functional.logsigmoid(z)
        ),
        "your weight is log σ; differentiate it": torch.nn.functional.logsigmoid,
        "your weight is σ times the gap; z is gone when -log σ(z) is differentiated by it": (
            lambda z: z * torch.sigmoid(-z)
        ),
        "your weight is the square of σ; one factor comes from the logarithm, and takes one away": (
            lambda z: torch.sigmoid(-z).square()
        ),
    },
    "within": {
        "the sigmoid is that of the gap without β": torch.ones_like,
        "within the sigmoid the gap is multiplied by β, and you divide by it": torch.reciprocal,
    },
    "reference": {
        "the reference is missing: what counts is how far the model has moved": (
            lambda chosen, rejected: torch.zeros_like(chosen)
        ),
        "the references enter with the wrong sign: each is taken off its own log-probability": (
            lambda chosen, rejected: rejected - chosen
        ),
        "the reference of the rejected answer has the wrong sign in your gap": (
            lambda chosen, rejected: chosen + rejected
        ),
        "the reference of the rejected answer is missing": lambda chosen, rejected: chosen,
        "the reference of the chosen answer is missing": lambda chosen, rejected: -rejected,
    },
    "moved": {
        "the rejected answer has the wrong sign in your gap": (
            lambda chosen, rejected: chosen + rejected
        ),
        "your gap asks the reference alone": lambda chosen, rejected: torch.zeros_like(chosen),
    },
}


def by_ratios(given: Tensor) -> Tensor:
    """The derivatives where the logarithm is taken of ratios of log-probabilities."""
    chosen, rejected, before, before_rejected, beta = given
    z = beta * ((chosen / before).log() - (rejected / before_rejected).log())
    return beta * torch.sigmoid(-z) * torch.tensor([[-1.0], [1.0]], dtype=z.dtype)


def each_by_itself(given: Tensor) -> Tensor:
    """A sigmoid for each of the two answers, and none for the gap between them."""
    chosen, rejected, before, before_rejected, beta = given
    return beta * torch.stack(
        [
            -torch.sigmoid(-beta * (chosen - before)),
            torch.sigmoid(beta * (rejected - before_rejected)),
        ]
    )
