"""Wrong answers to the exercises of chapter 12, each with the words that its verdict must say."""


def _best(body):
    return f"""
def best_token(tokens, labels, head):
    {body}

exercises.check_best_token(best_token)
"""


def _constraints(body):
    return f"""
def margin_constraints(X, z, selected):
    rivals = [t for t in range(len(X)) if t != selected]
    {body}

exercises.check_margin_constraints(margin_constraints)
"""


def _gradient(result, slope="-1 / (1 + torch.exp(m))", label="y"):
    return f"""
def gradient(X, z, y, v, W):
    a = torch.softmax(X @ W @ z, dim=0)
    scores = {label} * (X @ v)
    m = a @ scores
    slope = {slope}
    return {result}

exercises.check_gradient(gradient)
"""


def _programme(norm="cvxpy.norm(W, 'nuc')", held="cvxpy.sum(cvxpy.multiply(A, W)) >= 1"):
    return f"""
def least_nuclear(constraints):
    W = cvxpy.Variable(constraints.shape[1:])
    held = [{held} for A in constraints]
    cvxpy.Problem(cvxpy.Minimize({norm}), held).solve(solver=cvxpy.CLARABEL)
    return W.value

exercises.check_least_nuclear(least_nuclear)
"""


WRONG = [
    (
        "12.1",
        "the label is left out",
        "you left out the label",
        _best("return (tokens @ head).argmax(-1)"),
    ),
    (
        "12.1",
        "the label only makes the reading positive",
        "whatever its sign",
        _best("return (tokens @ head).abs().argmax(-1)"),
    ),
    (
        "12.1",
        "argmin for argmax",
        "the worst token",
        _best("return (labels[:, None] * (tokens @ head)).argmin(-1)"),
    ),
    (
        "12.1",
        "scores in place of numbers",
        "you return scores",
        _best("return (labels[:, None] * (tokens @ head)).amax(-1)"),
    ),
    (
        "12.1",
        "the maximum runs over the inputs",
        "one token's number for each input",
        _best("return (labels[:, None] * (tokens @ head)).argmax(0)"),
    ),
    (
        "12.1",
        "tokens are counted from one",
        "you count from one",
        _best("return (labels[:, None] * (tokens @ head)).argmax(-1) + 1"),
    ),
    (
        "12.2",
        "the difference is turned",
        "your signs are turned",
        _constraints("return torch.stack([torch.outer(X[t] - X[selected], z) for t in rivals])"),
    ),
    (
        "12.2",
        "the outer product is turned",
        "your outer products are transposed",
        _constraints("return torch.stack([torch.outer(z, X[selected] - X[t]) for t in rivals])"),
    ),
    (
        "12.2",
        "the selected token is its own rival",
        "0 ≥ 1 cannot be kept",
        _constraints("return torch.stack([torch.outer(X[selected] - x, z) for x in X])"),
    ),
    (
        "12.2",
        "the query is left out",
        "you return differences of tokens",
        _constraints("return torch.stack([X[selected] - X[t] for t in rivals])"),
    ),
    (
        "12.2",
        "only the winner's score",
        "you left out the rival",
        _constraints("return torch.stack([torch.outer(X[selected], z) for t in rivals])"),
    ),
    (
        "12.2",
        "the first token is always selected",
        "the winner is always token 0",
        _constraints("return torch.stack([torch.outer(X[0] - X[t], z) for t in range(1, len(X))])"),
    ),
    (
        "12.3",
        "the slope of the loss is left out",
        "this is the gradient of m",
        _gradient("torch.outer(X.T @ (a * (scores - m)), z)"),
    ),
    (
        "12.3",
        "softmax without its second term",
        "-a_t a_u",
        _gradient("slope * torch.outer(X.T @ (a * scores), z)"),
    ),
    (
        "12.3",
        "uphill",
        "your sign is turned",
        _gradient("slope * torch.outer(X.T @ (a * (scores - m)), z)", "1 / (1 + torch.exp(m))"),
    ),
    (
        "12.3",
        "the outer product is turned",
        "your gradient is transposed",
        _gradient("slope * torch.outer(z, X.T @ (a * (scores - m)))"),
    ),
    (
        "12.3",
        "the label is left out",
        "you left out the label",
        _gradient("slope * torch.outer(X.T @ (a * (scores - m)), z)", label="1"),
    ),
    (
        "12.3",
        "the slope at the opposite sign",
        "not -1 / (1 + e^-m)",
        _gradient("slope * torch.outer(X.T @ (a * (scores - m)), z)", "-1 / (1 + torch.exp(-m))"),
    ),
    (
        "12.3",
        "the weights are left out",
        "the factor a_t is missing",
        _gradient("slope * torch.outer(X.T @ (scores - m), z)"),
    ),
    (
        "12.4",
        "the Frobenius norm",
        "least Frobenius norm",
        _programme("cvxpy.norm(W, 'fro')"),
    ),
    (
        "12.4",
        "flattened in two orders",
        "your W is transposed",
        _programme(held="A.ravel() @ cvxpy.vec(W, order='F') >= 1"),
    ),
    (
        "12.4",
        "margins of zero",
        "your W is zero",
        _programme(held="cvxpy.sum(cvxpy.multiply(A, W)) >= 0"),
    ),
    (
        "12.4",
        "all margins exactly one",
        "use >=, not ==",
        _programme(held="cvxpy.sum(cvxpy.multiply(A, W)) == 1"),
    ),
    (
        "12.4",
        "the largest singular value",
        "Did you minimise the sum",
        _programme("cvxpy.norm(W, 2)"),
    ),
    (
        "12.4",
        "the variable in place of its value",
        "return W.value",
        _programme().replace("return W.value", "return W"),
    ),
    (
        "12.3",
        "autograd",
        "you let autograd do it",
        """
def gradient(X, z, y, v, W):
    W = W.clone().requires_grad_()
    m = y * (v @ X.T @ torch.softmax(X @ W @ z, dim=0))
    torch.log1p(torch.exp(-m)).backward()
    return W.grad

exercises.check_gradient(gradient)
""",
    ),
    (
        "12.2",
        "the winner is found by its difference",
        "not those whose difference is zero",
        """
def margin_constraints(x, z, selected):
    differences = x[selected] - x
    rivals = differences.abs().sum(dim=1) > 0
    return differences[rivals][:, :, None] * z

exercises.check_margin_constraints(margin_constraints)
""",
    ),
    (
        "12.2",
        "the last rival takes the winner's place",
        "in another order along the rival",
        """
def margin_constraints(x, z, selected):
    rivals = x.clone()
    rivals[selected] = x[-1]
    return (x[selected] - rivals[:-1])[:, :, None] * z

exercises.check_margin_constraints(margin_constraints)
""",
    ),
    (
        "12.2",
        "the winner is looked up after it was taken out",
        "you subtract from the winner's neighbour",
        """
def margin_constraints(x, z, selected):
    rivals = torch.cat([x[:selected], x[selected + 1 :]])
    winner = rivals[min(selected, len(rivals) - 1)]
    return (winner - rivals)[:, :, None] * z

exercises.check_margin_constraints(margin_constraints)
""",
    ),
]

ALSO_RIGHT = [
    (
        "12.1",
        "a loop over the inputs",
        _best(
            "return torch.tensor([max(range(len(x)), key=lambda t: float(y * (x[t] @ head))) "
            "for x, y in zip(tokens, labels)])"
        ),
    ),
    (
        "12.2",
        "einsum over all differences, then the rivals",
        _constraints('return torch.einsum("ta,b->tab", X[selected] - X, z)[torch.tensor(rivals)]'),
    ),
    (
        "12.3",
        "by the Jacobian of softmax as a matrix",
        _gradient(
            "slope * torch.einsum('ta,b,t->ab', X, z, (torch.diag(a) - a.outer(a)) @ scores)"
        ),
    ),
    (
        "12.3",
        "as a sum of differences to the first token",
        _gradient(
            "slope * sum(a[t] * (scores[t] - m) * (X[t] - X[0]).outer(z) for t in range(len(X)))"
        ),
    ),
    (
        "12.4",
        "flattened in one order",
        _programme(held="A.ravel() @ cvxpy.vec(W, order='C') >= 1"),
    ),
]
