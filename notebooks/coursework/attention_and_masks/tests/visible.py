"""Tests that you can run: each names the mistake that it finds.

Their inputs are drawn: at every run here the same ones, and others when it is graded.
"""

import math

import torch
from softlookup.course.exercises.verdict import Mistake


def _tensor(answer, shape, what):
    """Refuse what is no tensor of this shape, or holds what no guard can be asked of."""
    if not isinstance(answer, torch.Tensor):
        raise Mistake(f"your {what}: it returned {type(answer).__name__}; expected a tensor")
    if answer.shape != shape:
        raise Mistake(f"your {what}: its shape is {tuple(answer.shape)}; expected {shape}")
    if not torch.isfinite(answer).all():
        raise Mistake(f"your {what}: it holds numbers that are infinite, or NaN")
    return answer.double()


def _bent(score, bend, corner):
    """One number, bent."""
    size = abs(score)
    if bend == "logarithm":
        size = corner * math.log(1 + size / corner)
    elif bend == "root":
        size = size / math.sqrt(1 + size / corner)
    elif bend == "arsinh":
        size = corner * math.asinh(size / corner)
    elif size > corner:
        size = corner + (size - corner) / 4
    return math.copysign(size, score)


def scores_are_scaled_and_bent(scores, *, exponent, bend, corner):
    """Three queries and two keys of width 16 that hold one number each."""
    drawn = (0.75 + torch.rand(5) / 2).tolist()
    asked = [size * one for size, one in zip((60.0, -9.0, 1.5), drawn[:3], strict=True)]
    width, offered = 16, [4.0 * drawn[3], -2.0 * drawn[4]]
    query, key = torch.zeros(3, width), torch.zeros(2, width)
    query[:, 5], key[:, 5] = torch.tensor(asked), torch.tensor(offered)
    answer = scores(query, key)
    if isinstance(answer, torch.Tensor) and answer.shape == (2, 3):
        raise Mistake("your scores: they have a row for each key; give each query a row")
    answer = _tensor(answer, (3, 2), "scores")

    def compared(change):
        numbers = [[change(a * b) for b in offered] for a in asked]
        return torch.allclose(answer, torch.tensor(numbers, dtype=torch.float64), rtol=1e-4)

    scale = width**exponent
    if compared(lambda dot: _bent(dot / scale, bend, corner)):
        return
    hypotheses = {
        "the scale is missing; divide by a power of the width": lambda dot: _bent(
            dot, bend, corner
        ),
        f"they are divided by the root of the width, as in the chapters; here the power is "
        f"{exponent}": lambda dot: _bent(dot / math.sqrt(width), bend, corner),
        "they are multiplied by the scale; divide": lambda dot: _bent(dot * scale, bend, corner),
        "they are divided by the width itself; take its power first": lambda dot: _bent(
            dot / width, bend, corner
        ),
        "they are divided by a power of the number of keys; a dot product sums over the width": (
            lambda dot: _bent(dot / len(offered) ** exponent, bend, corner)
        ),
        "they are scaled, but not bent": lambda dot: dot / scale,
        "they are those of the chapters, q·k/√d; this term's have another power and are bent": (
            lambda dot: dot / math.sqrt(width)
        ),
        "they are bent first and scaled afterwards; scale first": lambda dot: (
            _bent(dot, bend, corner) / scale
        ),
        f"they bend as if the corner were 1; it is {corner:g}": lambda dot: _bent(
            dot / scale, bend, 1.0
        ),
        "negative ones have become positive; the bend is the same on both sides of zero": (
            lambda dot: abs(_bent(dot / scale, bend, corner))
        ),
        "they are weights already; leave the softmax for later": lambda dot: math.nan,
    }
    if torch.allclose(answer.sum(-1), torch.ones(3, dtype=torch.float64), atol=1e-4):
        raise Mistake("your scores: they are weights already; leave the softmax for later")
    for words, change in hypotheses.items():
        if compared(change):
            raise Mistake(f"your scores: {words}")
    wanted = _bent(asked[0] * offered[0] / scale, bend, corner)
    raise Mistake(
        f"your scores: a dot product of {asked[0] * offered[0]:g} at width {width} became "
        f"{float(answer[0, 0]):.4f}; expected {wanted:.4f}"
    )


def pattern_is_as_drawn(pattern, *, picture):
    """The pattern of twelve tokens is that of the picture."""
    length = len(picture)
    expected = torch.tensor([[mark == "#" for mark in row] for row in picture])
    answer = pattern(length)
    if isinstance(answer, torch.Tensor) and answer.dtype != torch.bool:
        raise Mistake(f"your pattern: its dtype is {answer.dtype}; expected torch.bool")
    answer = _tensor(answer, (length, length), "pattern").bool()
    if torch.equal(answer, expected):
        # Whether a token may look at another does not depend on how long the text is.
        longer = _tensor(pattern(29), (29, 29), "pattern").bool()
        if not torch.equal(longer[:length, :length], expected):
            raise Mistake(f"your pattern: of 29 tokens, the first {length} see others than alone")
        if not longer.diagonal(-1).all() or longer.triu().any():
            raise Mistake("your pattern: of 29 tokens, one does not see the token just before it")
        # What a later token sees of the six before it, one of the picture's last six sees, too;
        # and what the last three see, some later ones see.
        later, six, three = (
            {tuple(pattern[i, i - 6 : i].tolist()) for i in rows}
            for pattern, rows in (
                (longer, range(length, 29)),
                (expected, range(length - 6, length)),
                (expected, range(length - 3, length)),
            )
        )
        if not three <= later <= six:
            raise Mistake(
                "your pattern: of 29 tokens, those behind the twelfth do not go on as the picture "
                "does"
            )
        return
    if torch.equal(answer, ~expected):
        raise Mistake("your pattern: it is inverted; True stands where a query MAY look")
    if torch.equal(answer, expected.T):
        raise Mistake("your pattern: it is transposed; row i says what token i may look at")
    if answer.diagonal().all():
        raise Mistake("your pattern: each token sees itself; here it sees only what came before")
    if (answer & ~torch.ones_like(answer).tril()).any():
        raise Mistake("your pattern: a token sees one that comes after it")
    i, j = (int(number) for number in (answer != expected).nonzero()[0])
    verb = "may look" if answer[i, j] else "may not look"
    raise Mistake(f"your pattern: token {i} {verb} at token {j}, counted from 0; see the picture")


