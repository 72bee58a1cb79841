"""Positional encodings: the objects that tell a model the order of its tokens, one for each kind.

What a kind does stands in its class, and nowhere else: it adds to the embeddings (``forward``),
turns queries and keys (``rotate``), or biases the scores (``bias``); what it does not do, it
leaves as it is. The chapter on positions compares them, and ``positions`` has their formulas.
"""

from collections.abc import Sequence
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.positions import (
    alibi_bias,
    alibi_slopes,
    rotate,
    rotate_halves,
    sinusoidal,
    sinusoidal_grid,
)

PositionKind = Literal["learned", "sinusoidal", "rotary", "alibi", "none"]


class Positions(nn.Module):
    """No positions at all: the kind ``"none"``, and what the other kinds begin from."""

    def forward(
        self, x: Float[Tensor, "batch length d_model"], offset: int = 0
    ) -> Float[Tensor, "batch length d_model"]:
        """Add to each embedding what tells its position, the first token standing at ``offset``."""
        return x

    def rotate(
        self, x: Float[Tensor, "*batch length d_head"], offset: int = 0
    ) -> Float[Tensor, "*batch length d_head"]:
        """Turn queries or keys by their positions, the first token standing at ``offset``."""
        return x

    def bias(
        self, x: Float[Tensor, "batch queries d_model"], offset: int = 0
    ) -> Float[Tensor, "heads queries keys"] | None:
        """What is added to the scores of the tokens x, which stand behind ``offset`` others."""
        return None

    def embedding_scale(self, spread: float) -> float:
        """By what embeddings of this spread are multiplied, to stand beside what is added."""
        return 1.0


class TablePositions(Positions):
    """Positions that are added to the embeddings, a row of a table for each."""

    table: Tensor

    def forward(
        self, x: Float[Tensor, "batch length d_model"], offset: int = 0
    ) -> Float[Tensor, "batch length d_model"]:
        """Add to each token its position's row, the first token standing at ``offset``.

        Raises:
            ValueError: if the width differs, or if a token stands beyond the last position.
        """
        max_length, d_model = self.table.shape
        if x.size(-1) != d_model:
            raise ValueError(
                f"the tokens have width {x.size(-1)}; expected {d_model}, the positions' d_model"
            )
        if offset < 0 or offset + x.size(1) > max_length:
            raise ValueError(
                f"{x.size(1)} tokens from position {offset} on; expected positions from 0 to "
                f"{max_length - 1}: shorten the sequence, or make max_length larger"
            )
        return x + self.table[offset : offset + x.size(1)]


class SinusoidalPositions(TablePositions):
    """Add the sinusoids to the embeddings.

    Args:
        max_length: how many positions there are.
        d_model: the width of a token, an even number.
        base: as in ``positions.sinusoidal``.
    """

    def __init__(self, max_length: int, d_model: int, base: float = 10000.0) -> None:
        super().__init__()
        # Computed anew from the sizes, so it needs no place among the stored weights.
        self.register_buffer("table", sinusoidal(max_length, d_model, base), persistent=False)

    def embedding_scale(self, spread: float) -> float:
        """To a spread of one: sinusoids have nearly that, and small embeddings would drown."""
        return 1.0 / spread


class LearnedPositions(TablePositions):
    """Add to each embedding a vector that is learned for its position.

    Args:
        max_length: how many positions there are.
        d_model: the width of a token.

    Raises:
        ValueError: if there is no position.

    Source: Gehring et al. 2017, section 3.1; Radford et al. 2018 for GPT.
    """

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        if max_length < 1:
            raise ValueError(f"max_length is {max_length}; expected at least 1")
        # The spread that GPT takes, for its tokens' own vectors as well.
        self.table = nn.Parameter(0.02 * torch.randn(max_length, d_model))


class GridPositions(TablePositions):
    """Add to each patch the sinusoids of its row and column; to a class token before them, nothing.

    Args:
        rows: how many rows of patches there are.
        columns: how many columns.
        d_model: the width of a token, divisible by four.
        class_token: whether a token stands before the patches.
    """

    def __init__(self, rows: int, columns: int, d_model: int, class_token: bool) -> None:
        super().__init__()
        table = sinusoidal_grid(rows, columns, d_model)
        if class_token:
            table = torch.cat((torch.zeros(1, d_model), table))
        self.register_buffer("table", table, persistent=False)


class RotaryPositions(Positions):
    """Turn queries and keys, as ``positions.rotate`` does.

    Source: Su et al. 2024 (RoFormer), equation 34.
    """

    def rotate(
        self, x: Float[Tensor, "*batch length d_head"], offset: int = 0
    ) -> Float[Tensor, "*batch length d_head"]:
        """Turn queries or keys by their positions, the first token standing at ``offset``."""
        return rotate(x, offset)


