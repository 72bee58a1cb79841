"""Checks for the exercises of the chapter on multi-head attention."""

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.heads_compared import MEAN_GAIN, right_after_thirty_steps
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.paired_arms import measure_paired
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention
from softlookup.layers.masks import causal
from softlookup.layers.multi_head import merge_heads, split_heads

BATCH, LENGTH, HEADS, D_HEAD = 2, 5, 3, 7
WIDTH = HEADS * D_HEAD

Contributions = Callable[[Tensor, Tensor], Tensor]

_draw = partial(draw, seed=4, dtype=torch.float32)


@exercise(
    "multi_head",
    1,
    "give each head queries of its own, and all heads the same keys and values.",
    "this is multi-query attention: many lookups, one set of keys and values to keep.",
)
def check_multi_query(
    multi_query: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, int], Tensor],
) -> None:
    """Check attention whose heads share one set of keys and values."""
    x = _draw(BATCH, LENGTH, WIDTH)
    # Scores well apart, so that a forgotten scale or a wrong axis moves the result.
    w_q, w_o = _draw(2, WIDTH, WIDTH) / WIDTH**0.5 * 1.5
    w_k, w_v = draw(2, WIDTH, D_HEAD, seed=5, dtype=torch.float32) / WIDTH**0.5 * 1.5
    got = multi_query(x, w_q, w_k, w_v, w_o, HEADS)
    if isinstance(got, Tensor) and got.shape == (BATCH, LENGTH, D_HEAD):
        raise Mistake(
            "the result has the width of one head; the heads still have to be merged (not added "
            "or averaged) and multiplied by W_O"
        )
    got = require_tensor(got, (BATCH, LENGTH, WIDTH))
    query = split_heads(x @ w_q, HEADS)
    key, value = (x @ w_k)[:, None], (x @ w_v)[:, None]
    scores = query @ key.mT
    scaled = scores / D_HEAD**0.5
    weights = scaled.softmax(-1)
    if same(got, _finish(weights @ value, w_o)):
        return
    mixed = (x @ w_q).reshape(BATCH, HEADS, LENGTH, D_HEAD)
    everything = (x @ w_q).view(BATCH, LENGTH, D_HEAD, HEADS).permute(0, 3, 1, 2)
    one_question = query[:, :1].expand(-1, HEADS, -1, -1)
    name_first(
        got,
        [
            (merge_heads(weights @ value), "the result is the concatenation: multiply it by W_O"),
            (
                _finish((scores / WIDTH**0.5).softmax(-1) @ value, w_o),
                "you divided the scores by √d_model; a score sums over the width of a key, so "
                "the divisor is its root, √d_head",
            ),
            (
                _finish(scores.softmax(-1) @ value, w_o),
                "the scores are not scaled; divide them by √d_head before the softmax",
            ),
            (
                _finish(scaled.softmax(-2) @ value, w_o),
                "softmax runs over the queries; the weights of one query sum to one over keys",
            ),
            (
                _finish(scaled.softmax(1) @ value, w_o),
                "softmax runs over the heads; each head makes its own distribution over keys",
            ),
            (
                _finish(_soft(mixed, key) @ value, w_o),
                "your queries are split by a view alone, so a head asks with numbers of several "
                "tokens; cut the width first, then swap heads and tokens",
            ),
            (
                _finish(_soft(everything, key) @ value, w_o),
                "a head's query takes every third number of its token; a head is a run of "
                "neighbouring numbers",
            ),
            (
                _finish(_soft(one_question, key) @ value, w_o),
                "every head asks the first head's question; only keys and values are shared",
            ),
            (
                _finish(weights @ key, w_o),
                "you average the keys; what is averaged is the values, x @ w_v",
            ),
            (
                (weights @ value).reshape(BATCH, LENGTH, WIDTH) @ w_o,
                "your merge mixes tokens: bring the heads behind the tokens before you flatten",
            ),
        ],
    )
    require_same(
        got,
        _finish(weights @ value, w_o),
        "the numbers differ; compare in this order: queries (batch, heads, length, d_head), keys "
        "and values (batch, 1, length, d_head), weights, merge, W_O",
        axes=("sentence", "token", "width"),
        given={"x": x},
    )


