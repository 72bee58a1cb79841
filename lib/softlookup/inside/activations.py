"""The data's way: what passes through a model, recorded at every stop.

Chapters 9, 10 and 11 draw it with ``figures.passage``. Nothing is drawn by hand: hooks listen to
the model's parts while it runs once, and record what comes out of each.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.feed_forward import FeedForward
from softlookup.layers.multi_head import MultiHeadAttention, attention_weights

Role = Literal["input", "stream", "branch", "output"]

# What the modules are called in the course's models, and what one says instead.
_WORDS = {
    "embedding": "embedding",
    "positions": "positions added",
    "self_attention": "self-attention",
    "cross_attention": "cross-attention",
    "feed_forward": "feed-forward",
    "final_norm": "last norm",
}


@dataclass(frozen=True, eq=False)
class Stop:
    """One stop on the way: what was there when the data came by.

    Attributes:
        name: the module's name within the model, such as ``encoder.blocks.0``; ``"input 1"``
            and so on for what the model was given, ``"output"`` for what it gave.
        label: its name in words.
        role: ``"input"`` for what the model was given; ``"stream"`` for the vectors on their
            way; ``"branch"`` for what an attention or a feed-forward network gives, which its
            block adds to the stream; ``"output"`` for the scores.
        shape: the size of each axis by its name, without the batch.
        values: what was there, for the first of the batch.
        weights: at an attention, how much each query takes from each key.
        memory: at an attention into a memory, the name of the stop that gave the memory.
    """

    name: str
    label: str
    role: Role
    shape: Mapping[str, int]
    values: Tensor
    weights: Float[Tensor, "heads queries keys"] | None = None
    memory: str | None = None


def named_stops(model: nn.Module) -> dict[str, str]:
    """The modules of one of the course's models at which to stop, each with its name in words.

    They are the embeddings, the positions, every attention and feed-forward network, every
    layer, and the last norm. For fewer stops, leave some out.
    """
    found = {}
    for name, module in model.named_modules():
        layer = re.search(r"blocks\.(\d+)$", name)
        own_name = name.rpartition(".")[2].removeprefix("source_").removeprefix("target_")
        if layer:
            found[name] = f"after layer {int(layer[1]) + 1}"
        # A post-norm stack has an empty place where the last norm would stand.
        elif own_name in _WORDS and not isinstance(module, nn.Identity):
            found[name] = _WORDS[own_name]
    return found


@torch.no_grad()
def passage(
    model: nn.Module, *inputs: Tensor | None, stops: Mapping[str, str] | None = None
) -> list[Stop]:
    """Run the model once, and record what comes by at each stop, in the order of arrival.

    An input is recorded when a module is first called on it: a target stands behind the whole
    encoder, and a mask, on which no module is called, is no stop. The last stop is what the
    model gives, even where no module computes it, as with a tied output. A module that is
    called twice is recorded twice. The model runs in the mode that it is in, training or
    evaluation, and is left as it was.

    Args:
        model: the model.
        inputs: what it is called with, the batch first.
        stops: the names of modules within the model, each with a name in words; those of
            ``named_stops`` where it is None.

    Returns:
        The stops, from the first input to the output.

    Raises:
        ValueError: if a name is no module's, if a module that is named is never called, or if
            something other than a tensor with at most three axes and the batch comes by.
    """
    labels = named_stops(model) if stops is None else stops
    modules = dict(model.named_modules(remove_duplicate=False))
    unknown = [name for name in labels if name not in modules]
    if unknown:
        raise ValueError(
            f"stops has {unknown}; expected names of modules, which are {[*modules][1:]}"
        )
    # One module may have two names, such as a shared table; it is recorded under the first.
    names = {modules[name]: name for name in reversed([*labels])}
    recorder = _Recorder(inputs)

    def arrive(_: nn.Module, arguments: tuple[Any, ...]) -> None:
        recorder.arrive(arguments)

    def leave(module: nn.Module, *call: Any) -> None:
        recorder.leave(module, names[module], labels[names[module]], *call)

    handles = [module.register_forward_pre_hook(arrive) for module in model.modules()]
    handles += [module.register_forward_hook(leave, with_kwargs=True) for module in names]
    try:
        output = model(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    missing = set(names.values()) - {stop.name for stop in recorder.stops}
    if missing:
        raise ValueError(
            f"{type(model).__name__} never called {sorted(missing)}; expected modules that these "
            "inputs pass"
        )
    recorder.end(output)
    return recorder.stops


def by_input(stops: Sequence[Stop]) -> list[list[Stop]]:
    """Cut the way where an input comes in: an encoder's stops, and those of its decoder.

    Raises:
        ValueError: if the way does not begin with an input.
    """
    if not stops or stops[0].role != "input":
        raise ValueError(
            f"the way begins with {stops[0].label if stops else 'nothing'!r}; expected an input"
        )
    ways: list[list[Stop]] = []
    for stop in stops:
        if stop.role == "input":
            ways.append([])
        ways[-1].append(stop)
    return ways


class _Recorder:
    """The stops so far, and the tensors themselves, by which a memory is known again."""

    def __init__(self, inputs: Sequence[Tensor | None]) -> None:
        self.stops: list[Stop] = []
        self._tensors: list[Tensor] = []
        self._waiting = {f"input {place}": given for place, given in enumerate(inputs, start=1)}

    def arrive(self, arguments: tuple[Any, ...]) -> None:
        for name, given in self._waiting.items():
            if given is not None and arguments and arguments[0] is given:
                label = "image" if given.is_floating_point() else "token ids"
                self._record(name, label, "input", given)
                del self._waiting[name]
                return

    def leave(
        self,
        module: nn.Module,
        name: str,
        label: str,
        arguments: tuple[Any, ...],
        named_arguments: dict[str, Any],
        output: object,
    ) -> None:
        if not isinstance(module, MultiHeadAttention):
            role: Role = "branch" if isinstance(module, FeedForward) else "stream"
            self._record(name, label, role, output)
            return
        # The cache is left out: whole sequences come in, so there is none.
        named_arguments = {key: given for key, given in named_arguments.items() if key != "cache"}
        weights = attention_weights(module, *arguments, **named_arguments)
        memory = named_arguments.get("memory", [*arguments, None][1])
        giver = next(
            (
                stop.name
                for stop, tensor in zip(self.stops, self._tensors, strict=True)
                if tensor is memory
            ),
            None,
        )
        self._record(name, label, "branch", output, weights[0], giver)

    def end(self, output: object) -> None:
        """Record the output, unless the module that computed it was the last stop."""
        if self._tensors and output is self._tensors[-1]:
            last = self.stops.pop()
            self._tensors.pop()
            self._record(last.name, last.label, "output", output)
        else:
            self._record("output", "scores", "output", output)

    def _record(
        self,
        name: str,
        label: str,
        role: Role,
        tensor: object,
        weights: Tensor | None = None,
        memory: str | None = None,
    ) -> None:
        if not isinstance(tensor, Tensor) or not 2 <= tensor.dim() <= 4:
            given = tuple(tensor.shape) if isinstance(tensor, Tensor) else type(tensor).__name__
            raise ValueError(f"{name} is {given}; expected a tensor with the batch and 1 to 3 axes")
        values = tensor[0].clone()
        shape = dict(zip(_axes(role, values), values.shape, strict=True))
        self.stops.append(Stop(name, label, role, shape, values, weights, memory))
        self._tensors.append(tensor)


def _axes(role: Role, values: Tensor) -> tuple[str, ...]:
    """A word for each axis."""
    if role == "input" and not values.is_floating_point():
        return ("length",)
    if values.dim() == 3 or role == "input":
        return ("channels", "height", "width")[-values.dim() :]
    if role == "output":
        return ("length", "vocabulary") if values.dim() == 2 else ("classes",)
    return ("length", "width")[-values.dim() :]
