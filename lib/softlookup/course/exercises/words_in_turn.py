"""Ways, right and wrong, of looking into a memory with one token after another.

Each word's token is made of what the last one found, as when a decoder writes; so nothing can be
computed for all words at once but what the memory gives.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from softlookup.course.exercises.probes import require_tensor
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention
from softlookup.layers.multi_head import MultiHeadAttention, merge_heads, split_heads
from softlookup.layers.visibility import Visibility

BATCH, HEADS, D_MODEL, WRITTEN, SOURCE = 3, 5, 15, 7, 11

Following = Callable[[Tensor], Tensor]
# module, first token, from what was found to the next token, memory, its mask, number of words
LookWordByWord = Callable[[MultiHeadAttention, Tensor, Following, Tensor, Tensor, int], Tensor]


def following(found: Tensor) -> Tensor:
    """The next token, (batch, 1, width), made of what the last one found.

    Raises:
        Mistake: if what was found is not that of one token.
    """
    if isinstance(found, Tensor) and found.shape == (BATCH, SOURCE, D_MODEL):
        raise Mistake(
            f"you get {SOURCE} outputs, one for each token of the source: the source asks. There "
            "is one output for each query, so let the decoder's token ask"
        )
    found = require_tensor(found, (BATCH, 1, D_MODEL), meaning="what one token found")
    return torch.tanh(3.0 * found.flip(-1)) + 0.5


def in_turn(
    first: Tensor, look: Callable[[Tensor, int], Tensor], following: Following = following
) -> Tensor:
    """What each word finds, (batch, words, width), if its token is made of the last finding."""
    token, found = first, []
    with torch.no_grad():
        for place in range(WRITTEN):
            found.append(look(token, place))
            token = following(found[-1])
    return torch.cat(found, dim=1)


def wrong_ways(
    module: MultiHeadAttention, first: Tensor, memory: Tensor, mask: Tensor
) -> list[tuple[Tensor, str]]:
    """What wrong answers give, each with the words for it."""
    projections = module.query_projection, module.key_projection, module.value_projection
    exchanged = module.query_projection, module.value_projection, module.key_projection

    def look(
        hidden: Tensor | None,
        n_heads: int = HEADS,
        scale: float = 1.0,
        projections: tuple[nn.Module, ...] = projections,
        told: Tensor | None = memory,
        project: Callable[[Tensor], Tensor] = module.output_projection,
    ) -> Tensor:
        def step(token: Tensor, _: int) -> Tensor:
            asked = token if told is None else told
            query, key, value = (
                split_heads(part(tokens), n_heads)
                for part, tokens in zip(projections, (token, asked, asked), strict=True)
            )
            seen = None if hidden is None else hidden.unsqueeze(1)
            return project(merge_heads(attention(scale * query, key, value, seen)[0]))

        return in_turn(first, step)

    def look_causally(token: Tensor, place: int) -> Tensor:
        return module(token, memory, Visibility(mask & (torch.arange(SOURCE) <= place)))

    def look_with_the_first(token: Tensor, place: int) -> Tensor:
        return module(first, memory, Visibility(mask))

    def look_again(token: Tensor, place: int) -> Tensor:
        return module(token, memory, Visibility(mask))

    return [
        (look(None),
         "the source's padding is seen: hand the mask on, with an axis for the heads"),
        (look(~mask), "your mask is the wrong way round: True = may look"),
        (look(None, told=None),
         "your keys and values come from the decoder: this is self-attention, and it never sees "
         "the source"),
        (look(mask, 1), "you look with one head as wide as the model: split into heads first"),
        (look(mask, scale=(D_MODEL // HEADS) ** 0.5),
         "your scores are not divided by the root of a head's width"),
        (look(mask, scale=HEADS**-0.5),
         "you divided by the root of the model's width; a head's scores are sums over its own "
         "width only"),
        (look(mask, projections=exchanged), "the projections of keys and values are exchanged"),
        (look(mask, project=lambda heads: heads),
         "the output projection is missing: the heads lie side by side and were never mixed"),
        (in_turn(first, look_with_the_first),
         "every word asks with the first token; following(found) makes the next one"),
        (in_turn(first, look_again, lambda found: found),
         "you let what was found ask as it is; following(found) makes the next token of it"),
        (in_turn(first, look_causally),
         "you put a causal mask on the source; all of it has been read before the first word is "
         "written, so every position may look at all of it"),
    ]  # fmt: skip
