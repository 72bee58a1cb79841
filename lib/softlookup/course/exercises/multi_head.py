"""Checks for the exercises of the chapter on multi-head attention."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention
from softlookup.layers.multi_head import merge_heads, split_heads

BATCH, LENGTH, HEADS, D_HEAD = 2, 5, 3, 7

_draw = partial(draw, seed=4, dtype=torch.float32)


@exercise(
    "multi_head",
    1,
    "cut the width into heads and bring the heads before the tokens.",
    "each head has its own slice of every token.",
)
def check_split(split: Callable[[Tensor, int], Tensor]) -> None:
    """Check a ``split_heads``."""
    x = _draw(BATCH, LENGTH, HEADS * D_HEAD)
    got = split(x, HEADS)
    if isinstance(got, Tensor) and got.shape == (BATCH, LENGTH, HEADS, D_HEAD):
        raise Mistake(
            "the heads still stand behind the tokens, so a product of queries and keys would "
            "compare heads of one token; bring axis 2 before axis 1"
        )
    got = require_tensor(got, (BATCH, HEADS, LENGTH, D_HEAD))
    if same(got, x.reshape(BATCH, HEADS, LENGTH, D_HEAD)):
        raise Mistake(
            "a view alone cuts the numbers where they lie in memory, and hands head 1 the first "
            "tokens whole; first cut each token's width in two axes, then swap two axes"
        )
    if same(got, x.view(BATCH, LENGTH, D_HEAD, HEADS).permute(0, 3, 1, 2)):
        raise Mistake(
            "your heads take every third number of a token (width cut as d_head by heads); a "
            "head is a run of neighbours, so cut the width as heads by d_head"
        )
    if not same(got, split_heads(x, HEADS)):
        raise Mistake("the shape is right, but some numbers went to another head or token")


@exercise(
    "multi_head",
    2,
    "put the heads' results next to each other in each token.",
    "merging undoes splitting.",
)
def check_merge(merge: Callable[[Tensor], Tensor]) -> None:
    """Check a ``merge_heads``."""
    heads = _draw(BATCH, HEADS, LENGTH, D_HEAD)
    got = merge(heads)
    if isinstance(got, Tensor) and got.shape == (BATCH, LENGTH, D_HEAD):
        if same(got, heads.mean(dim=1)):
            raise Mistake("you averaged the heads; concatenation keeps what each one found")
        raise Mistake(
            "you added the heads up; they are summed only after W_O, each through its own rows"
        )
    got = require_tensor(got, (BATCH, LENGTH, HEADS * D_HEAD))
    if same(got, heads.reshape(BATCH, LENGTH, HEADS * D_HEAD)):
        raise Mistake(
            "a reshape alone reads head 1 to its end before head 2 begins, so tokens mix; "
            "bring the heads behind the tokens first"
        )
    if same(got, heads.permute(0, 2, 3, 1).flatten(2)):
        raise Mistake(
            "your heads are interleaved number by number; each head's run must stay together"
        )
    if not same(got, merge_heads(heads)):
        raise Mistake("the shape is right, but some numbers ended in another token")


@exercise(
    "multi_head",
    3,
    "project, split, attend in each head, merge, and project by W_O.",
    "this is the multi-head attention of the 2017 paper.",
)
def check_multi_head(
    multi_head: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, int], Tensor],
) -> None:
    """Check a whole multi-head self-attention on given matrices."""
    width = HEADS * D_HEAD
    x = _draw(BATCH, LENGTH, width)
    # Scores well apart, so that a forgotten scale or a wrong axis moves the result.
    w_q, w_k, w_v, w_o = _draw(4, width, width) / width**0.5 * 1.5
    got = require_tensor(multi_head(x, w_q, w_k, w_v, w_o, HEADS), (BATCH, LENGTH, width))
    query, key, value = (split_heads(x @ matrix, HEADS) for matrix in (w_q, w_k, w_v))
    heads, _ = attention(query, key, value)
    right = merge_heads(heads) @ w_o
    if same(got, right):
        return
    scores = query @ key.transpose(-2, -1)
    scaled = scores / D_HEAD**0.5

    def finish(weights: Tensor) -> Tensor:
        return merge_heads(weights @ value) @ w_o

    if same(got, merge_heads(heads)):
        raise Mistake("the result is still the concatenation: multiply by W_O at the end")
    if same(got, finish((scores / width**0.5).softmax(-1))):
        raise Mistake(
            "you divided the scores by √d_model; a score sums over one head's width only, so "
            "the divisor is √d_head"
        )
    if same(got, finish(scores.softmax(-1))):
        raise Mistake("the scores are not scaled; divide them by √d_head before the softmax")
    if same(got, finish(scaled.softmax(-2))):
        raise Mistake(
            "softmax runs over the queries; the weights of one query sum to one over keys"
        )
    if same(got, finish(scaled.softmax(1))):
        raise Mistake("softmax runs over the heads; each head makes its own distribution")
    one, _ = attention(x @ w_q, x @ w_k, x @ w_v)
    if same(got, one @ w_o):
        raise Mistake("this is one head of full width; split queries, keys and values into heads")
    mixed = [(x @ matrix).reshape(BATCH, HEADS, LENGTH, D_HEAD) for matrix in (w_q, w_k, w_v)]
    if same(got, merge_heads(attention(*mixed)[0]) @ w_o):
        raise Mistake("your split mixes tokens; see exercise 4.1")
    raise Mistake(
        "the numbers differ from multi-head attention; compare q, k, v, the weights and the "
        "merge, in this order, with the loop in the chapter"
    )


@exercise(
    "multi_head",
    4,
    "return what each head adds to the layer's output.",
    "the layer is the sum of what its heads add.",
)
def check_contributions(contributions: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Check a function that splits a layer's output into its heads' contributions."""
    heads = _draw(BATCH, HEADS, LENGTH, D_HEAD)
    w_o = _draw(HEADS * D_HEAD, HEADS * D_HEAD)
    got = contributions(heads, w_o)
    if isinstance(got, Tensor) and same(got, merge_heads(heads) @ w_o):
        raise Mistake("this is their sum, the layer's output; return one addend for each head")
    got = require_tensor(got, (BATCH, HEADS, LENGTH, HEADS * D_HEAD))
    rows = w_o.view(HEADS, D_HEAD, -1)
    right = heads @ rows
    if same(got, right):
        return
    if same(got, right / HEADS):
        raise Mistake("each addend is divided by the number of heads; a sum needs no average")
    columns = w_o.T.reshape(HEADS, D_HEAD, -1)
    if same(got, heads @ columns):
        raise Mistake(
            "you took columns of W_O (or its transpose); head i meets the i-th block of rows"
        )
    if same(got, heads @ rows[0]):
        raise Mistake("every head goes through the first block of W_O; head i has block i")
    raise Mistake(
        "the addends are not the heads' own; multiply head i by the rows of W_O that its "
        "numbers meet in the concatenation"
    )
