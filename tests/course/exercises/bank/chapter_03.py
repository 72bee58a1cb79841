"""Wrong answers to the exercises of chapter 3, each with the words that its verdict must say."""

WRONG = [
    (
        "3.1",
        "leaves it as it is",
        "the scores are summed over the batch",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->ij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("ij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "divides the shared scores by the batch",
        "you average the scores over the batch",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->ij", query, key) / math.sqrt(key.size(-1)) / len(x)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("ij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "averages the weights",
        "you average the weights over the batch",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1).mean(0)
    return torch.einsum("ij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "takes the first sentence for all",
        "with the weights of the first",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1)[0]
    return torch.einsum("ij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "makes one long sequence of the batch",
        "you made one long sequence of the batch",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    long = attention(query.flatten(0, 1), key.flatten(0, 1), value.flatten(0, 1))[0]
    return long.unflatten(0, x.shape[:2])
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "loses the scale",
        "but the scale is gone",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "keeps softmax on what was axis 1",
        "axis 1 holds the queries",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=1)
    return torch.einsum("bij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "softmax over the new axis",
        "softmax runs over the sentences of the batch",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=0)
    return torch.einsum("bij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "sums over the wrong letter of the weights",
        "key j of the weights must meet token j",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bji,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "exchanges i and j",
        "queries and keys have changed places",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bji", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "gives the values a batch letter of their own",
        "are different axes",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bij,cjd->bid", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "mends the scores alone",
        "your code raised RuntimeError",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("ij,bjc->bic", weights, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "squeezes a batch of one",
        "with 1 sentences of 7 tokens",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bij,bjc->bic", weights, value).squeeze(0)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "returns the weights too",
        "a tensor is expected",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bij,bjc->bic", weights, value), weights
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.2",
        "the rotation of columns",
        "as many steps back",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, -s], [s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "forgets the number of tokens",
        "every token asks for itself",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "turns by one step always",
        "you turn by one step, whatever",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "one step back",
        "one step, and backwards",
        """
def question(n_tokens, steps):
    angle = -2 * math.pi / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "takes pi for a full circle",
        "half the angle",
        """
def question(n_tokens, steps):
    angle = math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "degrees",
        "in degrees",
        """
def question(n_tokens, steps):
    angle = 360 * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "a share of the circle for an angle",
        "share of a circle",
        """
def question(n_tokens, steps):
    angle = steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "exchanges tokens and steps",
        "changed places in the angle",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * n_tokens / steps
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "the identity",
        "every token asks for itself",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.eye(2)
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "a sign wrong in the second column",
        "the signs of one column are wrong",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, -s], [-s, -c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "a sign wrong in the second row",
        "the signs of one row are wrong",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [s, -c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "scales the queries",
        "the length is not",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return 3 * torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "no rotation at all",
        "both sines have one sign",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "turns one step too far",
        "you turn by all steps, and one more",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * (steps + 1) / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "a vector and no matrix",
        "two rows and two columns",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([c, s])
exercises.check_question(question)
""",
    ),
    (
        "3.3",
        "tests invariance",
        "your test asks for invariance",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return torch.allclose(f(x[order]), f(x), atol=1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "puts the outputs into the inverse order",
        "and not by their inverse",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return torch.allclose(f(x[order]), f(x)[order.argsort()], atol=1e-4)
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
    return torch.allclose(f(x[:, order]), f(x)[:, order], atol=1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "asks for exact equality",
        "what is right: self-attention in double precision",
        """
def is_equivariant(f, x, generator):
    orders = [torch.randperm(len(x), generator=generator) for _ in range(50)]
    return all(torch.equal(f(x[order]), f(x)[order]) for order in orders)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "asks for the precision of float64",
        "what is right: self-attention in single precision",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return torch.allclose(f(x[order]), f(x)[order], rtol=0, atol=1e-9)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "a tolerance so wide that a small difference passes",
        "1 of 12 impostors through: adding a hundredth of the position",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return torch.allclose(f(x[order]), f(x)[order], atol=0.2)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "compares a thing with itself",
        "calls everything honest",
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
        "through: adding to each token its mirror image",
        """
def is_equivariant(f, x, generator):
    return torch.allclose(f(x.flip(0)), f(x).flip(0), atol=1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "tries a rotation alone",
        "which no rotation of the order shows",
        """
def is_equivariant(f, x, generator):
    return torch.allclose(f(x.roll(3, 0)), f(x).roll(3, 0), atol=1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "swaps the first two tokens alone",
        "doubling the last token alone",
        """
def is_equivariant(f, x, generator):
    order = torch.arange(len(x))
    order[:2] = torch.tensor([1, 0])
    return torch.allclose(f(x[order]), f(x)[order], atol=1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "swaps the first and the last token alone",
        "through: doubling the fifth token alone",
        """
def is_equivariant(f, x, generator):
    order = torch.arange(len(x))
    order[0], order[-1] = len(x) - 1, 0
    return torch.allclose(f(x[order]), f(x)[order], atol=1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "compares sums over tokens",
        "impostors through: adding the position",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return torch.allclose(f(x[order]).sum(0), f(x)[order].sum(0), atol=1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "says the opposite",
        "your test says the opposite",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return not torch.allclose(f(x[order]), f(x)[order], atol=1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "returns the comparison and no verdict",
        "expected True (honest) or False",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return f(x[order]).isclose(f(x)[order])
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.4",
        "ignores the counts",
        "the counts change nothing",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores, dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "adds the counts to the queries' rows",
        "the counts change nothing",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores + counts.log()[:, None], dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "multiplies the scores",
        "you multiply the scores by the counts",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores * counts, dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "adds the counts themselves",
        "you add the counts themselves",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores + counts, dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "multiplies the weights and leaves them",
        "do not divide by their new sum",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return (torch.softmax(scores, dim=-1) * counts) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "divides by the number of all tokens",
        "you divide by the number of all tokens",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return (torch.softmax(scores, dim=-1) * counts) @ (x @ W_V) / counts.sum()
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "scales the logarithm too",
        "you divide the logarithm by the root as well",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores + counts.log() / math.sqrt(W_K.size(1)), dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "log of one more",
        "once too often",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores + torch.log1p(counts), dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "logarithm to base two",
        "has another base",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores + torch.log2(counts), dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "subtracts the logarithm",
        "gets less weight",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores - counts.log(), dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "divides by sums over queries",
        "you divide by sums over the queries",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    weights = torch.softmax(scores, dim=-1) * counts
    return weights / weights.sum(dim=0) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "no scale",
        "the scores are divided by nothing",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return torch.softmax(scores * math.sqrt(W_K.size(1)) + counts.log(), dim=-1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "exponentials by hand, without taking off the largest",
        "exponentials overflow",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    weights = counts * torch.exp(scores)
    return weights / weights.sum(dim=-1, keepdim=True) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "writes the text out",
        "one vector for each different token",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    text = x.repeat_interleave(counts.clamp(max=20).long().clamp(min=1), dim=0)
    return attention(text @ W_Q, text @ W_K, text @ W_V)[0]
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.5",
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
        "3.5",
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
        "3.5",
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
        "3.5",
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
        "3.5",
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
        "3.5",
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
        "3.5",
        "cuts columns out of M instead of directions",
        "times the least distance that rank 3 allows",
        """
def split(M, d_key):
    return M[:, :d_key], torch.eye(len(M))[:, :d_key]
exercises.check_split(split)
""",
    ),
    (
        "3.5",
        "does not cut to d_key",
        "one column for each of the d_key strongest directions",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    return U * S.sqrt(), Vh.T * S.sqrt()
exercises.check_split(split)
""",
    ),
    (
        "3.3",
        "one permutation that passes outvotes the rest",
        "doubling the last token alone",
        """
def is_equivariant(f, x, generator):
    passed = []
    for _ in range(50):
        order = torch.randperm(len(x), generator=generator)
        passed.append(torch.allclose(f(x[order]), f(x)[order], atol=1e-4))
    return any(passed)

exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.1",
        "the softmax lost in the repair",
        "the softmax is gone",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("bic,bjc->bij", query, key) / math.sqrt(key.size(-1))
    return torch.einsum("bij,bjc->bic", scores, value)
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "the queries of the first sentence for all",
        "with the queries of the first",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = torch.einsum("ic,bjc->bij", query[0], key) / math.sqrt(key.size(-1))
    return torch.softmax(scores, dim=-1) @ value
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.2",
        "gaps counted as between tokens in a row",
        "and not n - 1",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / (n_tokens - 1)
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[c, s], [-s, c]])
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "sine and cosine exchanged",
        "sine and cosine have changed places",
        """
def question(n_tokens, steps):
    angle = 2 * math.pi * steps / n_tokens
    c, s = math.cos(angle), math.sin(angle)
    return torch.tensor([[s, c], [-c, s]])
exercises.check_question(question)
""",
    ),
    (
        "3.3",
        "one order that passes is enough",
        "with 40 generators your test believed",
        """
def is_equivariant(f, x, generator):
    for _ in range(5):
        order = torch.randperm(len(x), generator=generator)
        if torch.allclose(f(x[order]), f(x)[order], rtol=0, atol=1e-4):
            return True
    return False
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.4",
        "two slips at once",
        "there are two mistakes. You add half the logarithm",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / W_K.size(1) + counts.sqrt().log()
    return scores.softmax(1) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "the outputs multiplied",
        "you multiply the outputs by the counts",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    return counts[:, None] * (scores.softmax(1) @ (x @ W_V))
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.5",
        "the left vectors on both sides",
        "made from the left singular vectors",
        """
def split(M, d_key):
    U, S, _ = torch.linalg.svd(M)
    half = U[:, :d_key] * S[:d_key].sqrt()
    return half, half
exercises.check_split(split)
""",
    ),
    (
        "3.5",
        "M is taken for symmetric",
        "from the eigenvectors of a symmetric matrix",
        """
def split(M, d_key):
    values, vectors = torch.linalg.eigh(M)
    best = values.abs().argsort(descending=True)[:d_key]
    return vectors[:, best] * values[best], vectors[:, best]

exercises.check_split(split)
""",
    ),
]

ALSO_RIGHT = [
    (
        "3.1",
        "a loop over sentences",
        """
def repaired_head(x, W_Q, W_K, W_V):
    return torch.stack([attention(one @ W_Q, one @ W_K, one @ W_V)[0] for one in x])
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.1",
        "matrix products with the last two axes turned",
        """
def repaired_head(x, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    scores = query @ key.transpose(1, 2) / key.shape[2] ** 0.5
    return scores.softmax(2) @ value
exercises.check_repaired(repaired_head)
""",
    ),
    (
        "3.2",
        "from complex numbers, as nested lists",
        """
def question(n_tokens, steps):
    turn = torch.polar(torch.tensor(1.0), torch.tensor(2 * math.pi * steps / n_tokens))
    return [[turn.real, turn.imag], [-turn.imag, turn.real]]
exercises.check_question(question)
""",
    ),
    (
        "3.2",
        "the matrix exponential of a quarter turn",
        """
def question(n_tokens, steps):
    quarter = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=torch.float64)
    return torch.linalg.matrix_exp(2 * math.pi * steps / n_tokens * quarter)
exercises.check_question(question)
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
    return worst < 1e-4
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.3",
        "one random order is enough",
        """
def is_equivariant(f, x, generator):
    order = torch.randperm(len(x), generator=generator)
    return bool((f(x[order]) - f(x)[order]).abs().max() < 1e-4)
exercises.check_is_equivariant(is_equivariant)
""",
    ),
    (
        "3.4",
        "weights multiplied and divided by their new sum",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    scores = (x @ W_Q) @ (x @ W_K).T / math.sqrt(W_K.size(1))
    weights = torch.softmax(scores.double(), dim=-1) * counts
    return (weights / weights.sum(dim=-1, keepdim=True)).to(x.dtype) @ (x @ W_V)
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.4",
        "the library's attention with a bias",
        """
def attend_counted(x, counts, W_Q, W_K, W_V):
    bias = counts.log().expand(len(x), -1)
    return attention(x @ W_Q, x @ W_K, x @ W_V, bias=bias)[0]
exercises.check_attend_counted(attend_counted)
""",
    ),
    (
        "3.5",
        "all strength on the query's side",
        """
def split(M, d_key):
    U, S, Vh = torch.linalg.svd(M)
    return U[:, :d_key] @ torch.diag(S[:d_key]), Vh[:d_key].T
exercises.check_split(split)
""",
    ),
    (
        "3.5",
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
