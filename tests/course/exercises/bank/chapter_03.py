"""Wrong answers to the exercises of chapter 3, each with the words that its verdict must say."""

WRONG = [
    (
        "3.1",
        "projects with the transposed matrices",
        "your projections use the transposed matrices",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q.T, x @ W_K.T, x @ W_V.T
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.size(-1))
    return torch.softmax(scores, dim=-1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "softmax over queries",
        "softmax runs over the wrong axis",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.size(-1))
    return torch.softmax(scores, dim=-2) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "no scale",
        "there is no scale",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "scale without the root",
        "you divide by the width itself",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    return torch.softmax(query @ key.transpose(-2, -1) / key.size(-1), dim=-1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "values not projected",
        "your values are the tokens themselves",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key = x @ W_Q, x @ W_K
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.size(-1))
    return torch.softmax(scores, dim=-1) @ x
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "keys ask and queries answer",
        "queries and keys are swapped",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = key @ query.transpose(-2, -1) / math.sqrt(key.size(-1))
    return torch.softmax(scores, dim=-1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "no softmax",
        "there is no softmax",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    return query @ key.transpose(-2, -1) / math.sqrt(key.size(-1)) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "weights transposed before the values",
        "your weights are turned round",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.size(-1))
    return torch.softmax(scores, dim=-1).transpose(-2, -1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "scale by the token's width",
        "the square root of a token's width",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.size(-1))
    return torch.softmax(scores, dim=-1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "scale by the value's width",
        "the square root of a value's width",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = query @ key.transpose(-2, -1) / math.sqrt(value.size(-1))
    return torch.softmax(scores, dim=-1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        ".T on a batch",
        "a batch of seven raises",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    return torch.softmax(query @ key.mT.mT.permute(*reversed(range(key.dim()))) /
                         math.sqrt(key.size(-1)), dim=-1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "looks across the sentences of a batch",
        "your tokens look across sentences",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    if x.dim() == 3:
        return my_self_attention_of(x.transpose(0, 1), W_Q, W_K, W_V).transpose(0, 1)
    return my_self_attention_of(x, W_Q, W_K, W_V)
def my_self_attention_of(x, W_Q, W_K, W_V):
    return F.scaled_dot_product_attention(x @ W_Q, x @ W_K, x @ W_V)
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "softmax over axis 1, right without a batch",
        "axis 1 is that of the queries",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.size(-1))
    return torch.softmax(scores, dim=1) @ value
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "returns the weights too",
        "without the weights",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    return attention(x @ W_Q, x @ W_K, x @ W_V)
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.2",
        "no projections",
        "the three projections are missing",
        """
def multiplications_of(length, d_model, d_key, d_value):
    return length**2 * (d_key + d_value)
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.2",
        "no weighted average",
        "the weighted average is not",
        """
def multiplications_of(length, d_model, d_key, d_value):
    return length * d_model * (2 * d_key + d_value) + length**2 * d_key
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.2",
        "no scores",
        "the scores are not",
        """
def multiplications_of(length, d_model, d_key, d_value):
    return length * d_model * (2 * d_key + d_value) + length**2 * d_value
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.2",
        "projections only",
        "you count the projections alone",
        """
def multiplications_of(length, d_model, d_key, d_value):
    return length * d_model * (2 * d_key + d_value)
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.2",
        "FLOPs",
        "you count additions too",
        """
def multiplications_of(length, d_model, d_key, d_value):
    once = length * d_model * (2 * d_key + d_value) + length**2 * (d_key + d_value)
    return 2 * once
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.2",
        "a pair as one multiplication",
        "you count pairs as one multiplication each",
        """
def multiplications_of(length, d_model, d_key, d_value):
    return length * d_model * (2 * d_key + d_value) + length**2
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.2",
        "half of the pairs",
        "you count each pair once",
        """
def multiplications_of(length, d_model, d_key, d_value):
    pairs = length * (length + 1) // 2
    return length * d_model * (2 * d_key + d_value) + pairs * (d_key + d_value)
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.2",
        "all widths taken as d_model",
        "when every width is d_model",
        """
def multiplications_of(length, d_model, d_key, d_value):
    return 3 * length * d_model**2 + 2 * length**2 * d_model
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.2",
        "values unprojected",
        "leave the values unprojected",
        """
def multiplications_of(length, d_model, d_key, d_value):
    return length * d_model * 2 * d_key + length**2 * (d_key + d_value)
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.3",
        "tests invariance",
        "that is a test of invariance",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return torch.allclose(f(x[order]), f(x))
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "puts the outputs into the inverse order",
        "into the inverse order",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return torch.allclose(f(x[order]), f(x)[order.argsort()])
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "permutes features",
        "you permuted the features",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(x.size(-1), generator=generator)
    return torch.allclose(f(x[:, order]), f(x)[:, order])
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "asks for exact equality",
        "not for exact equality",
        """
def is_equivariant(f, x, generator):
    orders = [torch.randperm(len(x), generator=generator) for _ in range(50)]
    return all(torch.equal(f(x[order]), f(x)[order]) for order in orders)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "compares a thing with itself",
        "does your permutation move anything",
        """
def is_equivariant(f, x, generator):
    order = torch.arange(len(x))
    return torch.allclose(f(x[order]), f(x)[order])
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "tries the reversal alone",
        "you tried the reversal alone",
        """
def is_equivariant(f, x, generator):
    return torch.allclose(f(x.flip(0)), f(x).flip(0))
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "tries a rotation alone",
        "you tried a rotation alone",
        """
def is_equivariant(f, x, generator):
    return torch.allclose(f(x.roll(3, 0)), f(x).roll(3, 0))
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "swaps the first two tokens alone",
        "leaves too many tokens in place",
        """
def is_equivariant(f, x, generator):
    order = torch.arange(len(x))
    order[:2] = torch.tensor([1, 0])
    return torch.allclose(f(x[order]), f(x)[order])
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.4",
        "swapped sides",
        "your product is the transpose",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    root = S[:d_key].sqrt()
    return Vh[:d_key].T * root, U[:, :d_key] * root
exercises.check_split(split)
""",
    ),
    (
        "3.4",
        "strengths on both sides",
        "each singular value stands in your product twice",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    return U[:, :d_key] * S[:d_key], Vh[:d_key].T * S[:d_key]
exercises.check_split(split)
""",
    ),
    (
        "3.4",
        "no strengths",
        "directions without strengths",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    return U[:, :d_key], Vh[:d_key].T
exercises.check_split(split)
""",
    ),
    (
        "3.4",
        "square roots on one side only",
        "stand on one side only",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    return U[:, :d_key] * S[:d_key].sqrt(), Vh[:d_key].T
exercises.check_split(split)
""",
    ),
    (
        "3.4",
        "takes Vh for V",
        "returns V transposed",
        """
def split(M, d_key):
    U, S, V = torch.linalg.svd(M)
    root = S[:d_key].sqrt()
    return U[:, :d_key] * root, V[:, :d_key] * root
exercises.check_split(split)
""",
    ),
    (
        "3.4",
        "keeps the weakest directions",
        "you kept the weakest directions",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    root = S[-d_key:].sqrt()
    return U[:, -d_key:] * root, Vh[-d_key:].T * root
exercises.check_split(split)
""",
    ),
    (
        "3.4",
        "cuts columns out of M instead of directions",
        "times the least distance that rank 3 allows",
        """
def split(M, d_key):
    return M[:, :d_key], torch.eye(len(M))[:, :d_key]
exercises.check_split(split)
""",
    ),
    (
        "3.4",
        "does not cut to d_key",
        "one column for each of the d_key strongest directions",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    return U * S.sqrt(), Vh.T * S.sqrt()
exercises.check_split(split)
""",
    ),
]

ALSO_RIGHT = [
    (
        "3.1",
        "einsum and an exponential by hand",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    scores = torch.einsum("...id,de,fe,...jf->...ij", x, W_Q, W_K, x) / W_K.shape[1] ** 0.5
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return torch.einsum("...ij,...jd,de->...ie", weights, x, W_V)
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.1",
        "a loop over queries in double precision",
        """
def my_self_attention(x, W_Q, W_K, W_V):
    if x.dim() == 3:
        return torch.stack([my_self_attention(one, W_Q, W_K, W_V) for one in x])
    x, W_Q, W_K, W_V = (tensor.double() for tensor in (x, W_Q, W_K, W_V))
    key, value = x @ W_K, x @ W_V
    return torch.stack(
        [torch.softmax(key @ (token @ W_Q) / math.sqrt(len(key[0])), 0) @ value for token in x]
    )
exercises.check_self_attention(my_self_attention)
""",
    ),
    (
        "3.2",
        "loops that count",
        """
def multiplications_of(length, d_model, d_key, d_value):
    total = 0
    for _ in range(length):
        total += d_model * d_key + d_model * d_key + d_model * d_value
        for _ in range(length):
            total += d_key + d_value
    return total
exercises.check_multiplications(multiplications_of)
""",
    ),
    (
        "3.3",
        "permutation matrices and a relative error",
        """
def is_equivariant(f, x, generator):
    worst = 0.0
    for _ in range(3):
        P = torch.eye(len(x), dtype=x.dtype)[torch.randperm(len(x), generator=generator)]
        gap = (f(P @ x) - P @ f(x)).norm() / f(x).norm()
        worst = max(worst, gap.item())
    return worst < 1e-6
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.4",
        "all strength on the query's side",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    return U[:, :d_key] @ torch.diag(S[:d_key]), Vh[:d_key].T
exercises.check_split(split)
""",
    ),
    (
        "3.4",
        "projection of M on the leading eigenvectors of M M^T",
        """
def split(M, d_key):
    _, directions = torch.linalg.eigh(M @ M.T)
    leading = directions[:, -d_key:]
    return leading, M.T @ leading
exercises.check_split(split)
""",
    ),
]
