"""Blocks: attention and a feed-forward network, each with its residual and its norm.

Chapter 7 shows what the residual and the place of the norm do; chapter 9 assembles the blocks.
One ``BlockConfig`` says how the blocks of a stack are built, and goes through the whole house.
``EncoderBlock`` looks into one sequence (with ``causal=True`` it is a block of GPT);
``DecoderBlock`` looks into a memory as well.
"""

from dataclasses import dataclass
from typing import Literal

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from softlookup.layers.feed_forward import Activation, FeedForward
from softlookup.layers.multi_head import KeyValueCache, MultiHeadAttention, RotatePositions

Norm = Literal["pre", "post"]


@dataclass(frozen=True)
class BlockConfig:
    """The sizes and choices of a block.

    Attributes:
        d_model: the width of a token.
        n_heads: how many heads in each attention.
        d_ff: the inner width of the feed-forward network.
        norm: where the norm stands, ``"pre"`` or ``"post"``.
        residual: whether each part's input is added to its output; without it a deep stack
            cannot learn (chapter 7).
        dropout: the share of each part's output that is dropped in training.
        activation: of the feed-forward network.
        rotate_positions: as ``MultiHeadAttention``, for the attention of a sequence to itself.
        epsilon: of the norms; pretrained models differ in it.

    Raises:
        ValueError: if ``norm`` is neither.
    """

    d_model: int
    n_heads: int
    d_ff: int
    norm: Norm = "pre"
    residual: bool = True
    dropout: float = 0.0
    activation: Activation = F.relu
    rotate_positions: RotatePositions | None = None
    epsilon: float = 1e-5

    def __post_init__(self) -> None:
        """Refuse a place of the norm that does not exist."""
        if self.norm not in ("pre", "post"):
            raise ValueError(f"norm is {self.norm!r}; expected 'pre' or 'post'")


@dataclass(frozen=True)
class DecoderCache:
    """What a decoder block keeps while it decodes.

    Attributes:
        tokens: the keys and values of the tokens so far.
        memory: the keys and values of the memory, computed at the first step.
    """

    tokens: KeyValueCache
    memory: KeyValueCache


class Sublayer(nn.Module):
    """What stands around attention and around the feed-forward network: residual and norm.

    Pre-norm: x + f(norm(x)). Post-norm, as in the 2017 paper: norm(x + f(x)).

    Args:
        config: the block's; its ``norm``, ``residual``, ``dropout`` and ``epsilon`` are used.

    Source: Vaswani et al. 2017, section 3.1 (post); Xiong et al. 2020, figure 1 (both).
    """

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        self.pre = config.norm == "pre"
        self.residual = config.residual
        self.norm = nn.LayerNorm(config.d_model, eps=config.epsilon)
        self.dropout = nn.Dropout(config.dropout)

    def before(self, x: Float[Tensor, "batch length d_model"]) -> Tensor:
        """What f gets."""
        return self.norm(x) if self.pre else x

    def after(
        self,
        x: Float[Tensor, "batch length d_model"],
        change: Float[Tensor, "batch length d_model"],
    ) -> Float[Tensor, "batch length d_model"]:
        """Put what f gave back into the stream."""
        change = self.dropout(change)
        x = x + change if self.residual else change
        return x if self.pre else self.norm(x)


class EncoderBlock(nn.Module):
    """Self-attention, then the feed-forward network.

    Args:
        config: the sizes and choices.

    Source: Vaswani et al. 2017, figure 1, left.
    """

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        self.self_attention = _attention_to_itself(config)
        self.feed_forward = FeedForward(config.d_model, config.d_ff, config.activation)
        self.around_self_attention = Sublayer(config)
        self.around_feed_forward = Sublayer(config)

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
        causal: bool = False,
        bias: Float[Tensor, "*#batch_heads queries keys"] | None = None,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Let the tokens look at each other, then let each think for itself.

        The arguments are those of ``MultiHeadAttention.forward``.
        """
        around = self.around_self_attention
        attended = self.self_attention(
            around.before(x), mask=mask, causal=causal, bias=bias, cache=cache
        )
        x = around.after(x, attended)
        around = self.around_feed_forward
        return around.after(x, self.feed_forward(around.before(x)))


class DecoderBlock(nn.Module):
    """Masked self-attention, cross-attention into a memory, then the feed-forward network.

    Args:
        config: the sizes and choices.

    Source: Vaswani et al. 2017, figure 1, right.
    """

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        self.self_attention = _attention_to_itself(config)
        self.cross_attention = MultiHeadAttention(config.d_model, config.n_heads)
        self.feed_forward = FeedForward(config.d_model, config.d_ff, config.activation)
        self.around_self_attention = Sublayer(config)
        self.around_cross_attention = Sublayer(config)
        self.around_feed_forward = Sublayer(config)

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        memory: Float[Tensor, "batch memory_length d_model"],
        mask: Bool[Tensor, "*#batch #queries keys"] | None = None,
        memory_mask: Bool[Tensor, "*#batch #queries memory_length"] | None = None,
        causal: bool = True,
        cache: DecoderCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Look at what was written so far, look into the memory, then think.

        Args:
            x: the tokens written so far, or with a cache the new ones.
            memory: the encoder's last layer.
            mask: which tokens written so far may be looked at, beside the causal mask.
            memory_mask: which tokens of the memory may be looked at, such as the source's
                padding mask.
            causal: whether a token is kept from looking at later ones.
            cache: the block's cache.
        """
        around = self.around_self_attention
        attended = self.self_attention(
            around.before(x), mask=mask, causal=causal, cache=cache and cache.tokens
        )
        x = around.after(x, attended)
        around = self.around_cross_attention
        attended = self.cross_attention(
            around.before(x), memory, mask=memory_mask, cache=cache and cache.memory
        )
        x = around.after(x, attended)
        around = self.around_feed_forward
        return around.after(x, self.feed_forward(around.before(x)))


def _attention_to_itself(config: BlockConfig) -> MultiHeadAttention:
    return MultiHeadAttention(
        config.d_model, config.n_heads, rotate_positions=config.rotate_positions
    )
