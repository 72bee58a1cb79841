"""Stacks: blocks on top of each other, and a last norm where the blocks have theirs in front.

Chapter 9 builds the encoder and the decoder of the 2017 paper from them, chapter 10 GPT.
"""

from collections.abc import Sequence

from jaxtyping import Bool, Float
from torch import Tensor, nn

from softlookup.layers.blocks import BlockConfig, DecoderBlock, DecoderCache, EncoderBlock
from softlookup.layers.multi_head import KeyValueCache


class Encoder(nn.Module):
    """``n_layers`` encoder blocks.

    Where the norms stand in front, nothing scales what the last block adds to the stream, so
    one more norm follows the stack.

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
        self.blocks = nn.ModuleList(EncoderBlock(config) for _ in range(n_layers))
        self.final_norm = _final_norm(config)

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

    The last norm stands as in ``Encoder``.

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
        self.blocks = nn.ModuleList(DecoderBlock(config) for _ in range(n_layers))
        self.final_norm = _final_norm(config)

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


def _final_norm(config: BlockConfig) -> nn.Module:
    if config.norm == "post":
        return nn.Identity()
    return nn.LayerNorm(config.d_model, eps=config.epsilon)


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
