"""Low-rank adapters: a frozen layer learns something new in two thin matrices beside it.

The chapter on answers adapts a trained model with them. What fine-tuning adds to a weight is kept
as a product B A of low rank r, so few numbers are trained and stored; added to the weight when
training is over, the change costs nothing at all when the model runs.

    x ──┬── frozen W, b ──────────────┬── +
        └── A (r × d_in) ── B (d_out × r) · α/r ──┘
"""

import math
from collections.abc import Collection, Iterator
from typing import TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

Model = TypeVar("Model", bound=nn.Module)


class LowRankLinear(nn.Module):
    """A linear layer that stays as it is, and a trained change of low rank: W x + b + (α/r) B A x.

    A begins at random and B at zero, so that the layer begins as the frozen one.

    Args:
        frozen: the layer to adapt; its parameters no longer ask for gradients.
        rank: the rank r of the change, at most the smaller width of the layer.
        alpha: the number α; the change is multiplied by α/r, which is to spare a new search for the
            learning rate where the rank is changed.
        generator: the source of randomness for A.

    Raises:
        ValueError: if the rank is not from 1 to the layer's smaller width, or alpha not positive.

    Source: Hu et al. 2022, section 4.1 and equation 3.
    """

    def __init__(
        self, frozen: nn.Linear, rank: int, alpha: float, generator: torch.Generator
    ) -> None:
        super().__init__()
        widest = min(frozen.in_features, frozen.out_features)
        if not 1 <= rank <= widest:
            raise ValueError(
                f"rank is {rank}; expected 1 to {widest}, the smaller width of the layer: a "
                "product of higher rank would have more numbers than the weight"
            )
        if not alpha > 0:
            raise ValueError(f"alpha is {alpha}; expected a positive number")
        self.in_features, self.out_features = frozen.in_features, frozen.out_features
        self.frozen = frozen.requires_grad_(False)
        self.scale = alpha / rank
        like = frozen.weight
        drawn = torch.randn(rank, frozen.in_features, generator=generator, dtype=torch.float64)
        self.down = nn.Parameter((drawn / math.sqrt(frozen.in_features)).to(like))
        self.up = nn.Parameter(like.new_zeros(frozen.out_features, rank))

    def forward(self, x: Float[Tensor, "*batch d_in"]) -> Float[Tensor, "*batch d_out"]:
        """The frozen layer's answer and, in two thin products, the change."""
        return self.frozen(x) + self.scale * (x @ self.down.mT @ self.up.mT)

    @torch.no_grad()
    def change(self) -> Float[Tensor, "d_out d_in"]:
        """What the adapter adds to the weight: (α/r) B A."""
        return self.scale * (self.up @ self.down)

    def merged(self) -> nn.Linear:
        """A plain layer whose weight holds the change; the adapter stays as it is."""
        return _with_weight(self.frozen, self.frozen.weight + self.change())

    def unmerged(self, merged: nn.Linear) -> nn.Linear:
        """Take the change out of a merged layer again, to the last digits.

        Raises:
            ValueError: if the layer's weight has another shape than the adapter's.
        """
        if merged.weight.shape != self.frozen.weight.shape:
            raise ValueError(
                f"the layer's weight has shape {tuple(merged.weight.shape)}; expected "
                f"{tuple(self.frozen.weight.shape)}, that of the adapted layer"
            )
        return _with_weight(merged, merged.weight - self.change())


def add_adapters(
    model: Model,
    names: Collection[str],
    rank: int,
    alpha: float,
    generator: torch.Generator,
) -> Model:
    """Put adapters on some linear layers of a model, in place, and freeze all else.

    Args:
        model: the trained model.
        names: the last names of the layers to adapt, as ``{"query_projection"}``.
        rank: the rank of every change.
        alpha: as ``LowRankLinear``.
        generator: the source of randomness.

    Returns:
        The same model.

    Raises:
        ValueError: if no linear layer of the model has one of the names.
    """
    places = list(_children(model, nn.Linear, names))
    found = {name for _, name, _ in places}
    if not places or not set(names) <= found:
        raise ValueError(
            f"the names are {sorted(names)}, and linear layers are called {sorted(found)} of "
            "them; expected names that occur, as model.named_modules() lists them"
        )
    model.requires_grad_(False)
    for parent, name, layer in places:
        setattr(parent, name, LowRankLinear(layer, rank, alpha, generator))
    return model


def merge_adapters(model: Model) -> Model:
    """Replace each adapter of a model by the plain layer that gives the same, in place.

    Raises:
        ValueError: if the model has no adapters.
    """
    places = list(_children(model, LowRankLinear))
    if not places:
        raise ValueError("the model has no adapters; expected one that add_adapters has changed")
    for parent, name, adapter in places:
        setattr(parent, name, adapter.merged())
    return model


def count_trained(model: nn.Module) -> int:
    """How many numbers of a model training may change."""
    return sum(each.numel() for each in model.parameters() if each.requires_grad)


Layer = TypeVar("Layer", bound=nn.Module)


def _children(
    model: nn.Module, kind: type[Layer], names: Collection[str] | None = None
) -> Iterator[tuple[nn.Module, str, Layer]]:
    """Every layer of a kind, with the module that holds it and its name there."""
    for parent in list(model.modules()):
        for name, layer in list(parent.named_children()):
            if isinstance(layer, kind) and (names is None or name in names):
                yield parent, name, layer


def _with_weight(like: nn.Linear, weight: Tensor) -> nn.Linear:
    """A linear layer with the bias of another, and a weight of its own."""
    made = nn.Linear(like.in_features, like.out_features, like.bias is not None).to(weight)
    with torch.no_grad():
        made.weight.copy_(weight)
        if like.bias is not None:
            made.bias.copy_(like.bias)
    return made.requires_grad_(like.weight.requires_grad)
