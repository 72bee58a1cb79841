"""The Transformer of 2017: an encoder reads the source, a decoder writes the target.

The chapter on encoder and decoder builds it and trains it on numerals. The recurrent networks in
``seq2seq`` do the same task.
"""

import math
from dataclasses import dataclass, replace
from typing import get_args

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from softlookup.layers.blocks import BlockConfig, Norm
from softlookup.layers.decoder_blocks import DecoderCache
from softlookup.layers.embeddings import TokenEmbedding
from softlookup.layers.multi_head import KeyValueCache
from softlookup.layers.positional_encodings import (
    PositionKind,
    Positions,
    make_positions,
    require_kind,
)
from softlookup.layers.stacks import Decoder, Stack
from softlookup.layers.visibility import Visibility


@dataclass(frozen=True)
class TransformerConfig:
    """The sizes and choices of a Transformer.

    The base model of the 2017 paper has d_model 512, n_heads 8, d_ff 2048, n_layers 6, post-norm,
    dropout 0.1, a shared vocabulary of about 37,000, and a tied output.

    Attributes:
        source_vocab_size: how many tokens the source language has.
        target_vocab_size: how many tokens the target language has.
        max_length: the longest sequence, on either side.
        d_model: the width of a token.
        n_heads: how many heads in each attention.
        d_ff: the inner width of the feed-forward networks.
        n_layers: how many blocks the encoder has, and how many the decoder.
        norm: where the norms stand, ``"pre"`` or ``"post"``.
        positions: how order is told, a kind of ``make_positions``; ``"sinusoidal"`` as in the
            paper. Those that turn queries and keys or bias scores do so in self-attention: the
            tokens of two sequences do not stand before or after each other.
        shared_vocabulary: whether source and target use one table of embeddings.
        tied_output: whether the output projection is the table of the target's embeddings.
        dropout: the share of what is dropped in training.
    """

    source_vocab_size: int
    target_vocab_size: int
    max_length: int
    d_model: int
    n_heads: int
    d_ff: int
    n_layers: int
    norm: Norm = "pre"
    positions: PositionKind = "sinusoidal"
    shared_vocabulary: bool = False
    tied_output: bool = False
    dropout: float = 0.0

    def __post_init__(self) -> None:
        """Refuse choices that contradict each other, and positions that do not exist."""
        if self.shared_vocabulary and self.source_vocab_size != self.target_vocab_size:
            raise ValueError(
                f"shared_vocabulary=True with source_vocab_size {self.source_vocab_size} and "
                f"target_vocab_size {self.target_vocab_size}; expected the same size"
            )
        require_kind(self.positions, get_args(PositionKind))


class Transformer(nn.Module):
    """Encoder and decoder between embeddings and a projection to the vocabulary.

    Args:
        config: the sizes and choices.

    Source: Vaswani et al. 2017, section 3.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.source_positions = _positions(config)
        self.target_positions = _positions(config)
        block = BlockConfig(
            config.d_model, config.n_heads, config.d_ff, norm=config.norm, dropout=config.dropout
        )
        self.encoder = Stack(
            config.n_layers, replace(block, rotate_positions=self.source_positions.rotate)
        )
        self.decoder = Decoder(
            config.n_layers, replace(block, rotate_positions=self.target_positions.rotate)
        )
        # The matrices of the blocks alone: embeddings and output have spreads of their own.
        for matrix in (*self.encoder.parameters(), *self.decoder.parameters()):
            if matrix.dim() > 1:
                nn.init.xavier_uniform_(matrix)
        self.source_embedding = _embedding(config.source_vocab_size, config)
        self.target_embedding = (
            self.source_embedding
            if config.shared_vocabulary
            else _embedding(config.target_vocab_size, config)
        )
        self.dropout = nn.Dropout(config.dropout)
        self.output_projection = (
            None
            if config.tied_output
            else nn.Linear(config.d_model, config.target_vocab_size, bias=False)
        )

    def encode(
        self,
        source: Int[Tensor, "batch source_length"],
        source_mask: Bool[Tensor, "batch 1 source_length"] | None = None,
    ) -> Float[Tensor, "batch source_length d_model"]:
        """Read the source.

        Args:
            source: the source's tokens.
            source_mask: True at real tokens, as ``masks.padding`` gives it.

        Returns:
            The memory: the encoder's last layer.

        Raises:
            ValueError: if the tokens are empty, too long, or outside the vocabulary.
        """
        x = self.dropout(self.source_positions(self.source_embedding(source)))
        return self.encoder(x, Visibility(source_mask, bias=self.source_positions.bias(x)))

    def decode(
        self,
        target: Int[Tensor, "batch target_length"],
        memory: Float[Tensor, "batch source_length d_model"],
        source_mask: Bool[Tensor, "batch 1 source_length"] | None = None,
        caches: list[DecoderCache] | None = None,
    ) -> Float[Tensor, "batch target_length vocab_size"]:
        """Score every next token of the target.

        Padding after the target needs no mask: no real token looks at what comes after it.

        Args:
            target: the tokens written so far; with caches, those that are new.
            memory: what ``encode`` gave.
            source_mask: as in ``encode``.
            caches: what ``make_caches`` gave, for decoding without computing anything twice.

        Returns:
            The logits: at each position, a score for each token that may follow.

        Raises:
            ValueError: if the tokens are empty, too long, or outside the vocabulary.
        """
        offset = 0 if caches is None else caches[0].tokens.length
        x = self.dropout(self.target_positions(self.target_embedding(target), offset))
        visible = Visibility(causal=True, bias=self.target_positions.bias(x, offset))
        x = self.decoder(x, memory, visible, source_mask, caches)
        if self.output_projection is None:
            return self.target_embedding.scores(x)
        return self.output_projection(x)

    def forward(
        self,
        source: Int[Tensor, "batch source_length"],
        target: Int[Tensor, "batch target_length"],
        source_mask: Bool[Tensor, "batch 1 source_length"] | None = None,
    ) -> Float[Tensor, "batch target_length vocab_size"]:
        """Read the source, and score every next token of the target at once.

        The arguments and the errors are those of ``encode`` and ``decode``.
        """
        return self.decode(target, self.encode(source, source_mask), source_mask)

    def make_caches(self, batch: int, target_length: int, source_length: int) -> list[DecoderCache]:
        """A cache for each block of the decoder.

        Args:
            batch: how many sequences are decoded together.
            target_length: for how many tokens there is room.
            source_length: how many tokens the memory has.
        """
        config, like = self.config, self.source_embedding.table
        d_head = config.d_model // config.n_heads

        def cache(length: int) -> KeyValueCache:
            return KeyValueCache(batch, config.n_heads, length, d_head, like.dtype, like.device)

        return [
            DecoderCache(tokens=cache(target_length), memory=cache(source_length))
            for _ in range(config.n_layers)
        ]


def _embedding(vocab_size: int, config: TransformerConfig) -> TokenEmbedding:
    # Drawn small and multiplied on the way in, one table serves at both ends: tokens come in
    # with a spread of one, beside the sinusoids, and the untrained logits have a spread of one.
    root = math.sqrt(config.d_model)
    return TokenEmbedding(vocab_size, config.d_model, config.max_length, 1 / root, scale=root)


def _positions(config: TransformerConfig) -> Positions:
    return make_positions(config.positions, config.max_length, config.d_model, config.n_heads)