def weights_share_out_one(attend):
    """With the rows of the identity as values, what comes back are the weights themselves."""
    query, key = torch.randn(3, 7, 13), torch.randn(3, 11, 13)
    mask = (torch.arange(7)[:, None] + torch.arange(11)) % 3 > 0
    identity = torch.eye(11).expand(3, 11, 11)
    weights = _tensor(attend(query, key, identity, mask), (3, 7, 11), "attend")
    rows, columns = weights.sum(-1), weights.sum(-2)
    if (weights[:, mask].abs() < 1e-9).all():
        raise Mistake("your attend: the mask is inverted; True is where a query may look")
    if (columns - 1).abs().max() < 1e-4:
        raise Mistake("your attend: weights sum to one over queries; softmax runs over the keys")
    if not (rows - 1).abs().max() <= 1e-4:
        raise Mistake(
            "your attend: a query's weights do not sum to one over the keys that it may look at; "
            "mask the scores before the softmax, not the weights after it"
        )
    if not (weights[:, ~mask].abs() <= 1e-9).all():
        raise Mistake("your attend: a key that is masked has weight")
    if not (weights >= 0).all():
        raise Mistake("your attend: a weight is negative")
    alike = (query @ key.mT).masked_fill(~mask, -math.inf)
    if not torch.equal(weights.argmax(-1), alike.argmax(-1)):
        raise Mistake("your attend: the key that fits a query best does not get the most weight")


def nowhere_gives_zeros(attend):
    """A query that may look nowhere gets zeros."""
    query, key, value = torch.randn(2, 5, 13), torch.randn(2, 7, 13), torch.randn(2, 7, 3)
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[3] = False
    answer = attend(query, key, value, mask)
    shaped = isinstance(answer, torch.Tensor) and answer.shape == (2, 5, 3)
    if shaped and answer[:, 3].isnan().any():
        raise Mistake("your attend: a query that may look nowhere gets NaN, 0/0; it gets zeros")
    answer = _tensor(answer, (2, 5, 3), "attend")
    if torch.allclose(answer[:, 3], value.double().mean(-2), atol=1e-4):
        raise Mistake(
            "your attend: a query that may look nowhere gets the average of all values; a very "
            "negative score is no ban if all are as negative: it gets zeros"
        )
    if not answer[:, 3].abs().max() <= 1e-6:
        raise Mistake("your attend: a query that may look nowhere gets something; it gets zeros")
    if not (answer.abs().sum((-2, -1)) >= 1e-6).all():
        raise Mistake("your attend: the queries that may look get zeros too")
    _require_asking(attend, "attend", query, key, value, mask)


def future_changes_nothing(look_back):
    """Other keys and values from token 6 on move no output up to token 6."""
    query, key, value = torch.randn(3, 11, 13), torch.randn(3, 11, 13), torch.randn(3, 11, 5)
    before = _tensor(look_back(query, key, value), (3, 11, 5), "look_back")
    key, value = key.clone(), value.clone()
    key[:, 6:], value[:, 6:] = torch.randn(3, 5, 13), torch.randn(3, 5, 5)
    after = _tensor(look_back(query, key, value), (3, 11, 5), "look_back")
    moved = (~((after - before).abs() <= 1e-6)).any(-1).any(0).nonzero().flatten().tolist()
    if moved and moved[0] < 6:
        raise Mistake(
            f"your look_back: token {moved[0]} changes when keys and values from token 6 on do; "
            "the future leaks"
        )
    if moved and moved[0] == 6:
        raise Mistake("your look_back: token 6 changes when its own key and value do")
    if not moved:
        raise Mistake("your look_back: other keys and values change nothing at all")
    _require_asking(look_back, "look_back", query, key, value)


def newest_is_the_last_row(newest, look_back):
    """What the newest token sees is the last row of what all tokens see."""
    for length in (11, 6, 2):
        query, key = torch.randn(3, length, 13), torch.randn(3, length, 13)
        value = torch.randn(3, length, 5)
        every = _tensor(look_back(query, key, value), (3, length, 5), "look_back")
        answer = _tensor(newest(query[:, -1:], key, value), (3, 1, 5), "newest")
        if not torch.allclose(answer, every[:, -1:], rtol=1e-4, atol=1e-5):
            raise Mistake(
                f"your newest: with {length} tokens it is not the last row of your look_back; "
                f"the newest token is number {length - 1}, counted from 0"
            )
        if length == 11:
            _require_asking(newest, "newest", query[:, -1:], key, value)


def _require_asking(function, what, query, key, value, *mask):
    """Refuse what takes the same of the values whatever is asked, as an average does."""
    shape = (*query.shape[:-1], value.size(-1))
    before = _tensor(function(query, key, value, *mask), shape, what)
    for name, other in (("queries", (-query, key)), ("keys", (query, -key))):
        found = _tensor(function(*other, value, *mask), shape, what)
        if not (found - before).abs().max() >= 1e-4:
            raise Mistake(f"your {what}: with other {name} it takes the same of the values")
