"""Wrong answers to the exercises of chapter 6, each with the words that its verdict must say."""


def tent(turns, corners="(left, middle, right)", sign="-", b_2="0.0", dtype="torch.float32"):
    return f"""
def tent(left, middle, right, height):
    up, down = height / (middle - left), height / (right - middle)
    corners = torch.tensor({corners}, dtype={dtype})
    turns = torch.tensor({turns}, dtype={dtype})[:, None]
    return torch.ones(1, 3, dtype={dtype}), {sign}corners, turns, torch.tensor([{b_2}])

exercises.check_tent(tent)
"""


def sine(alpha="c", rho="-c**2 * torch.sin(c * t)", lam="c**2 * torch.sin(c * t)"):
    return f"""
def sine_of_hinges(c, t):
    return {alpha}, {rho}, {lam}

exercises.check_sine_of_hinges(sine_of_hinges)
"""


def correct_fact(
    column="key / (1 - threshold)",
    bias="-threshold / (1 - threshold)",
    row="value - today",
    b_2="b_2",
    today="torch.relu(key @ W_1 + b_1) @ W_2 + b_2",
):
    return f"""
def correct_fact(W_1, b_1, W_2, b_2, key, value, threshold):
    today = {today}
    return (
        torch.cat([W_1, ({column})[:, None]], dim=1),
        torch.cat([b_1, ({bias}) * torch.ones(1, dtype=b_1.dtype)]),
        torch.cat([W_2, ({row})[None]]),
        {b_2},
    )

exercises.check_correct_fact(correct_fact)
"""


def centred(body):
    return f"""
def centred_feed_forward(x, W_1, b_1, W_2, b_2):
    hidden = x @ W_1 + b_1
    {body}

exercises.check_centred_feed_forward(centred_feed_forward)
"""


def minus(mean):
    return centred(f"return torch.relu(hidden - {mean}) @ W_2 + b_2")


def is_position_wise(body):
    return f"""
def is_position_wise(function, x):
    {body}

exercises.check_is_position_wise(is_position_wise)
"""


def local(tolerance="rtol=1e-4, atol=1e-5", others="torch.arange(len(x)) != place"):
    """The part of a detector that exchanges one token after the other."""
    return f"""
def is_position_wise(function, x):
    before = function(x)
    for place in range(len(x)):
        changed = x.clone()
        changed[place] = torch.tensor([1.0, -2.0, 0.5, 3.0, -1.0])
        others = {others}
        if not torch.allclose(function(changed)[others], before[others], {tolerance}):
            return False
"""


SHUFFLED = """    return torch.allclose(function(x.flip(0)), before.flip(0), rtol=1e-4, atol=1e-5)

exercises.check_is_position_wise(is_position_wise)
"""

