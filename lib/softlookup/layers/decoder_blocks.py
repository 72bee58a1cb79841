"""Decoder blocks: between self-attention and the feed-forward network, a look into a memory.

The chapter on encoder and decoder assembles them. As in ``blocks``, pre-norm and post-norm are
two classes, whose ``forward`` reads like the formula; ``make_decoder_block`` picks one.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Bool, Float
from torch import Tensor, nn

from softlookup.layers.blocks import BlockConfig, Norm, require_choices
from softlookup.layers.multi_head import KeyValueCache, MultiHeadAttention
from softlookup.layers.visibility import CAUSAL, Visibility


@dataclass(frozen=True)
class DecoderCache:
    """What a decoder block keeps while it decodes.

    Attributes:
        tokens: the keys and values of the tokens so far.
        memory: the keys and values of the memory, computed at the first step.
    """

    tokens: KeyValueCache
    memory: KeyValueCache


class DecoderBlock(nn.Module, ABC):
    """Masked self-attention, cross-attention into a memory, then the feed-forward network.

    Args:
        config: the sizes and choices.

    Raises:
        ValueError: if the config asks for another class of block.

    Source: Vaswani et al. 2017, figure 1, right.
    """

    norm: ClassVar[Norm]
    residual: ClassVar[bool] = True

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        require_choices(config, type(self).__name__, self.norm, self.residual)
        self.self_attention = config.make_attention(config)
        self.cross_attention = MultiHeadAttention(config.d_model, config.n_heads)
        self.feed_forward = config.make_network(config)
        self.norm_1 = config.make_norm(config)
        self.norm_2 = config.make_norm(config)
        self.norm_3 = config.make_norm(config)
        self.dropout = nn.Dropout(config.dropout)

    @abstractmethod
    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch memory_length d_model"],
        visible: Visibility = CAUSAL,
        memory_mask: Bool[Tensor, "*#batch #queries memory_length"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Look at what was written so far, look into the memory, then change each by itself.

        Args:
            x: the tokens written so far, or with a cache the new ones.
            memory: the encoder's last layer.
            visible: what each token may see of those written so far.
            memory_mask: which tokens of the memory may be looked at, such as the source's
                padding mask.
            cache: the block's cache.
        """


class PreNormDecoderBlock(DecoderBlock):
    """The norms stand in front of the parts.

    Source: Xiong et al. 2020, figure 1 (b).
    """

    norm = "pre"

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch memory_length d_model"],
        visible: Visibility = CAUSAL,
        memory_mask: Bool[Tensor, "*#batch #queries memory_length"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """As ``DecoderBlock.forward``."""
        seen = Visibility(memory_mask)
        written, read = (cache.tokens, cache.memory) if cache else (None, None)
        x = x + self.dropout(self.self_attention(self.norm_1(x), visible=visible, cache=written))
        x = x + self.dropout(self.cross_attention(self.norm_2(x), memory, seen, read))
        return x + self.dropout(self.feed_forward(self.norm_3(x)))


class PostNormDecoderBlock(DecoderBlock):
    """The norms stand behind the additions, as in the 2017 paper.

    Source: Vaswani et al. 2017, section 3.1.
    """

    norm = "post"

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch memory_length d_model"],
        visible: Visibility = CAUSAL,
        memory_mask: Bool[Tensor, "*#batch #queries memory_length"] | None = None,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """As ``DecoderBlock.forward``."""
        seen = Visibility(memory_mask)
        written, read = (cache.tokens, cache.memory) if cache else (None, None)
        x = self.norm_1(x + self.dropout(self.self_attention(x, visible=visible, cache=written)))
        x = self.norm_2(x + self.dropout(self.cross_attention(x, memory, seen, read)))
        return self.norm_3(x + self.dropout(self.feed_forward(x)))


def make_decoder_block(config: BlockConfig) -> DecoderBlock:
    """A block of the class that the config asks for by its ``norm``.

    Raises:
        ValueError: if the config has no residual; the blocks of a decoder have one.
    """
    return (PreNormDecoderBlock if config.norm == "pre" else PostNormDecoderBlock)(config)