@exercise(
    "multi_head",
    2,
    "return, for each head, the matrix that compares tokens and the matrix that carries them.",
    "these two are all that a head is: four matrices were written, and two products count.",
)
def check_head_matrices(
    head_matrices: Callable[[Tensor, Tensor, Tensor, Tensor, int], tuple[Tensor, Tensor]],
) -> None:
    """Check the formula of each head's comparing and carrying matrix, at random matrices."""
    w_q, w_k, w_v, w_o = draw(4, WIDTH, WIDTH, seed=6)
    got = head_matrices(w_q, w_k, w_v, w_o, HEADS)
    if not isinstance(got, tuple | list) or len(got) != 2:
        raise Mistake("two results are expected, the matrices that compare and those that carry")
    shape, meaning = (HEADS, WIDTH, WIDTH), "one matrix (d_model, d_model) for each head"
    compare = require_tensor(got[0], shape, "what you return first", meaning)
    carry = require_tensor(got[1], shape, "what you return second", meaning)
    query, key, value = (_columns(matrix) for matrix in (w_q, w_k, w_v))
    rows = w_o.view(HEADS, D_HEAD, WIDTH)
    right_compare, right_carry = query @ key.mT, value @ rows
    if same(compare, right_carry) and same(carry, right_compare):
        raise Mistake("the two are exchanged: the one that compares comes first")
    if not same(compare, right_compare):
        _name_comparison(compare, right_compare, w_q, w_k)
    if not same(carry, right_carry):
        _name_carrying(carry, right_carry, w_v, w_o)


def _name_comparison(compare: Tensor, right: Tensor, w_q: Tensor, w_k: Tensor) -> None:
    """Say what is wrong with the matrices that compare."""
    query_rows, key_rows = (w.view(HEADS, D_HEAD, WIDTH) for w in (w_q, w_k))
    name_first(
        compare,
        [
            (
                right.mT,
                "your comparing matrix is transposed: in X A Xᵀ the token that asks stands on "
                "the left, so W_Q does too",
            ),
            (
                right / D_HEAD**0.5,
                "you divided by √d_head; the scale is applied to the scores afterwards, and is "
                "no part of the matrix",
            ),
            (
                (w_q @ w_k.mT).expand(HEADS, -1, -1),
                "your comparing matrix is the same for all heads, W_Q W_Kᵀ whole: that is the "
                "sum over the heads; take the head's own columns of both",
            ),
            (
                query_rows.mT @ key_rows,
                "you cut W_Q and W_K by rows; X W_Q gives a head its columns",
            ),
            (
                _interleaved(w_q) @ _interleaved(w_k).mT,
                "you gave each head every third column of W_Q and W_K; a head's columns are "
                "neighbours",
            ),
            (
                right[:1].expand(HEADS, -1, -1),
                "every head compares with the columns of head 1",
            ),
        ],
    )
    require_same(
        compare,
        right,
        "your comparing matrices are others: write q_i · k_j out with x_i and x_j",
        axes=("head", "row", "column"),
    )


def _name_carrying(carry: Tensor, right: Tensor, w_v: Tensor, w_o: Tensor) -> None:
    """Say what is wrong with the matrices that carry."""
    value = _columns(w_v)
    name_first(
        carry,
        [
            (
                right.mT,
                "your carrying matrix is transposed: tokens are rows, so x goes through W_V "
                "first, from the left",
            ),
            (
                value @ _columns(w_o).mT,
                "you took columns of W_O; what head i found meets the i-th block of its rows",
            ),
            (
                (w_v @ w_o).expand(HEADS, -1, -1),
                "your carrying matrix is W_V W_O whole, the same for all heads: that is the sum "
                "over the heads",
            ),
            (
                right / HEADS,
                "you divided by the number of heads; the layer is their sum, not their average",
            ),
            (
                value @ w_o.view(HEADS, D_HEAD, WIDTH)[:1],
                "every head goes through the first block of W_O; head i has block i",
            ),
        ],
    )
    require_same(
        carry,
        right,
        "your comparing matrices are right, and the carrying ones are not: follow one value from "
        "x through W_V and then through W_O",
        axes=("head", "row", "column"),
    )


