"""GPT: a stack of blocks under a causal mask, which reads a text and scores every next token.

The literature calls it a decoder-only model; it has no memory to look into, so its blocks are
those of ``Stack``. The chapter on the next word trains it on this book's prose. With the defaults
it is GPT-2, number for number; a test holds its logits equal to those of Hugging Face's model.
"""

from dataclasses import dataclass
from typing import get_args

from jaxtyping import Float, Int
from torch import Tensor, nn

from softlookup.layers.blocks import BlockConfig
from softlookup.layers.embeddings import TokenEmbedding
from softlookup.layers.feed_forward import gelu_tanh
from softlookup.layers.multi_head import KeyValueCache
from softlookup.layers.positional_encodings import PositionKind, make_positions, require_kind
from softlookup.layers.stacks import Stack, draw_weights
from softlookup.layers.visibility import Visibility

# The standard deviation of GPT-2's untrained weights.
INITIAL_STD = 0.02


@dataclass(frozen=True)
class GPTConfig:
    """The sizes and choices of a GPT.

    The smallest GPT-2 is ``GPTConfig(vocab_size=50257, max_length=1024, d_model=768, n_heads=12,
    n_layers=12)``, with 124,439,808 parameters.

    Attributes:
        vocab_size: how many tokens there are.
        max_length: the longest text, the context window.
        d_model: the width of a token; the feed-forward networks are four times as wide.
        n_heads: how many heads in each attention.
        n_layers: how many blocks.
        positions: how order is told; ``"learned"`` as in GPT-2, or another kind of
            ``make_positions``.
        dropout: the share of what is dropped in training.
    """

    vocab_size: int
    max_length: int
    d_model: int
    n_heads: int
    n_layers: int
    positions: PositionKind = "learned"
    dropout: float = 0.0

    def __post_init__(self) -> None:
        """Refuse positions that do not exist."""
        require_kind(self.positions, get_args(PositionKind))


class GPT(nn.Module):
    """Embeddings, pre-norm blocks under a causal mask, and the embeddings again as output.

    Args:
        config: the sizes and choices.

    Source: Radford et al. 2019, section 2.3.
    """

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = TokenEmbedding(
            config.vocab_size, config.d_model, config.max_length, INITIAL_STD
        )
        self.positions = make_positions(
            config.positions, config.max_length, config.d_model, config.n_heads
        )
        self.embedding.scale = self.positions.embedding_scale(INITIAL_STD)
        self.dropout = nn.Dropout(config.dropout)
        block = BlockConfig(
            config.d_model,
            config.n_heads,
            d_ff=4 * config.d_model,
            dropout=config.dropout,
            activation=gelu_tanh,
            rotate_positions=self.positions.rotate,
        )
        self.stack = Stack(config.n_layers, block)
        draw_weights(self.stack, INITIAL_STD)

    def forward(
        self,
        tokens: Int[Tensor, "batch length"],
        caches: list[KeyValueCache] | None = None,
    ) -> Float[Tensor, "batch length vocab_size"]:
        """Score every next token at once.

        Args:
            tokens: the text; with caches, what is new of it.
            caches: what ``make_caches`` gave, for generating without computing anything twice.

        Returns:
            The logits: at each position, a score for each token that may follow.

        Raises:
            ValueError: if the tokens are empty, too long together with what the caches hold, or
                outside the vocabulary.
        """
        x = self.embedding(tokens)
        offset = 0 if caches is None else caches[0].length
        end = offset + tokens.size(1)
        if end > self.config.max_length:
            raise ValueError(
                f"the text has {end} tokens; expected at most {self.config.max_length}, the "
                "model's max_length"
            )
        visible = Visibility(causal=True, bias=self.positions.bias(x, offset))
        x = self.dropout(self.positions(x, offset))
        x = self.stack(x, visible, caches)
        return self.embedding.scores(x)

    def make_caches(self, batch: int, length: int | None = None) -> list[KeyValueCache]:
        """A cache for each block.

        Args:
            batch: how many texts are generated together.
            length: for how many tokens there is room; the context window where it is None.
        """
        config, like = self.config, self.embedding.table
        length = config.max_length if length is None else length
        d_head = config.d_model // config.n_heads
        return [
            KeyValueCache(batch, config.n_heads, length, d_head, like.dtype, like.device)
            for _ in range(config.n_layers)
        ]
