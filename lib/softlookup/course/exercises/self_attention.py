"""Checks for the exercises of the chapter on self-attention."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw_several, name_first, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention

_draw = partial(draw_several, seed=3)


@exercise(
    "self_attention",
    1,
    "write self_attention(x, W_Q, W_K, W_V): one new vector for each token, also for a batch.",
    "three projections, one lookup: a sequence that looks into itself, for a batch as for one.",
)
def check_self_attention(self_attention: Callable[..., Any]) -> None:
    """Check the outputs of one head, unbatched, with three widths, and in a batch."""
    # As many features as a key has, so that no mistake betrays itself by a shape.
    x, query, key, value = _draw((11, 7), (7, 7), (7, 7), (7, 7))
    answer = _outputs(self_attention(x, query, key, value), (11, 7))
    if not same(answer, _expected(x, query, key, value)):
        _name_attention_mistake(answer, x, query, key, value)
    x, query, key, value = _draw((11, 7), (7, 5), (7, 5), (7, 3))
    answer = _outputs(self_attention(x, query, key, value), (11, 3))
    if not same(answer, _expected(x, query, key, value)):
        _name_scale(answer, x, query, key, value)
    # As many sequences as tokens, so that the two axes cannot be told apart by their sizes.
    x, query, key, value = _draw((7, 7, 5), (5, 3), (5, 3), (5, 2))
    try:
        answer = _outputs(self_attention(x, query, key, value), (7, 7, 2))
    except (RuntimeError, IndexError) as error:
        raise Mistake(
            f"one sequence comes out right, a batch of seven raises: {error}. Turn round the "
            "last two axes alone, key.transpose(-2, -1): .T is for matrices"
        ) from None
    if not same(answer, _expected(x, query, key, value)):
        _name_batch_mistake(answer, x, query, key, value)


def _name_attention_mistake(answer: Tensor, x: Tensor, q: Tensor, k: Tensor, v: Tensor) -> None:
    scores = (x @ q) @ (x @ k).T
    scaled = scores / math.sqrt(q.size(-1))
    weights = torch.softmax(scaled, dim=-1)
    hypotheses = (
        (
            _expected(x, q.T, k.T, v.T),
            "your projections use the transposed matrices: tokens are rows here, so x @ W_Q; "
            "only nn.Linear stores its weight the other way round",
        ),
        (
            torch.softmax(scaled, dim=-2) @ (x @ v),
            "your weights sum to one over queries: softmax runs over the wrong axis; each query "
            "shares out one over the keys, dim=-1",
        ),
        (
            torch.softmax(scores, dim=-1) @ (x @ v),
            "there is no scale: divide the scores by the square root of a key's width",
        ),
        (
            torch.softmax(scores / q.size(-1), dim=-1) @ (x @ v),
            "you divide by the width itself: the scale is its square root",
        ),
        (weights @ x, "your values are the tokens themselves: project them too, x @ W_V"),
        (
            torch.softmax(scaled.T, dim=-1) @ (x @ v),
            "queries and keys are swapped: row i of the scores is token i's question to all keys",
        ),
        (scaled @ (x @ v), "there is no softmax: your scores are used as they are"),
        (
            weights.T @ (x @ v),
            "your weights are turned round before they meet the values: row i belongs to output i",
        ),
    )
    name_first(answer, hypotheses)
    row = int((answer - _expected(x, q, k, v)).abs().sum(-1).argmax())
    raise Mistake(
        f"output {row} begins with {float(answer[row, 0]):.3f}; expected "
        f"{float(_expected(x, q, k, v)[row, 0]):.3f}: go through softmax(Q K^T / sqrt(d_k)) V "
        "one factor at a time"
    )


def _name_scale(answer: Tensor, x: Tensor, q: Tensor, k: Tensor, v: Tensor) -> None:
    scores = (x @ q) @ (x @ k).T
    for width, name in (
        (x.size(-1), "a token's width, d_model"),
        (v.size(-1), "a value's width"),
        (x.size(-2), "the number of tokens"),
    ):
        wrong = torch.softmax(scores / math.sqrt(width), dim=-1) @ (x @ v)
        if same(answer, wrong):
            raise Mistake(
                f"you divide by the square root of {name}; what spreads the scores is the number "
                "of terms in q·k, which is the width of a key"
            )
    raise Mistake(
        "with square matrices you are right; with d_model 7, keys of width 5 and values of width "
        "3 you are not: which width do you use where?"
    )


def _name_batch_mistake(answer: Tensor, x: Tensor, q: Tensor, k: Tensor, v: Tensor) -> None:
    across = _expected(x.transpose(0, 1), q, k, v).transpose(0, 1)
    scores = (x @ q) @ (x @ k).transpose(-2, -1) / math.sqrt(q.size(-1))
    hypotheses = (
        (
            across,
            "in a batch your tokens look across sentences: the first axis is the batch, tokens "
            "are the axis before the last",
        ),
        (
            torch.softmax(scores, dim=1) @ (x @ v),
            "in a batch, axis 1 is that of the queries: count from the end, softmax(dim=-1)",
        ),
        (
            torch.softmax(scores, dim=0) @ (x @ v),
            "in a batch, axis 0 is that of the sentences: count from the end, softmax(dim=-1)",
        ),
    )
    name_first(answer, hypotheses)
    raise Mistake("one sequence comes out right, a batch does not: name axes from the end, -2, -1")


@exercise(
    "self_attention",
    2,
    "write multiplications(length, d_model, d_key, d_value): how many one head needs.",
    "now you know both parts: one grows with n, the other with n squared.",
)
def check_multiplications(multiplications: Callable[..., Any]) -> None:
    """Check the count of multiplications in the five matrix products."""
    given = [int(multiplications(n, d, k, v)) for n, d, k, v in _SIZES]

    def project(n: int, d: int, k: int, v: int) -> int:
        return n * d * (2 * k + v)

    def interact(n: int, d: int, k: int, v: int) -> int:
        return n * n * (k + v)

    hypotheses: tuple[tuple[Callable[[int, int, int, int], float], str], ...] = (
        (
            interact,
            "the three projections are missing: Q, K and V cost multiplications of their own",
        ),
        (
            lambda n, d, k, v: project(n, d, k, v) + n * n * k,
            "the scores are there, the weighted average is not: weights times values costs "
            "n * n * d_value",
        ),
        (
            lambda n, d, k, v: project(n, d, k, v) + n * n * v,
            "the weighted average is there, the scores are not: every pair needs a dot product "
            "of width d_key",
        ),
        (
            project,
            "you count the projections alone: what the tokens do with each other is missing",
        ),
        (
            lambda n, d, k, v: 2 * (project(n, d, k, v) + interact(n, d, k, v)),
            "you count additions too (that is what FLOPs are): asked for are multiplications",
        ),
        (
            lambda n, d, k, v: project(n, d, k, v) + n * n,
            "you count pairs as one multiplication each: a pair costs a dot product and a share "
            "of a value",
        ),
        (
            lambda n, d, k, v: project(n, d, k, v) + n * (n + 1) // 2 * (k + v),
            "you count each pair once, as if the score of (i, j) were that of (j, i): nothing is "
            "symmetric here, and nothing is masked yet",
        ),
        (
            lambda n, d, k, v: 3 * n * d * d + 2 * n * n * d,
            "your count holds when every width is d_model: here d_key and d_value differ from it",
        ),
        (
            lambda n, d, k, v: n * d * 2 * k + interact(n, d, k, v),
            "you project queries and keys, and leave the values unprojected",
        ),
    )
    if given == [project(*size) + interact(*size) for size in _SIZES]:
        return
    for wrong, words in hypotheses:
        if given == [wrong(*size) for size in _SIZES]:
            raise Mistake(words)
    n, d, k, v = _SIZES[0]
    raise Mistake(
        f"for {n} tokens, d_model {d}, d_key {k} and d_value {v} you count {given[0]}; the loops "
        f"of the chapter do {project(n, d, k, v) + interact(n, d, k, v)}"
    )


@exercise(
    "self_attention",
    3,
    "write is_equivariant(f, x, generator): True if f(Px) = P f(x) for permutations P of tokens.",
    "your test tells a set from a sequence, and rounding from a difference.",
)
def check_is_equivariant(is_equivariant: Callable[..., Any]) -> None:
    """Check a test of equivariance on functions that are, that are not, and that nearly are."""
    x, mix, query, key, value = (
        tensor.double() for tensor in _draw((11, 5), (5, 5), (5, 3), (5, 3), (5, 5))
    )

    def says(f: Callable[[Tensor], Tensor], x: Tensor, seed: int = 1) -> bool:
        return bool(is_equivariant(f, x, torch.Generator().manual_seed(seed)))

    if not says(lambda x: 2 * x, x):
        # On two tokens every permutation is its own inverse, so only this one passes always.
        if all(says(lambda x: 2 * x, x[:2], seed) for seed in range(23)):
            raise Mistake(
                "you put the outputs into the inverse order: permute f(x) by the same indices as x"
            )
        raise Mistake(
            "you say that doubling every token is not equivariant: that is a test of invariance, "
            "f(Px) = f(x); outputs should move with their tokens, so compare with P f(x)"
        )
    whole = (10 * x).round()
    if not says(lambda x: x @ (10 * mix).round(), whole):
        raise Mistake(
            "you say that a map applied to each token alone is not equivariant: you permuted the "
            "features, the last axis; tokens are rows, x[order]"
        )
    if not says(lambda x: attention(x @ query, x @ key, x @ value)[0], x):
        raise Mistake(
            "you say that self-attention is not equivariant: sums in another order round "
            "differently, so ask for torch.allclose and not for exact equality"
        )
    places = torch.arange(11, dtype=x.dtype)[:, None]
    if says(lambda x: x.cumsum(0), x) and says(lambda x: x + places, x):
        raise Mistake(
            "you say that a running sum is equivariant, and adding the position too: does your "
            "permutation move anything, and do you run f on both orders?"
        )
    if says(lambda x: x + x.flip(0), x):
        raise Mistake(
            "the function that adds to each token its mirror image passes your test: you tried "
            "the reversal alone, and equivariance is about every order; draw one at random"
        )
    if says(lambda x: x + x.roll(1, 0), x):
        raise Mistake(
            "the function that adds to each token its neighbour passes your test: you tried a "
            "rotation alone, and equivariance is about every order; draw one at random"
        )
    for f, words in (
        (lambda x: x.cumsum(0), "a running sum"),
        (lambda x: x + places, "adding the position"),
        (lambda x: x + (places == 10), "marking the last token"),
    ):
        if says(f, x):
            raise Mistake(
                f"{words} passes your test: your permutation leaves too many tokens in place"
            )


@exercise(
    "self_attention",
    4,
    "write split(M, d_key): matrices W_Q and W_K whose product W_Q W_K^T is nearest to M.",
    "a head is a bilinear form of rank d_k, and you can cut one out of any matrix.",
)
def check_split(split: Callable[..., Any]) -> None:
    """Check the best approximation of rank d_key, written as a product of two thin matrices."""
    (matrix,) = _draw((11, 11))
    answer = split(matrix, 3)
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise Mistake("you return one thing; expected two, W_Q and W_K")
    query, key = answer
    if not all(isinstance(part, Tensor) and part.shape == (11, 3) for part in (query, key)):
        shapes = " and ".join(str(tuple(getattr(part, "shape", ()))) for part in (query, key))
        raise Mistake(
            f"your matrices have shapes {shapes}; expected (11, 3) twice: one row a feature, one "
            "column for each of the d_key strongest directions"
        )
    left, strength, right = torch.linalg.svd(matrix)
    root = strength[:3].sqrt()
    best = (left[:, :3] * strength[:3]) @ right[:3]
    product = query @ key.T
    hypotheses = (
        (
            best.T,
            "your product is the transpose of what was asked: W_Q comes from the left singular "
            "vectors, W_K from the right ones",
        ),
        (
            (left[:, :3] * strength[:3] ** 2) @ right[:3],
            "each singular value stands in your product twice: share it, its square root to each "
            "side",
        ),
        (
            left[:, :3] @ right[:3],
            "your product has directions without strengths: the singular values are missing",
        ),
        ((left[:, :3] * root) @ right[:3], "the square roots stand on one side only"),
        (
            (left[:, :3] * strength[:3]) @ right[:, :3].T,
            "torch.linalg.svd returns V transposed: its right singular vectors are rows, Vh[:d]",
        ),
        (
            (left[:, -3:] * strength[-3:]) @ right[-3:],
            "you kept the weakest directions: singular values come sorted, the largest first",
        ),
    )
    if same(product, best):
        return
    name_first(product, hypotheses)
    ratio = float((product - matrix).norm() / (best - matrix).norm())
    raise Mistake(
        f"your product misses M by {ratio:.2f} times the least distance that rank 3 allows: the "
        "singular value decomposition gives the nearest (Eckart and Young, 1936)"
    )


_SIZES = ((11, 7, 5, 3), (2, 13, 3, 17), (23, 5, 7, 2))


def _expected(x: Tensor, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    return attention(x @ query, x @ key, x @ value)[0]


def _outputs(given: object, shape: tuple[int, ...]) -> Tensor:
    """Refuse what is not a tensor of outputs."""
    if isinstance(given, tuple):
        raise Mistake("you return several things; expected the outputs alone, without the weights")
    if not isinstance(given, Tensor):
        raise Mistake(f"you return a {type(given).__name__}; expected a tensor")
    if given.shape != shape:
        raise Mistake(
            f"your outputs have shape {tuple(given.shape)}; expected {shape}: one row a token, as "
            "wide as a value"
        )
    return given