@exercise(
    "multi_head",
    3,
    "mend the two mistakes, and leave everything else as it is.",
    "tokens stay apart, and scores are divided by the root of what they sum over.",
)
def check_repair(
    repaired: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, int], Tensor],
) -> None:
    """Check a causal layer with its input added, in which two mistakes were mended."""
    for n_heads, length in ((HEADS, LENGTH), (7, 4)):
        _check_repair(repaired, n_heads, length)


def _check_repair(
    repaired: Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, int], Tensor],
    n_heads: int,
    length: int,
) -> None:
    x = _draw(BATCH, length, WIDTH)
    w_q, w_k, w_v, w_o = _draw(4, WIDTH, WIDTH) / WIDTH**0.5 * 1.5
    d_head = WIDTH // n_heads
    got = require_tensor(repaired(x, w_q, w_k, w_v, w_o, n_heads), (BATCH, length, WIDTH))
    query, key, value = (split_heads(x @ matrix, n_heads) for matrix in (w_q, w_k, w_v))
    scores, mask = query @ key.mT, causal(length)

    def weights(divisor: float, dim: int = -1) -> Tensor:
        return (scores / divisor).masked_fill(~mask, -math.inf).softmax(dim).nan_to_num()

    def unmerged(heads: Tensor) -> Tensor:
        return heads.reshape(BATCH, length, WIDTH) @ w_o

    heads = weights(d_head**0.5) @ value
    merged = _finish(heads, w_o)
    if same(got, x + merged):
        return
    too_even = weights(WIDTH**0.5) @ value
    open_heads = (scores / d_head**0.5).softmax(-1) @ value
    strict = (scores / d_head**0.5).masked_fill(~mask.tril(-1), -math.inf).softmax(-1)
    name_first(
        got,
        [
            (x + unmerged(too_even), "both mistakes are still there"),
            (
                x + unmerged(heads),
                "the scale is mended. But influence still passes between the wrong tokens: move "
                "one token, and see which outputs follow",
            ),
            (
                x + _finish(too_even, w_o),
                "the tokens are kept apart now. But the weights are still too even: over how "
                "many products does one score sum?",
            ),
            (
                x + _finish(weights(1.0) @ value, w_o),
                "now the scores are not scaled at all; they have to be divided by √d_head",
            ),
            (
                x + _finish(weights(d_head) @ value, w_o),
                "you divide by d_head; its root is what keeps the scores' spread at one",
            ),
            (
                x + _finish(weights(n_heads**0.5) @ value, w_o),
                "you divide by the root of the number of heads; a score sums over d_head products",
            ),
            (merged, "both mistakes are mended, but the input is no longer added at the end"),
            (
                x + _finish(open_heads, w_o),
                "both mistakes are mended, but the mask is gone: a token may look at itself and "
                "at earlier tokens only",
            ),
            (
                x + _finish(strict.nan_to_num() @ value, w_o),
                "both mistakes are mended, but the mask now hides each token from itself",
            ),
            (
                x + merge_heads(heads),
                "both mistakes are mended, but W_O is missing",
            ),
            (
                x + _finish(weights(d_head**0.5, -2) @ value, w_o),
                "you turned the softmax to the queries; its axis was right",
            ),
            (
                x + (heads.permute(0, 2, 3, 1).flatten(2) @ w_o),
                "your merge interleaves the heads number by number; a head's numbers stay "
                "together, as split_heads cut them",
            ),
        ],
    )
    require_same(
        got,
        x + merged,
        "something other than the two mistakes has changed, or a new one came in; start again "
        "from the code as given, and ask of each line what it may mix and what it sums over",
        axes=("sentence", "token", "width"),
        given={"x": x},
    )


@exercise(
    "multi_head",
    4,
    "write a test that tells honest shares of the heads from invented ones.",
    "your test asks both questions: do the shares add up, and is each the doing of its head?",
)
def check_shares(is_honest: Callable[[Contributions], bool]) -> None:
    """Try a test of functions that claim to say what each head adds to the output."""
    judge(is_honest, HONEST, IMPOSTORS)


