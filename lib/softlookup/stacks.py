"""Stacks: blocks on top of each other, and a last norm where the blocks have theirs in front.

Chapter 9 builds the encoder and the decoder of the 2017 paper from them, chapter 10 GPT.
"""

from collections.abc import Sequence

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from softlookup.blocks import DecoderBlock, DecoderCache, EncoderBlock, Norm
from softlookup.feed_forward import Activation
from softlookup.multi_head import KeyValueCache, RotatePositions


class Encoder(nn.Module):
    """``n_layers`` encoder blocks.

    Args:
        n_layers: how many blocks.
        d_model: the width of a token.
        n_heads: how many heads in each block.
        d_ff: the inner width of the feed-forward networks.
        norm: where the norms stand. In front (``"pre"``), nothing scales what the last block
            adds to the stream, so one more norm follows the stack.
        residual: whether each part's input is added to its output.
        dropout: the share of each part's output that is dropped in training.
        activation: of the feed-forward networks.
        rotate_positions: as ``MultiHeadAttention``.

    Raises:
        ValueError: if there is no block.

    Source: Vaswani et al. 2017, section 3.1.
    """

    def __init__(
        self,
        n_layers: int,
        d_model: int,
        n_heads: int,
        d_ff: int,
        norm: Norm = "pre",
        residual: bool = True,
        dropout: float = 0.0,
        activation: Activation = F.relu,
        rotate_positions: RotatePositions | None = None,
    ) -> None:
        super().__init__()
        _require_layers(n_layers)
        self.blocks = nn.ModuleList(
            EncoderBlock(
                d_model, n_heads, d_ff, norm, residual, dropout, activation, rotate_positions
            )
            for _ in range(n_layers)
        )
        self.final_norm = nn.LayerNorm(d_model) if norm == "pre" else nn.Identity()

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
        causal: bool = False,
        bias: Float[Tensor, "*#batch_heads queries keys"] | None = None,
        caches: Sequence[KeyValueCache] | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Pass the tokens through every block.

        The arguments are those of ``MultiHeadAttention.forward``; ``caches`` has one a block.

        Raises:
            ValueError: if there are not as many caches as blocks.
        """
        _require_caches(caches, self.blocks)
        for layer, block in enumerate(self.blocks):
            cache = None if caches is None else caches[layer]
            x = block(x, mask=mask, causal=causal, bias=bias, cache=cache)
        return self.final_norm(x)


class Decoder(nn.Module):
    """``n_layers`` decoder blocks, each looking into the same memory.

    Args:
        n_layers: how many blocks.
        d_model: the width of a token.
        n_heads: how many heads in each block.
        d_ff: the inner width of the feed-forward networks.
        norm: where the norms stand; as in ``Encoder``.
        residual: whether each part's input is added to its output.
        dropout: the share of each part's output that is dropped in training.
        activation: of the feed-forward networks.

    Raises:
        ValueError: if there is no block.

    Source: Vaswani et al. 2017, section 3.1.
    """

    def __init__(
        self,
        n_layers: int,
        d_model: int,
        n_heads: int,
        d_ff: int,
        norm: Norm = "pre",
        residual: bool = True,
        dropout: float = 0.0,
        activation: Activation = F.relu,
    ) -> None:
        super().__init__()
        _require_layers(n_layers)
        self.blocks = nn.ModuleList(
            DecoderBlock(d_model, n_heads, d_ff, norm, residual, dropout, activation)
            for _ in range(n_layers)
        )
        self.final_norm = nn.LayerNorm(d_model) if norm == "pre" else nn.Identity()

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch memory_length d_model"],
        mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
        memory_mask: Bool[Tensor, "*#batch #queries memory_length"] | None = None,
        causal: bool = True,
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
            x = block(x, memory, mask, memory_mask, causal, cache)
        return self.final_norm(x)


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
