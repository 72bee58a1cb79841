"""Embeddings: the table that turns a token's number into a vector, at the input of every model.

The chapter on self-attention draws such a table. The same table can serve at the other end, where
a model scores every word of the vocabulary against the vector that it has computed.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn


class TokenEmbedding(nn.Module):
    """One vector for each token of the vocabulary.

    Args:
        vocab_size: how many tokens there are.
        d_model: the width of a vector.
        max_length: the longest sequence that is accepted.
        spread: the standard deviation of the numbers in the untrained table.
        scale: what each vector is multiplied by on its way in.

    Raises:
        ValueError: if a size is not positive.
    """

    def __init__(
        self, vocab_size: int, d_model: int, max_length: int, spread: float, scale: float = 1.0
    ) -> None:
        super().__init__()
        if min(vocab_size, d_model, max_length) < 1:
            raise ValueError(
                f"vocab_size is {vocab_size}, d_model is {d_model} and max_length is "
                f"{max_length}; expected at least 1 each"
            )
        self.max_length = max_length
        self.scale = scale
        self.table = nn.Parameter(spread * torch.randn(vocab_size, d_model))

    def forward(self, tokens: Int[Tensor, "batch length"]) -> Float[Tensor, "batch length d_model"]:
        """Look each token up.

        Raises:
            ValueError: if there is no token, if a token is outside the vocabulary, or if the
                sequences are too long.
        """
        vocab_size = self.table.size(0)
        if (
            tokens.dim() != 2
            or tokens.numel() == 0
            or tokens.dtype not in (torch.int64, torch.int32)
        ):
            raise ValueError(
                f"the tokens have shape {tuple(tokens.shape)} and dtype {tokens.dtype}; expected "
                "(batch, length), neither of them 0, and torch.int64"
            )
        if tokens.size(1) > self.max_length:
            raise ValueError(
                f"the sequences have {tokens.size(1)} tokens; expected at most "
                f"{self.max_length}, the model's max_length"
            )
        lowest, highest = (int(token) for token in tokens.aminmax())
        if lowest < 0 or highest >= vocab_size:
            raise ValueError(
                f"the tokens run from {lowest} to {highest}; expected 0 to {vocab_size - 1}, "
                "the vocabulary"
            )
        return F.embedding(tokens, self.table) * self.scale

    def scores(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch vocab_size"]:
        """The product of x with every token's vector: the logits of the next token.

        Source: Press and Wolf 2017, for the table that serves at both ends.
        """
        return F.linear(x, self.table)
