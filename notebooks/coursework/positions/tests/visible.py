"""The visible tests: they hold each answer against what must be true of it."""

import torch
from softlookup.course.exercises.probes import require_tensor, same
from softlookup.course.exercises.verdict import Mistake


def clocks_are_clocks(clock_table, *, clock_rule):
    """A sine and its cosine lie on a circle, stand where they belong, and start upright."""
    table = _tensor(clock_table(11, 14), (11, 14), "table")
    sines, cosines = _hands(table, clock_rule["arrangement"])
    if same(sines[0], torch.ones(7)) and same(cosines[0], torch.zeros(7)):
        raise Mistake(
            "your table: sines and cosines have changed places; at position 0 sines are 0"
        )
    if not same(sines.square() + cosines.square(), torch.ones(11, 7)):
        raise Mistake(
            "your table: sine² + cosine² of a clock is not one; does each sine stand where its "
            f"cosine is sought ({clock_rule['arrangement']}), and do both have one speed?"
        )
    if not (same(sines[0], torch.zeros(7)) and same(cosines[0], torch.ones(7))):
        raise Mistake(
            "your table: at position 0 the clocks do not stand at 0; is it counted from 1?"
        )
    speeds = torch.atan2(sines[1], cosines[1])
    if not bool((speeds.diff() < 0).all() and (speeds > 0).all()):
        raise Mistake("your table: each clock has to turn more slowly than the one before it")
    odd = _tensor(clock_table(11, 13), (11, 13), "table of an odd width")
    if clock_rule["odd"] == "zero" and not odd[:, -1].abs().max() <= 1e-6:
        raise Mistake("your table: of an odd width, the last column has to be zero")


def every_sentence_gets_the_same(add_clocks):
    """What is added depends on the place: not on the sentence, and not on the words."""
    x = torch.randn(5, 7, 12, dtype=torch.float64)
    kept = x.clone()
    added = _tensor(add_clocks(x), (5, 7, 12), "sum") - kept
    if not torch.equal(x, kept):
        raise Mistake("your sum: it changes the caller's x in place; write x + …, not x += …")
    if same(added, added[:, :1].expand(5, 7, 12)) and not same(added[0], added[1]):
        raise Mistake(
            "your sum: it counts sentences, not words. The positions run along the batch axis, so "
            "all words of a sentence get one place"
        )
    if not same(added, added[:1].expand(5, 7, 12)):
        raise Mistake("your sum: what is added differs from sentence to sentence")
    elsewhere = _tensor(add_clocks(torch.zeros(3, 7, 12)), (3, 7, 12), "sum")
    if not same(added[:3], elsewhere):
        raise Mistake("your sum: what is added depends on the words or on the number of sentences")
    if same(added[0, 0], added[0, 1]):
        raise Mistake("your sum: two places get the same")
    lengths = added[0].norm(dim=-1)
    if not same(lengths, lengths[:1].expand(7)):
        raise Mistake(
            "your sum: what is added is longer at one place than at another; the hands of a clock "
            "keep their length"
        )


def step_moves_your_clocks(step_matrix, clock_table, *, side):
    """The matrix moves the rows of your own table."""
    whole = _tensor(clock_table(500, 10), (500, 10), "table")
    hands = whole.square().sum(-1)
    if not same(hands, torch.full_like(hands, 5.0)) or not torch.pdist(whole.T).min() >= 1e-3:
        raise Mistake(
            "your matrix: it is judged by your table, whose rows are not those of five clocks, "
            "each with a speed of its own"
        )
    table = whole[:23]
    for offset in (1, 5):
        matrix = _tensor(step_matrix(offset, 10), (10, 10), "matrix")
        moved = table[:-offset] @ (matrix.T if side == "left" else matrix)
        if same(moved, table[offset:]):
            continue
        if same(table[offset:] @ (matrix.T if side == "left" else matrix), table[:-offset]):
            raise Mistake(
                f"your matrix: it moves by {-offset} in place of {offset}. A sign is wrong, or it "
                f"is made to stand on the other side; here it stands on the {side}"
            )
        raise Mistake(f"your matrix: it does not move the rows of your table by {offset}")


def scores_know_offsets_alone(turn, *, turn_rule):
    """Lengths are kept, some features rest, and a score does not know where the two stand."""
    width = 24
    turned = round(turn_rule["share"] * width)
    query, key = (torch.randn(3, 7, width, dtype=torch.float64) for _ in range(2))
    got = _tensor(turn(query), (3, 7, width), "turned query")
    if not same(got[:, 0], query[:, 0]):
        raise Mistake("your turn: the token at position 0 is not turned at all")
    rests = slice(turned, None) if turn_rule["end"] == "first" else slice(0, width - turned)
    if not same(got[..., rests], query[..., rests]):
        raise Mistake(
            f"your turn: only the {turn_rule['end']} {turned} of {width} features are turned; the "
            "others stay as they are"
        )
    if not same(got.norm(dim=-1), query.norm(dim=-1)):
        raise Mistake("your turn: it changes the length of a token; a rotation does not")
    near = got @ _tensor(turn(key), (3, 7, width), "turned key").mT
    far_query, far_key = (_tensor(turn(x, 31), (3, 7, width), "turned x") for x in (query, key))
    if same(far_query, got):
        raise Mistake("your turn: it takes no notice of where the first token stands")
    if not same(near, far_query @ far_key.mT, atol=1e-4):
        raise Mistake("your turn: a score changes when query and key move on together")
    if same(near, query @ key.mT):
        raise Mistake("your turn: a score does not know the distance")


