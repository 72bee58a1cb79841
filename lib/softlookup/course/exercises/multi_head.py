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
from softlookup.course.exercises.shares_on_trial import (
    HONEST,
    IMPOSTORS,
    Contributions,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.slips import Slips, name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.masks import causal
from softlookup.layers.multi_head import merge_heads, split_heads

BATCH, LENGTH, HEADS, D_HEAD = 2, 5, 3, 7
WIDTH = HEADS * D_HEAD

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
    right = _multi_query(x, w_q, w_k, w_v, w_o)[0]()
    name_slips(got, *_multi_query(x, w_q, w_k, w_v, w_o))
    require_same(
        got,
        right,
        "the numbers differ; compare in this order: queries (batch, heads, length, d_head), keys "
        "and values (batch, 1, length, d_head), weights, merge, W_O",
        axes=("sentence", "token", "width"),
        given={"x": x},
    )


def _multi_query(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor
) -> tuple[Callable[..., Tensor], Slips]:
    """Attention with one set of keys and values, and what may be wrong with each part of it."""

    def split(queries: Tensor) -> Tensor:
        return split_heads(queries, HEADS)

    def attend(
        w_q: Tensor = w_q,
        w_k: Tensor = w_k,
        w_v: Tensor = w_v,
        w_o: Tensor = w_o,
        split: Callable[[Tensor], Tensor] = split,
        divisor: float = D_HEAD**0.5,
        weigh: Callable[[Tensor], Tensor] = lambda scores: scores.softmax(dim=-1),
        merge: Callable[[Tensor], Tensor] = merge_heads,
    ) -> Tensor:
        keys, values = (x @ w_k)[:, None], (x @ w_v)[:, None]
        return merge(weigh(split(x @ w_q) @ keys.mT / divisor) @ values) @ w_o

    return attend, {
        "w_q": {
            "W_Q is transposed: tokens are rows, x @ w_q": w_q.mT,
            "the queries are made with W_O": w_o,
            "the queries are not projected: x @ w_q is missing": torch.eye(WIDTH),
        },
        "w_k": {"the keys are made with W_V; they are x @ w_k": w_v},
        "w_v": {"you average the keys; what is averaged is the values, x @ w_v": w_k},
        "w_o": {
            "the result is the concatenation: multiply it by W_O": torch.eye(WIDTH),
            "W_O is transposed: tokens are rows, … @ w_o": w_o.mT,
            "the result is multiplied by W_Q in W_O's place": w_q,
            "the result is multiplied by W_O twice": w_o @ w_o,
        },
        "split": {
            "your queries are split by a view alone, so a head asks with numbers of several "
            "tokens; cut the width first, then swap heads and tokens": lambda queries: (
                queries.reshape(BATCH, HEADS, LENGTH, D_HEAD)
            ),
            "a head's query takes every third number of its token; a head is a run of "
            "neighbouring numbers": lambda queries: queries.view(
                BATCH, LENGTH, D_HEAD, HEADS
            ).permute(0, 3, 1, 2),
            "every head asks the first head's question; only keys and values are shared": (
                lambda queries: split(queries)[:, :1].expand(-1, HEADS, -1, -1)
            ),
            "all heads ask the mean of their questions; only keys and values are shared": (
                lambda queries: split(queries).mean(dim=1, keepdim=True).expand(-1, HEADS, -1, -1)
            ),
            "the heads stand in the opposite order": lambda queries: split(queries).flip(1),
        },
        "divisor": {
            "you divided the scores by √d_model; a score sums over the width of a key, so "
            "the divisor is its root, √d_head": WIDTH**0.5,
            "the scores are not scaled; divide them by √d_head before the softmax": 1.0,
            "you divided the scores by d_head; the divisor is its root": D_HEAD,
            "you divided the scores by the root of the number of heads; take √d_head": HEADS**0.5,
            "you multiplied the scores by √d_head; divide": D_HEAD**-0.5,
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
                scores.masked_fill(~causal(LENGTH), -math.inf).softmax(dim=-1)
            ),
            "the weights are turned round before they meet the values: keys are columns": (
                lambda scores: scores.softmax(dim=-1).mT
            ),
        },
        "merge": {
            "your merge mixes tokens: bring the heads behind the tokens before you flatten": (
                lambda heads: heads.reshape(BATCH, LENGTH, WIDTH)
            ),
            "your merge interleaves the heads number by number; a head's numbers stay together": (
                lambda heads: heads.permute(0, 2, 3, 1).flatten(2)
            ),
        },
    }


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
        _name_comparison(compare, right_compare, w_q, w_k, w_v)
    if not same(carry, right_carry):
        _name_carrying(carry, right_carry, w_v, w_o, w_k)


