"""Positions: the formulas by which a model that sees a set of tokens is told their order.

The chapter on positions derives each: sinusoids, which are added to the embeddings; rotary
positions, which turn queries and keys; and ALiBi, which lowers the score of a key by its
distance. ``positional_encodings`` makes of them the objects that a model is given.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def sinusoidal(
    length: int, d_model: int, base: float = 10000.0, dtype: torch.dtype = torch.float32
) -> Float[Tensor, "length d_model"]:
    """A row of clocks for each position, each pair of columns turning slower than the last.

    PE(p, 2i) = sin(p / base^(2i / d_model)) and PE(p, 2i + 1) = cos(p / base^(2i / d_model)).

    Args:
        length: how many positions, counted from 0.
        d_model: the width of a token, an even number.
        base: the slowest clock turns once in nearly 2π·base positions.
        dtype: the type of the result; the angles are computed in float64.

    Raises:
        ValueError: if the length is not positive, or the width not even.

    Source: Vaswani et al. 2017, section 3.5.
    """
    if length < 1:
        raise ValueError(f"length is {length}; expected at least 1")
    angles = _angles(0, length, d_model, base)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(start_dim=1).to(dtype)


def shift_matrix(
    offset: int, d_model: int, base: float = 10000.0, dtype: torch.dtype = torch.float64
) -> Float[Tensor, "d_model d_model"]:
    """The rotation M_k that moves any position by k: PE(p + k) = M_k PE(p), the same for all p.

    Args:
        offset: k, by how many positions to move; negative to move back.
        d_model: the width of a token, an even number.
        base: as in ``sinusoidal``.
        dtype: the type of the result.

    Raises:
        ValueError: if the width is not even.

    Source: Vaswani et al. 2017, section 3.5, "PE(pos+k) can be represented as a linear function".
    """
    angles = _angles(offset, 1, d_model, base).flatten()
    # One block for each clock, by the angle-sum formulas for (sin, cos).
    blocks = [
        torch.tensor(
            [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]],
            dtype=torch.float64,
        )
        for angle in angles.tolist()
    ]
    return torch.block_diag(*blocks).to(dtype)


def sinusoidal_grid(
    rows: int,
    columns: int,
    d_model: int,
    base: float = 10000.0,
    dtype: torch.dtype = torch.float32,
) -> Float[Tensor, "patches d_model"]:
    """Positions in two dimensions: half of the width tells the row, the other half the column.

    Each half is a row of clocks as in ``sinusoidal``. The patches come in reading
    order.

    Args:
        rows: how many rows of patches there are.
        columns: how many columns.
        d_model: the width of a token, divisible by four: two for each clock, in two halves.
        base: as in ``sinusoidal``.
        dtype: the type of the result.

    Raises:
        ValueError: if there is no patch, or if the width is not divisible by four.

    Source: Vaswani et al. 2017, section 3.5, once for each axis.
    """
    if rows < 1 or columns < 1:
        raise ValueError(f"the grid is {rows} × {columns}; expected at least one patch")
    if d_model < 4 or d_model % 4:
        raise ValueError(
            f"d_model is {d_model}; expected a multiple of 4: a half for the row and a half for "
            "the column, each with two numbers for a clock"
        )
    down = sinusoidal(rows, d_model // 2, base, dtype)
    across = sinusoidal(columns, d_model // 2, base, dtype)
    return torch.cat((down.repeat_interleave(columns, dim=0), across.repeat(rows, 1)), dim=1)


def rotate(
    x: Float[Tensor, "*batch length d_head"], offset: int = 0, base: float = 10000.0
) -> Float[Tensor, "*batch length d_head"]:
    """Rotary positions: turn each pair of columns by an angle that grows with the position.

    The product of a turned query and a turned key depends on their distance alone.

    Args:
        x: the queries or the keys.
        offset: the position of the first token.
        base: as in ``sinusoidal``; the angles are the same.

    Raises:
        ValueError: if the width is not even.

    Source: Su et al. 2024 (RoFormer), equation 34.
    """
    angles = _angles(offset, x.size(-2), x.size(-1), base)
    cosine, sine = angles.cos().to(x), angles.sin().to(x)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = (first * cosine - second * sine, first * sine + second * cosine)
    return torch.stack(turned, dim=-1).flatten(start_dim=-2)


def rotate_halves(
    x: Float[Tensor, "*batch length d_head"], offset: int = 0, base: float = 10000.0
) -> Float[Tensor, "*batch length d_head"]:
    """The same rotation of other pairs: column i turns with column i + d_head / 2.

    Released models of Llama's family store their weights for this convention. It is ``rotate``
    on columns in another order, so a model may be trained in either; but weights that were
    trained in one give nonsense in the other, and no shape tells them apart.

    Args:
        x: the queries or the keys.
        offset: the position of the first token.
        base: as in ``sinusoidal``; the angles are the same. Models for long texts take a larger
            one, so that their clocks turn slower.

    Raises:
        ValueError: if the width is not even.

    Source: Su et al. 2024 (RoFormer), equation 34; the pairs are those of Hugging Face's
    ``LlamaForCausalLM``.
    """
    _require_pairs(x.size(-1))
    neighbours = x.unflatten(-1, (2, -1)).mT.flatten(start_dim=-2)
    return rotate(neighbours, offset, base).unflatten(-1, (-1, 2)).mT.flatten(start_dim=-2)


def alibi_slopes(n_heads: int) -> Float[Tensor, " heads"]:
    """How steeply each head's score falls with distance: 2^(-8/h), 2^(-16/h), ..., 2^(-8).

    Where the number of heads is no power of two, the slopes of the next smaller power come
    first, followed by every other slope of the next larger one.

    Raises:
        ValueError: if there is no head.

    Source: Press, Smith and Lewis 2022, section 3, and footnote on other numbers of heads.
    """
    if n_heads < 1:
        raise ValueError(f"n_heads is {n_heads}; expected at least 1")
    power = 2 ** int(math.log2(n_heads))
    slopes = 2.0 ** (-8.0 * torch.arange(1, power + 1) / power)
    between = 2.0 ** (-4.0 * torch.arange(1, 2 * power + 1, 2) / power)
    return torch.cat((slopes, between[: n_heads - power]))


def alibi_bias(
    n_heads: int, queries: int, keys: int | None = None
) -> Float[Tensor, "heads queries keys"]:
    """The bias of ALiBi: minus the slope of the head times the distance from query to key.

    Args:
        n_heads: how many heads.
        queries: how many queries, the last tokens among the keys.
        keys: how many keys; as many as queries where it is None.

    Raises:
        ValueError: if there are more queries than keys, or no query.

    Source: Press, Smith and Lewis 2022, section 3; both ways from the query, as the distance is.
    """
    keys = queries if keys is None else keys
    if not 1 <= queries <= keys:
        raise ValueError(
            f"there are {queries} queries and {keys} keys; expected at least one query, and "
            "at least as many keys, because the queries are the last tokens among them"
        )
    positions = torch.arange(keys)
    distance = (positions[keys - queries :, None] - positions).abs()
    return -alibi_slopes(n_heads)[:, None, None] * distance


def _angles(offset: int, length: int, width: int, base: float) -> Tensor:
    """How far each clock has turned at each position, (length, width / 2), in float64."""
    _require_pairs(width)
    frequencies = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    return torch.arange(offset, offset + length, dtype=torch.float64)[:, None] * frequencies


def _require_pairs(width: int) -> None:
    if width < 2 or width % 2:
        raise ValueError(f"the width is {width}; expected an even number, two for each clock")
