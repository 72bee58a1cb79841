"""Wrong answers to the exercises of chapter 12, each with the words that its verdict must say."""


def _programme(norm="cvxpy.norm(W, 'nuc')", held="cvxpy.sum(cvxpy.multiply(A, W)) >= 1"):
    return f"""
def least_nuclear(constraints):
    W = cvxpy.Variable(constraints.shape[1:])
    held = [{held} for A in constraints]
    cvxpy.Problem(cvxpy.Minimize({norm}), held).solve(solver=cvxpy.CLARABEL)
    return W.value

exercises.check_least_nuclear(least_nuclear)
"""


def _widest(body):
    return f"""
def is_widest(W, constraints):
    {body}

exercises.check_is_widest(is_widest)
"""


_CERTIFICATE = """
def is_widest(W, constraints):
    found = margins(W, constraints)
    if {too_near}:
        return False
    support = constraints[{holds}].flatten(1)
    if len(support) == 0:
        return False
    found_by = torch.linalg.lstsq(support.T, W.flatten()[:, None], driver="gelsd")
    multipliers = found_by.solution[:, 0]
    made = support.T @ multipliers
    return bool({made_of} and {signs})

exercises.check_is_widest(is_widest)
"""


def _certificate(
    too_near="found.min() < 0.999",
    holds="found < 1.001",
    made_of="(made - W.flatten()).norm() < 1e-2 * W.norm()",
    signs="multipliers.min() > -1e-3 * multipliers.max()",
):
    return _CERTIFICATE.format(too_near=too_near, holds=holds, made_of=made_of, signs=signs)


def _pulls(
    scaled="(log_weights - log_weights.max()).exp()",
    factor="(worths - weights @ worths)",
    end="pulls / pulls.abs().max()",
    favourite="scores.argmax()",
):
    return f"""
def pulls_of_losers(scores, worths):
    weights = torch.softmax(scores, dim=0)
    log_weights = torch.log_softmax(scores, dim=0)
    favourite = {favourite}
    log_weights[favourite] = -math.inf
    scaled = {scaled}
    pulls = scaled * {factor}
    return {end}

exercises.check_pulls(pulls_of_losers)
"""


def _in_weights(pulls, end="pulls / pulls.abs().max()", begin="pass", favourite="weights.argmax()"):
    return f"""
def pulls_of_losers(scores, worths):
    {begin}
    weights = torch.softmax(scores, dim=0)
    pulls = {pulls}
    pulls[{favourite}] = 0
    return {end}

exercises.check_pulls(pulls_of_losers)
"""


def _speed(
    slope="1 / (1 + torch.exp(m))",
    rise="a * (1 - a)",
    lead="y * (v @ (x_1 - x_2))",
    keys="(x_1 - x_2) @ (x_1 - x_2)",
    query="z @ z",
    m="y * (v @ (a * x_1 + (1 - a) * x_2))",
):
    return f"""
def gap_speed(x_1, x_2, z, y, v, W):
    gap = (x_1 - x_2) @ W @ z
    a = torch.sigmoid(gap)
    m = {m}
    return {slope} * {rise} * {lead} * {keys} * {query}

exercises.check_gap_speed(gap_speed)
"""