def _shares(heads: Tensor, w_o: Tensor) -> Tensor:
    """What each head adds, each through its own rows of W_O."""
    return heads @ w_o.unflatten(0, (heads.size(1), heads.size(3)))


def _summed_by_columns(heads: Tensor, w_o: Tensor) -> Tensor:
    """The same, one column of a head's numbers after the other, the last first."""
    rows = w_o.unflatten(0, (heads.size(1), heads.size(3)))
    return sum(heads[..., j : j + 1] * rows[:, j : j + 1] for j in reversed(range(heads.size(3))))


def _by_what_is_missing(heads: Tensor, w_o: Tensor) -> Tensor:
    """The same, as the layer's output less what it is without the head."""
    whole = merge_heads(heads) @ w_o
    others = []
    for head in range(heads.size(1)):
        without = heads.clone()
        without[:, head] = 0.0
        others.append(whole - merge_heads(without) @ w_o)
    return torch.stack(others, dim=1)


def _leaking(heads: Tensor, w_o: Tensor) -> Tensor:
    """Each head passes a tenth of its share on to the next, so that the sum stays right."""
    shares = _shares(heads, w_o)
    return 0.9 * shares + 0.1 * shares.roll(1, dims=1)


def _all_to_first(heads: Tensor, w_o: Tensor) -> Tensor:
    shares = torch.zeros_like(_shares(heads, w_o))
    shares[:, 0] = merge_heads(heads) @ w_o
    return shares


def _last_takes_the_rest(heads: Tensor, w_o: Tensor) -> Tensor:
    shares = 0.8 * _shares(heads, w_o)
    shares[:, -1] += 0.2 * (merge_heads(heads) @ w_o)
    return shares


def _first_sequence_only(heads: Tensor, w_o: Tensor) -> Tensor:
    """Right for the first sequence of a batch; in the others, heads 1 and 2 are exchanged."""
    shares = _shares(heads, w_o)
    shares[1:] = shares[1:].flip(1)
    return shares


def _one_head_only(heads: Tensor, w_o: Tensor, right: int) -> Tensor:
    """Right for one head, the first or the last; the others exchange theirs, or one has none."""
    shares = _shares(heads, w_o)
    others = shares[:, 1:] if right == 0 else shares[:, :-1]
    others.copy_(others.roll(1, dims=1) if others.size(1) > 1 else torch.zeros_like(others))
    return shares


def _last_token_only(heads: Tensor, w_o: Tensor) -> Tensor:
    shares = _shares(heads, w_o)
    shares[:, :, :-1] = shares[:, :, :-1].roll(1, dims=1)
    return shares


HONEST: dict[str, Contributions] = {
    "each head through its rows of W_O": _shares,
    "the same sum, its terms in another order": _summed_by_columns,
    "the same in single precision": lambda heads, w_o: _shares(heads.float(), w_o.float()).to(
        heads.dtype
    ),
    "the output less what it is without the head": _by_what_is_missing,
}
IMPOSTORS: dict[str, Contributions] = {
    "the output in equal parts": lambda heads, w_o: (
        (merge_heads(heads) @ w_o)[:, None].expand(-1, heads.size(1), -1, -1) / heads.size(1)
    ),
    "the output given to head 1 whole": _all_to_first,
    "each share given to the next head": lambda heads, w_o: _shares(heads, w_o).roll(1, dims=1),
    "the shares in the opposite order of heads": lambda heads, w_o: _shares(heads, w_o).flip(1),
    "a tenth of each share passed on to the next head": _leaking,
    "a fifth of the output always booked on the last head": _last_takes_the_rest,
    "W_O transposed": lambda heads, w_o: _shares(heads, w_o.mT),
    "every third row of W_O for a head": lambda heads, w_o: (
        heads @ w_o.unflatten(0, (heads.size(3), heads.size(1))).transpose(0, 1)
    ),
    "shares divided by the number of heads": lambda heads, w_o: _shares(heads, w_o) / heads.size(1),
    "shares one per cent too large": lambda heads, w_o: 1.01 * _shares(heads, w_o),
    "right for the first sequence of the batch only": _first_sequence_only,
    "right for the last token only": _last_token_only,
    "right for the first head only": lambda heads, w_o: _one_head_only(heads, w_o, 0),
    "right for the last head only": lambda heads, w_o: _one_head_only(heads, w_o, -1),
    "shares of the first token given to all": lambda heads, w_o: _shares(heads, w_o)[
        :, :, :1
    ].expand(-1, -1, heads.size(2), -1),
    "signs lost": lambda heads, w_o: _shares(heads, w_o).abs(),
}