def _name_comparison(compare: Tensor, right: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> None:
    """Say what is wrong with the matrices that compare."""
    query_rows, key_rows = (w.view(HEADS, D_HEAD, WIDTH) for w in (w_q, w_k))
    whole = "your comparing matrix is the same for all heads, W_Q W_Kᵀ whole: that is the sum over "
    name_first(
        compare,
        [
            (
                (w_q @ w_k.mT).expand(HEADS, -1, -1),
                whole + "the heads; take the head's own columns of both",
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
            (right[:1].expand(HEADS, -1, -1), "every head compares with the columns of head 1"),
        ],
    )

    own_query, own_key = _columns(w_q), _columns(w_k)

    def product(
        query: Tensor = own_query,
        key: Tensor = own_key,
        divisor: float = 1.0,
        after: Callable[[Tensor], Tensor] = lambda matrix: matrix,
    ) -> Tensor:
        return after(query @ key.mT / divisor)

    slips: Slips = {
        "query": {
            "W_V stands in the comparing matrix where W_Q belongs": _columns(w_v),
            "W_K stands in the comparing matrix twice; the first is W_Q": own_key,
            **_cuts(w_q, "W_Q", "compares"),
        },
        "key": {
            "W_V stands in the comparing matrix where W_K belongs": _columns(w_v),
            "W_Q stands in the comparing matrix twice; the second is W_K": _columns(w_q),
            **_cuts(w_k, "W_K", "compares"),
        },
        "divisor": {
            "you divided by √d_head; the scale is applied to the scores afterwards, and is "
            "no part of the matrix": D_HEAD**0.5,
            "you divided by d_head; the scale is no part of the matrix": D_HEAD,
            "you divided by √d_model; the scale is no part of the matrix": WIDTH**0.5,
            "you divided by d_model; the scale is no part of the matrix": WIDTH,
            "you divided by the number of heads; each has its own matrix whole": HEADS,
        },
        "after": {
            "your comparing matrix is transposed: in X A Xᵀ the token that asks stands on "
            "the left, so W_Q does too": lambda matrix: matrix.mT,
            "there is a softmax in your comparing matrix; it is of the weights, not of A": (
                lambda matrix: matrix.softmax(dim=-1)
            ),
            "the heads stand in the opposite order": lambda matrix: matrix.flip(0),
        },
    }
    name_slips(compare, product, slips)
    require_same(
        compare,
        right,
        "your comparing matrices are others: write q_i · k_j out with x_i and x_j",
        axes=("head", "row", "column"),
    )


def _name_carrying(carry: Tensor, right: Tensor, w_v: Tensor, w_o: Tensor, w_k: Tensor) -> None:
    """Say what is wrong with the matrices that carry."""
    own, rows = _columns(w_v), w_o.view(HEADS, D_HEAD, WIDTH)
    whole = "your carrying matrix is W_V W_O whole, the same for all heads: that is the sum over "
    turned = "W_V and W_O have changed places: tokens are rows, so x meets W_V first"
    name_first(
        carry,
        [
            ((w_v @ w_o).expand(HEADS, -1, -1), whole + "the heads"),
            (_columns(w_o) @ w_v.view(HEADS, D_HEAD, WIDTH), turned),
        ],
    )

    def product(
        value: Tensor = own,
        rows: Tensor = rows,
        divisor: float = 1.0,
        after: Callable[[Tensor], Tensor] = lambda matrix: matrix,
    ) -> Tensor:
        return after(value @ rows / divisor)

    slips: Slips = {
        "value": {
            "W_K stands in the carrying matrix where W_V belongs": _columns(w_k),
            **_cuts(w_v, "W_V", "carries"),
        },
        "rows": {
            "you took columns of W_O; what head i found meets the i-th block of its rows": (
                _columns(w_o).mT
            ),
            "you took columns of W_O, turned by a view: head i has the i-th block of its rows": (
                _columns(w_o).reshape(HEADS, D_HEAD, WIDTH)
            ),
            "every head goes through the first block of W_O; head i has block i": rows[:1],
            "the heads go through the blocks of W_O in the opposite order": rows.flip(0),
            "you gave each head every third row of W_O; its rows are neighbours": (
                _interleaved(w_o.mT).mT
            ),
        },
        "divisor": {
            "you divided by the number of heads; the layer is their sum, not their average": HEADS,
            "you divided by √d_head; only scores are scaled": D_HEAD**0.5,
        },
        "after": {
            "your carrying matrix is transposed: tokens are rows, so x goes through W_V "
            "first, from the left": lambda matrix: matrix.mT,
            "your carrying matrices stand in the opposite order of heads": (
                lambda matrix: matrix.flip(0)
            ),
        },
    }
    name_slips(carry, product, slips)
    require_same(
        carry,
        right,
        "your comparing matrices are right, and the carrying ones are not: follow one value from "
        "x through W_V and then through W_O",
        axes=("head", "row", "column"),
    )


def _cuts(matrix: Tensor, name: str, does: str) -> dict[str, Tensor]:
    """Wrong ways to cut a projection into heads, each (heads, d_model, d_head)."""
    there = f"in what {does}, "
    return {
        f"{there}you cut {name} by rows; x @ W gives a head its columns": (
            matrix.view(HEADS, D_HEAD, WIDTH).mT
        ),
        f"{there}you gave each head every third column of {name}; its columns are neighbours": (
            _interleaved(matrix)
        ),
        f"{there}you cut {name} by a view alone, which mixes rows and columns: cut the columns, "
        "then bring the heads to the front": matrix.reshape(HEADS, WIDTH, D_HEAD),
        f"{there}every head has the first one's columns of {name}": (
            _columns(matrix)[:1].expand(HEADS, -1, -1)
        ),
    }


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


_ADDED_TOO_SOON = "the input is added before W_O; it comes to the result as it is"


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

    def layer(
        divisor: float = d_head**0.5,
        weigh: Callable[[Tensor], Tensor] = lambda s: s.masked_fill(~mask, -math.inf).softmax(-1),
        merge: Callable[[Tensor], Tensor] = merge_heads,
        w_o: Tensor = w_o,
        added: Tensor = x,
    ) -> Tensor:
        return added + merge(weigh(scores / divisor).nan_to_num() @ value) @ w_o

    def unmerged(heads: Tensor) -> Tensor:
        return heads.reshape(BATCH, length, WIDTH)

    right = layer()
    if same(got, right):
        return
    name_first(
        got,
        [
            (layer(WIDTH**0.5, merge=unmerged), "both mistakes are still there"),
            (layer(added=x @ w_o), _ADDED_TOO_SOON),
        ],
    )
    only = "what was right has changed, too: "
    slips: Slips = {
        "merge": {
            "influence still passes between the wrong tokens: move one token, and see which "
            "outputs follow": unmerged,
            "your merge interleaves the heads number by number; a head's numbers stay "
            "together, as split_heads cut them": lambda heads: heads.permute(0, 2, 3, 1).flatten(2),
            "you swap the wrong axes in the merge: heads and tokens, axes 1 and 2, change places": (
                lambda heads: heads.mT.reshape(BATCH, length, WIDTH)
            ),
        },
        "divisor": {
            "the weights are still too even: over how many products does one score sum?": (
                WIDTH**0.5
            ),
            "now the scores are not scaled at all; they have to be divided by √d_head": 1.0,
            "you divide by d_head; its root is what keeps the scores' spread at one": d_head,
            "you divide by the root of the number of heads; a score sums over d_head products": (
                n_heads**0.5
            ),
            "you divide by the root of the length; a score sums over d_head products": length**0.5,
            "you multiply by √d_head; divide": d_head**-0.5,
        },
        "weigh": {
            only + "the mask is gone, and a token may look at itself and at earlier ones only": (
                lambda scores: scores.softmax(-1)
            ),
            only + "the mask now hides each token from itself": lambda scores: scores.masked_fill(
                ~mask.tril(-1), -math.inf
            ).softmax(-1),
            only + "your mask is turned round, and hides what may be seen": lambda scores: (
                scores.masked_fill(mask, -1e9).softmax(-1)
            ),
            only + "your mask lets tokens look ahead, at themselves and at later ones": (
                lambda scores: scores.masked_fill(~mask.mT, -math.inf).softmax(-1)
            ),
            only + "hidden scores have become 0, and exp(0) is 1; take -inf": lambda scores: (
                scores.masked_fill(~mask, 0.0).softmax(-1)
            ),
            only + "the mask comes after the softmax now, so that weights no longer sum to one": (
                lambda scores: scores.softmax(-1) * mask
            ),
            "you turned the softmax to the queries; its axis was right": lambda scores: (
                scores.masked_fill(~mask, -math.inf).softmax(-2)
            ),
        },
        "w_o": {
            only + "W_O is missing": torch.eye(WIDTH),
            only + "W_O is transposed, and was right": w_o.mT,
        },
        "added": {
            only + "the input is no longer added at the end": 0 * x,
            only + "the input is taken off at the end, and was added": -x,
            only + "the input is added twice": 2 * x,
        },
    }
    name_slips(got, layer, slips)
    # Who hides everything from a token gets no numbers there; the other tokens tell the mistake.
    kept = got.isfinite().all(dim=-1)
    if kept.any() and not kept.all():
        name_slips(got[kept], lambda **parts: layer(**parts)[kept], slips)
    require_same(
        got,
        right,
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
    judge(is_honest, HONEST, IMPOSTORS, partial(why_unseen, is_honest), why_wronged)


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
        )
        if not torch.equal(got, got.round()):
            raise Mistake(
                "your answers are not whole: a row of the table has a whole number; divide with //"
            )
        got = got.long()
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
        name_first(got.double(), _other_pairs(mixture, table, weight))
        if torch.equal(got[:, :1], got[:, 1:]):
            raise Mistake(
                "both of your answers are always the same value; what is in a mixture is a pair"
            )
        if torch.equal(got, right.sort(dim=1).values) or (got[:, 0] <= got[:, 1]).all():
            raise Mistake(
                "your answers are sorted; their order is what the weights tell. Did you mix the "
                "two half and half?"
            )
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


def _other_pairs(mixture: Tensor, table: Tensor, weight: float) -> list[tuple[Tensor, str]]:
    """What a reader finds that takes another way, and the words for it."""
    n_values = len(table)

    def numbers(pair: Tensor) -> Tensor:
        return torch.stack([pair // n_values, pair % n_values], dim=1).double()

    def expected(weight: float = weight, table: Tensor = table) -> Tensor:
        return (weight * table[:, None] + (1 - weight) * table[None]).flatten(0, 1)

    def twice(first: Tensor) -> Tensor:
        return torch.stack([first, first], dim=1).double()

    far = torch.cdist(mixture, expected())
    alike, near = mixture @ table.T, torch.cdist(mixture, table)
    unit = table / table.norm(dim=1, keepdim=True)
    alone = (
        "you look for the two values most alike, each for itself; hold the mixture against pairs"
    )
    linear = "both of your answers are the value most alike: that is what a linear reader does, "
    linear += "which sees the heavier value twice"
    found = {
        "you take the pair that is farthest away: argmin, and not argmax": numbers(far.argmax(1)),
        "you take the pair with the largest dot product, which prefers long vectors; take the "
        "nearest pair": numbers((mixture @ expected().T).argmax(1)),
        f"{alone} (by dot product)": alike.topk(2).indices.double(),
        f"{alone} (by distance)": near.topk(2, largest=False).indices.double(),
        f"{linear} (by dot product)": twice(alike.argmax(1)),
        linear: twice(near.argmin(1)),
        f"{linear} (by direction)": twice((mixture @ unit.T).argmax(1)),
        "your numbers begin with 1; rows are counted from 0": numbers(far.argmin(1)) + 1,
        "you make the vectors equally long; the mixture is made of those in the table": numbers(
            torch.cdist(mixture, expected(table=unit)).argmin(1)
        ),
        "you compare sums of differences, in which opposite signs cancel; take distances": (
            numbers((mixture[:, None] - expected()).sum(-1).abs().argmin(1))
        ),
    }
    return [(pair, words) for words, pair in found.items()]


def _finish(heads: Tensor, w_o: Tensor) -> Tensor:
    return merge_heads(heads) @ w_o


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
