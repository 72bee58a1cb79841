"""Checks for the exercises of the chapter on attention."""

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.probes import draw, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention

QUERIES, KEYS, WIDTH, D_VALUE = 7, 11, 5, 3

_draw = partial(draw, seed=2)


@exercise(
    "attention",
    1,
    "compare every query with every key, make weights, and average the values.",
    "this dictionary forgives, and the temperature says how much.",
)
def check_soft_lookup(soft_lookup: Callable[[Tensor, Tensor, Tensor, float], Tensor]) -> None:
    """Check a soft lookup with a temperature."""
    numbers = _draw(QUERIES + 2 * KEYS, WIDTH)
    queries, keys, values = numbers.split([QUERIES, KEYS, KEYS])
    values, temperature = values[:, :D_VALUE], 0.5
    got = soft_lookup(queries, keys, values, temperature)
    if isinstance(got, tuple):
        raise Mistake("your function returned a tuple; only the answers are expected")
    got = require_tensor(got, (QUERIES, D_VALUE), meaning="one answer for each query")
    scores = queries @ keys.T
    if same(got, torch.softmax(scores / temperature, dim=-1) @ values):
        return
    if same(got, torch.softmax(scores / temperature, dim=0) @ values):
        raise Mistake(
            "your weights add up to one over the queries: softmax runs over the wrong axis; each "
            "query divides its attention among the keys, dim=-1"
        )
    if same(got, torch.softmax(scores * temperature, dim=-1) @ values):
        raise Mistake(
            "you multiplied by the temperature, so that hot is sharp; divide by it: the larger "
            "the temperature, the more alike the scores"
        )
    if same(got, torch.softmax(scores, dim=-1) @ values):
        raise Mistake("your answers do not depend on the temperature; divide the scores by it")
    if same(got, scores / temperature / (scores / temperature).sum(-1, keepdim=True) @ values):
        raise Mistake(
            "you divided the scores by their sum; some are negative, so some weights are too: "
            "take the exponential first"
        )
    if same(got, values[scores.argmax(dim=-1)]):
        raise Mistake("you took the best key's value alone: that is the hard lookup")
    if same(got, torch.exp(scores / temperature) @ values):
        raise Mistake("your weights do not add up to one; divide them by each query's sum")
    raise Mistake("the shape is right, but the answers are not the weighted averages of the values")


@exercise(
    "attention",
    2,
    "score every query with every key by w · tanh(q A + k B).",
    "this is the score with which attention began, in 2015.",
)
def check_additive_scores(
    additive_scores: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor],
) -> None:
    """Check the additive compatibility function."""
    d_key, hidden = 3, 13
    numbers = _draw(QUERIES + KEYS + WIDTH + d_key + 1, hidden)
    queries, keys, A, B, w = numbers.split([QUERIES, KEYS, WIDTH, d_key, 1])
    queries, keys, w = queries[:, :WIDTH], keys[:, :d_key], w[0]
    got = additive_scores(queries, keys, A, B, w)
    met = (queries @ A)[:, None, :] + (keys @ B)[None, :, :]
    right = torch.tanh(met) @ w
    if isinstance(got, Tensor) and got.shape == (KEYS, QUERIES):
        raise Mistake("your scores have a row for each key; give each query a row")
    if isinstance(got, Tensor) and got.shape == (QUERIES, KEYS, hidden):
        raise Mistake(
            "there are still p numbers for each pair; their dot product with w makes one score"
        )
    got = require_tensor(got, (QUERIES, KEYS), meaning="one score for each query and key")
    if same(got, right):
        return
    if same(got, met @ w):
        raise Mistake("the tanh is missing; without it a query adds the same to all its scores")
    if same(got, torch.tanh(met).sum(dim=-1)):
        raise Mistake("you added the hidden numbers up; weigh each with its number in w")
    if same(got, torch.tanh((queries @ A) @ w)[:, None] + torch.tanh((keys @ B) @ w)[None]):
        raise Mistake(
            "query and key went through separate networks; add their projections before the tanh"
        )
    if same(got, (torch.tanh(queries @ A) @ w)[:, None] + (torch.tanh(keys @ B) @ w)[None]):
        raise Mistake(
            "you took the tanh of each before they met, so the ranking of keys is the same for "
            "every query; add first, then bend"
        )
    if same(got, torch.softmax(right, dim=-1)):
        raise Mistake("these are weights already; the scores come before the softmax")
    raise Mistake("the shape is right, but the scores are not w · tanh(q A + k B)")