WRONG = [
    ("6.1", "upside down", "upside down", tent("(-up, up + down, -down)")),
    ("6.1", "the biases' sign", "mirrored places", tent("(up, -up - down, down)", sign="+")),
    ("6.1", "a step", "goes up and stays there", tent("(up, -up, 0.0)")),
    ("6.1", "the slope down alone", "you take away the slope down", tent("(up, -down, down)")),
    ("6.1", "two hinges", "goes on falling", tent("(up, -up - down, 0.0)")),
    ("6.1", "equal slopes", "have the same slope", tent("(up, -2 * up, up)")),
    ("6.1", "no turn at the top", "rises on through the middle", tent("(up, 0.0, down)")),
    (
        "6.1",
        "the height forgotten",
        "multiply by the height",
        tent("(up / height, -(up + down) / height, down / height)"),
    ),
    (
        "6.1",
        "heights for slopes",
        "your slopes are the height",
        tent("(height, -2 * height, height)"),
    ),
    (
        "6.1",
        "lifted by b_2",
        "the right tent, but lifted",
        tent("(up, -up - down, down)", b_2="1.0"),
    ),
    (
        "6.1",
        "the right corner too far out",
        "your line bends at -1.5, 0.5, 2",
        tent("(up, -up - down, down)", "(left, middle, 2 * right)"),
    ),
    (
        "6.1",
        "whole numbers",
        "holds whole numbers",
        """
def tent(left, middle, right, height):
    up, down = height / (middle - left), height / (right - middle)
    turns = torch.tensor([[up], [-up - down], [down]])
    return torch.tensor([[1, 1, 1]]), torch.tensor([-left, -middle, -right]), turns, torch.zeros(1)

exercises.check_tent(tent)
""",
    ),
    (
        "6.1",
        "weights as (out, in)",
        "your W_1 has shape (3, 1)",
        """
def tent(left, middle, right, height):
    biases = torch.tensor([-left, -middle, -right])
    return torch.ones(3, 1), biases, torch.tensor([[1.0, -2.0, 1.0]]), torch.zeros(1)

exercises.check_tent(tent)
""",
    ),
    ("6.2", "the sign", "your rho has the opposite sign", sine(rho="c**2 * torch.sin(c * t)")),
    ("6.2", "no inner derivative", "lacks the factor", sine(rho="-torch.sin(c * t)")),
    ("6.2", "one inner derivative", "has c once", sine(rho="-c * torch.sin(c * t)")),
    ("6.2", "the slope itself", "your rho is the slope", sine(rho="c * torch.cos(c * t)")),
    ("6.2", "the cosine's weight", "this is a sine", sine(rho="-c**2 * torch.cos(c * t)")),
    ("6.2", "halved", "your rho is halved", sine(rho="-c**2 * torch.sin(c * t) / 2")),
    ("6.2", "even", "your lambda equals rho", sine(lam="-c**2 * torch.sin(c * t)")),
    ("6.2", "alpha of sin z", "your alpha is 1", sine(alpha="1.0")),
    ("6.2", "alpha of a cosine", "your alpha is 0", sine(alpha="0.0")),
    ("6.2", "alpha for each t", "one number, whatever t", sine(alpha="c * torch.cos(c * t)")),
    ("6.2", "lambda halved", "your lambda is not", sine(lam="c**2 * torch.sin(c * t) / 2")),
    ("6.3", "the value added", "so add what is missing", correct_fact(row="value")),
    (
        "6.3",
        "the difference's sign",
        "has the wrong sign: value minus",
        correct_fact(row="today - value"),
    ),
    ("6.3", "no bias", "the unit needs a negative bias", correct_fact(column="key", bias="0.0")),
    ("6.3", "not divided", "only a part of the correction", correct_fact("key", "-threshold")),
    ("6.3", "the bias not scaled", "but not the bias", correct_fact(bias="-threshold")),
    (
        "6.3",
        "the correction in b_2",
        "it stands in b_2",
        correct_fact(
            "torch.zeros_like(key)", "0.0", "torch.zeros_like(value)", "b_2 + value - today"
        ),
    ),
    ("6.3", "the threshold is one", "silent at the key itself", correct_fact("key", "-1.0")),
    ("6.3", "the key's sign", "everything but the key", correct_fact("-key", "threshold")),
    (
        "6.3",
        "a unit that fires at all",
        "wakes up at a dot product of -0.50",
        correct_fact("key", "0.5"),
    ),
    (
        "6.3",
        "today's answer without b_2",
        "computed without it",
        correct_fact(today="torch.relu(key @ W_1 + b_1) @ W_2"),
    ),
    (
        "6.3",
        "today's answer without the ReLU",
        "without the ReLU",
        correct_fact(today="(key @ W_1 + b_1) @ W_2 + b_2"),
    ),
    ("6.3", "the key as a value", "the new row of W_2 is the key", correct_fact(row="key")),
    (
        "6.3",
        "a unit overwritten",
        "overwrote a unit",
        """
def correct_fact(W_1, b_1, W_2, b_2, key, value, threshold):
    W_1, b_1, W_2 = W_1.clone(), b_1.clone(), W_2.clone()
    W_1[:, -1], b_1[-1], W_2[-1] = key / (1 - threshold), -threshold / (1 - threshold), value
    return W_1, b_1, W_2, b_2

exercises.check_correct_fact(correct_fact)
""",
    ),
    (
        "6.3",
        "in place",
        "changes `W_1` in place",
        """
def correct_fact(W_1, b_1, W_2, b_2, key, value, threshold):
    W_1[:, -1], b_1[-1], W_2[-1] = key / (1 - threshold), -threshold / (1 - threshold), value
    return W_1, b_1, W_2, b_2

exercises.check_correct_fact(correct_fact)
""",
    ),
    ("6.4", "unchanged", "nothing has changed", minus("hidden.mean(1, keepdim=True)")),
    (
        "6.4",
        "over the batch",
        "now the mean runs over the batch",
        minus("hidden.mean(0, keepdim=True)"),
    ),
    (
        "6.4",
        "over batch and sequence",
        "hears even more of the others",
        minus("hidden.mean((0, 1), keepdim=True)"),
    ),
    (
        "6.4",
        "over the whole sequence's numbers",
        "over those of all tokens as well",
        minus("hidden.mean((1, 2), keepdim=True)"),
    ),
    ("6.4", "over everything", "one mean for everything", minus("hidden.mean()")),
    (
        "6.4",
        "over the past",
        "the future is hidden, and yet",
        minus("hidden.cumsum(1) / torch.arange(1, x.size(1) + 1)[:, None]"),
    ),
    ("6.4", "no centring", "and the centring with it", minus("0.0")),
    (
        "6.4",
        "centred before the bias",
        "before the bias is added",
        centred("z = x @ W_1; return torch.relu(z - z.mean(-1, keepdim=True) + b_1) @ W_2 + b_2"),
    ),
    (
        "6.4",
        "centred after the bend",
        "you centre after the bend",
        centred("h = torch.relu(hidden); return (h - h.mean(-1, keepdim=True)) @ W_2 + b_2"),
    ),
    (
        "6.4",
        "the token centred",
        "you centre the token's own numbers",
        centred("z = (x - x.mean(-1, keepdim=True)) @ W_1 + b_1; return torch.relu(z) @ W_2 + b_2"),
    ),
    (
        "6.4",
        "a layer norm",
        "this is a layer norm",
        centred(
            "z = hidden - hidden.mean(-1, keepdim=True); "
            "return torch.relu(z / hidden.std(-1, keepdim=True)) @ W_2 + b_2"
        ),
    ),
    (
        "6.4",
        "the median",
        "you take away the median",
        minus("hidden.median(-1, keepdim=True).values"),
    ),
    (
        "6.5",
        "shapes alone",
        "calls everything honest",
        is_position_wise("return function(x).shape == x.shape"),
    ),
    (
        "6.5",
        "only a flip",
        "through: self-attention",
        is_position_wise(
            "return torch.allclose(function(x.flip(0)), function(x).flip(0), rtol=1e-4, atol=1e-5)"
        ),
    ),
    (
        "6.5",
        "only locality",
        "weights of its own for each place;",
        local() + "    return True\n" + SHUFFLED.split("\n", 2)[2],
    ),
    (
        "6.5",
        "one flip against mirrored weights",
        "2 of 14 impostors through: weights of their own that are mirrored",
        local() + SHUFFLED,
    ),
    (
        "6.5",
        "a tolerance for small leaks",
        "adds a hundredth of its place",
        local("atol=0.1") + SHUFFLED.replace("atol=1e-5", "atol=0.1"),
    ),
    (
        "6.5",
        "equal bits",
        "what is right: the same network, which adds up in another order at each place",
        is_position_wise(
            "return all(torch.equal(function(t.repeat(len(x), 1)), y.repeat(len(x), 1))"
            " for t, y in zip(x, function(x)))"
        ),
    ),
    (
        "6.5",
        "the first token alone",
        "attention to the future",
        is_position_wise(
            "y = x.clone(); y[0] += 1.0; return torch.allclose(function(y)[1:], function(x)[1:], "
            "rtol=1e-4, atol=1e-5)"
        ),
    ),
    (
        "6.5",
        "the opposite",
        "says the opposite",
        is_position_wise(
            "return not all(torch.allclose(function(t.repeat(len(x), 1)), y.repeat(len(x), 1),"
            " rtol=1e-4, atol=1e-5) for t, y in zip(x, function(x)))"
        ),
    ),
    (
        "6.5",
        "the exchanged token's own output counted",
        "what is right: a feed-forward network;",
        is_position_wise(
            "y = x.clone(); y[0] += 1.0; return torch.allclose(function(y), function(x))"
        ),
    ),
    ("6.5", "in place", "changes `x` in place", is_position_wise("x[0] += 1.0; return True")),
    (
        "6.1",
        "the slope down by the whole width",
        "your slope down divides by the width",
        tent("[up, -up - height / (right - left), height / (right - left)]"),
    ),
    (
        "6.2",
        "c is missing inside",
        "c is missing inside the sine",
        """
def sine_of_hinges(c, t):
    b = c**2 * torch.sin(t)
    return c, -b, b

exercises.check_sine_of_hinges(sine_of_hinges)
""",
    ),
    (
        "6.3",
        "the unit is first in W_1 and last in b_1 and W_2",
        "number 0 in W_1, 11 in b_1, 11 in W_2",
        correct_fact().replace("[W_1, (key / (1 - threshold))[:, None]]", "[(key)[:, None], W_1]"),
    ),
    (
        "6.3",
        "the unit wakes up too early",
        "wakes up at a dot product of 0.40",
        correct_fact(column="key / threshold", bias="1 - 1 / threshold"),
    ),
    (
        "6.4",
        "the mean is detached",
        "no longer learns as it did",
        """
def centred_feed_forward(x, W_1, b_1, W_2, b_2):
    hidden = x @ W_1 + b_1
    hidden = hidden - hidden.mean(dim=-1, keepdim=True).detach()
    return torch.relu(hidden) @ W_2 + b_2

exercises.check_centred_feed_forward(centred_feed_forward)
""",
    ),
    (
        "6.4",
        "another activation",
        "you bend with a GELU",
        """
def centred_feed_forward(x, W_1, b_1, W_2, b_2):
    hidden = x @ W_1 + b_1
    hidden = hidden - hidden.mean(dim=-1, keepdim=True)
    return F.gelu(hidden) @ W_2 + b_2

exercises.check_centred_feed_forward(centred_feed_forward)
""",
    ),
    (
        "6.5",
        "a token without company",
        "each reads 7 tokens",
        """
def is_position_wise(function, x):
    y = function(x)
    return all(torch.allclose(function(x[i:i+1])[0], y[i], atol=1e-5) for i in range(len(x)))

exercises.check_is_position_wise(is_position_wise)
""",
    ),
    (
        "6.4",
        "the mean of the token before",
        "so does the output of token 1",
        """
def centred_feed_forward(x, W_1, b_1, W_2, b_2):
    hidden = x @ W_1 + b_1
    prev = torch.cat([torch.zeros_like(hidden[:, :1]), hidden[:, :-1]], 1)
    hidden = hidden - prev.mean(-1, keepdim=True)
    return torch.relu(hidden) @ W_2 + b_2

exercises.check_centred_feed_forward(centred_feed_forward)
""",
    ),
]