def bias_falls_with_distance(distance_bias, *, bias_rule):
    """It is nothing at the query's own place, falls to both sides, and knows distance alone."""
    bias = require_tensor(distance_bias(3, 5, 7), (3, 5, 7), "your bias").double()
    own = bias.diagonal(offset=2, dim1=-2, dim2=-1)
    if not same(own, torch.zeros(3, 5)):
        if same(bias.diagonal(dim1=-2, dim2=-1), torch.zeros(3, 5)):
            raise Mistake(
                "your bias: the queries are the last tokens among the keys; the first query of 5 "
                "among 7 keys stands at place 2"
            )
        raise Mistake("your bias: at the query's own place it is not zero")
    whole = require_tensor(distance_bias(3, 7, 7), (3, 7, 7), "your bias").double()
    if not torch.allclose(whole[:, 2:], bias, atol=1e-5):
        raise Mistake("your bias: it changes when earlier queries are left out")
    back = whole[:, -1]
    if not back.isfinite().all():
        raise Mistake("your bias: a key behind its query is out of sight, or NaN")
    if not bool((back.diff() > 0).all()):
        raise Mistake("your bias: a nearer key has to weigh more than one further back")
    if not bool((whole[:, -1, 0].diff() > 0).all()):
        raise Mistake("your bias: each head has to fall more slowly than the head before it")
    ahead = whole[:, 0, 1:]
    if bias_rule["ahead"] == "nowhere":
        if not bool((ahead < -1e4).all()):
            raise Mistake("your bias: a key ahead of its query has to be out of sight, at −inf")
    elif not ahead.isfinite().all():
        raise Mistake("your bias: this term's looks ahead as well; no key is out of sight")
    elif not bool((ahead.diff() < 0).all() and (ahead < 0).all()):
        raise Mistake("your bias: a key further ahead has to weigh less")


def score_of_two_readers(extrapolation_score, *, score_rule):
    """Who knows everything scores one, and who guesses beyond the trained length scores zero."""
    places = 4 * score_rule["stretch"]
    everywhere, real = torch.ones(5, places, dtype=torch.bool), torch.ones(5, places).bool()
    perfect = float(extrapolation_score(everywhere, real, 4, 5))
    if not abs(perfect - 1) <= 1e-5:
        raise Mistake(f"your score: a perfect reader scores {perfect:.3f}; expected 1")
    guesses = torch.arange(5)[:, None] == torch.arange(places) % 5
    guesses[:, :4] = True
    guessing = float(extrapolation_score(guesses, real, 4, 5))
    if not abs(guessing) <= 1e-5:
        raise Mistake(
            f"your score: beyond the trained length, a guess at 5 symbols scores {guessing:.3f}; "
            "it is right one time in 5, so expected 0. Is chance taken away?"
        )
    forgetful = (torch.arange(5)[:, None] < 3).expand(5, places).clone()
    forgetful[3, :4] = True
    kept = float(extrapolation_score(forgetful, real, 4, 5))
    # (3/5 - 1/5) / (4/5 - 1/5), at every place alike.
    if not 0.45 < kept < 0.9:
        raise Mistake(
            f"your score: who is right four times in five within and three times beyond, where "
            f"chance is one in five, scores {kept:.3f}; expected 2/3"
        )


def only_what_was_asked_is_judged(judge, *, lag):
    """An answer is held against the symbol so many places back, where there is one."""
    symbols = torch.randint(5, (3, 13))
    logits = torch.randn(3, 13, 5)
    for named, expected in ((symbols.roll(lag, 1), True), (symbols.roll(lag, 1) + 1, False)):
        answer = logits.scatter(-1, (named % 5)[..., None], 9.0)
        result = judge(answer, symbols)
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise Mistake("your judge: expected two tensors, what is right and what was asked")
        right, real = (require_tensor(one, (3, 13), "your judgement").bool() for one in result)
        if bool(real[:, :lag].any()):
            raise Mistake(f"your judge: at the first {lag} places nothing is asked yet")
        if not bool(real[:, lag:].all()):
            raise Mistake(f"your judge: from place {lag} on, every place is asked")
        if not bool((right[:, lag:] == expected).all()):
            raise Mistake(
                f"your judge: the answer at place p is right if it is the symbol at place p − {lag}"
            )


def _tensor(got, shape, what):
    got = require_tensor(got, shape, f"your {what}").double()
    # Of infinity minus infinity no comparison is true, and no guard could be asked.
    if not got.isfinite().all():
        raise Mistake(f"your {what}: it holds numbers that are infinite, or NaN")
    return got


def _hands(table, arrangement):
    """The sines and the cosines of a table of even width."""
    half = table.shape[-1] // 2
    if arrangement in ("sine, cosine", "cosine, sine"):
        first, second = table[:, 0::2], table[:, 1::2]
    else:
        first, second = table[:, :half], table[:, half:]
    return (first, second) if arrangement.startswith("sine") else (second, first)
