"""Activations: what passes through a model in one run, recorded at its parts.

The chapter on encoder and decoder draws them with ``figures.stops``. Nothing is drawn by hand:
hooks listen to the model's parts while it runs once, and record what comes out of each.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.inside.hook_points import hook_points
from softlookup.inside.hooks import AttentionCall, hooked
from softlookup.layers.feed_forward import FeedForward
from softlookup.layers.multi_head import MultiHeadAttention

Role = Literal["input", "stream", "branch", "output"]


@dataclass(frozen=True, eq=False)
class Activation:
    """What one part of a model gave, in one run.

    Attributes:
        name: the module's name within the model, such as ``encoder.blocks.0``; ``"input 1"``
            and so on for what the model was given, ``"output"`` for what it gave.
        label: its name in words.
        role: ``"input"`` for what the model was given; ``"stream"`` for the residual stream;
            ``"branch"`` for what an attention or a feed-forward network gives, which is added to
            the stream; ``"output"`` for the scores.
        shape: the size of each axis by its name, without the batch.
        values: the activation itself, for the first of the batch.
        weights: at an attention, how much each query takes from each key.
        memory: at an attention into a memory, the name of the activation that is the memory.
    """

    name: str
    label: str
    role: Role
    shape: Mapping[str, int]
    values: Tensor
    weights: Float[Tensor, "heads queries keys"] | None = None
    memory: str | None = None


@torch.no_grad()
def record_activations(
    model: nn.Module, *inputs: Tensor | None, points: Mapping[str, str] | None = None
) -> list[Activation]:
    """Run the model once, and record the activation at each hook point, in the order computed.

    An input is recorded when a module is first called on it: a target stands behind the whole
    encoder, and a mask, on which no module is called, is not recorded. The last activation is
    what the model gives, even where no module computes it, as with a tied output. A module that
    is called twice is recorded twice. The model runs in the mode that it is in, training or
    evaluation, and is left as it was.

    Args:
        model: the model.
        inputs: what it is called with, the batch first.
        points: the names of modules within the model, each with a name in words; those of
            ``hook_points`` where it is None.

    Returns:
        The activations, from the first input to the output.

    Raises:
        ValueError: if a name is no module's, if a module that is named is never called, or if
            one gives something other than a tensor of the batch with one to three more axes.
    """
    labels = hook_points(model) if points is None else points
    modules = dict(model.named_modules(remove_duplicate=False))
    unknown = [name for name in labels if name not in modules]
    if unknown:
        raise ValueError(
            f"points has {unknown}; expected names of modules, which are {[*modules][1:]}"
        )
    # One module may have two names, such as a shared table; it is recorded under the first.
    names = {modules[name]: name for name in reversed([*labels])}
    recorder = _Recorder(inputs)

    def before(_: nn.Module, arguments: tuple[Any, ...]) -> None:
        recorder.record_input(arguments)

    def after(module: nn.Module, *call: Any) -> None:
        recorder.record_output_of(module, names[module], labels[names[module]], *call)

    handles = [module.register_forward_pre_hook(before) for module in model.modules()]
    handles += [module.register_forward_hook(after, with_kwargs=True) for module in names]
    with hooked(handles):
        output = model(*inputs)
    missing = set(names.values()) - {activation.name for activation in recorder.activations}
    if missing:
        raise ValueError(
            f"{type(model).__name__} never called {sorted(missing)}; expected modules that these "
            "inputs pass"
        )
    recorder.end(output)
    return recorder.activations


class _Recorder:
    """The activations so far, and the tensors themselves, by which a memory is known again."""

    def __init__(self, inputs: Sequence[Tensor | None]) -> None:
        self.activations: list[Activation] = []
        self._tensors: list[Tensor] = []
        self._waiting = {f"input {place}": given for place, given in enumerate(inputs, start=1)}

    def record_input(self, arguments: tuple[Any, ...]) -> None:
        for name, given in self._waiting.items():
            if given is not None and arguments and arguments[0] is given:
                label = "image" if given.is_floating_point() else "token ids"
                self._record(name, label, "input", given)
                del self._waiting[name]
                return

    def record_output_of(
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
        call = AttentionCall.of(module, arguments, named_arguments)
        giver = next(
            (
                activation.name
                for activation, tensor in zip(self.activations, self._tensors, strict=True)
                if tensor is call.memory
            ),
            None,
        )
        self._record(name, label, "branch", output, call.weights()[0], giver)

    def end(self, output: object) -> None:
        """Record the output, unless the module that computed it was the last hook point."""
        if self._tensors and output is self._tensors[-1]:
            last = self.activations.pop()
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
        self.activations.append(Activation(name, label, role, shape, values, weights, memory))
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