class HalvedRotaryPositions(Positions):
    """Turn queries and keys in the convention of released models, by ``positions.rotate_halves``.

    Args:
        base: as in ``positions.rotate_halves``.

    Raises:
        ValueError: if the base is not above 1.

    Source: Su et al. 2024 (RoFormer), equation 34.
    """

    def __init__(self, base: float = 10000.0) -> None:
        super().__init__()
        if not base > 1:
            raise ValueError(f"base is {base}; expected more than 1, so that later clocks are slow")
        self.base = base

    def rotate(
        self, x: Float[Tensor, "*batch length d_head"], offset: int = 0
    ) -> Float[Tensor, "*batch length d_head"]:
        """Turn queries or keys by their positions, the first token standing at ``offset``."""
        return rotate_halves(x, offset, self.base)


class ALiBiPositions(Positions):
    """Lower each score by the distance from query to key, as ``positions.alibi_bias`` does.

    Args:
        n_heads: how many heads the attention has.

    Source: Press, Smith and Lewis 2022, section 3.
    """

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads

    def bias(
        self, x: Float[Tensor, "batch queries d_model"], offset: int = 0
    ) -> Float[Tensor, "heads queries keys"]:
        """What is added to the scores of the tokens x, which stand behind ``offset`` others."""
        return alibi_bias(self.n_heads, x.size(1), offset + x.size(1)).to(x)


class ClippedBiasPositions(Positions):
    """Add to each score a number that its head has learned for the offset, clipped at the furthest.

    It begins as ALiBi.

    Args:
        n_heads: how many heads the attention has.
        furthest: keys that stand further from the query than this share the number of the furthest.

    Raises:
        ValueError: if ``furthest`` is negative.

    Source: Shaw et al. 2018, section 3.2, for the clipping; Raffel et al. 2020, section 2.1, for
    one number a head, the same in every layer.
    """

    def __init__(self, n_heads: int, furthest: int) -> None:
        super().__init__()
        if furthest < 0:
            raise ValueError(f"furthest is {furthest}; expected at least 0")
        self.furthest = furthest
        # From the furthest key after the query to the furthest before it.
        distance = torch.arange(-furthest, furthest + 1).abs()
        self.table = nn.Parameter(-alibi_slopes(n_heads)[:, None] * distance)

    def bias(
        self, x: Float[Tensor, "batch queries d_model"], offset: int = 0
    ) -> Float[Tensor, "heads queries keys"]:
        """What is added to the scores of the tokens x, which stand behind ``offset`` others."""
        keys = torch.arange(offset + x.size(1), device=x.device)
        back = (keys[offset:, None] - keys).clamp(-self.furthest, self.furthest)
        return self.table[:, back + self.furthest]


def make_positions(kind: PositionKind, max_length: int, d_model: int, n_heads: int) -> Positions:
    """The positions of a text, of the kind that is named.

    Args:
        kind: ``"learned"``, ``"sinusoidal"``, ``"rotary"``, ``"alibi"`` or ``"none"``.
        max_length: the longest text.
        d_model: the width of a token.
        n_heads: how many heads the attention has.
    """
    match kind:
        case "learned":
            return LearnedPositions(max_length, d_model)
        case "sinusoidal":
            return SinusoidalPositions(max_length, d_model)
        case "rotary":
            return RotaryPositions()
        case "alibi":
            return ALiBiPositions(n_heads)
        case "none":
            return Positions()


def make_grid_positions(
    kind: PositionKind, rows: int, columns: int, d_model: int, class_token: bool, spread: float
) -> Positions:
    """The positions of an image's patches, of the kind that is named.

    Args:
        kind: ``"learned"``, ``"sinusoidal"`` or ``"none"``.
        rows: how many rows of patches there are.
        columns: how many columns.
        d_model: the width of a token.
        class_token: whether a token stands before the patches.
        spread: the standard deviation of untrained learned positions.
    """
    match kind:
        case "learned":
            learned = LearnedPositions(rows * columns + class_token, d_model)
            nn.init.normal_(learned.table, std=spread)
            return learned
        case "sinusoidal":
            return GridPositions(rows, columns, d_model, class_token)
        case _:
            return Positions()


def require_kind(kind: str, allowed: Sequence[str]) -> None:
    """Refuse a kind of positions that a model does not have.

    Raises:
        ValueError: if the kind is none of those allowed.
    """
    if kind not in allowed:
        raise ValueError(f"positions is {kind!r}; expected one of {[*allowed]}")
