"""Checks for the exercises of the chapter on attention."""

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional as F

from softlookup.course.exercises.checks import exercise
from softlookup.course.exercises.difference import difference, require_same
from softlookup.course.exercises.judging import judge
from softlookup.course.exercises.probes import draw, name_first, require_tensor, same
from softlookup.course.exercises.reported_weights import (
    HONEST,
    IMPOSTORS,
    LookUp,
    why_unseen,
    why_wronged,
)
from softlookup.course.exercises.slips import Slips, name_slips
from softlookup.course.exercises.verdict import Mistake
from softlookup.layers.attention import attention

QUERIES, KEYS, WIDTH, D_VALUE = 7, 11, 5, 3

_draw = partial(draw, seed=2)


@exercise(
    "attention",
    1,
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
    asking, asked = (queries @ A)[:, None, :], (keys @ B)[None, :, :]

    def score(
        met: Tensor = asking + asked,
        bend: Callable[[Tensor], Tensor] = torch.tanh,
        weigh: Callable[[Tensor], Tensor] = lambda bent: bent @ w,
        after: Callable[[Tensor], Tensor] = lambda scores: scores,
    ) -> Tensor:
        return after(weigh(bend(met)))

    right = score()
    if isinstance(got, Tensor) and got.shape == (KEYS, QUERIES):
        raise Mistake("your scores have a row for each key; give each query a row")
    if isinstance(got, Tensor) and got.shape == (QUERIES, KEYS, hidden):
        raise Mistake(
            "there are still p numbers for each pair; their dot product with w makes one score"
        )
    got = require_tensor(got, (QUERIES, KEYS), meaning="one score for each query and key")
    if same(got, right):
        return
    if same(got, torch.tanh((queries @ A) @ w)[:, None] + torch.tanh((keys @ B) @ w)[None]):
        raise Mistake(
            "query and key went through separate networks; add their projections before the tanh"
        )
    if same(got, (torch.tanh(queries @ A) @ w)[:, None] + (torch.tanh(keys @ B) @ w)[None]):
        raise Mistake(
            "you took the tanh of each before they met, so the ranking of keys is the same for "
            "every query; add first, then bend"
        )
    if same(got, queries @ A @ (keys @ B).T):
        raise Mistake("this is a dot product of the two projections; here they are added")
    slips: Slips = {
        "met": {
            "the projections are multiplied where they meet; add them": asking * asked,
            "you take one projection from the other; add them": asking - asked,
        },
        "bend": {
            "the tanh is missing; without it a query adds the same to all its scores": (
                lambda met: met
            ),
            "you bend with another function, the sigmoid; tanh is asked for": torch.sigmoid,
            "you bend with another function, relu; tanh is asked for": torch.relu,
        },
        "weigh": {
            "you added the hidden numbers up; weigh each with its number in w": (
                lambda bent: bent.sum(dim=-1)
            ),
            "you averaged the hidden numbers; weigh each with its number in w, and add": (
                lambda bent: bent.mean(dim=-1)
            ),
            "you divided by p; a dot product with w is a sum, and not an average": (
                lambda bent: bent @ w / hidden
            ),
            "you divided by √p; this score has no scale": lambda bent: bent @ w / hidden**0.5,
        },
        "after": {
            "these are weights already; the scores come before the softmax": (
                lambda scores: scores.softmax(dim=-1)
            ),
            "these are shares over the queries already; the scores come before a softmax": (
                lambda scores: scores.softmax(dim=0)
            ),
        },
    }
    if same(got, torch.tanh((asking + asked) @ w)):
        raise Mistake("the tanh comes last; bend each of the p numbers first, then weigh with w")
    name_slips(got, score, slips)
    require_same(
        got,
        right,
        "the shape is right, but the scores are not w · tanh(q A + k B)",
        axes=("query", "key"),
    )


@exercise(
    "attention",
    2,
    "let every query see one more entry: its score is the threshold, its value the default.",
    "a lookup that may also answer: I hold nothing for you.",
)
def check_lookup_or_default(
    lookup_or_default: Callable[[Tensor, Tensor, Tensor, Tensor, float], Tensor],
) -> None:
    """Check a soft lookup that falls back on a default where no key fits."""
    numbers = _draw(QUERIES + 2 * KEYS + 1, WIDTH)
    queries, keys, values, default = numbers.split([QUERIES, KEYS, KEYS, 1])
    values, default, threshold = values[:, :D_VALUE], default[0, :D_VALUE] + 2, 1.5
    got = lookup_or_default(queries, keys, values, default, threshold)
    if isinstance(got, tuple):
        raise Mistake("your function returned a tuple; only the answers are expected")
    got = require_tensor(got, (QUERIES, D_VALUE), meaning="one answer for each query")
    scores = queries @ keys.T
    raised = torch.exp(scores)
    ordinary = torch.softmax(scores, dim=-1) @ values
    rest = 1 - raised.sum(-1, keepdim=True) / (raised.sum(-1, keepdim=True) + math.exp(threshold))
    fits = scores >= threshold
    hidden = scores.masked_fill(~fits, float("-inf")).softmax(dim=-1).nan_to_num() @ values
    nothing = ~fits.any(dim=-1, keepdim=True)
    column = torch.full((QUERIES, 1), threshold, dtype=scores.dtype)
    best = torch.sigmoid(scores.amax(dim=-1, keepdim=True) - threshold)
    longer, entries = torch.cat([scores, column], dim=-1), torch.cat([values, default[None]])
    name_first(
        got,
        [
            (
                ordinary,
                "the threshold has no effect; softmax sees differences only, so what is added to "
                "all scores of a query, or taken from them, cancels",
            ),
            (
                (1 - rest) * ordinary,
                "your weights add up to less than one, and nothing stands in for the rest: what "
                "the keys do not get belongs to the default",
            ),
            (
                ordinary + rest * default,
                "you added the default to a whole answer: together the weights are more than one",
            ),
            (
                torch.where(nothing, default, ordinary),
                "you switch between the lookup and the default; that is a step, which has no "
                "slope: the default is to share in every answer, as one more entry",
            ),
            (
                torch.where(nothing, default, values[scores.argmax(dim=-1)]),
                "you switch between the best key's value alone and the default: keep the softmax, "
                "with the default as one more entry",
            ),
            (
                torch.where(nothing, default, hidden),
                "you hid the keys below the threshold; every key keeps its share, and the "
                "default is one more entry",
            ),
            (
                (1 - threshold) * ordinary + threshold * default,
                "you mix by the threshold itself; it is a score, and the softmax makes a weight of "
                "it that differs from query to query",
            ),
            (
                ordinary + default,
                "the default is added to whole answers; it is one more value, and counts by the "
                "weight of its entry",
            ),
            (
                (1 - rest) * ordinary + default,
                "the default stands in each answer in full; it is one more value, and counts by "
                "the weight of its entry",
            ),
            (
                best * ordinary + (1 - best) * default,
                "you set the best score alone against the threshold; every key's exponential "
                "stands in the sum, so several fair keys together outweigh it, too",
            ),
            (
                torch.cat([column, scores], dim=-1).softmax(dim=-1) @ entries,
                "the new entry stands first among your scores and last among your values: each "
                "weight meets another entry's value",
            ),
        ],
    )
    name_slips(got, *_with_an_entry(scores, values, default, threshold))
    require_same(
        got,
        torch.softmax(longer, dim=-1) @ entries,
        "the shape is right, but the answers are not averages of the values and the default by "
        "the softmax of all scores",
        axes=("query", "width"),
        given={"default": default.expand(QUERIES, -1)},
    )
    large = lookup_or_default(300 * queries, keys, values, default, threshold)
    expected = torch.softmax(torch.cat([300 * scores, column], dim=-1), dim=-1) @ entries
    if not bool(torch.isfinite(large).all()):
        raise Mistake(
            "with scores of a thousand your answers are not numbers: their exponential overflows. "
            "torch.softmax takes the greatest score away first"
        )
    if not same(large, expected):
        raise Mistake("with small scores your answers are right, with scores of a thousand not")


def _with_an_entry(
    scores: Tensor, values: Tensor, default: Tensor, threshold: float
) -> tuple[Callable[..., Tensor], Slips]:
    """The lookup with one more entry, and what may be wrong with each part of it."""

    def look_up(
        scores: Tensor = scores,
        score: float = threshold,
        value: Tensor = default,
        times: int = 1,
        weigh: Callable[[Tensor], Tensor] = lambda longer: longer.softmax(dim=-1),
    ) -> Tensor:
        beside = torch.full((len(scores), times), score, dtype=scores.dtype)
        rows = torch.cat([values, value.expand(times, -1)])
        return weigh(torch.cat([scores, beside], dim=-1)) @ rows

    return look_up, {
        "scores": {
            "you divided the scores by √d; here they are plain dot products": (scores / WIDTH**0.5),
            "you took the threshold off the keys' scores, and yet gave it to the new entry: it "
            "counts twice": scores - threshold,
            "you lifted low scores to the threshold; every key keeps its own score": (
                scores.clamp(min=threshold)
            ),
            "the default has taken the last key's place; it is one more entry beside all keys": (
                scores.index_fill(-1, torch.tensor(KEYS - 1), float("-inf"))
            ),
        },
        "score": {
            "the threshold has the wrong sign: the higher it is, the more the default gets": (
                -threshold
            ),
            "the new entry has the score 0; its score is the threshold": 0.0,
            "you put the threshold itself among the exponentials; it is a score, so take "
            "its exponential too": math.log(threshold),
            "you took the exponential of the threshold; it is a score, and softmax takes the "
            "exponentials": math.exp(threshold),
            "you divided the threshold by √d; it is a score as it stands": threshold / WIDTH**0.5,
        },
        "value": {
            "the new entry hands out zeros; its value is the default": 0 * default,
            "the new entry hands out the mean of the values; its value is the default": (
                values.mean(dim=0)
            ),
        },
        "times": {
            "there is no entry for the default": 0,
            "you added an entry for each key; every query sees one more, and no more": len(values),
        },
        "weigh": {
            "softmax runs over the queries; each query divides its attention among the "
            "entries, dim=-1": lambda longer: longer.softmax(dim=0),
            "there is no softmax; weights are positive and sum to one": lambda longer: longer,
            "you take the softmax of a softmax; once is enough": (
                lambda longer: longer.softmax(dim=-1).softmax(dim=-1)
            ),
            "these are logarithms of weights, log_softmax; take softmax": (
                lambda longer: longer.log_softmax(dim=-1)
            ),
            "you weigh by sigmoids; the weights of one query are a softmax and sum to one": (
                torch.sigmoid
            ),
        },
    }


@exercise(
    "attention",
    3,
    "return the same answers, and let the gradient reach queries, keys and values.",
    "now where to look can be learned, and not only what is found there.",
)
def check_mended_lookup(mended_lookup: Callable[[Tensor, Tensor, Tensor, float], Tensor]) -> None:
    """Check a soft lookup whose scores had lost their gradient."""
    numbers = _draw(QUERIES + 2 * KEYS, WIDTH)
    given = [part.clone() for part in numbers.split([QUERIES, KEYS, KEYS])]
    given[2] = given[2][:, :D_VALUE].clone()
    queries, keys, values = (part.requires_grad_() for part in given)
    temperature = 0.7
    got = mended_lookup(queries, keys, values, temperature)
    if isinstance(got, tuple):
        raise Mistake("your function returned a tuple; only the answers are expected")
    got = require_tensor(got, (QUERIES, D_VALUE), meaning="one answer for each query")
    scores = queries @ keys.T
    expected = torch.softmax(scores / temperature, dim=-1) @ values
    with torch.no_grad():
        name_slips(got, *_tempered(queries, keys, values, temperature))
    if not same(got, expected):
        raise Mistake(
            "the answers have changed; they were right, the gradient was not: "
            f"{difference(got, expected, axes=('query', 'width'))}"
        )
    probe = _draw(QUERIES, D_VALUE)
    wanted = torch.autograd.grad((expected * probe).sum(), (queries, keys, values))
    if not got.requires_grad:
        raise Mistake("no gradient leaves your answers at all, the values' not either")
    found = torch.autograd.grad((got * probe).sum(), (queries, keys, values), allow_unused=True)
    cut = [
        name
        for name, gradient in zip(("queries", "keys", "values"), found, strict=True)
        if gradient is None or not bool(gradient.any())
    ]
    if cut == ["queries", "keys"]:
        raise Mistake(
            "the gradient reaches the values alone, as before: a score that was turned into a "
            "plain number, or put into a new tensor, has forgotten what it was made from"
        )
    if cut:
        raise Mistake(f"no gradient reaches the {' and the '.join(cut)}")
    for name, gradient, right in zip(("queries", "keys", "values"), found, wanted, strict=True):
        if gradient is not None and not same(gradient, right):
            raise Mistake(
                f"a gradient reaches the {name}, but not all of it: are some scores still cut off?"
            )


def _tempered(
    queries: Tensor, keys: Tensor, values: Tensor, temperature: float
) -> tuple[Callable[..., Tensor], Slips]:
    """The soft lookup, and what may be changed in it by the way."""
    scores = queries @ keys.T

    def look_up(
        scores: Tensor = scores,
        divisor: float = temperature,
        weigh: Callable[[Tensor], Tensor] = lambda scores: scores.softmax(dim=-1),
    ) -> Tensor:
        return weigh(scores / divisor) @ values

    asking, asked = F.normalize(queries, dim=-1), F.normalize(keys, dim=-1)
    right = "; nothing was wrong with the scores"
    return look_up, {
        "scores": {
            f"you divided by √d too{right}": scores / WIDTH**0.5,
            f"negative scores have become zero{right}": scores.clamp(min=0.0),
            f"you made the queries' length one{right}": asking @ keys.T,
            f"you made the keys' length one{right}": queries @ asked.T,
            f"you made the length of queries and keys one{right}": asking @ asked.T,
            f"your scores are distances now{right}": -torch.cdist(queries, keys),
            f"your scores are squared distances now{right}": -torch.cdist(queries, keys).square(),
            f"every key has the first one's score{right}": scores[:, :1].expand_as(scores),
        },
        "divisor": {
            "the temperature is lost; nothing was wrong with it": 1.0,
            "you multiply the scores by the temperature; they were divided by it": 1 / temperature,
            "you divide by the temperature twice; once was right": temperature**2,
        },
        "weigh": {
            "softmax runs over the queries now; it was right over the keys, dim=-1": (
                lambda scores: scores.softmax(dim=0)
            ),
            "you return the best key's value alone; the averages were right as they were": (
                lambda scores: F.one_hot(scores.argmax(dim=-1), KEYS).to(scores.dtype)
            ),
            "the softmax is lost; nothing was wrong with it": lambda scores: scores,
            "there is a log_softmax now; softmax was right": (
                lambda scores: scores.log_softmax(dim=-1)
            ),
            "you divide the weights by the temperature; the scores were divided, before softmax": (
                lambda scores: scores.softmax(dim=-1) / temperature
            ),
        },
    }


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
    if isinstance(got, Tensor) and got.shape == (WIDTH,):
        raise Mistake("you added over the keys, dim=0; each key needs a number, from its own row")
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
    if isinstance(got, Tensor) and same(got, got[:1].expand(KEYS)):
        raise Mistake("you add the same to all keys, which the softmax does not see")

    def bias(
        what: Tensor = squares,
        two: float = 2.0,
        root: float = root,
        sign: float = -1.0,
        last: Callable[[Tensor], Tensor] = lambda number: number,
    ) -> Tensor:
        number = last(sign * what / (two * root))
        return number - number.mean()

    name_slips(
        got - got.mean(),
        bias,
        {
            "sign": {
                "the sign is wrong: as it stands, long keys gain twice; the term is subtracted": 1
            },
            "two": {
                "the 2 in the denominator is missing": 1,
                "the 2 stands outside of the root: 2√d, and not √(2d)": 2**0.5,
                "you multiplied by the 2 of the denominator": 0.5,
                "there is one 2 too many in the denominator": 4,
            },
            "root": {
                "the √d is missing: the bias is added after the scaling, so scale it too": 1,
                "you divided by d where the kernel has √d": WIDTH,
                "you took √m, of the number of keys; d is the width of a key": KEYS**0.5,
                "you divided by the root of √d; the kernel has √d": WIDTH**0.25,
                "you multiplied by √d; the kernel divides by it": 1 / root,
            },
            "what": {
                "you took the length of each key, not its square": keys.norm(dim=-1),
                "you added the numbers of each key without squaring them": keys.sum(dim=-1),
                "you averaged the squares of each key; the squared length is their sum": (
                    keys.square().mean(dim=-1)
                ),
                "you squared the sum of each key's numbers; the squared length is the sum of "
                "squares": keys.sum(dim=-1).square(),
                "you squared the squared length once more": squares.square(),
                "you took the logarithm of the squared length; the kernel's own logarithm has the "
                "squared length in it": squares.log(),
                "you added up each key's products with all keys; its product with itself is asked "
                "for": (keys @ keys.T).sum(dim=-1),
            },
            "last": {
                "this is the factor that is left over; added to a score, it is its logarithm": (
                    torch.exp
                ),
            },
        },
    )
    right = -squares / (2 * root)
    require_same(
        got - got.mean(),
        right - right.mean(),
        "these numbers do not make attention a Gaussian regression; expand the squared distance. "
        "But for what all keys share",
        axes=("key",),
    )


@exercise(
    "attention",
    5,
    "tell lookups whose reported weights are those of their answers from those that only say so.",
    "you asked the weights for what they claim: that the answer was averaged with them.",
)
def check_reports_honestly(reports_honestly: Callable[[LookUp], bool]) -> None:
    """Check a test of whether a lookup reports the weights that it used."""
    judge(reports_honestly, HONEST, IMPOSTORS, why_unseen, why_wronged)
