"""The bank of cheap answers: things that cost nothing to write, in the place of an answer.

Each stands for whatever a student's cell may hold: a function, a class, an object with parameters.
It answers every call, attribute and item alike, and what it answers goes to the test by the way of
the channel, as a real answer would. Who writes nothing of an answer must earn nothing by it, nor by
the solution's own parts beside it, since every point asks for what all parts do together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from softlookup_coursework.assignments.assignment import Assignment
from softlookup_coursework.checking.own_process import Names, failure
from softlookup_coursework.sandbox.answers import Text, refuse_nan
from softlookup_coursework.sandbox.inside import trees


def _tensors(values: Any) -> list[torch.Tensor]:  # noqa: ANN401
    """The tensors among a call's arguments."""
    parts = values.values() if isinstance(values, dict) else values
    if isinstance(values, torch.Tensor):
        return [values]
    if isinstance(parts, (list, tuple)) or isinstance(values, dict):
        return [tensor for part in parts for tensor in _tensors(part)]
    return []


def _shaped_like(make: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., Any]:
    """Something of the shape of the call's last tensor, or of one number where it has none."""

    def answer(*arguments: Any, **named: Any) -> torch.Tensor:
        given = _tensors([arguments, named])
        return make(given[-1] if given else torch.zeros(()))

    return answer


