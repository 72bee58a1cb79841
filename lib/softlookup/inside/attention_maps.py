"""Attention maps: the weights of every attention in a model, for pictures.

Models never hold weights. This runs a model once and computes the weights of each attention
from what it was given. Several chapters draw them; the one on looking inside says what they do
not prove.
"""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from softlookup.inside.hooks import AttentionCall, attentions, hooked
from softlookup.layers.multi_head import MultiHeadAttention


@torch.no_grad()
def attention_maps(
    model: nn.Module, *inputs: Tensor | None
) -> dict[str, Float[Tensor, "batch heads queries keys"]]:
    """Run the model on the inputs, and compute the weights of each attention within it.

    Args:
        model: a model that attends by ``MultiHeadAttention``.
        inputs: what the model is called with.

    Returns:
        The weights, by the name of the module within the model, such as
        ``decoder.blocks.1.cross_attention``, in the order in which they were computed.

    Raises:
        ValueError: if the model attends nowhere.
    """
    maps: dict[str, Tensor] = {}

    def hook(name: str, module: MultiHeadAttention) -> RemovableHandle:
        def record(_: nn.Module, arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
            maps[name] = AttentionCall.of(module, arguments, named).weights()

        return module.register_forward_pre_hook(record, with_kwargs=True)

    with hooked([hook(name, module) for name, module in attentions(model).items()]):
        model(*inputs)
    if not maps:
        raise ValueError(
            f"{type(model).__name__} called no MultiHeadAttention; expected at least one"
        )
    return maps
