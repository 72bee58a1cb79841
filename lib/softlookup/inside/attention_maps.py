"""Attention maps: the weights of every attention in a model, for pictures.

Models never hold weights. This runs a model once and computes the weights of each attention
from what it was given. Chapters 9, 10 and 14 look at them, and chapter 14 says what they do not
prove.
"""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from softlookup.layers.multi_head import MultiHeadAttention, attention_weights


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

    def watch(module: MultiHeadAttention, name: str) -> RemovableHandle:
        def note(_: nn.Module, args: tuple[Any, ...], arguments: dict[str, Any]) -> None:
            # The cache is left out: whole sequences come in, so there is none.
            arguments = {key: arguments[key] for key in arguments if key != "cache"}
            maps[name] = attention_weights(module, *args, **arguments)

        return module.register_forward_pre_hook(note, with_kwargs=True)

    handles = [
        watch(module, name)
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    ]
    try:
        model(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    if not maps:
        raise ValueError(
            f"{type(model).__name__} called no MultiHeadAttention; expected at least one"
        )
    return maps