def _for_each_query(make: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., Any]:
    """Something of the first tensor's leading axes and the last one's width, as attention has it.

    Where no tensor is given, as to a class that is to make a model, it answers itself.
    """

    def answer(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        given = _tensors([arguments, named])
        numbers = [one for one in given if one.is_floating_point() and one.dim()] or given
        if not numbers or not numbers[-1].dim():
            return make(numbers[-1]) if numbers else NotImplemented
        found = make(torch.zeros(*given[0].shape[:-1], numbers[-1].shape[-1]))
        mask = given[-1]
        if mask.dtype == torch.bool and len(given) > 1 and mask.dim() > 1:
            found = torch.where(mask.any(-1, keepdim=True), found, 0.0)
        return found

    return answer


def _infinitely_more(place: int) -> Callable[..., Any]:
    """One of the tensors that were given, and infinity; without one, as of a class, itself."""

    def answer(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        given = _tensors([arguments, named])
        return given[place] + torch.inf if given else NotImplemented

    return answer


def _without_numbers(axes: int) -> Callable[..., Any]:
    """A tensor without numbers, which fits to every shape; without a tensor given, itself."""

    def answer(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        given = _tensors([arguments, named])
        return torch.zeros(0, *[1] * (axes - 1)) if given else NotImplemented

    return answer


def _sizes_asked(*arguments: Any, **named: Any) -> tuple[torch.Tensor, ...]:
    """Zeros of the shape of each tensor but the last, as if gradients were asked for."""
    return tuple(torch.zeros_like(given) for given in _tensors([arguments, named])[:-1])


def _first(*arguments: Any, **named: Any) -> torch.Tensor:
    """The call's first tensor twice: a linear map."""
    given = _tensors([arguments, named])
    return 2 * given[0] if given else torch.zeros(())


def _mean_over_the_mask(*arguments: Any, **named: Any) -> torch.Tensor:
    """The mean of the values that a mask allows, whatever is asked; without a mask, of all."""
    given = _tensors([arguments, named])
    masked = bool(given) and given[-1].dtype == torch.bool and len(given) > 1
    values = given[-2 if masked else -1] if given else torch.zeros(1, 1)
    if values.dim() < 2 or not given:
        return values
    mask = given[-1] if masked else torch.ones(given[0].shape[-2:-1] + values.shape[-2:-1])
    shares = mask.to(values) / mask.sum(-1, keepdim=True).clamp(min=1)
    return shares @ values if mask.shape[-1] == values.shape[-2] else shares


def _constant(value: object) -> Callable[..., Any]:
    return lambda *_, **__: value


ANSWERS: dict[str, Callable[..., Any]] = {
    "nothing": _constant(None),
    "the text nan": _constant("nan"),
    "the text inf": _constant("inf"),
    "a text of no characters": _constant(""),
    "NaN": _constant(float("nan")),
    "a tensor of NaN": _shaped_like(lambda given: torch.full(given.shape, torch.nan)),
    "infinity": _constant(float("inf")),
    "a tensor of infinity": _shaped_like(lambda given: torch.full(given.shape, torch.inf)),
    "infinity for each query": _for_each_query(lambda given: torch.full(given.shape, torch.inf)),
    "minus infinity for each query": _for_each_query(
        lambda given: torch.full(given.shape, -torch.inf)
    ),
    "both infinities": _for_each_query(
        lambda given: torch.where(
            torch.arange(given.numel()).view(given.shape) % 2 == 0, torch.inf, -torch.inf
        )
    ),
    "the first input and infinity": _infinitely_more(0),
    "the last input and infinity": _infinitely_more(-1),
    "an interval without ends": _constant((float("-inf"), float("inf"))),
    "0": _constant(0),
    "1": _constant(1.0),
    "True": _constant(True),
    "an empty list": _constant([]),
    "an empty dictionary": _constant({}),
    "two empty lists": _constant(([], [])),
    "two texts nan": _constant(["nan", "nan"]),
    "a dictionary of texts nan": _constant(dict.fromkeys(("model", "merges", "vocabulary"), "nan")),
    "a tensor without numbers": _constant(torch.zeros(0)),
    "no numbers on two axes": _without_numbers(2),
    "no numbers on three axes": _without_numbers(3),
    "no numbers on four axes": _without_numbers(4),
    "a tensor of width 0": _shaped_like(lambda given: given[..., :0] if given.dim() else given),
    "zeros": _shaped_like(torch.zeros_like),
    "ones": _shaped_like(torch.ones_like),
    "what it was given": _shaped_like(lambda given: given),
    "zeros of the sizes asked": _sizes_asked,
    "a linear map": _first,
    "the mean over the mask": _mean_over_the_mask,
    "itself": _constant(NotImplemented),
}


@dataclass
class Cheap:
    """A function, class or object that answers everything with one cheap thing.

    Attributes:
        answer: makes the answer from a call's arguments.
    """

    answer: Callable[..., Any]

    def __call__(self, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        """Answer a call."""
        return self._sent(self.answer(*arguments, **named))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        if name.startswith("_"):
            raise AttributeError(name)
        return self._sent(self.answer())

    def gradients(self, inputs: list[torch.Tensor], weights: torch.Tensor) -> list[Any]:
        """Answer with a gradient for each input."""
        found = [self._sent(self.answer(given)) for given in inputs]
        return [torch.as_tensor(gradient) for gradient in found]

    def _sent(self, value: object) -> Any:  # noqa: ANN401
        if value is NotImplemented:
            return self
        tree, payload = trees.encode(value, lambda other: {"plain": str(other)})
        return refuse_nan(trees.decode(tree, payload, lambda *_: self, Text), "the answer")


def earned(assignment: Assignment, names: Names, what: str) -> list[str]:
    """The points that a cheap answer earns.

    Args:
        assignment: whose tests are asked.
        names: what its solution defines.
        what: one of ``ANSWERS``; it stands in the place of all that a test takes, and in the place
            of one thing, with the solution's own beside it.

    Returns:
        The tests that it passes, each with what was not written.
    """
    cheap, found = Cheap(ANSWERS[what]), []
    for test in (test for cell in assignment.cells for test in cell.tests):
        if not failure(test, [cheap] * len(test.takes)):
            found.append(f"{test.name}, nothing written")
        for place, left_out in enumerate(test.takes if len(test.takes) > 1 else ()):
            answers = [names[taken] for taken in test.takes]
            answers[place] = cheap
            if not failure(test, answers):
                found.append(f"{test.name}, {left_out} not written")
    return found
