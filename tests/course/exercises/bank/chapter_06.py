"""Wrong answers to the exercises of chapter 6, each with the words that its verdict must say."""


def feed_forward(body):
    return f"""
def feed_forward(x, W_1, b_1, W_2, b_2):
    {body}

exercises.check_feed_forward(feed_forward)
"""


def tent(b_1, W_2, W_1=(1.0, 1.0, 1.0), b_2=0.0):
    return f"""
def tent():
    return (
        torch.tensor([{[*W_1]}]), torch.tensor({[*b_1]}),
        torch.tensor({[*W_2]})[:, None], torch.tensor([{b_2}]),
    )

exercises.check_tent(tent)
"""


def write_fact(column, bias, row, extra=""):
    return f"""
def write_fact(W_1, b_1, W_2, b_2, key, value, threshold):
    {extra}
    return (
        torch.cat([W_1, ({column})[:, None]], dim=1),
        torch.cat([b_1, ({bias}) * torch.ones(1, dtype=b_1.dtype)]),
        torch.cat([W_2, ({row})[None]]),
        b_2,
    )

exercises.check_write_fact(write_fact)
"""


def is_position_wise(body):
    return f"""
def is_position_wise(function, x):
    {body}

exercises.check_is_position_wise(is_position_wise)
"""


