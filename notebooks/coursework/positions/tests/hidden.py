"""What stays with the teacher: values, held against this file's own."""

import torch
from softlookup.course.exercises.probes import name_first, require_tensor, same
from softlookup.course.exercises.verdict import Mistake


def clock_values(clock_table, *, clock_rule):
    """The table of an even width, of an odd one, and of the smallest."""
    length = 41 + int(torch.randint(60, ()))
    got = _tensor(clock_table(length, 22), (length, 22), "table")
    if not same(got, _table(length, 22, clock_rule)):
        others = [
            ({"base": 10000}, "its base is 10000, as everywhere else; the term has another"),
            *(({"spacing": s}, f"its speeds follow the rule of {s}, which is not this term's")
              for s in ("ends", "half steps", "squares", "periods")),
            *(({"arrangement": a}, f"its columns are arranged as {a}")
              for a in ("sines first", "cosines first", "sine, cosine", "cosine, sine")),
        ]  # fmt: skip
        name_first(
            got,
            [
                (_table(length, 22, {**clock_rule, **change}), f"your table: {words}")
                for change, words in others
            ]
            + [
                (_table(length + 1, 22, clock_rule)[1:], "your table: it is counted from 1"),
                (_table(length, 22, {**clock_rule, "spacing": "library", "base": 10000,
                                     "arrangement": "sine, cosine"}),
                 "your table: it is the one of 2017; this term's clocks are others"),
            ],
        )  # fmt: skip
        raise Mistake("your table: its speeds are not this term's")
    for width in (13, 3, 2):
        got = _tensor(clock_table(7, width), (7, width), f"table of width {width}")
        if not same(got, _table(7, width, clock_rule)):
            raise Mistake(
                f"your table: of width {width} it is another; with an odd width, look again at "
                "how many clocks there are and what stands in the last column"
            )


def add_values(add_clocks, *, clock_rule, scale):
    """The table is scaled, begins where it should, and goes with any number of axes."""
    x, first = torch.randn(2, 3, 7, 12).double(), 3 + int(torch.randint(50, ()))
    got = _tensor(add_clocks(x, first), (2, 3, 7, 12), "sum") - x
    table = _table(first + 7, 12, clock_rule)
    if not same(got, scale * table[first:].expand(2, 3, 7, 12)):
        name_first(
            got[0, 0],
            [
                (table[first:], "your sum: the scale of the clocks is left out"),
                (scale * table[:7], "your sum: it does not begin at the first token's place"),
            ],
        )
        raise Mistake(
            "your sum: what is added is not the scaled row of each token's place; is the table "
            "right?"
        )
    alone = _tensor(add_clocks(torch.zeros(7, 12).double()), (7, 12), "sum without a batch")
    if not same(alone, scale * table[:7]):
        raise Mistake("your sum: of x without a batch, (length, width), it is another")


def step_everywhere(step_matrix, *, clock_rule, side):
    """One matrix for all places: near and far, forwards, backwards, and one after the other."""
    width, far = 26, _table(1500, 26, clock_rule)
    for offset in (3 + int(torch.randint(5, ())), -4, 0, 211):
        matrix = _tensor(step_matrix(offset, width), (width, width), "matrix")
        matrix = matrix.T if side == "left" else matrix
        start, end = max(0, -offset), 1500 - max(0, offset)
        wrong = (far[start:end] @ matrix - far[start + offset : end + offset]).abs()
        if wrong.max() < 1e-3:
            continue
        if wrong[:20].max() < 1e-3:
            raise Mistake(
                "your matrix: it is right at the first places and wrong far away. Was it fitted to "
                "some? Many matrices fit; build the one that holds everywhere"
            )
        back = far[start + offset : end + offset] @ matrix - far[start:end]
        if back.abs().max() < 1e-3:
            raise Mistake(
                f"your matrix: it moves by {-offset} in place of {offset}; a sign is wrong, or it "
                f"stands on the other side, not on the {side}"
            )
        raise Mistake(f"your matrix: it does not move each place by {offset}")
    once, twice = (_tensor(step_matrix(n, width), (width, width), "matrix") for n in (17, 34))
    if not same(once @ once, twice, atol=1e-4):
        raise Mistake("your matrix: two steps of 17 are not a step of 34")
    if not same(once @ once.T, torch.eye(width).double(), atol=1e-4):
        raise Mistake("your matrix: it is no rotation; a step keeps all lengths")