WRONG = [
    (
        "12.1",
        "the Frobenius norm",
        "least Frobenius norm",
        _programme("cvxpy.norm(W, 'fro')"),
    ),
    (
        "12.1",
        "flattened in two orders",
        "numpy flattens row by row",
        _programme(held="A.ravel() @ cvxpy.vec(W, order='F') >= 1"),
    ),
    (
        "12.1",
        "margins of zero",
        "your W is zero",
        _programme(held="cvxpy.sum(cvxpy.multiply(A, W)) >= 0"),
    ),
    (
        "12.1",
        "all margins exactly one",
        "use >=, not ==",
        _programme(held="cvxpy.sum(cvxpy.multiply(A, W)) == 1"),
    ),
    (
        "12.1",
        "the largest singular value",
        "Did you minimise the sum",
        _programme("cvxpy.norm(W, 2)"),
    ),
    (
        "12.1",
        "the variable in place of its value",
        "return W.value, an array",
        _programme().replace("return W.value", "return W"),
    ),
    (
        "12.1",
        "margins of at least two",
        "your least margin is 2.00",
        _programme(held="cvxpy.sum(cvxpy.multiply(A, W)) >= 2"),
    ),
    (
        "12.1",
        "the rivals are to win",
        "every rival beats the selected token by 1",
        _programme(held="cvxpy.sum(cvxpy.multiply(A, W)) <= -1"),
    ),
    (
        "12.1",
        "the margins are summed",
        "your margins sum to 1",
        _programme().replace(
            "held = [cvxpy.sum(cvxpy.multiply(A, W)) >= 1 for A in constraints]",
            "held = [cvxpy.sum(cvxpy.multiply(constraints.sum(0), W)) >= 1]",
        ),
    ),
    (
        "12.1",
        "the last constraint is left out",
        "that with constraint 11",
        _programme().replace("in constraints]", "in constraints[:-1]]"),
    ),
    (
        "12.1",
        "every number of the product is asked for",
        "no W keeps your conditions",
        _programme(held="A @ W >= 1"),
    ),
    (
        "12.1",
        "the trace of another product",
        "is it a trace",
        _programme(held="cvxpy.trace(A @ W) >= 1"),
    ),
    (
        "12.1",
        "margins of a tenth",
        "your least margin is 0.10",
        _programme(held="cvxpy.sum(cvxpy.multiply(A, W)) >= 0.1"),
    ),
    (
        "12.2",
        "only the margins are looked at",
        "your test lets 9 of 14 impostors through",
        _widest("return bool(margins(W, constraints).min() > 0.999)"),
    ),
    (
        "12.2",
        "the least margin is one, and nothing else is asked",
        "your test lets 8 of 14 impostors through",
        _widest("return bool((margins(W, constraints).min() - 1).abs() < 1e-3)"),
    ),
    (
        "12.2",
        "the programme is solved again",
        "you solve the programme again",
        _widest(
            "best = frobenius_max_margin(constraints)\n"
            "    return bool((W - best).norm() < 1e-2 * best.norm())"
        ),
    ),
    (
        "12.2",
        "every margin is to be 1",
        "however right. You ask each margin to be 1",
        _certificate(holds="found > 0", too_near="(found - 1).abs().max() > 1e-2"),
    ),
    (
        "12.2",
        "a plain sum",
        "a plain sum is not W",
        _widest(
            "found = margins(W, constraints)\n"
            "    total = constraints[found < 1.001].sum(dim=0)\n"
            "    return bool(found.min() > 0.999 and cosine(W, total) > 0.999)"
        ),
    ),
    (
        "12.2",
        "the columns are mixed",
        "does each column of your system hold one",
        _certificate().replace(".flatten(1)", ".reshape(W.numel(), -1).T"),
    ),
    (
        "12.2",
        "what stands beyond margin 1 may pull",
        "A constraint beyond margin 1 has a multiplier there",
        _certificate(holds="found < 1.1"),
    ),
    (
        "12.2",
        "the multipliers may be negative",
        "look at the signs",
        _certificate(signs="True"),
    ),
    (
        "12.2",
        "any constraint may have a multiplier",
        "your test lets 5 of 14 impostors through",
        _certificate(holds="found < math.inf", signs="True"),
    ),
    (
        "12.2",
        "what no constraint sees is not asked for",
        "your test lets 6 of 14 impostors through",
        _certificate(made_of="True"),
    ),
    (
        "12.2",
        "the margins are not asked for",
        "Ask that no margin is below 1",
        _certificate(too_near="False"),
    ),
    (
        "12.2",
        "rounding is refused",
        "one part in a thousand",
        _certificate(
            too_near="found.min() < 1 - 1e-9",
            made_of="(made - W.flatten()).norm() < 1e-9 * W.norm()",
        ),
    ),
    (
        "12.2",
        "non-negative multipliers of those at margin one, though there may be none",
        "for some W none was left",
        _widest(
            "from scipy.optimize import nnls\n"
            "    support = constraints[(margins(W, constraints) - 1).abs() < 1e-3].flatten(1)\n"
            "    return nnls(support.T.numpy(), W.flatten().numpy())[1] < 1e-2 * float(W.norm())"
        ),
    ),
    (
        "12.2",
        "True and False are exchanged",
        "your test says the opposite",
        _certificate()
        .replace("return bool(", "return not bool(")
        .replace("return False", "return True"),
    ),
    (
        "12.3",
        "the code as it was",
        "every loser's weight is zero in float64",
        _in_weights("weights * (worths - weights @ worths)"),
    ),
    (
        "12.3",
        "not-a-number is set to zero",
        "what was no number is zero now",
        _in_weights(
            "weights * (worths - weights @ worths)",
            "torch.nan_to_num(pulls / pulls.abs().max())",
        ),
    ),
    (
        "12.3",
        "a small number below the line",
        "is something added below the line",
        _in_weights("weights * (worths - weights @ worths)", "pulls / (pulls.abs().max() + 1e-12)"),
    ),
    (
        "12.3",
        "scores squeezed where the gap is too large",
        "Are the scores made smaller first",
        _in_weights(
            "weights * (worths - weights @ worths)",
            begin="scores = scores * min(1, 700 / (scores.max() - scores.min()))",
        ),
    ),
    (
        "12.3",
        "far out the nearest rival alone",
        "only one of them pulls with you",
        """
def pulls_of_losers(scores, worths):
    weights = torch.softmax(scores, dim=0)
    pulls = weights * (worths - weights @ worths)
    if scores.max() - scores.min() > 700:
        others = scores.clone()
        others[scores.argmax()] = -torch.inf
        pulls = torch.zeros_like(scores)
        pulls[others.argmax()] = worths[others.argmax()] - worths[scores.argmax()]
    pulls[scores.argmax()] = 0
    return pulls / pulls.abs().max()
exercises.check_pulls(pulls_of_losers)
""",
    ),
    (
        "12.3",
        "a floor under the weights",
        "others than the nearest rival still pull",
        _in_weights("weights.clamp(min=1e-300) * (worths - weights @ worths)"),
    ),
    (
        "12.3",
        "the favourite keeps a pull",
        "the favourite has a pull with you",
        _in_weights("weights * (worths - weights @ worths)").replace(
            "    pulls[weights.argmax()] = 0\n", ""
        ),
    ),
    (
        "12.3",
        "the best token is taken for the favourite",
        "the token that is worth most for the favourite",
        _pulls(favourite="worths.argmax()"),
    ),
    (
        "12.3",
        "the favourite's worth for the mean",
        "Nothing else was to be changed",
        _pulls(factor="(worths - worths[favourite])"),
    ),
    (
        "12.3",
        "the signs are lost",
        "your signs are lost",
        _pulls(end="(pulls / pulls.abs().max()).abs()"),
    ),
    (
        "12.3",
        "weights without worths",
        "these are weights",
        _pulls(factor="torch.ones_like(worths)"),
    ),
    (
        "12.3",
        "the lowest score for the favourite",
        "with the lowest score for the favourite",
        _pulls(favourite="scores.argmin()"),
    ),
    (
        "12.3",
        "the first token for the favourite",
        "the first token for the favourite",
        _pulls(favourite="0"),
    ),
    (
        "12.3",
        "the plain mean of the worths",
        "the plain mean of the worths",
        _pulls(factor="(worths - worths.mean())"),
    ),
    (
        "12.3",
        "scaled to the length one",
        "by the root of the sum of squares",
        _pulls(
            scaled="log_weights.exp()",
            end="pulls / pulls.norm()",
        ),
    ),
    (
        "12.3",
        "the logarithms are not taken back",
        "take the exponential once they are scaled",
        """
def pulls_of_losers(scores, worths):
    weights = torch.softmax(scores, dim=0)
    pulls = torch.log_softmax(scores, dim=0) * (worths - weights @ worths)
    pulls[scores.argmax()] = 0
    return pulls / pulls.abs().max()

exercises.check_pulls(pulls_of_losers)
""",
    ),
    (
        "12.1",
        "margins that cost",
        "is breaking one only dear with you",
        """
def least_nuclear(constraints):
    W = cvxpy.Variable(constraints.shape[1:])
    missed = sum(cvxpy.pos(1 - cvxpy.sum(cvxpy.multiply(A, W))) for A in constraints)
    cvxpy.Problem(cvxpy.Minimize(cvxpy.normNuc(W) + 10 * missed)).solve(solver=cvxpy.CLARABEL)
    return W.value

exercises.check_least_nuclear(least_nuclear)
""",
    ),
    (
        "12.1",
        "the library's",
        "you call the library's nuclear_max_margin",
        """
def least_nuclear(constraints):
    return nuclear_max_margin(torch.from_numpy(constraints)).numpy()

exercises.check_least_nuclear(least_nuclear)
""",
    ),
    (
        "12.1",
        "one constraint",
        "do you ask it of one constraint only",
        """
def least_nuclear(constraints):
    W = cvxpy.Variable(constraints.shape[1:])
    held = [cvxpy.sum(cvxpy.multiply(constraints[0], W)) >= 1]
    cvxpy.Problem(cvxpy.Minimize(cvxpy.normNuc(W)), held).solve(solver=cvxpy.CLARABEL)
    return W.value

exercises.check_least_nuclear(least_nuclear)
""",
    ),
    (
        "12.3",
        "the favourite's exponential, set to zero too late",
        "something is too large for float64",
        """
def pulls_of_losers(scores, worths):
    logs = torch.log_softmax(scores, dim=0)
    favourite = logs.argmax()
    losers = logs.clone()
    losers[favourite] = -torch.inf
    pulls = (logs - losers.max()).exp() * (worths - logs.exp() @ worths)
    pulls = pulls / pulls.abs().max()
    pulls[favourite] = 0
    return pulls

exercises.check_pulls(pulls_of_losers)
""",
    ),
    (
        "12.4",
        "a transposed W",
        "your gap is read with the transposed W",
        """
def gap_speed(x_1, x_2, z, y, v, W):
    a = torch.sigmoid(z @ W @ (x_1 - x_2))
    m = y * (a * x_1 + (1 - a) * x_2) @ v
    apart = x_1 - x_2
    slope = 1 / (1 + torch.exp(m))
    return slope * y * (apart @ v) * a * (1 - a) * (apart @ apart) * (z @ z)

exercises.check_gap_speed(gap_speed)
""",
    ),
    (
        "12.4",
        "one squared length less the other",
        "you subtract the squared lengths of x_1 and x_2",
        """
def gap_speed(x_1, x_2, z, y, v, W):
    a = torch.sigmoid((x_1 - x_2) @ W @ z)
    m = y * (a * x_1 + (1 - a) * x_2) @ v
    apart = x_1 - x_2
    slope = 1 / (1 + torch.exp(m))
    return slope * y * (apart @ v) * a * (1 - a) * (x_1 @ x_1 - x_2 @ x_2) * (z @ z)

exercises.check_gap_speed(gap_speed)
""",
    ),
    (
        "12.4",
        "the slope of the loss is left out",
        "the slope of the loss, 1 / (1 + e^m), is missing",
        _speed(slope="1"),
    ),
    (
        "12.4",
        "the slope at the opposite sign",
        "not 1 / (1 + e^-m)",
        _speed(slope="1 / (1 + torch.exp(-m))"),
    ),
    (
        "12.4",
        "the weight for the derivative of softmax",
        "you have a alone",
        _speed(rise="a"),
    ),
    (
        "12.4",
        "both tokens counted",
        "twice too large",
        _speed(rise="2 * a * (1 - a)"),
    ),
    (
        "12.4",
        "the query's length is not squared",
        "z comes in twice",
        _speed(query="z.norm()"),
    ),
    (
        "12.4",
        "the label is left out before the worths",
        "the label is missing before v",
        _speed(lead="(v @ (x_1 - x_2))"),
    ),
    (
        "12.4",
        "the gap for the squared length",
        "you multiply by the gap",
        _speed(keys="gap", query="1"),
    ),
    (
        "12.4",
        "the slope is left out, and x_2 with it",
        "there are two mistakes. The slope of the loss",
        _speed(slope="1", lead="y * (v @ x_1)"),
    ),
    (
        "12.4",
        "the query is left out",
        "the squared length of z is missing",
        _speed(query="1"),
    ),
    (
        "12.4",
        "the keys are left out",
        "the squared length of x_1 - x_2 is missing",
        _speed(keys="1"),
    ),
    (
        "12.4",
        "both lengths are left out",
        "both squared lengths are missing",
        _speed(keys="1", query="1"),
    ),
    (
        "12.4",
        "uphill",
        "your sign is turned",
        _speed(slope="-1 / (1 + torch.exp(m))"),
    ),
    (
        "12.4",
        "the label is left out",
        "there are two mistakes. The label is missing in m",
        _speed(lead="(v @ (x_1 - x_2))", m="(v @ (a * x_1 + (1 - a) * x_2))"),
    ),
    (
        "12.4",
        "the worths are left out",
        "how much more token 1 is worth",
        _speed(lead="1"),
    ),
    (
        "12.4",
        "autograd",
        "you let autograd do it",
        """
def gap_speed(x_1, x_2, z, y, v, W):
    X, A = torch.stack([x_1, x_2]), torch.outer(x_1 - x_2, z)
    W = W.clone().requires_grad_()
    m = y * (v @ X.T @ torch.softmax(X @ W @ z, dim=0))
    (G,) = torch.autograd.grad(torch.log1p(torch.exp(-m)), W)
    return -(A * G).sum()

exercises.check_gap_speed(gap_speed)
""",
    ),
    (
        "12.2",
        "all margins equal",
        "it believes what is not: the least W of those",
        """
def is_widest(W, constraints):
    m = (constraints * W).sum((1, 2))
    return bool((abs(m - 1) < 3e-3).all())

exercises.check_is_widest(is_widest)
""",
    ),
]