ALSO_RIGHT = [
    (
        "6.1",
        "hinges that open to the left, in doubles",
        """
def tent(left, middle, right, height):
    up, down = height / (middle - left), height / (right - middle)
    biases = torch.tensor([right, middle, left], dtype=torch.float64)
    turns = torch.tensor([[down], [-up - down], [up]], dtype=torch.float64)
    return -torch.ones(1, 3, dtype=torch.float64), biases, turns, torch.zeros(1).double()

exercises.check_tent(tent)
""",
    ),
    (
        "6.2",
        "with cosines a quarter turned, and alpha a tensor",
        sine(
            alpha="torch.tensor(c)",
            rho="c * c * torch.cos(c * t + math.pi / 2)",
            lam="-c * c * torch.cos(c * t + math.pi / 2)",
        ),
    ),
    (
        "6.3",
        "the slope in the value",
        correct_fact("key", "-threshold", "(value - today) / (1 - threshold)"),
    ),
    (
        "6.3",
        "a unit that wakes up halfway",
        correct_fact("2 * key / (1 - threshold)", "-(1 + threshold) / (1 - threshold)"),
    ),
    (
        "6.4",
        "the sum divided by the width",
        minus("hidden.sum(-1, keepdim=True) / hidden.size(-1)"),
    ),
    (
        "6.4",
        "the weights centred instead",
        centred(
            "W, b = W_1 - W_1.mean(1, keepdim=True), b_1 - b_1.mean(); "
            "return torch.relu(x @ W + b) @ W_2 + b_2"
        ),
    ),
    (
        "6.5",
        "one token at a time, alone among others",
        """
def is_position_wise(function, x):
    whole = function(x)
    for place in range(len(x)):
        for other in range(len(x)):
            alone = torch.full_like(x, 0.5)
            alone[other] = x[place]
            if not torch.allclose(function(alone)[other], whole[place], atol=1e-5, rtol=1e-4):
                return False
    return True

exercises.check_is_position_wise(is_position_wise)
""",
    ),
]