@exercise(
    "multi_head",
    5,
    "recover both answers, in order, from one mixture with unequal weights.",
    "one average holds both answers and their order, for a reader that is not linear.",
)
def check_read_mixture(
    read_mixture: Callable[[Tensor, Tensor, float], Tensor],
) -> None:
    """Check a reader of two values, mixed with known, unequal weights."""
    n_values, width = 7, 11
    table = draw(n_values, width, seed=8)
    first, second = torch.cartesian_prod(torch.arange(n_values), torch.arange(n_values)).T
    right = torch.stack([first, second], dim=1)
    unlike = first != second
    noise = 1e-3 * draw(n_values**2, width, seed=9)
    for weight in (0.65, 0.3):
        mixture = weight * table[first] + (1 - weight) * table[second] + noise
        got = read_mixture(mixture, table, weight)
        if isinstance(got, tuple | list) and all(isinstance(each, Tensor) for each in got):
            got = torch.stack([*got], dim=-1)
        got = require_tensor(
            got, (n_values**2, 2), meaning="for each mixture the first answer and the second"
        ).long()
        if torch.equal(got, right):
            continue
        where = f"at weight {weight:g} on the first answer"
        if torch.equal(got, right.flip(1)):
            if weight < 0.5:
                raise Mistake(
                    "at weight 0.65 you are right, and below a half the order is wrong: the "
                    "first answer is not always the heavier one"
                )
            raise Mistake("your answers come in the opposite order: weight is the first answer's")
        if torch.equal(got[:, :1], got[:, 1:]):
            raise Mistake(
                "both of your answers are always the same value: that is what a linear reader "
                "does, which sees the heavier value twice"
            )
        if torch.equal(got, right.sort(dim=1).values) or (got[:, 0] <= got[:, 1]).all():
            raise Mistake("your answers are sorted; their order is what the weights tell")
        if torch.equal(got[unlike], right[unlike]):
            raise Mistake(
                "you find all pairs of different values, and miss those in which both answers "
                "are the same value"
            )
        if torch.equal(got[~unlike], right[~unlike]) or (got == right).double().mean() > 0.5:
            wrong = int((got != right).any(dim=1).sum())
            raise Mistake(
                f"{where} {wrong} of {n_values**2} pairs are wrong: the vectors are neither "
                "orthogonal nor equally long, so the value most alike need not be in the "
                "mixture; hold the mixture against what each pair would give"
            )
        raise Mistake(f"{where} most pairs are wrong: which mixture would each pair give?")


def _finish(heads: Tensor, w_o: Tensor) -> Tensor:
    return merge_heads(heads) @ w_o


def _soft(query: Tensor, key: Tensor) -> Tensor:
    return attention(query, key.expand(-1, HEADS, -1, -1), key.expand(-1, HEADS, -1, -1))[1]


def _columns(matrix: Tensor) -> Tensor:
    """The columns of a projection that belong to each head: (heads, d_model, d_head)."""
    return matrix.unflatten(1, (HEADS, D_HEAD)).transpose(0, 1)


def _interleaved(matrix: Tensor) -> Tensor:
    """Every third column for a head, as a wrong cut of the width gives it."""
    return matrix.unflatten(1, (D_HEAD, HEADS)).permute(2, 0, 1)


@exercise(
    "multi_head",
    6,
    "return low and high, between which the mean gain of two heads over one lies.",
    "your interval says how much, and how sure: paired by seed, every run counted, no wider than "
    "it need be.",
)
def check_report(report: Report) -> None:
    """Check a report on one head against two, in invented worlds and on trained models."""
    measure_paired(report, right_after_thirty_steps, MEAN_GAIN)
