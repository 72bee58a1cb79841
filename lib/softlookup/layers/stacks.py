"""Stacks: blocks on top of each other, and a last norm where the blocks have theirs in front.

The chapters build their models on two of them. A ``Stack`` of self-attention blocks is the
encoder of the 2017 paper, BERT and the Vision Transformer; under a causal mask it is GPT. A
``Decoder`` looks into a memory as well.
"""

import math
from collections.abc import Sequence

from jaxtyping import Bool, Float
from torch import Tensor, nn

from softlookup.layers.blocks import BlockConfig, make_block
from softlookup.layers.decoder_blocks import DecoderCache, make_decoder_block
from softlookup.layers.multi_head import KeyValueCache
from softlookup.layers.visibility import CAUSAL, EVERYTHING, Visibility


class Stack(nn.Module):
    """``n_layers`` blocks of self-attention and a feed-forward network.

    Where the norms stand in front, nothing scales what the last block adds to the stream, so
    one more norm follows the stack.

    Args:
        n_layers: how many blocks.
        config: how each is built.

    Raises:
        ValueError: if there is no block.

    Source: Vaswani et al. 2017, section 3.1; Radford et al. 2019, section 2.3, for the last norm.
    """

    def __init__(self, n_layers: int, config: BlockConfig) -> None:
        super().__init__()
        _require_layers(n_layers)
        self.blocks = nn.ModuleList(make_block(config) for _ in range(n_layers))
        self.final_norm = _final_norm(config)

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        visible: Visibility = EVERYTHING,
        caches: Sequence[KeyValueCache] | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Pass the tokens through every block.

        The arguments are those of ``Block.forward``; ``caches`` has one a block.

        Raises:
            ValueError: if there are not as many caches as blocks.
        """
        _require_caches(caches, self.blocks)
        for layer, block in enumerate(self.blocks):
            cache = None if caches is None else caches[layer]
            x = block(x, visible, cache)
        return self.final_norm(x)


class Decoder(nn.Module):
    """``n_layers`` decoder blocks, each looking into the same memory.

    The last norm stands as in ``Stack``.

    Args:
        n_layers: how many blocks.
        config: how each is built.

    Raises:
        ValueError: if there is no block.

    Source: Vaswani et al. 2017, section 3.1.
    """

    def __init__(self, n_layers: int, config: BlockConfig) -> None:
        super().__init__()
        _require_layers(n_layers)
        self.blocks = nn.ModuleList(make_decoder_block(config) for _ in range(n_layers))
        self.final_norm = _final_norm(config)

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch memory_length d_model"],
        visible: Visibility = CAUSAL,
        memory_mask: Bool[Tensor, "*#batch #queries memory_length"] | None = None,
        caches: Sequence[DecoderCache] | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Pass the tokens through every block.

        The arguments are those of ``DecoderBlock.forward``; ``caches`` has one a block.

        Raises:
            ValueError: if there are not as many caches as blocks.
        """
        _require_caches(caches, self.blocks)
        for layer, block in enumerate(self.blocks):
            cache = None if caches is None else caches[layer]
            x = block(x, memory, visible, memory_mask, cache)
        return self.final_norm(x)


def draw_weights(stack: Stack, spread: float) -> None:
    """Draw all linear layers anew as GPT-2 does, whatever parts the blocks have; no biases remain.

    Two changes a block add up in the stream. Those layers that give them, which are called
    ``output_projection`` in every part, are drawn smaller, so that their sum keeps its size.

    Args:
        stack: whose layers are drawn, in place.
        spread: the standard deviation of the others.

    Source: Radford et al. 2019, section 2.3.
    """
    smaller = spread / math.sqrt(2 * len(stack.blocks))
    for name, layer in stack.named_modules():
        if isinstance(layer, nn.Linear):
            to_stream = name.endswith(".output_projection")
            nn.init.normal_(layer.weight, std=smaller if to_stream else spread)
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)


def _final_norm(config: BlockConfig) -> nn.Module:
    if config.norm == "post":
        return nn.Identity()
    return config.make_norm(config)


def _require_layers(n_layers: int) -> None:
    if n_layers < 1:
        raise ValueError(f"n_layers is {n_layers}; expected at least 1")


def _require_caches(
    caches: Sequence[KeyValueCache] | Sequence[DecoderCache] | None, blocks: nn.ModuleList
) -> None:
    if caches is not None and len(caches) != len(blocks):
        raise ValueError(
            f"there are {len(caches)} caches and {len(blocks)} blocks; expected one each"
        )