def turn_values(turn, *, turn_rule, clock_rule):
    """Which features turn, with which partner, how fast and which way."""
    x, first = torch.randn(2, 5, 7, 16).double(), 2 + int(torch.randint(40, ()))
    got = _tensor(turn(x, first), (2, 5, 7, 16), "turned x")
    spacing = clock_rule["spacing"]
    if same(got, _turn(x, first, spacing, turn_rule), atol=1e-4):
        return
    other = {"neighbours": "halves", "halves": "neighbours", "left": "right", "right": "left",
             "first": "last", "last": "first"}  # fmt: skip
    name_first(
        got,
        [
            (_turn(x, first, spacing, {**turn_rule, **change}), f"your turn: {words}")
            for change, words in (
                ({"pairing": other[turn_rule["pairing"]]}, f"its pairs are "
                 f"{other[turn_rule['pairing']]}"),
                ({"way": other[turn_rule["way"]]}, f"it turns to the {other[turn_rule['way']]}"),
                ({"end": other[turn_rule["end"]]}, f"it turns the {other[turn_rule['end']]} "
                 "features"),
                ({"share": 1.0}, "it turns all features; some are to rest"),
                ({"base": clock_rule["base"]}, "its base is that of the table"),
                ({"base": 10000}, "its base is 10000, as everywhere else"),
            )
        ]
        + [
            (_turn(x, 0, spacing, turn_rule), "your turn: the first token's place is left out"),
            (_turn(x, first, "library", turn_rule), "your turn: its speeds are those of 2017"),
        ],
    )  # fmt: skip
    raise Mistake("your turn: its angles are not this term's")


def bias_values(distance_bias, *, bias_rule):
    """The bias, head by head."""
    n_heads = 5 + int(torch.randint(4, ()))
    got = _tensor(distance_bias(n_heads, 5, 11), (n_heads, 5, 11), "bias")
    seen = _bias(n_heads, 5, 11, bias_rule)
    hidden = seen == -torch.inf
    if bool((got[hidden] < -1e4).all()) and same(got[~hidden], seen[~hidden]):
        return
    shown = ~_bias(n_heads, 5, 11, {**bias_rule, "ahead": "nowhere"}).isinf()
    choices = {
        "shape": ("linear", "logarithm", "root"),
        "slopes": ("harmonic", "even", "powers"),
        "steepness": (1.0,),
    }
    hypotheses = [
        (
            _bias(n_heads, 5, 11, {**bias_rule, key: value})[shown],
            f"your bias: it has {key} = {value}",
        )
        for key, values in choices.items()
        for value in values
        if value != bias_rule[key]
    ]
    whole = _bias(n_heads, 11, 11, bias_rule)[:, :5]
    paper = _bias(n_heads, 5, 11, {**bias_rule, "slopes": "library", "steepness": 1.0})[shown]
    name_first(got, [(whole, "your bias: the queries are the last tokens, not the first ones")])
    name_first(got[shown], [(paper, "your bias: its slopes are those of the paper")])
    ahead = "your bias: keys that lie ahead do not count as they should; behind it is right"
    name_first(got[shown], [(seen[shown], ahead)])
    name_first(
        got[shown],
        [(result, f"{words}, and the term asks for another") for result, words in hypotheses],
    )
    name_first(got[shown], [(-seen[shown], "your bias: its sign is wrong; far keys weigh more")])
    raise Mistake("your bias: it is not minus the head's slope times the shaped distance")


def score_values(extrapolation_score, *, score_rule):
    """Accuracy beyond over accuracy within, chance taken away, padding left out."""
    trained, symbols = 5, 7
    places = trained * score_rule["stretch"] + 3
    right = torch.rand(11, places) < torch.linspace(0.9, 0.4, places)
    lengths = torch.randint(trained + 3, places + 1, (11,))
    lengths[0] = places
    real = (torch.arange(places) < lengths[:, None]) & (torch.arange(places) >= 2)
    # Where nothing real stands, anything may be.
    right = right | ~real if torch.rand(()) < 0.5 else right & real
    got = torch.tensor(float(extrapolation_score(right, real, trained, symbols)))
    rule = {"trained": trained, "symbols": symbols, **score_rule}
    if not same(got, _score(right, real, **rule)):
        average = {"symbols": "places", "places": "symbols"}[score_rule["average"]]
        wrong = [
            ({**rule, "symbols": torch.inf}, "chance is not taken away"),
            ({**rule, "average": average}, f"it averages over {average}; over "
             f"{score_rule['average']} was asked"),
            ({**rule, "stretch": 1000}, "it takes in all places beyond, not the stretch"),
            ({**rule, "edge": 1}, "its edge is one place off; places count from 0"),
            ({**rule, "whole": True}, "the trained places count among those beyond"),
        ]  # fmt: skip
        every = torch.ones_like(real)
        name_first(
            got,
            [(_score(right, every, **rule), "your score: it counts what is not real, as padding")]
            + [(_score(right, real, **other), f"your score: {words}") for other, words in wrong],
        )
        raise Mistake("your score: it is not (beyond − chance) / (within − chance)")
    nothing = torch.zeros(3, places, dtype=torch.bool)
    learned = float(extrapolation_score(nothing, torch.ones_like(nothing), trained, symbols))
    if not abs(learned) <= 1e-6:
        raise Mistake(
            "your score: who has learned nothing within has nothing to carry on; return 0"
        )