@exercise(
    "attention",
    3,
    "compute softmax(Q Kᵀ / √d) V for any axes in front.",
    "this is equation 1 of the 2017 paper, and d is the width of what is multiplied.",
)
def check_scaled_dot_product(
    scaled_dot_product: Callable[[Tensor, Tensor, Tensor], Tensor],
) -> None:
    """Check scaled dot-product attention with two axes in front."""
    batch, heads = 2, 13
    numbers = _draw(batch, heads, QUERIES + 2 * KEYS, WIDTH)
    query, key, value = numbers.split([QUERIES, KEYS, KEYS], dim=2)
    value = value[..., :D_VALUE]
    got = scaled_dot_product(query, key, value)
    if isinstance(got, tuple):
        raise Mistake("your function returned a tuple; only the answers are expected")
    got = require_tensor(got, (batch, heads, QUERIES, D_VALUE), meaning="one answer for each query")
    if same(got, attention(query, key, value)[0]):
        _require_any_axes(scaled_dot_product)
        return
    scores = query @ key.transpose(-2, -1)
    root = math.sqrt(WIDTH)
    guesses = {
        "the division by √d is missing: wide queries would make up their minds at birth": scores,
        "you divided by d; the spread of the scores grows as its root, so divide by √d": (
            scores / WIDTH
        ),
        "you multiplied by √d, which makes the spread worse; divide": scores * root,
        "you divided by the root of the number of keys; a score sums over the width": (
            scores / math.sqrt(KEYS)
        ),
        "you divided by the root of the values' width; the values are not in the scores": (
            scores / math.sqrt(D_VALUE)
        ),
        "you divided by √d_model, all heads together; each score sums over one head's width": (
            scores / math.sqrt(heads * WIDTH)
        ),
        "you divided by the root of the number of heads: count the axes from the end, size(-1)": (
            scores / math.sqrt(heads)
        ),
        "you divided by the root of the number of queries; a score sums over the width": (
            scores / math.sqrt(QUERIES)
        ),
    }
    for message, guess in guesses.items():
        if same(got, torch.softmax(guess, dim=-1) @ value):
            raise Mistake(message)
    if same(got, torch.softmax(scores, dim=-1) / root @ value):
        raise Mistake(
            "you scaled the weights, after the softmax, so they no longer add up to one; scale "
            "the scores"
        )
    for axis, name in ((-2, "the queries"), (1, "the heads"), (0, "the batch")):
        if same(got, torch.softmax(scores / root, dim=axis) @ value):
            raise Mistake(f"softmax runs over {name}; it belongs over the keys, dim=-1")
    raise Mistake("the shape is right, but the answers are not softmax(Q Kᵀ / √d) V")


def _require_any_axes(
    scaled_dot_product: Callable[[Tensor, Tensor, Tensor], Tensor],
) -> None:
    """Look at other numbers of axes in front than two."""
    for axes in ((), (2,), (2, 3, 2)):
        query, key, value = _draw(*axes, QUERIES + 2 * KEYS, WIDTH).split(
            [QUERIES, KEYS, KEYS], dim=-2
        )
        case = f"with two axes in front your answers are right, with {len(axes)}"
        try:
            got = scaled_dot_product(query, key, value)
        except (RuntimeError, IndexError, ValueError) as error:
            raise Mistake(
                f"{case} your code raises: {error}. Count the axes from the end: transpose(-2, -1)"
            ) from None
        if not (isinstance(got, Tensor) and same(got, attention(query, key, value)[0])):
            raise Mistake(f"{case} they are not: count the axes from the end, as dim=-1 does")


@exercise(
    "attention",
    4,
    "find what each key must add to its scores, so that attention is a Gaussian regression.",
    "long keys had an advantage in the dot product, and your bias takes it away.",
)
def check_gaussian_bias(gaussian_bias: Callable[[Tensor], Tensor]) -> None:
    """Check the bias that turns attention into Gaussian kernel regression."""
    numbers = _draw(QUERIES + 2 * KEYS, WIDTH)
    queries, keys, values = numbers.split([QUERIES, KEYS, KEYS])
    got = gaussian_bias(keys)
    if isinstance(got, Tensor) and got.shape == (KEYS, 1):
        raise Mistake(
            "your bias is a column, and would give each query a number of its own; a key's number "
            "is the same for all queries: return a row, of shape (m,)"
        )
    if isinstance(got, Tensor) and got.shape == (1, KEYS):
        got = got[0]
    got = require_tensor(got, (KEYS,), meaning="one number for each key").double()

    root = math.sqrt(WIDTH)
    squares = keys.square().sum(dim=-1)
    # What is the same for all keys cancels in the softmax, so it may be there or not.
    if same(got - got.mean(), (squares.mean() - squares) / (2 * root)):
        kernel = torch.exp(-torch.cdist(queries, keys).square() / (2 * root))
        expected = kernel @ values / kernel.sum(dim=-1, keepdim=True)
        biased, _ = attention(queries, keys, values, bias=got.expand(QUERIES, KEYS))
        if not same(biased, expected):
            raise Mistake("attention with your bias is not the regression")
        return
    guesses = {
        "the sign is wrong: as it stands, long keys gain twice; the term is subtracted": (
            squares / (2 * root)
        ),
        "the 2 in the denominator is missing": -squares / root,
        "the √d is missing: the bias is added after the scaling, so scale it too": -squares / 2,
        "you divided by d where the kernel has √d": -squares / (2 * WIDTH),
        "you took the length of each key, not its square": -keys.norm(dim=-1) / (2 * root),
        "you added the numbers of each key without squaring them": -keys.sum(-1) / (2 * root),
        "you averaged the squares of each key; the squared length is their sum": (
            -keys.square().mean(dim=-1) / (2 * root)
        ),
    }
    for message, guess in guesses.items():
        if same(got - got.mean(), guess - guess.mean()):
            raise Mistake(message)
    raise Mistake(
        "these numbers do not make attention a Gaussian regression; expand the squared distance"
    )
