"""What goes wrong in attention whose heads share keys and values, part by part.

An exercise of the chapter on multi-head attention has the learner write that layer.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from softlookup.course.exercises.slips import Slips
from softlookup.layers.masks import causal
from softlookup.layers.multi_head import merge_heads, split_heads


def multi_query_parts(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int
) -> tuple[Callable[..., Tensor], Slips]:
    """Attention with one set of keys and values, and what may be wrong with each part of it.

    Args:
        x: tokens, (batch, length, d_model).
        w_q: (d_model, d_model).
        w_k: (d_model, d_head).
        w_v: (d_model, d_head).
        w_o: (d_model, d_model).
        n_heads: how many heads ask.

    Returns:
        The layer as a function of its parts, and the slips of each part.
    """
    batch, length, width = x.shape
    d_head = width // n_heads

    def split(queries: Tensor) -> Tensor:
        return split_heads(queries, n_heads)

    def attend(
        w_q: Tensor = w_q,
        w_k: Tensor = w_k,
        w_v: Tensor = w_v,
        w_o: Tensor = w_o,
        split: Callable[[Tensor], Tensor] = split,
        divisor: float = d_head**0.5,
        weigh: Callable[[Tensor], Tensor] = lambda scores: scores.softmax(dim=-1),
        merge: Callable[[Tensor], Tensor] = merge_heads,
    ) -> Tensor:
        keys, values = (x @ w_k)[:, None], (x @ w_v)[:, None]
        return merge(weigh(split(x @ w_q) @ keys.mT / divisor) @ values) @ w_o

    return attend, {
        "w_q": {
            "W_Q is transposed: tokens are rows, x @ w_q": w_q.mT,
            "the queries are made with W_O": w_o,
            "the queries are not projected: x @ w_q is missing": torch.eye(width),
        },
        "w_k": {"the keys are made with W_V; they are x @ w_k": w_v},
        "w_v": {"you average the keys; what is averaged is the values, x @ w_v": w_k},
        "w_o": {
            "the result is the concatenation: multiply it by W_O": torch.eye(width),
            "W_O is transposed: tokens are rows, … @ w_o": w_o.mT,
            "the result is multiplied by W_Q in W_O's place": w_q,
            "the result is multiplied by W_O twice": w_o @ w_o,
        },
        "split": {
            "your queries are split by a view alone, so a head asks with numbers of several "
            "tokens; cut the width first, then swap heads and tokens": lambda queries: (
                queries.reshape(batch, n_heads, length, d_head)
            ),
            "a head's query takes every third number of its token; a head is a run of "
            "neighbouring numbers": lambda queries: queries.view(
                batch, length, d_head, n_heads
            ).permute(0, 3, 1, 2),
            "every head asks the first head's question; only keys and values are shared": (
                lambda queries: split(queries)[:, :1].expand(-1, n_heads, -1, -1)
            ),
            "all heads ask the mean of their questions; only keys and values are shared": (
                lambda queries: split(queries).mean(dim=1, keepdim=True).expand(-1, n_heads, -1, -1)
            ),
            "the heads stand in the opposite order": lambda queries: split(queries).flip(1),
        },
        "divisor": {
            "you divided the scores by √d_model; a score sums over the width of a key, so "
            "the divisor is its root, √d_head": width**0.5,
            "the scores are not scaled; divide them by √d_head before the softmax": 1.0,
            "you divided the scores by d_head; the divisor is its root": d_head,
            "you divided the scores by the root of the number of heads; take √d_head": n_heads**0.5,
            "you multiplied the scores by √d_head; divide": d_head**-0.5,
        },
        "weigh": {
            "softmax runs over the queries; the weights of one query sum to one over keys": (
                lambda scores: scores.softmax(dim=-2)
            ),
            "softmax runs over the heads; each head makes its own distribution over keys": (
                lambda scores: scores.softmax(dim=1)
            ),
            "there is no softmax; weights are positive and sum to one": lambda scores: scores,
            "you took a causal mask in; every token may look at all": lambda scores: (
                scores.masked_fill(~causal(length), -math.inf).softmax(dim=-1)
            ),
            "the weights are turned round before they meet the values: keys are columns": (
                lambda scores: scores.softmax(dim=-1).mT
            ),
        },
        "merge": {
            "your merge mixes tokens: bring the heads behind the tokens before you flatten": (
                lambda heads: heads.reshape(batch, length, width)
            ),
            "your merge interleaves the heads number by number; a head's numbers stay together": (
                lambda heads: heads.permute(0, 2, 3, 1).flatten(2)
            ),
        },
    }
