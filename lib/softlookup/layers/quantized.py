"""Quantised weights: whole numbers of eight bits, and one step size for each row.

The chapter on answers makes a trained model smaller with them. A weight w is stored as the whole
number nearest to w / step, and read as that number times the step, so it is wrong by half a step at
most. The step is the largest weight divided by 127: of a row, or of the whole matrix, where one
large weight makes the steps of all rows long.
"""

from collections.abc import Callable
from typing import TypeVar

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int8
from torch import Tensor, nn

Model = TypeVar("Model", bound=nn.Module)

# From a weight (d_out, d_in) to its steps: (d_out, 1), or (1, 1) for one that all rows share.
MakeSteps = Callable[[Tensor], Tensor]


def row_steps(weight: Float[Tensor, "d_out d_in"], bits: int = 8) -> Float[Tensor, "d_out 1"]:
    """A step for each row: its largest weight becomes the largest number, 127 of eight bits.

    Raises:
        ValueError: if the bits are not from 2 to 8.

    Source: Dettmers et al. 2022, section 2, absmax quantisation by rows.
    """
    return _steps(weight.abs().amax(dim=1, keepdim=True), bits)


def matrix_step(weight: Float[Tensor, "d_out d_in"], bits: int = 8) -> Float[Tensor, "1 1"]:
    """One step for all rows, from the largest weight of the matrix.

    Raises:
        ValueError: if the bits are not from 2 to 8.

    Source: Dettmers et al. 2022, section 2, absmax quantisation.
    """
    return _steps(weight.abs().max().reshape(1, 1), bits)


def quantize(
    weight: Float[Tensor, "d_out d_in"], steps: Float[Tensor, "rows 1"]
) -> Int8[Tensor, "d_out d_in"]:
    """The whole number of steps that is nearest to each weight.

    Raises:
        ValueError: if there is neither a single step nor one for each row, if a step is not
            positive, or if a weight is more than 127 steps away from zero.
    """
    if len(steps) not in (1, len(weight)):
        raise ValueError(
            f"there are {len(steps)} steps for {len(weight)} rows; expected one for each row, "
            "or a single one"
        )
    if not bool((steps > 0).all()):
        raise ValueError(f"the smallest step is {float(steps.min())}; expected positive steps")
    numbers = (weight / steps).round()
    largest = float(numbers.abs().max())
    if not largest <= 127:
        raise ValueError(
            f"a weight is {largest:g} steps from zero; expected at most 127, the largest number "
            "of eight bits: take longer steps, as row_steps does"
        )
    return numbers.to(torch.int8)


class QuantizedLinear(nn.Module):
    """A linear layer that stores its weight in eight bits a number, and its bias as it was.

    Args:
        layer: the layer whose weight is stored.
        make_steps: from the weight to its steps, as ``row_steps``.
    """

    numbers: Tensor
    steps: Tensor
    bias: Tensor | None

    def __init__(self, layer: nn.Linear, make_steps: MakeSteps = row_steps) -> None:
        super().__init__()
        self.in_features, self.out_features = layer.in_features, layer.out_features
        weight = layer.weight.detach()
        steps = make_steps(weight)
        self.register_buffer("numbers", quantize(weight, steps))
        self.register_buffer("steps", steps)
        self.register_buffer("bias", None if layer.bias is None else layer.bias.detach().clone())

    @property
    def weight(self) -> Float[Tensor, "d_out d_in"]:
        """The weight as it is read: whole numbers times steps."""
        return self.numbers * self.steps

    def forward(self, x: Float[Tensor, "*batch d_in"]) -> Float[Tensor, "*batch d_out"]:
        """Restore the weight, and multiply in the precision of x."""
        return F.linear(x, self.weight, self.bias)


def quantize_linears(model: Model, make_steps: MakeSteps = row_steps) -> Model:
    """Replace every linear layer of a model by its quantised one, in place.

    Embeddings and norms stay as they are.

    Raises:
        ValueError: if the model has no linear layer.
    """
    places = [
        (parent, name, layer)
        for parent in list(model.modules())
        for name, layer in list(parent.named_children())
        if isinstance(layer, nn.Linear)
    ]
    if not places:
        raise ValueError("the model has no linear layer; expected one at least")
    for parent, name, layer in places:
        setattr(parent, name, QuantizedLinear(layer, make_steps))
    return model


def count_bytes(model: nn.Module) -> int:
    """The bytes that a model's parameters and buffers take."""
    stored = [*model.parameters(), *model.buffers()]
    return sum(each.numel() * each.element_size() for each in stored)


def _steps(largest: Tensor, bits: int) -> Tensor:
    if not 2 <= bits <= 8:
        raise ValueError(f"bits is {bits}; expected 2 to 8")
    # A row of zeros is stored exactly with any step.
    return torch.where(largest > 0, largest, 1.0) / (2 ** (bits - 1) - 1)
