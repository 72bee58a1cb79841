"""The bank of cheap answers: things that cost nothing to write, in the place of an answer.

Each stands for whatever a student's cell may hold: a function, a class, an object with parameters.
It answers every call, attribute and item alike, and what it answers goes to the test by the way of
the channel, as a real answer would.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from softlookup_coursework.sandbox.channel import Text, refuse_nan
from softlookup_coursework.sandbox.inside import trees


def _tensors(values: object) -> list[torch.Tensor]:
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
    "0": _constant(0),
    "1": _constant(1.0),
    "True": _constant(True),
    "an empty list": _constant([]),
    "an empty dictionary": _constant({}),
    "two empty lists": _constant(([], [])),
    "two texts nan": _constant(["nan", "nan"]),
    "a dictionary of texts nan": _constant(dict.fromkeys(("model", "merges", "vocabulary"), "nan")),
    "a tensor without numbers": _constant(torch.zeros(0)),
    "a tensor of width 0": _shaped_like(lambda given: given[..., :0] if given.dim() else given),
    "zeros": _shaped_like(torch.zeros_like),
    "ones": _shaped_like(torch.ones_like),
    "what it was given": _shaped_like(lambda given: given),
    "itself": _constant(NotImplemented),
}


@dataclass
class Cheap:
    """A function, class or object that answers everything with one cheap thing.

    Attributes:
        answer: makes the answer from a call's arguments.
    """

    answer: Callable[..., Any]

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Answer a call."""
        return self._sent(self.answer(*arguments, **named))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._sent(self.answer())

    def gradients(self, inputs: list[torch.Tensor], weights: torch.Tensor) -> list[Any]:
        """Answer with a gradient for each input."""
        found = [self._sent(self.answer(given)) for given in inputs]
        return [torch.as_tensor(gradient) for gradient in found]

    def _sent(self, value: object) -> Any:
        if value is NotImplemented:
            return self
        tree, payload = trees.encode(value, lambda other: {"plain": str(other)})
        return refuse_nan(trees.decode(tree, payload, lambda *_: self, Text), "the answer")
