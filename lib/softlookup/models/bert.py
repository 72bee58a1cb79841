"""BERT: an encoder that reads a text in both directions and gives one state for each token.

The chapter on looking inside opens one that was trained on a billion pairs of sentences. Blocks
and masks are those of the chapter on encoder and decoder. New are the input, where each token is
told its position and which of two texts it belongs to, and the output, where one vector stands
for the whole text.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from softlookup.layers.blocks import BlockConfig
from softlookup.layers.embeddings import TokenEmbedding
from softlookup.layers.positional_encodings import LearnedPositions
from softlookup.layers.stacks import Stack
from softlookup.layers.visibility import Visibility

# The standard deviation of untrained weights in the authors' code, truncated at twice that.
INITIAL_STD = 0.02


@dataclass(frozen=True)
class BERTConfig:
    """The sizes and choices of a BERT.

    BERT-base-uncased is ``BERTConfig(vocab_size=30522, max_length=512, d_model=768, n_heads=12,
    d_ff=3072, n_layers=12)``, with 109,482,240 parameters.

    Attributes:
        vocab_size: how many tokens there are.
        max_length: the longest text.
        d_model: the width of a token.
        n_heads: how many heads in each attention.
        d_ff: the inner width of the feed-forward networks.
        n_layers: how many blocks.
        n_segments: how many kinds of segment there are; the first text is 0, the second 1.
        pooler: whether there is a layer that turns the first state into one vector for the text.
        epsilon: of the norms.
        dropout: the share of what is dropped in training.
    """

    vocab_size: int
    max_length: int
    d_model: int
    n_heads: int
    d_ff: int
    n_layers: int
    n_segments: int = 2
    pooler: bool = True
    epsilon: float = 1e-12
    dropout: float = 0.0


class BERT(nn.Module):
    """Token, position and segment embeddings, a norm, post-norm blocks, and a pooler.

    Args:
        config: the sizes and choices.

    Source: Devlin et al. 2019, section 3 and figure 2.
    """

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
        self.config = config
        d_model, max_length = config.d_model, config.max_length
        self.embedding = TokenEmbedding(config.vocab_size, d_model, max_length, INITIAL_STD)
        self.positions = LearnedPositions(max_length, d_model)
        self.segment_embedding = TokenEmbedding(config.n_segments, d_model, max_length, INITIAL_STD)
        self.norm = nn.LayerNorm(d_model, config.epsilon)
        self.dropout = nn.Dropout(config.dropout)
        block = BlockConfig(
            d_model,
            config.n_heads,
            config.d_ff,
            norm="post",
            dropout=config.dropout,
            activation=F.gelu,
            epsilon=config.epsilon,
        )
        self.stack = Stack(config.n_layers, block)
        self.pooler = nn.Linear(d_model, d_model) if config.pooler else None
        for module in self.modules():
            if isinstance(module, nn.Linear):
                limit = 2 * INITIAL_STD
                nn.init.trunc_normal_(module.weight, std=INITIAL_STD, a=-limit, b=limit)
                nn.init.zeros_(module.bias)

    def forward(
        self,
        tokens: Int[Tensor, "batch length"],
        mask: Bool[Tensor, "*#batch #queries length"] | None = None,
        segments: Int[Tensor, "batch length"] | None = None,
    ) -> Float[Tensor, "batch length d_model"]:
        """Read the text.

        Args:
            tokens: the text, or two, one after the other.
            mask: True where a token may be looked at; of padding, ``masks.padding`` makes it.
            segments: the segment of each token; all 0 where it is None.

        Returns:
            The last block's states. Those at padding mean nothing.

        Raises:
            ValueError: if the tokens are empty, too long or outside the vocabulary, or if the
                segments do not fit them.
        """
        x = self.positions(self.embedding(tokens))
        if segments is None:
            segments = torch.zeros_like(tokens)
        self._require_segments(tokens, segments)
        x = self.norm(x + self.segment_embedding(segments))
        return self.stack(self.dropout(x), Visibility(mask))

    def pool(self, states: Float[Tensor, "batch length d_model"]) -> Float[Tensor, "batch d_model"]:
        """One vector for the text: the first token's state, through a layer and tanh.

        Raises:
            ValueError: if the model has no pooler.
        """
        if self.pooler is None:
            raise ValueError(
                "the model has no pooler (config.pooler is False); expected one: take the first "
                "state, states[:, 0], or the mean of the states at real tokens"
            )
        return torch.tanh(self.pooler(states[:, 0]))

    def _require_segments(self, tokens: Tensor, segments: Tensor) -> None:
        if segments.shape != tokens.shape:
            raise ValueError(
                f"the segments have shape {tuple(segments.shape)}; expected "
                f"{tuple(tokens.shape)}, one for each token"
            )
        lowest, highest = (int(segment) for segment in segments.aminmax())
        if lowest < 0 or highest >= self.config.n_segments:
            raise ValueError(
                f"the segments run from {lowest} to {highest}; expected 0 to "
                f"{self.config.n_segments - 1}, the config's n_segments less one"
            )
