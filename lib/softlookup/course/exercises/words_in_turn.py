"""Ways, right and wrong, of looking into a memory with one token after another.

Each word's token is made of what the last one found, as when a decoder writes; so nothing can be
computed for all words at once but what the memory gives.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from softlookup.course.exercises.probes import require_tensor
from softlookup.course.exercises.slips import Slips, name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.multi_head import MultiHeadAttention, merge_heads, split_heads

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
    found = require_tensor(
        found, (BATCH, 1, D_MODEL), "what you hand to `following`", "what one token found"
    )
    return torch.tanh(3.0 * found.flip(-1)) + 0.5


def name_wrong_ways(
    got: Tensor, module: MultiHeadAttention, first: Tensor, memory: Tensor, mask: Tensor
) -> None:
    """Name the way, or the two ways at once, in which words looked into the memory wrongly.

    Args:
        got: the learner's findings, (batch, words, width).
        module: whose projections are to be used.
        first: the first token.
        memory: what the tokens look into.
        mask: True at its words, (batch, 1, source).

    Raises:
        Mistake: with the words for what is wrong; nothing if it is right, or unlike all of these.
    """

    def looked(
        weigh: Callable[[Tensor, Tensor, int], Tensor] = _masked,
        scale: Callable[[int], float] = lambda width: width**-0.5,
        split: Callable[[Tensor], Tensor] = lambda x: split_heads(x, HEADS),
        roles: tuple[Callable[[Tensor], Tensor], ...] = (
            module.query_projection,
            module.key_projection,
            module.value_projection,
        ),
        asked: Callable[[list[Tensor], Tensor], Tensor] = lambda tokens, memory: memory,
        merge: Callable[[Tensor], Tensor] = merge_heads,
        project: Callable[[Tensor], Tensor] = module.output_projection,
        begin: Callable[[Tensor], Tensor] = lambda first: first,
        turn: Callable[[Tensor, Tensor], Tensor] = lambda token, found: following(found),
        kept: Callable[[list[Tensor], list[Tensor], list[Tensor]], list[Tensor]] = (
            lambda tokens, heads, found: found
        ),
    ) -> Tensor:
        tokens, heads, found = [begin(first)], [], []
        for place in range(WRITTEN):
            source = asked(tokens, memory)
            query, key, value = (
                split(part(x)) for part, x in zip(roles, (tokens[-1], source, source), strict=True)
            )
            seen = F.pad(mask, (0, source.size(1) - SOURCE), value=True)
            weights = weigh(scale(query.size(-1)) * query @ key.mT, seen.unsqueeze(1), place)
            heads.append(merge(weights @ value))
            found.append(project(heads[-1]))
            tokens.append(turn(tokens[-1], found[-1]))
        return torch.cat(kept(tokens, heads, found), dim=1)

    with torch.no_grad():
        name_slips(got, looked, _slips(module, first, mask))


def _masked(scores: Tensor, mask: Tensor, place: int) -> Tensor:
    """Softmax over what may be looked at; zeros where nothing may, as `attention` has it."""
    return scores.masked_fill(~mask, -torch.inf).softmax(-1).nan_to_num()


def _causally(scores: Tensor, mask: Tensor, place: int) -> Tensor:
    return _masked(scores, mask & (torch.arange(mask.size(-1)) <= place), place)


def _slips(module: MultiHeadAttention, first: Tensor, mask: Tensor) -> Slips:
    """What may be wrong with each part of the way."""
    query, key, value = module.query_projection, module.key_projection, module.value_projection
    mask_first = "hide the padding before the softmax, with -inf in its scores"
    return {
        "asked": {
            "your keys and values come from the decoder: this is self-attention, and it never sees "
            "the source": lambda tokens, memory: tokens[-1],
            "your keys and values come from all tokens so far: this is self-attention, and it "
            "never sees the source": lambda tokens, memory: torch.cat(tokens, dim=1),
            "you append each token to the memory; a decoder's tokens look into the source, which "
            "stays as it is": lambda tokens, memory: torch.cat([memory, *tokens[1:]], dim=1),
            "you append the tokens to the memory, the first one too; a decoder's tokens look into "
            "the source, which stays as it is": lambda tokens, memory: torch.cat(
                [memory, *tokens], dim=1
            ),
            "you set the memory's rows at padding to zero, and a softmax gives zeros a share, "
            "too": lambda tokens, memory: memory * mask.mT,
        },
        "weigh": {
            "the source's padding is seen: hand the mask on, with an axis for the heads": (
                lambda scores, mask, place: scores.softmax(-1)
            ),
            "your mask is the wrong way round: True = may look": (
                lambda scores, mask, place: _masked(scores, ~mask, place)
            ),
            "you put a causal mask on the source; all of it has been read before the first word is "
            "written, so every position may look at all of it": _causally,
            f"you set the padding's weights to zero after the softmax, which had given them a "
            f"share; {mask_first}": lambda scores, mask, place: scores.softmax(-1) * mask,
            f"you set the padding's scores to zero, and e^0 is a weight like any other; "
            f"{mask_first}": lambda scores, mask, place: (scores * mask).softmax(-1),
            "your softmax is not over the source's words, the last axis": (
                lambda scores, mask, place: scores.masked_fill(~mask, -1e9).softmax(1)
            ),
            "there is no softmax: your scores are taken for weights": (
                lambda scores, mask, place: scores * mask
            ),
            "every word of the source weighs the same with you": (
                lambda scores, mask, place: mask / mask.sum(-1, keepdim=True).double()
            ),
        },
        "split": {
            "you look with one head as wide as the model: split into heads first": (
                lambda x: x.unsqueeze(1)
            ),
            "you cut the heads with view or reshape alone, (batch, heads, length, head width), "
            "which mixes tokens and heads; cut the width into (heads, head width), then exchange "
            "heads and length": lambda x: x.reshape(BATCH, HEADS, -1, D_MODEL // HEADS),
            "your heads take every fifth number of the width; a head's numbers lie side by side": (
                lambda x: x.unflatten(-1, (-1, HEADS)).movedim(-1, 1)
            ),
        },
        "scale": {
            "your scores are not divided by the root of a head's width": lambda width: 1.0,
            "you divided by the root of the model's width; a head's scores are sums over its own "
            "width only": lambda width: D_MODEL**-0.5,
            "you divided by a head's width, or twice by its root; divide by its root once": (
                lambda width: 1 / width
            ),
            "you multiplied by the root of a head's width; divide by it": lambda width: width**0.5,
        },
        "roles": {
            "the projections of keys and values are exchanged": (query, value, key),
            "the projections of queries and keys are exchanged": (key, query, value),
            "your values come from the key projection": (query, key, key),
            "your keys come from the value projection": (query, value, value),
            "your keys come from the query projection": (query, query, value),
            "your queries come from the key projection": (key, key, value),
            "your queries are not projected: the token asks as it is": (_as_it_is, key, value),
            "your keys are not projected: the memory stands for them as it is": (
                query, _as_it_is, value,
            ),
            "your values are not projected: the memory stands for them as it is": (
                query, key, _as_it_is,
            ),
        },
        "merge": {
            "you take the mean of the heads; they lie side by side, each with numbers of its own": (
                lambda heads: heads.mean(1).repeat(1, 1, D_MODEL // heads.size(-1))
            ),
            "you take the first head alone; all of them lie side by side": (
                lambda heads: heads[:, 0].repeat(1, 1, D_MODEL // heads.size(-1))
            ),
        },
        "project": {
            "the output projection is missing: the heads lie side by side and were never mixed": (
                lambda heads: heads
            ),
            "the output projection is used twice": lambda heads: module.output_projection(
                module.output_projection(heads)
            ),
        },
        "begin": {
            "your first token never asks: you make the next one before you look": following,
        },
        "turn": {
            "every word asks with the first token; following(found) makes the next one": (
                lambda token, found: first
            ),
            "you let what was found ask as it is; following(found) makes the next token of it": (
                lambda token, found: found
            ),
            "you make the next token of the last token; following(found) makes it of what that "
            "found": lambda token, found: following(token),
            "you add what was found to the token, as a residual would; following(found) alone is "
            "the next token": lambda token, found: token + following(found),
        },
        "kept": {
            "you return the tokens that ask; what they found is asked for": (
                lambda tokens, heads, found: tokens[:-1]
            ),
            "you return the tokens made of what was found; what was found is asked for": (
                lambda tokens, heads, found: tokens[1:]
            ),
            "you return the heads as they lie side by side; the output projection belongs to what "
            "a token finds": lambda tokens, heads, found: heads,
            "you return the words last first; the first word's comes first": (
                lambda tokens, heads, found: found[::-1]
            ),
            "all your words are the last one": lambda tokens, heads, found: found[-1:] * WRITTEN,
        },
    }  # fmt: skip


def _as_it_is(x: Tensor) -> Tensor:
    return x
