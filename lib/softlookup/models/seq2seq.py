"""Recurrent encoder–decoders: the same network twice, without attention and with it.

Both read the source in both directions and write the target with one recurrence. They differ in
one place, the context at each step of the target: ``FixedVectorSeq2Seq`` has one vector for the
whole source (the chapter on the limits of recurrence), ``AttentionSeq2Seq`` looks the source up
anew each time (the chapter on attention). They have the same number of parameters, so what
separates them is the lookup alone.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from softlookup.layers import masks
from softlookup.layers.attention import attention


@dataclass(frozen=True)
class Seq2SeqConfig:
    """The sizes of a recurrent encoder–decoder.

    Attributes:
        source_vocab_size: how many tokens the source language has, padding included.
        target_vocab_size: how many tokens the target language has, padding included.
        d_model: width of embeddings and states; even, since each direction of the encoder has
            half of it.

    Raises:
        ValueError: if a size is not positive, or ``d_model`` is odd.
    """

    source_vocab_size: int
    target_vocab_size: int
    d_model: int

    def __post_init__(self) -> None:
        for name in ("source_vocab_size", "target_vocab_size"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; expected at least 1")
        if self.d_model < 2 or self.d_model % 2:
            raise ValueError(
                f"d_model is {self.d_model}; expected a positive even number, because each "
                "direction of the encoder has half of it"
            )


@dataclass(frozen=True)
class Source:
    """A source as the encoder left it; all that the decoder knows of it.

    Attributes:
        states: what the encoder made of each token, both directions side by side.
        mask: True at real tokens, False at padding.
        summary: the last state of each direction, side by side: the source in one vector.
    """

    states: Float[Tensor, "batch source_length d_model"]
    mask: Bool[Tensor, "batch 1 source_length"]
    summary: Float[Tensor, "batch d_model"]


class _Seq2Seq(nn.Module):
    """What the two have in common: all but the context."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__()
        self.config = config
        width = config.d_model
        self.source_embedding = nn.Embedding(config.source_vocab_size, width)
        self.target_embedding = nn.Embedding(config.target_vocab_size, width)
        # Both directions: the state of a forward network alone has read the token only at its
        # own step and carries it into the next, so a lookup may as well find it one place late.
        self.encoder = nn.GRU(width, width // 2, batch_first=True, bidirectional=True)
        self.decoder = nn.GRU(width, width, batch_first=True)
        self.output_projection = nn.Linear(2 * width, config.target_vocab_size)

    def context(
        self, source: Source, states: Float[Tensor, "batch target_length d_model"]
    ) -> Float[Tensor, "batch target_length d_model"]:
        """What the decoder knows of the source at each of its states."""
        raise NotImplementedError

    def encode(
        self,
        source: Int[Tensor, "batch source_length"],
        source_lengths: Int[Tensor, " batch"],
    ) -> Source:
        """Read the source once; ``decode`` may then be called on it many times.

        Args:
            source: token ids, padded at the end with any id of the vocabulary.
            source_lengths: how many real tokens each row has.

        Raises:
            ValueError: if the batch is empty, an id is outside the vocabulary, or there is not
                one length for each row, from 1 to the padded length.
        """
        _require_tokens("source", source, self.config.source_vocab_size)
        if source_lengths.shape != source.shape[:1]:
            raise ValueError(
                f"source_lengths has shape {tuple(source_lengths.shape)}; expected one length "
                f"for each of the {source.size(0)} rows of source"
            )
        if not 1 <= int(source_lengths.min()) <= int(source_lengths.max()) <= source.size(1):
            raise ValueError(
                f"source_lengths run from {int(source_lengths.min())} to "
                f"{int(source_lengths.max())}; expected 1 to {source.size(1)}, the padded length"
            )
        # Packed, the backward direction begins at a row's last token and not in its padding.
        packed = pack_padded_sequence(
            self.source_embedding(source),
            source_lengths.cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        packed_states, last = self.encoder(packed)
        states, _ = pad_packed_sequence(
            packed_states, batch_first=True, total_length=source.size(1)
        )
        return Source(
            states, masks.padding(source_lengths, source.size(1)), torch.cat([*last], dim=-1)
        )

    def decode(
        self,
        source: Source,
        target_in: Int[Tensor, "batch target_length"],
        state: Float[Tensor, "batch d_model"] | None = None,
    ) -> tuple[Float[Tensor, "batch target_length vocab"], Float[Tensor, "batch d_model"]]:
        """Predict what comes after each target token.

        Args:
            source: what ``encode`` returned.
            target_in: target tokens: all of them in training, the newest one in generation.
            state: the state that an earlier call returned; by default the decoder begins, with
                the source's summary.

        Returns:
            The logits of each next token, and the state with which to go on.

        Raises:
            ValueError: if the batch is empty or not as large as the source's, or an id is
                outside the vocabulary.
        """
        states, last = self._read_target(source, target_in, state)
        both = torch.cat([states, self.context(source, states)], dim=-1)
        return self.output_projection(both), last

    def forward(
        self,
        source: Int[Tensor, "batch source_length"],
        source_lengths: Int[Tensor, " batch"],
        target_in: Int[Tensor, "batch target_length"],
    ) -> Float[Tensor, "batch target_length vocab"]:
        """The logits of each next target token, all at once, as training needs them.

        Args:
            source: token ids, padded at the end.
            source_lengths: how many real tokens each row has.
            target_in: the target behind its start token.

        Raises:
            ValueError: as ``encode`` and ``decode``.
        """
        logits, _ = self.decode(self.encode(source, source_lengths), target_in)
        return logits

    def _read_target(
        self, source: Source, target_in: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """The decoder's states along the target, and the last one."""
        _require_tokens("target_in", target_in, self.config.target_vocab_size)
        if target_in.size(0) != source.summary.size(0):
            raise ValueError(
                f"target_in has {target_in.size(0)} rows and the source {source.summary.size(0)}; "
                "expected one target for each source"
            )
        begin = source.summary if state is None else state
        states, last = self.decoder(self.target_embedding(target_in), begin[None].contiguous())
        return states, last[0]


class FixedVectorSeq2Seq(_Seq2Seq):
    """One vector holds the whole source, however long it is.

    The decoder begins with it, and has it beside its state at every step, so that what is lost
    was lost in the vector and not on the way.

    Args:
        config: the sizes.

    Source: Sutskever et al. 2014; Cho et al. 2014 for the vector at every step.
    """

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__(config)
        self.context_projection = nn.Linear(config.d_model, config.d_model)

    def context(
        self, source: Source, states: Float[Tensor, "batch target_length d_model"]
    ) -> Float[Tensor, "batch target_length d_model"]:
        """The same vector at every step."""
        return self.context_projection(source.summary)[:, None].expand_as(states)


class AttentionSeq2Seq(_Seq2Seq):
    """Each step of the target looks the source up: its state asks, the encoder's states answer.

    Args:
        config: the sizes.

    Source: Bahdanau et al. 2015; Luong et al. 2015, section 3.1, with the score "general",
        divided by √d_model as in Vaswani et al. 2017.
    """

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__(config)
        self.query_projection = nn.Linear(config.d_model, config.d_model)

    def look_up(
        self, source: Source, states: Float[Tensor, "batch target_length d_model"]
    ) -> tuple[
        Float[Tensor, "batch target_length d_model"],
        Float[Tensor, "batch target_length source_length"],
    ]:
        """The context at each step, and the weights with which it was averaged."""
        return attention(self.query_projection(states), source.states, source.states, source.mask)

    def context(
        self, source: Source, states: Float[Tensor, "batch target_length d_model"]
    ) -> Float[Tensor, "batch target_length d_model"]:
        """A new average of the encoder's states at every step."""
        return self.look_up(source, states)[0]


def alignment(
    model: AttentionSeq2Seq,
    source: Int[Tensor, "batch source_length"],
    source_lengths: Int[Tensor, " batch"],
    target_in: Int[Tensor, "batch target_length"],
) -> Float[Tensor, "batch target_length source_length"]:
    """Where the model looks: row j holds the weights with which it predicts target token j.

    Row j belongs to the token that is predicted after ``target_in[:, j]`` was read, so the first
    row is that of the first word and not of the start token. Padding has weight zero.

    Args:
        model: an encoder–decoder with attention.
        source: token ids, padded at the end.
        source_lengths: how many real tokens each row has.
        target_in: the target behind its start token.

    Raises:
        ValueError: as the model does.

    Source: Bahdanau et al. 2015, section 5.2.1.
    """
    with torch.no_grad():
        read = model.encode(source, source_lengths)
        states, _ = model._read_target(read, target_in)
        return model.look_up(read, states)[1]


def _require_tokens(name: str, tokens: Tensor, vocab_size: int) -> None:
    if tokens.numel() == 0:
        raise ValueError(
            f"{name} has shape {tuple(tokens.shape)}, so no tokens; expected (batch, length), "
            "both at least 1"
        )
    if not 0 <= int(tokens.min()) <= int(tokens.max()) < vocab_size:
        raise ValueError(
            f"{name} has token ids from {int(tokens.min())} to {int(tokens.max())}; "
            f"expected 0 to {vocab_size - 1}, the vocabulary"
        )
