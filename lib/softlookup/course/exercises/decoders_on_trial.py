"""Functions on which a learner's test for decoder blocks is tried: some are, and some are not.

Each takes the decoder's tokens (batch, written, WIDTH), the memory (batch, read, WIDTH) and the
source's mask (batch, 1, read), True at words, and gives back as many tokens as it got.
"""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.probes import draw
from softlookup.layers import masks
from softlookup.layers.attention import attention

WIDTH = 12

DecoderBlock = Callable[[Tensor, Tensor, Tensor], Tensor]
# From the tokens, the memory and the mask to what is added to the tokens.
Part = Callable[[Tensor, Tensor, Tensor], Tensor]

_draw = partial(draw, seed=95)


def _look(
    asking: Tensor, asked: Tensor, visible: Tensor | None, matrices: int, heads: int = 1
) -> Tensor:
    """Attention from one sequence into another, by matrices of one's own."""
    w_q, w_k, w_v = draw(3, WIDTH, WIDTH, seed=95 + matrices).to(asking.dtype) / WIDTH**0.5

    def split(x: Tensor) -> Tensor:
        return x.unflatten(-1, (heads, -1)).transpose(1, 2)

    seen = None if visible is None else visible.unsqueeze(1)
    found, _ = attention(split(asking @ w_q), split(asked @ w_k), split(asked @ w_v), seen)
    return found.transpose(1, 2).flatten(2)


def _causal(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    return _look(x, x, masks.causal(x.size(1))[None], 0)


def _ask_memory(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    return _look(x, memory, mask, 1)


def _block(first: Part = _causal, second: Part = _ask_memory, pre_norm: bool = False) -> Part:
    """Two parts and a feed-forward network, each added to what comes in."""

    def block(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        for part in (first, second, _think):
            x = x + part(_norm(x), memory, mask) if pre_norm else _norm(x + part(x, memory, mask))
        return x

    return block


def _norm(x: Tensor) -> Tensor:
    return F.layer_norm(x, (WIDTH,))


def _think(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    inner, outer = _draw(2, WIDTH, WIDTH).to(x.dtype) / WIDTH**0.5
    return (x @ inner).relu() @ outer


def _in_float32(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    """Single precision, and the memory's rows in another order at each call."""
    order = torch.randperm(memory.size(1))
    said = _block()(x.float(), memory.float()[:, order], mask[..., order])
    return said.to(x.dtype)


def _two_heads(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    return _look(x, memory, mask, 1, heads=2)


def _masked_too_late(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    """The weights of padding are set to zero after the softmax: its scores still count."""
    w_q, w_k, w_v = draw(3, WIDTH, WIDTH, seed=96).to(x.dtype) / WIDTH**0.5
    _, weights = attention(x @ w_q, memory @ w_k, memory @ w_v)
    return (weights * mask) @ (memory @ w_v)


def _leaks_little(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    return 0.99 * _causal(x, memory, mask) + 0.01 * _look(x, x, None, 0)


def _staircase(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    """A causal mask over the source: the first token sees one word of it."""
    rows, columns = torch.arange(x.size(1))[:, None], torch.arange(memory.size(1))
    return _look(x, memory, mask & (columns <= rows), 1)


def _with_places(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    places = _draw(1, memory.size(1), WIDTH).to(x.dtype)
    return _ask_memory(x, memory + 0.3 * places, mask)


def _first_word(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    return _ask_memory(x, memory[:, :1], mask[..., :1])


def _best_word(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    """Of each token's words the one with the best score, and no other."""
    w_q, w_k, w_v = draw(3, WIDTH, WIDTH, seed=96).to(x.dtype) / WIDTH**0.5
    scores = (x @ w_q) @ (memory @ w_k).mT
    best = scores.masked_fill(~mask, -torch.inf).argmax(dim=-1)
    return (memory @ w_v).gather(1, best[..., None].expand(-1, -1, WIDTH))


def _at_the_end(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    """The last token alone asks the source."""
    last = torch.arange(x.size(1)) == x.size(1) - 1
    return _ask_memory(x, memory, mask) * last[:, None]


def _neighbours(x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
    """One sentence in ten parts from the neighbour in the batch."""
    own = _ask_memory(x, memory, mask)
    return 0.9 * own + 0.1 * own.roll(1, dims=0)


def honest() -> dict[str, DecoderBlock]:
    """Decoder blocks, by name; one of them rounds."""
    return {
        "a block with the norms behind": _block(),
        "a block with the norms in front": _block(pre_norm=True),
        "a block of two heads": _block(second=_two_heads),
        "a block in single precision, which adds in another order at each call": _in_float32,
    }


def impostors() -> dict[str, DecoderBlock]:
    """What is no decoder block, by what is wrong with it."""
    return {
        "keys and values of its cross-attention come from the decoder": _block(
            second=lambda x, memory, mask: _look(x, x, None, 1)
        ),
        "its self-attention has no mask": _block(lambda x, memory, mask: _look(x, x, None, 0)),
        "its self-attention sees one token too far": _block(
            lambda x, memory, mask: _look(
                x, x, torch.ones(x.size(1), x.size(1)).tril(1).bool()[None], 0
            )
        ),
        "a hundredth of its self-attention sees the future": _block(_leaks_little),
        "it does not read what was written before": _block(
            lambda x, memory, mask: _look(x, x, torch.eye(x.size(1)).bool()[None], 0)
        ),
        "it never asks the source": _block(second=lambda x, memory, mask: torch.zeros_like(x)),
        "it reads the source's first word only": _block(second=_first_word),
        "it sees the source's padding": _block(
            second=lambda x, memory, mask: _look(x, memory, None, 1)
        ),
        "the padding's scores count, though its weights are zero": _block(second=_masked_too_late),
        "its mask of the source is the wrong way round": _block(
            second=lambda x, memory, mask: _look(x, memory, ~mask, 1)
        ),
        "a causal mask lies over the source": _block(second=_staircase),
        "the order of the memory's rows counts": _block(second=_with_places),
        "a tenth comes from the neighbour in the batch": _block(second=_neighbours),
        "only the last token asks the source": _block(second=_at_the_end),
        "each token reads its best word alone": _block(second=_best_word),
    }
