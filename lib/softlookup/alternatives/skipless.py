"""Stacks without skip-connections, and starts for them.

A chain of blocks with random weights makes all tokens the same before it has learned anything.
The chapter on open questions asks what a chain with a better start still lacks: one that keeps
the variance, one that begins by passing each token on unchanged, by a term of its own, by a bias
on the diagonal of the scores or by queries and keys that begin alike, or one that keeps all
tokens apart and passes none on unchanged. Nothing stays fixed after the start.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from softlookup.layers.attention import fused_attention
from softlookup.layers.blocks import Block
from softlookup.layers.feed_forward import FeedForward
from softlookup.layers.multi_head import (
    KeyValueCache,
    MultiHeadAttention,
    merge_heads,
    split_heads,
)
from softlookup.layers.stacks import Stack
from softlookup.layers.visibility import EVERYTHING, Visibility


class ShapedAttention(nn.Module):
    """Attention plus the identity, minus what attention gives before it has learned to look.

    The weights of each head are a I + b A - c C, where A are those of softmax attention and C
    those of a query that asks for nothing, equal over all that it may see. The query projection
    begins at zero and a, b and c at one, so A = C and the weights begin as the identity; a, b
    and c are learned, one of each a head.

    Args:
        attention: the module whose projections are used; its query projection is set to zero.

    Source: He and Hofmann 2024, section 4.1; Noci et al. 2023 for the centring.
    """

    def __init__(self, attention: MultiHeadAttention) -> None:
        super().__init__()
        self.attention = attention
        self.own = nn.Parameter(torch.ones(attention.n_heads, 1, 1))
        self.looked = nn.Parameter(torch.ones(attention.n_heads, 1, 1))
        self.centre = nn.Parameter(torch.ones(attention.n_heads, 1, 1))
        _ask_for_nothing(attention)

    def forward(
        self,
        x: Float[Tensor, "batch length d_model"],
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch length d_model"]:
        """Let each token keep itself and add what it finds.

        Args:
            x: the tokens.
            visible: what each may see.
            cache: None; an argument because blocks pass one.

        Raises:
            ValueError: if there is a cache or a bias.
        """
        if cache is not None or visible.bias is not None:
            raise ValueError("shaped attention was given a cache or a bias; expected neither")
        query, key, value = (
            split_heads(project(x), self.attention.n_heads)
            for project in (
                self.attention.query_projection,
                self.attention.key_projection,
                self.attention.value_projection,
            )
        )
        mask = visible.joined_mask(query, key)
        found = fused_attention(query, key, value, mask)
        expected = fused_attention(torch.zeros_like(query), key, value, mask)
        heads = self.own * value + self.looked * found - self.centre * expected
        return self.attention.output_projection(merge_heads(heads))


class DiagonalAttention(nn.Module):
    """Attention with a learned bias on the diagonal of its scores: each token looks at itself.

    The query projection begins at zero, so of n tokens that may all be seen each begins by giving
    itself e^b / (e^b + n - 1) of its weight. Rows sum to one, so a head adds nothing to the
    token: it averages what it looks up with the token itself.

    Args:
        attention: the module whose projections are used; its query projection is set to zero.
        bias: the b of every head at the start; each head learns its own.

    Source: He et al. 2023, who choose a bias for every pair.
    """

    def __init__(self, attention: MultiHeadAttention, bias: float) -> None:
        super().__init__()
        self.attention = attention
        self.bias = nn.Parameter(torch.full((attention.n_heads, 1, 1), bias))
        _ask_for_nothing(attention)

    def forward(
        self,
        x: Float[Tensor, "batch length d_model"],
        visible: Visibility = EVERYTHING,
        cache: KeyValueCache | None = None,
    ) -> Float[Tensor, "batch length d_model"]:
        """Attend, with the bias on the diagonal.

        Args:
            x: the tokens.
            visible: what each may see.
            cache: None; an argument because blocks pass one.

        Raises:
            ValueError: if there is a cache or another bias.
        """
        if cache is not None or visible.bias is not None:
            raise ValueError("diagonal attention was given a cache or a bias; expected neither")
        diagonal = self.bias * torch.eye(x.size(1), dtype=x.dtype, device=x.device)
        seen = Visibility(mask=visible.mask, causal=visible.causal, bias=diagonal)
        return self.attention(x, visible=seen)


def start_as_identity(block: Block) -> None:
    """Set values, output and feed-forward network to the identity, and take the norms out.

    The feed-forward network gives max(0, x) - max(0, -x), which is x; so its inner width has to
    be twice the token's at least, and its activation the ReLU. What is left of the block's own
    part is whom each token looks at: the block is the identity if each looks at itself.

    Raises:
        ValueError: if the inner width is less than twice the width, or if the block is not built
            of 2017's parts.
    """
    attend, think = _attention(block), _network(block)
    width, inner = attend.value_projection.in_features, think.inner_projection.out_features
    if inner < 2 * width:
        raise ValueError(
            f"the inner width is {inner}; expected at least {2 * width}, twice the width"
        )
    identity = torch.eye(width)
    both_signs = torch.zeros(inner, width)
    both_signs[: 2 * width] = torch.cat([identity, -identity])
    with torch.no_grad():
        for layer, weight in (
            (attend.value_projection, identity),
            (attend.output_projection, identity),
            (think.inner_projection, both_signs),
            (think.output_projection, both_signs.T),
        ):
            layer.weight.copy_(weight)
            layer.bias.zero_()
    for name in ("norm_1", "norm_2"):
        setattr(block, name, nn.Identity())


def shape(stack: Stack) -> None:
    """Make a stack the identity, with shaped attention in every block and without norms."""
    for block in _blocks(stack):
        start_as_identity(block)
        setattr(block, "self_attention", ShapedAttention(_attention(block)))  # noqa: B010
    stack.final_norm = nn.Identity()


def turn(stack: Stack) -> None:
    """Shape a stack, and turn what each part gives by a random orthogonal matrix.

    Distances between tokens stay what they are, through all blocks, so no two tokens become
    alike; but no block begins as the identity.
    """
    shape(stack)
    with torch.no_grad():
        for block in _blocks(stack):
            shaped = block.self_attention
            assert isinstance(shaped, ShapedAttention)
            for part in (shaped.attention, _network(block)):
                layer = part.output_projection
                turned = nn.init.orthogonal_(torch.empty(layer.out_features, layer.out_features))
                layer.weight.copy_(turned @ layer.weight)


def look_at_itself(stack: Stack, bias: float) -> None:
    """Make a stack nearly the identity, with a bias on the diagonal of every block's scores.

    As ``shape``, without norms, but with no term beside the softmax.
    """
    for block in _blocks(stack):
        start_as_identity(block)
        attention = DiagonalAttention(_attention(block), bias)
        setattr(block, "self_attention", attention)  # noqa: B010
    stack.final_norm = nn.Identity()


def look_for_its_key(stack: Stack, keys: nn.Embedding, values: nn.Embedding, bias: float) -> None:
    """Begin as ``look_at_itself`` does, by the start of ordinary attention alone.

    Each token is the sum of a key's row and a value's, and each key occurs once. The keys' rows
    become orthogonal, the values' lose what lies along them, and all queries and keys begin as
    the token's part along the keys, so that each token scores highest with itself: by the bias
    more than with any other, in every block, as long as the tables and weights are those of the
    start. Attention, and all that is learned, are those of 2017.

    Args:
        stack: blocks without skip-connections.
        keys: their table, one row for each token of a text; changed in place.
        values: theirs; changed in place.
        bias: what is added to the score of each token with itself, in effect.

    Raises:
        ValueError: if a head is too narrow to tell all keys apart.
    """
    n, width = keys.weight.shape
    of_length = width**0.5  # as long as rows of standard normal numbers are on average
    own = torch.tensor([bias] + [0.0] * (n - 1)).softmax(dim=0)
    kept = (own[0] - own[1]).item()  # of a difference, by each block
    ways = set_keys_apart(keys, values)
    with torch.no_grad():
        for depth, block in enumerate(_blocks(stack)):
            start_as_identity(block)
            attend = _attention(block)
            if (head := width // attend.n_heads) < n:
                raise ValueError(f"a head has width {head}; expected {n} at least, one a key")
            scale = (bias * head**0.5) ** 0.5 / (of_length * kept**depth)
            one_head = torch.zeros(head, width)
            one_head[:n] = scale * ways
            for layer in (attend.query_projection, attend.key_projection):
                layer.weight.copy_(one_head.repeat(attend.n_heads, 1))
                layer.bias.zero_()
    stack.final_norm = nn.Identity()


def set_keys_apart(keys: nn.Embedding, values: nn.Embedding) -> Float[Tensor, "keys d_model"]:
    """Make the rows for keys orthogonal, and those for values orthogonal to them.

    Returns:
        The keys' directions, each of length one.
    """
    n, width = keys.weight.shape
    with torch.no_grad():
        ways = nn.init.orthogonal_(torch.empty(n, width))
        keys.weight.copy_(width**0.5 * ways)
        values.weight -= values.weight @ ways.T @ ways
    return ways


def keep_the_variance(stack: Stack, x: Float[Tensor, "batch length d_model"]) -> None:
    """Draw orthogonal matrices, and scale each part so that what it gives has variance one.

    Args:
        stack: blocks without skip-connections, norms in front.
        x: tokens on which the variance is taken.

    Source: Mishkin and Matas 2016, algorithm 1.
    """
    with torch.no_grad():
        for block in _blocks(stack):
            parts: list[tuple[nn.Module, MultiHeadAttention | FeedForward]] = [
                (block.norm_1, _attention(block)),
                (block.norm_2, _network(block)),
            ]
            for norm, part in parts:
                for layer in part.children():
                    if isinstance(layer, nn.Linear):
                        nn.init.orthogonal_(layer.weight)
                        nn.init.zeros_(layer.bias)
                part.output_projection.weight /= part(norm(x)).std()
                x = part(norm(x))


def _ask_for_nothing(attention: MultiHeadAttention) -> None:
    with torch.no_grad():
        for parameter in attention.query_projection.parameters():
            parameter.zero_()


def _blocks(stack: Stack) -> list[Block]:
    return [block for block in stack.blocks if isinstance(block, Block)]


def _attention(block: Block) -> MultiHeadAttention:
    part = block.self_attention
    if not isinstance(part, MultiHeadAttention):
        raise ValueError(f"the attention is a {type(part).__name__}; expected MultiHeadAttention")
    return part


def _network(block: Block) -> FeedForward:
    part = block.feed_forward
    if not isinstance(part, FeedForward):
        raise ValueError(f"the network is a {type(part).__name__}; expected FeedForward")
    return part
