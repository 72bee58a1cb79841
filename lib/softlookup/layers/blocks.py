"""Blocks: attention and a feed-forward network, each with its residual and its norm.

The chapter on residuals and norms shows what the plus sign and the place of the norm do. Each
way to build a block is a class of its own, so that its ``forward`` reads like the formula:
pre-norm ``x + f(norm(x))``, post-norm ``norm(x + f(x))``. ``make_block`` picks the class that a
``BlockConfig`` asks for. Which attention, network and norm a block is built of, the config says
by the functions that make them; ``block_parts`` has those of today. The blocks that look into a
memory as well stand in ``decoder_blocks``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.feed_forward import ActivationFunction, FeedForward
from softlookup.layers.multi_head import KeyValueCache, MultiHeadAttention, RotatePositions
from softlookup.layers.visibility import EVERYTHING, Visibility

Norm = Literal["pre", "post"]
# From the config of a block to one of its parts.
MakePart = Callable[["BlockConfig"], nn.Module]


def multi_head(config: "BlockConfig") -> nn.Module:
    """The attention of 2017: every head has its own keys and values, and there are biases."""
    return MultiHeadAttention(
        config.d_model, config.n_heads, rotate_positions=config.rotate_positions
    )


def two_layers(config: "BlockConfig") -> nn.Module:
    """The feed-forward network of 2017: two layers, with the config's activation between them."""
    return FeedForward(config.d_model, config.d_ff, config.activation)


def layer_norm(config: "BlockConfig") -> nn.Module:
    """A LayerNorm in one kernel."""
    return nn.LayerNorm(config.d_model, eps=config.epsilon)


@dataclass(frozen=True)
class BlockConfig:
    """The sizes and choices of a block.

    Attributes:
        d_model: the width of a token.
        n_heads: how many heads in each attention.
        d_ff: the inner width of the feed-forward network.
        norm: where the norm stands, ``"pre"`` or ``"post"``.
        residual: whether each part's input is added to its output. Blocks without it are there
            for comparison: a deep stack of them did not learn in the chapter on residuals.
        dropout: the share of each part's output that is dropped in training.
        activation: of the feed-forward network.
        rotate_positions: as ``MultiHeadAttention``, for the attention of a sequence to itself.
        epsilon: of the norms; pretrained models differ in it.
        make_attention: makes the attention of a sequence to itself.
        make_network: makes the feed-forward network.
        make_norm: makes a norm, within the block and behind the last one.

    Raises:
        ValueError: if ``norm`` is neither.
    """

    d_model: int
    n_heads: int
    d_ff: int
    norm: Norm = "pre"
    residual: bool = True
    dropout: float = 0.0
    activation: ActivationFunction = F.relu
    rotate_positions: RotatePositions | None = None
    epsilon: float = 1e-5
    make_attention: MakePart = multi_head
    make_network: MakePart = two_layers
    make_norm: MakePart = layer_norm

    def __post_init__(self) -> None:
        """Refuse a place of the norm that does not exist."""
        if self.norm not in ("pre", "post"):
            raise ValueError(f"norm is {self.norm!r}; expected 'pre' or 'post'")


class Block(nn.Module, ABC):
    """Self-attention, then the feed-forward network: what all such blocks have in common.

    Args:
        config: the sizes and choices.

    Raises:
        ValueError: if the config asks for another class of block.

    Source: Vaswani et al. 2017, figure 1, left.
    """

    norm: ClassVar[Norm]
    residual: ClassVar[bool] = True

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        require_choices(config, type(self).__name__, self.norm, self.residual)
        self.self_attention = config.make_attention(config)
        self.feed_forward = config.make_network(config)
        self.norm_1 = config.make_norm(config)
        self.norm_2 = config.make_norm(config)
        self.dropout = nn.Dropout(config.dropout)

    @abstractmethod
    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """Let the tokens look at each other, then change each by itself.

        Args:
            x: the tokens, or with a cache the new ones.
            visible: what each token may see of the others.
            cache: the keys and values of the tokens before ``x``.
        """


class PreNormBlock(Block):
    """The norms stand in front of the parts, so the stream of x is never normalised itself.

    Source: Radford et al. 2019, section 2.3; Xiong et al. 2020, figure 1 (b).
    """

    norm = "pre"

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """As ``Block.forward``."""
        x = x + self.dropout(self.self_attention(self.norm_1(x), visible=visible, cache=cache))
        return x + self.dropout(self.feed_forward(self.norm_2(x)))


class PostNormBlock(Block):
    """The norms stand behind the additions, as in the 2017 paper and in BERT.

    Source: Vaswani et al. 2017, section 3.1.
    """

    norm = "post"

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """As ``Block.forward``."""
        x = self.norm_1(x + self.dropout(self.self_attention(x, visible=visible, cache=cache)))
        return self.norm_2(x + self.dropout(self.feed_forward(x)))


class PreNormBlockWithoutResidual(Block):
    """A pre-norm block without its two plus signs, for comparison."""

    norm = "pre"
    residual = False

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """As ``Block.forward``."""
        x = self.dropout(self.self_attention(self.norm_1(x), visible=visible, cache=cache))
        return self.dropout(self.feed_forward(self.norm_2(x)))


class PostNormBlockWithoutResidual(Block):
    """A post-norm block without its two plus signs, for comparison."""

    norm = "post"
    residual = False

    def forward(
        self,
        x: Float[Tensor, "batch queries d_model"],
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch queries d_model"]:
        """As ``Block.forward``."""
        x = self.norm_1(self.dropout(self.self_attention(x, visible=visible, cache=cache)))
        return self.norm_2(self.dropout(self.feed_forward(x)))


_CLASSES = (
    PreNormBlock,
    PostNormBlock,
    PreNormBlockWithoutResidual,
    PostNormBlockWithoutResidual,
)


def make_block(config: BlockConfig) -> Block:
    """A block of the class that the config asks for by its ``norm`` and ``residual``."""
    asked = (config.norm, config.residual)
    return next(each for each in _CLASSES if (each.norm, each.residual) == asked)(config)


def require_choices(config: BlockConfig, name: str, norm: Norm, residual: bool) -> None:
    """Refuse a config that asks for another class of block than the one that it was given to.

    Raises:
        ValueError: if its ``norm`` or ``residual`` differ from the class's.
    """
    if (config.norm, config.residual) != (norm, residual):
        raise ValueError(
            f"{name} was given norm={config.norm!r} and residual={config.residual}; expected "
            f"norm={norm!r} and residual={residual}, or another class of block"
        )