ALSO_RIGHT = [
    (
        "12.1",
        "flattened in one order",
        _programme(held="A.ravel() @ cvxpy.vec(W, order='C') >= 1"),
    ),
    (
        "12.2",
        "by the angle between W and the sum, and the gap of duality",
        """
def is_widest(W, constraints):
    found = margins(W, constraints)
    if found.min() < 0.999 or found.min() > 1.001:
        return False
    support = constraints[found < 1.001].flatten(1)
    multipliers = (torch.linalg.pinv(support.T) @ W.flatten())
    if multipliers.min() < -1e-3 * multipliers.max():
        return False
    return bool((multipliers.sum() - W.square().sum()).abs() < 1e-2 * W.square().sum())

exercises.check_is_widest(is_widest)
""",
    ),
    (
        "12.3",
        "by differences of scores to the nearest rival",
        """
def pulls_of_losers(scores, worths):
    order = scores.argsort(descending=True)
    relative = torch.exp(scores - scores[order[1]])
    relative[order[0]] = 0
    pulls = relative * (worths - torch.softmax(scores, 0) @ worths)
    return pulls / pulls.abs().max()

exercises.check_pulls(pulls_of_losers)
""",
    ),
    (
        "12.4",
        "as one product of differences",
        _speed(
            slope="torch.sigmoid(-m)",
            rise="torch.softmax(torch.stack([x_1, x_2]) @ W @ z, 0).prod()",
            keys="(x_1 - x_2).norm() ** 2",
            query="z.square().sum()",
        ),
    ),
]
