"""Attention roll-out: from the weights of every layer, how much each token takes from each patch.

The chapter on vision builds it and puts it to the deletion test. It is a guess: it follows the
weights and knows nothing of the values, of the feed-forward networks, or of what the head reads.
"""

import torch
from jaxtyping import Float
from torch import Tensor


def rollout(
    layers: list[Float[Tensor, "batch _heads tokens tokens"]], share: float = 0.5
) -> Float[Tensor, "batch tokens tokens"]:
    """Multiply the weights of all layers, each mixed with the residual's identity.

    A layer hands on what a token held (the residual) and adds what it gathered (attention,
    averaged over the heads): (1 - share) I + share A. From layer to layer these multiply.

    Args:
        layers: each layer's weights, the first layer first, as ``attention_maps`` gives them.
        share: how much of a layer's output is taken to come from attention; the paper has 0.5.

    Returns:
        Row i: the shares in which token i of the last layer comes from the first layer's tokens.
        The rows sum to one.

    Raises:
        ValueError: if there is no layer, if the layers' weights do not fit each other, or if the
            share is not between 0 and 1.

    Source: Abnar and Zuidema 2020, section 3 (attention rollout), and equation 1.
    """
    if not layers:
        raise ValueError("there are no layers; expected at least one, the first layer first")
    batch, _, tokens, _ = layers[0].shape
    for layer, weights in enumerate(layers):
        if weights.shape != (batch, weights.size(1), tokens, tokens):
            raise ValueError(
                f"layer {layer + 1} has weights of shape {tuple(weights.shape)}; expected "
                f"({batch}, heads, {tokens}, {tokens}): self-attention over the same tokens"
            )
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"share is {share}; expected a number from 0 to 1")
    identity = torch.eye(tokens, dtype=layers[0].dtype, device=layers[0].device)
    total = identity.expand(batch, tokens, tokens)
    for weights in layers:
        # The later layer stands on the left: it reads what the earlier ones have mixed.
        total = ((1.0 - share) * identity + share * weights.mean(dim=1)) @ total
    return total
