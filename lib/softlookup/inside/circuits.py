"""Circuits: what a head asks and what it moves, as matrices on the residual stream.

A head has four matrices, and only two of their products ever act: the QK matrix, which says how
much a place asks for another, and the OV matrix, which says what comes over from there. Both are
as wide as the stream, so those of two layers can be multiplied. The chapter on looking inside
opens a grown circuit with them.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.multi_head import MultiHeadAttention


@torch.no_grad()
def head_matrices(
    attend: MultiHeadAttention, head: int, norm: nn.LayerNorm | None = None
) -> tuple[Float[Tensor, "d_model d_model"], Float[Tensor, "d_model d_model"]]:
    """The QK and the OV matrix of a head: x QK yᵀ is a score, and y OV is what comes over.

    Tokens are rows. The score is that of a query at x and a key at y, with its 1/√d_head and
    without what the biases add.

    Args:
        attend: the attention.
        head: the head's number, counted from 0.
        norm: the norm through which the attention reads the stream. Its centring and its gain
            are linear, and are folded in; what is left is to divide by a token's spread.

    Returns:
        QK and OV.

    Raises:
        ValueError: if there is no such head.

    Source: Elhage et al. 2021, section "Transformers as circuits", for columns as tokens.
    """
    if not 0 <= head < attend.n_heads:
        raise ValueError(f"head is {head}; expected 0 to {attend.n_heads - 1}")
    weight = attend.query_projection.weight
    d_model = weight.size(1)
    d_head = d_model // attend.n_heads
    own = slice(head * d_head, (head + 1) * d_head)
    reads = torch.eye(d_model, dtype=weight.dtype, device=weight.device)
    if norm is not None:
        reads = (reads - 1 / d_model) * norm.weight
    query, key, value = (
        reads @ projection.weight[own].T
        for projection in (attend.query_projection, attend.key_projection, attend.value_projection)
    )
    return query @ key.T / math.sqrt(d_head), value @ attend.output_projection.weight[:, own].T


def composition(
    first: Float[Tensor, "d_in d_model"], then: Float[Tensor, "d_model d_out"]
) -> Float[Tensor, ""]:
    """How strongly one matrix reads what another writes: ‖first · then‖ / (‖first‖ ‖then‖).

    It is 0 if the second reads only what the first never writes, and at most 1, which
    only matrices of rank one reach: so it is no share. With the OV matrix of an earlier head
    first, a later head's QK gives Q-composition, its transpose K-composition, and its OV
    V-composition.

    Raises:
        ValueError: if one of the matrices is zero.

    Source: Elhage et al. 2021, section "Two-layer attention-only transformers".
    """
    sizes = first.norm() * then.norm()
    if sizes == 0:
        raise ValueError("one of the matrices is zero; expected a head that does something")
    return (first @ then).norm() / sizes


def same_spectrum(
    matrix: Float[Tensor, "rows columns"], generator: torch.Generator
) -> Float[Tensor, "rows columns"]:
    """A random matrix with the singular values of another one, turned on both sides.

    Rank, norm and the sizes of all directions stay; which directions they are does not.
    """
    left, right = (_rotation(size, matrix, generator) for size in matrix.shape)
    return left @ matrix @ right


def _rotation(size: int, like: Tensor, generator: torch.Generator) -> Tensor:
    """An orthogonal matrix, drawn evenly from all of them (Mezzadri 2007)."""
    drawn = torch.randn(size, size, dtype=torch.float64, generator=generator)
    q, r = torch.linalg.qr(drawn)
    return (q * r.diagonal().sign()).to(like)