def _tensor(got, shape, what):
    return require_tensor(got, shape, f"your {what}").double()


def _speeds(count, base, spacing):
    i = torch.arange(count, dtype=torch.float64)
    if spacing == "periods":
        return 1 / (1 + i * (base - 1) / count)
    exponents = {
        "ends": i / max(count - 1, 1),
        "half steps": (i + 0.5) / count,
        "squares": (i / count) ** 2,
        "library": i / count,
    }
    return base ** -exponents[spacing]


def _table(length, width, rule):
    whole = rule["odd"] == "zero"
    count = width // 2 if whole else (width + 1) // 2
    places = torch.arange(length, dtype=torch.float64)
    angles = places[:, None] * _speeds(count, rule["base"], rule["spacing"])
    first, second = angles.sin(), angles.cos()
    if rule["arrangement"].startswith("cosine"):
        first, second = second, first
    if rule["arrangement"].endswith("first"):
        table = torch.cat((first, second), dim=-1)
    else:
        table = torch.stack((first, second), dim=-1).flatten(-2)
    return torch.nn.functional.pad(table, (0, 1))[:, :width] if whole else table[:, :width]


def _turn(x, first, spacing, rule):
    turned = round(rule["share"] * x.shape[-1])
    start = 0 if rule["end"] == "first" else x.shape[-1] - turned
    part = x[..., start : start + turned]
    places = torch.arange(first, first + x.shape[-2], dtype=torch.float64)
    angles = places[:, None] * _speeds(turned // 2, rule["base"], spacing)
    angles = angles if rule["way"] == "left" else -angles
    split = (-1, 2) if rule["pairing"] == "neighbours" else (2, -1)
    one, two = part.unflatten(-1, split).unbind(-1 if rule["pairing"] == "neighbours" else -2)
    moved = (one * angles.cos() - two * angles.sin(), one * angles.sin() + two * angles.cos())
    both = torch.stack(moved, dim=-1 if rule["pairing"] == "neighbours" else -2).flatten(-2)
    return torch.cat((x[..., :start], both, x[..., start + turned :]), dim=-1)


def _bias(n_heads, queries, keys, rule):
    h = torch.arange(n_heads, dtype=torch.float64)
    slopes = {
        "harmonic": 1 / (h + 1),
        "even": (n_heads - h) / n_heads,
        "powers": 1.5**-h,
        "library": 2 ** (-8 * (h + 1) / n_heads),
    }[rule["slopes"]]
    places = torch.arange(keys, dtype=torch.float64)
    back = places[keys - queries :, None] - places
    distance = torch.where(back < 0, -back * (2 if rule["ahead"] == "twice as far" else 1), back)
    shapes = {"linear": distance, "logarithm": distance.log1p(), "root": distance.sqrt()}
    bias = -rule["steepness"] * slopes[:, None, None] * shapes[rule["shape"]]
    return bias.masked_fill(back < 0, -torch.inf) if rule["ahead"] == "nowhere" else bias


def _score(right, real, trained, symbols, average, stretch, edge=0, whole=False):
    def accuracy(start, end):
        hits, counts = (right & real)[:, start:end].sum(0), real[:, start:end].sum(0)
        if average == "symbols":
            return hits.sum() / counts.sum()
        return (hits[counts > 0] / counts[counts > 0]).mean()

    within = accuracy(0, trained + edge) - 1 / symbols
    beyond = accuracy(0 if whole else trained + edge, stretch * trained + edge) - 1 / symbols
    return beyond / within if within > 0 else torch.tensor(0.0)