WRONG = [
    (
        "6.1",
        "no ReLU",
        "nothing bends",
        feed_forward("return (x @ W_1 + b_1) @ W_2 + b_2"),
    ),
    (
        "6.1",
        "the ReLU at the end",
        "forbids negative outputs",
        feed_forward("return torch.relu((x @ W_1 + b_1) @ W_2 + b_2)"),
    ),
    (
        "6.1",
        "a ReLU after each layer",
        "once more at the end",
        feed_forward("return torch.relu(torch.relu(x @ W_1 + b_1) @ W_2 + b_2)"),
    ),
    (
        "6.1",
        "the first bias after the ReLU",
        "moves no threshold",
        feed_forward("return (torch.relu(x @ W_1) + b_1) @ W_2 + b_2"),
    ),
    (
        "6.1",
        "the first bias forgotten",
        "turns at zero",
        feed_forward("return torch.relu(x @ W_1) @ W_2 + b_2"),
    ),
    (
        "6.1",
        "the second bias forgotten",
        "you left out b_2",
        feed_forward("return torch.relu(x @ W_1 + b_1) @ W_2"),
    ),
    (
        "6.1",
        "a residual",
        "you added x",
        feed_forward("return x + torch.relu(x @ W_1 + b_1) @ W_2 + b_2"),
    ),
    (
        "6.1",
        "softmax in place of ReLU",
        "sum to one",
        feed_forward("return torch.softmax(x @ W_1 + b_1, -1) @ W_2 + b_2"),
    ),
    (
        "6.1",
        "the wrong half kept",
        "keeps the negative numbers",
        feed_forward("return torch.clamp(x @ W_1 + b_1, max=0) @ W_2 + b_2"),
    ),
    (
        "6.1",
        "a sequence only",
        "wrong for x of shape",
        feed_forward(
            "return torch.relu(torch.einsum('nd,df->nf', x, W_1) + b_1) @ W_2 + b_2"
            " if x.dim() == 2 else x"
        ),
    ),
    (
        "6.1",
        "the column convention",
        "your code raised RuntimeError",
        feed_forward("return W_2.T @ torch.relu(W_1.T @ x + b_1) + b_2"),
    ),
    ("6.2", "upside down", "upside down", tent((0.0, -1.0, -2.0), (-1.0, 2.0, -1.0))),
    ("6.2", "the biases' sign", "stands over -2 to 0", tent((0.0, 1.0, 2.0), (1.0, -2.0, 1.0))),
    ("6.2", "a step", "stays there", tent((0.0, -1.0, -2.0), (1.0, -1.0, 0.0))),
    ("6.2", "two hinges", "goes on falling", tent((0.0, -1.0, -2.0), (1.0, -2.0, 0.0))),
    ("6.2", "no turn at 1", "rises on through 1", tent((0.0, -1.0, -2.0), (1.0, 0.0, -1.0))),
    ("6.2", "twice as high", "its top at x = 1 is 2.00", tent((0.0, -1.0, -2.0), (2.0, -4.0, 2.0))),
    (
        "6.2",
        "lifted by b_2",
        "should be silent left of 0",
        tent((0.0, -1.0, -2.0), (1.0, -2.0, 1.0), b_2=1.0),
    ),
    (
        "6.2",
        "a tent half as wide",
        "expected 0, 1, 0, 0",
        tent((0.0, -0.5, -1.0), (2.0, -4.0, 2.0)),
    ),
    (
        "6.2",
        "weights as (out, in)",
        "your weights have shapes",
        """
def tent():
    W_1, b_1 = torch.ones(3, 1), torch.tensor([0.0, -1.0, -2.0])
    return W_1, b_1, torch.tensor([[1.0, -2.0, 1.0]]), torch.zeros(1)

exercises.check_tent(tent)
""",
    ),
    (
        "6.3",
        "no bias",
        "perpendicular or opposed",
        write_fact("key", "0.5", "value"),
    ),
    (
        "6.3",
        "no threshold",
        "needs a negative bias",
        write_fact("key", "0.0", "value"),
    ),
    (
        "6.3",
        "not divided by what is left",
        "divide by it",
        write_fact("key", "-threshold", "value"),
    ),
    (
        "6.3",
        "the value in b_2",
        "added at every input",
        """
def write_fact(W_1, b_1, W_2, b_2, key, value, threshold):
    W_1 = torch.cat([W_1, torch.zeros_like(key)[:, None]], dim=1)
    b_1 = torch.cat([b_1, torch.zeros(1, dtype=b_1.dtype)])
    W_2 = torch.cat([W_2, torch.zeros_like(value)[None]])
    return W_1, b_1, W_2, b_2 + value

exercises.check_write_fact(write_fact)
""",
    ),
    (
        "6.3",
        "the threshold is one",
        "silent at the key itself",
        write_fact("key", "-1.0", "value"),
    ),
    (
        "6.3",
        "the key's sign",
        "everything but the key",
        write_fact("-key", "threshold", "value"),
    ),
    (
        "6.3",
        "a unit overwritten",
        "overwrote a unit",
        """
def write_fact(W_1, b_1, W_2, b_2, key, value, threshold):
    W_1, b_1, W_2 = W_1.clone(), b_1.clone(), W_2.clone()
    W_1[:, -1], b_1[-1], W_2[-1] = key / (1 - threshold), -threshold / (1 - threshold), value
    return W_1, b_1, W_2, b_2

exercises.check_write_fact(write_fact)
""",
    ),
    (
        "6.3",
        "in place",
        "changes `W_1` in place",
        """
def write_fact(W_1, b_1, W_2, b_2, key, value, threshold):
    W_1[:, -1], b_1[-1], W_2[-1] = key / (1 - threshold), -threshold / (1 - threshold), value
    return W_1, b_1, W_2, b_2

exercises.check_write_fact(write_fact)
""",
    ),
    (
        "6.3",
        "key and value exchanged",
        "the value; compare with value itself",
        write_fact("key / (1 - threshold)", "-threshold / (1 - threshold)", "key"),
    ),
    (
        "6.4",
        "shapes alone",
        "compare numbers",
        is_position_wise("return function(x).shape == x.shape"),
    ),
    (
        "6.4",
        "only the shuffle",
        "self-attention passes your test",
        is_position_wise(
            "return torch.allclose(function(x.flip(0)), function(x).flip(0), atol=1e-5)"
        ),
    ),
    (
        "6.4",
        "only the last token exchanged",
        "causal attention passes your test",
        is_position_wise(
            "y = x.clone(); y[-1] += 1.0; "
            "return torch.allclose(function(y)[:-1], function(x)[:-1], atol=1e-5)"
        ),
    ),
    (
        "6.4",
        "only the first token exchanged",
        "attention to the future passes",
        is_position_wise(
            "y = x.clone(); y[0] += 1.0; "
            "return torch.allclose(function(y)[1:], function(x)[1:], atol=1e-5)"
        ),
    ),
    (
        "6.4",
        "only locality",
        "own for each place passes",
        """
def is_position_wise(function, x):
    blocks = torch.autograd.functional.jacobian(function, x).transpose(1, 2)
    itself = torch.eye(len(x), dtype=torch.bool)
    return bool((blocks[~itself] == 0).all())

exercises.check_is_position_wise(is_position_wise)
""",
    ),
    (
        "6.4",
        "a wide tolerance",
        "a small leak",
        """
def is_position_wise(function, x):
    for place in range(len(x)):
        y = x.clone()
        y[place] += 1.0
        others = torch.arange(len(x)) != place
        if not torch.allclose(function(y)[others], function(x)[others], atol=0.05):
            return False
    return torch.allclose(function(x.flip(0)), function(x).flip(0), atol=0.05)

exercises.check_is_position_wise(is_position_wise)
""",
    ),
    (
        "6.4",
        "in place",
        "changes `x` in place",
        is_position_wise("x[0] += 1.0; return True"),
    ),
    (
        "6.4",
        "the exchanged token's own output counted",
        "you accuse a feed-forward network",
        is_position_wise(
            "y = x.clone(); y[0] += 1.0; return torch.allclose(function(y), function(x))"
        ),
    ),
]

ALSO_RIGHT = [
    (
        "6.1",
        "unit by unit",
        feed_forward(
            "return b_2 + sum(torch.clamp((x * W_1[:, j]).sum(-1, keepdim=True) + b_1[j], min=0)"
            " * W_2[j] for j in range(len(b_1)))"
        ),
    ),
    (
        "6.1",
        "torch's own functions",
        feed_forward("return F.linear(F.relu(F.linear(x, W_1.T, b_1)), W_2.T, b_2)"),
    ),
    (
        "6.2",
        "hinges that open to the left, in doubles",
        """
def tent():
    W_1 = torch.tensor([[-1.0, -1.0, -1.0]], dtype=torch.float64)
    W_2 = torch.tensor([[1.0], [-2.0], [1.0]], dtype=torch.float64)
    return W_1, torch.tensor([2.0, 1.0, 0.0]), W_2, torch.zeros(1)

exercises.check_tent(tent)
""",
    ),
    (
        "6.3",
        "the slope in the value",
        write_fact("key", "-threshold", "value / (1 - threshold)"),
    ),
    (
        "6.4",
        "one token at a time, alone among zeros",
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
