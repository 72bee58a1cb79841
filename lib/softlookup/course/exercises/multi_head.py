"""Checks for the exercises of the chapter on multi-head attention."""

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import require_same
from softlookup.course.exercises.head_matrices_slips import (
    D_HEAD,
    HEADS,
    WIDTH,
    columns_of_heads,
    name_carrying,
    name_comparison,
)
from softlookup.course.exercises.heads_compared import MEAN_GAIN, right_after_thirty_steps
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.measuring import Report
from softlookup.course.exercises.mixed_pairs import other_pairs
from softlookup.course.exercises.multi_query_slips import multi_query_parts
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

BATCH, LENGTH = 2, 5

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
    layer, slips = multi_query_parts(x, w_q, w_k, w_v, w_o, HEADS)
    name_slips(got, layer, slips)
    require_same(
        got,
        layer(),
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
    query, key, value = (columns_of_heads(matrix) for matrix in (w_q, w_k, w_v))
    rows = w_o.view(HEADS, D_HEAD, WIDTH)
    right_compare, right_carry = query @ key.mT, value @ rows
    if same(compare, right_carry) and same(carry, right_compare):
        raise Mistake("the two are exchanged: the one that compares comes first")
    if not same(compare, right_compare):
        name_comparison(compare, right_compare, w_q, w_k, w_v)
    if not same(carry, right_carry):
        name_carrying(carry, right_carry, w_v, w_o, w_k)


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
        name_first(got.double(), other_pairs(mixture, table, weight))
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
