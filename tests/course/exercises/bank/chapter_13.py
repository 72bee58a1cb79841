"""Wrong answers to the exercises of chapter 13, each with the words that its verdict must say."""

WRONG = [
    (
        "13.1",
        "the sums are added as they are",
        "summed against two different maxima",
        """
def merge_two(one, other):
    maximum = torch.maximum(one.maximum, other.maximum)
    return Partial(maximum, one.total + other.total, one.weighted + other.weighted)

exercises.check_merge(merge_two)
""",
    ),
    (
        "13.1",
        "the correction has the wrong sign",
        "has the wrong sign",
        """
def merge_two(one, other):
    maximum = torch.maximum(one.maximum, other.maximum)
    left, right = (maximum - one.maximum).exp(), (maximum - other.maximum).exp()
    return Partial(
        maximum,
        left * one.total + right * other.total,
        left[:, None] * one.weighted + right[:, None] * other.weighted,
    )

exercises.check_merge(merge_two)
""",
    ),
    (
        "13.1",
        "the values are divided by the total already",
        "is divided already",
        """
def merge_two(one, other):
    maximum = torch.maximum(one.maximum, other.maximum)
    left, right = (one.maximum - maximum).exp(), (other.maximum - maximum).exp()
    total = left * one.total + right * other.total
    weighted = left[:, None] * one.weighted + right[:, None] * other.weighted
    return Partial(maximum, total, weighted / total[:, None])

exercises.check_merge(merge_two)
""",
    ),
    (
        "13.1",
        "the finished outputs are merged",
        "merged the two finished outputs",
        """
def merge_two(one, other):
    maximum = torch.maximum(one.maximum, other.maximum)
    left, right = (one.maximum - maximum).exp(), (other.maximum - maximum).exp()
    weighted = left[:, None] * one.output() + right[:, None] * other.output()
    return Partial(maximum, left * one.total + right * other.total, weighted)

exercises.check_merge(merge_two)
""",
    ),
    (
        "13.1",
        "the sums are brought to the maximum zero on the way",
        "your sums overflow",
        """
def merge_two(one, other):
    maximum = torch.maximum(one.maximum, other.maximum)
    left, right = one.maximum.exp(), other.maximum.exp()
    total = (left * one.total + right * other.total) / maximum.exp()
    weighted = left[:, None] * one.weighted + right[:, None] * other.weighted
    return Partial(maximum, total, weighted / maximum.exp()[:, None])

exercises.check_merge(merge_two)
""",
    ),
    (
        "13.1",
        "the maxima are added",
        "not the greater of the two",
        """
def merge_two(one, other):
    maximum = one.maximum + other.maximum
    return Partial(maximum, one.total + other.total, one.weighted + other.weighted)

exercises.check_merge(merge_two)
""",
    ),
    (
        "13.2",
        "a number takes one byte",
        "a float32 takes four bytes",
        """
def longest_text(room, d):
    n = (math.isqrt(9 * d * d + 4 * room) - 3 * d) // 2
    return n, room // (4 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.2",
        "the definition keeps the weights alone",
        "keeps the weights alone",
        """
def longest_text(room, d):
    return math.isqrt(room // 4), room // 4 // (4 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.2",
        "the definition keeps the output as well",
        "no derivative asks for it",
        """
def longest_text(room, d):
    numbers = room // 4
    n = (math.isqrt(16 * d * d + 4 * numbers) - 4 * d) // 2
    return n, numbers // (4 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.2",
        "the blocks keep no output and no statistics",
        "keep query, key and value alone",
        """
def longest_text(room, d):
    numbers = room // 4
    n = (math.isqrt(9 * d * d + 4 * numbers) - 3 * d) // 2
    return n, numbers // (3 * d)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.2",
        "the blocks keep no statistics",
        "forget the maximum and the total",
        """
def longest_text(room, d):
    numbers = room // 4
    n = (math.isqrt(9 * d * d + 4 * numbers) - 3 * d) // 2
    return n, numbers // (4 * d)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.2",
        "the blocks keep no output",
        "your blocks forget the output",
        """
def longest_text(room, d):
    numbers = room // 4
    n = (math.isqrt(9 * d * d + 4 * numbers) - 3 * d) // 2
    return n, numbers // (3 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.2",
        "the answers are no whole numbers",
        "half a token does not fit",
        """
def longest_text(room, d):
    numbers = room / 4
    n = (math.sqrt(9 * d * d + 4 * numbers) - 3 * d) / 2
    return n, numbers / (4 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
        "there is no denominator",
        "left out the denominator",
        """
def causal_linear(asked, answering, value):
    return (asked @ answering.T).tril() @ value

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.3",
        "the sums run over all tokens",
        "your outputs know the future",
        """
def causal_linear(asked, answering, value):
    above = asked @ (answering.T @ value)
    return above / (asked @ answering.sum(0))[:, None]

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.3",
        "the denominator runs over all tokens",
        "your denominator knows the future",
        """
def causal_linear(asked, answering, value):
    states = (answering[:, :, None] * value[:, None, :]).cumsum(0)
    above = (asked[:, None, :] @ states)[:, 0]
    return above / (asked @ answering.sum(0))[:, None]

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.3",
        "the token does not count itself",
        "does not count itself",
        """
def causal_linear(asked, answering, value):
    shares = (asked @ answering.T).tril(-1)
    return shares / shares.sum(-1, keepdim=True).clamp(min=1e-12) @ value

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.3",
        "a softmax is taken",
        "took a softmax",
        """
def causal_linear(asked, answering, value):
    products = asked @ answering.T
    hidden = products.masked_fill(~masks.causal(len(value)), float("-inf"))
    return hidden.softmax(-1) @ value

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.3",
        "the shares sum to one over the queries",
        "sum to one over the queries",
        """
def causal_linear(asked, answering, value):
    shares = (asked @ answering.T).tril()
    return shares / shares.sum(0, keepdim=True) @ value

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.3",
        "divided by the number of tokens",
        "divided by the number of tokens",
        """
def causal_linear(asked, answering, value):
    sums = (asked @ answering.T).tril() @ value
    return sums / torch.arange(1, len(value) + 1)[:, None]

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.4",
        "no zeros",
        "bent to a circle",
        """
def convolve(x, h):
    return torch.fft.irfft(torch.fft.rfft(x) * torch.fft.rfft(h), n=x.size(-1))

exercises.check_convolve(convolve)
""",
    ),
    (
        "13.4",
        "half as many zeros as needed",
        "your zeros are too few",
        """
def convolve(x, h):
    n = x.size(-1)
    circle = n + n // 2
    spectrum = torch.fft.rfft(x, n=circle) * torch.fft.rfft(h, n=circle)
    return torch.fft.irfft(spectrum, n=circle)[..., :n]

exercises.check_convolve(convolve)
""",
    ),
    (
        "13.4",
        "the zeros' outputs are kept in place of the text's",
        "kept the last n outputs",
        """
def convolve(x, h):
    n = x.size(-1)
    spectrum = torch.fft.rfft(x, n=2 * n) * torch.fft.rfft(h, n=2 * n)
    return torch.fft.irfft(spectrum, n=2 * n)[..., n:]

exercises.check_convolve(convolve)
""",
    ),
    (
        "13.4",
        "nothing is cut off",
        "cut off all but the first n",
        """
def convolve(x, h):
    n = x.size(-1)
    spectrum = torch.fft.rfft(x, n=2 * n) * torch.fft.rfft(h, n=2 * n)
    return torch.fft.irfft(spectrum, n=2 * n)

exercises.check_convolve(convolve)
""",
    ),
    (
        "13.4",
        "the conjugate is taken",
        "turned the filter round",
        """
def convolve(x, h):
    n = x.size(-1)
    spectrum = torch.fft.rfft(x, n=2 * n) * torch.fft.rfft(h, n=2 * n).conj()
    return torch.fft.irfft(spectrum, n=2 * n)[..., :n]

exercises.check_convolve(convolve)
""",
    ),
    (
        "13.4",
        "the result is complex",
        "your result is complex",
        """
def convolve(x, h):
    n = x.size(-1)
    spectrum = torch.fft.fft(x, n=2 * n) * torch.fft.fft(h, n=2 * n)
    return torch.fft.ifft(spectrum)[..., :n]

exercises.check_convolve(convolve)
""",
    ),
    (
        "13.4",
        "orthonormal transforms",
        "scales a product of two spectra once too often",
        """
def convolve(x, h):
    n = x.size(-1)
    spectrum = torch.fft.rfft(x, n=2 * n, norm="ortho") * torch.fft.rfft(h, n=2 * n, norm="ortho")
    return torch.fft.irfft(spectrum, n=2 * n, norm="ortho")[..., :n]

exercises.check_convolve(convolve)
""",
    ),
    (
        "13.5",
        "the order is reversed",
        "in the wrong order",
        """
def hyena_matrix(x1, x2, h1, h2):
    return torch.diag(x1) @ toeplitz(h1) @ torch.diag(x2) @ toeplitz(h2)

exercises.check_hyena_matrix(hyena_matrix)
""",
    ),
    (
        "13.5",
        "the gates come before the convolutions",
        "your gates multiply columns",
        """
def hyena_matrix(x1, x2, h1, h2):
    return toeplitz(h2) @ torch.diag(x2) @ toeplitz(h1) @ torch.diag(x1)

exercises.check_hyena_matrix(hyena_matrix)
""",
    ),
    (
        "13.5",
        "there are no gates",
        "your matrix has no gates",
        """
def hyena_matrix(x1, x2, h1, h2):
    return toeplitz(h2) @ toeplitz(h1)

exercises.check_hyena_matrix(hyena_matrix)
""",
    ),
    (
        "13.5",
        "the matrices are multiplied cell by cell",
        "multiplied cell by cell",
        """
def hyena_matrix(x1, x2, h1, h2):
    return (x2[:, None] * toeplitz(h2)) * (x1[:, None] * toeplitz(h1))

exercises.check_hyena_matrix(hyena_matrix)
""",
    ),
    (
        "13.5",
        "the gates are put together at the end",
        "both gates after both convolutions",
        """
def hyena_matrix(x1, x2, h1, h2):
    return torch.diag(x1 * x2) @ toeplitz(h2) @ toeplitz(h1)

exercises.check_hyena_matrix(hyena_matrix)
""",
    ),
    (
        "13.5",
        "the Toeplitz matrices are transposed",
        "your Toeplitz matrices look ahead",
        """
def hyena_matrix(x1, x2, h1, h2):
    return torch.diag(x2) @ toeplitz(h2).T @ torch.diag(x1) @ toeplitz(h1).T

exercises.check_hyena_matrix(hyena_matrix)
""",
    ),
    (
        "13.5",
        "the whole is transposed",
        "your matrix is transposed",
        """
def hyena_matrix(x1, x2, h1, h2):
    return (torch.diag(x2) @ toeplitz(h2) @ torch.diag(x1) @ toeplitz(h1)).T

exercises.check_hyena_matrix(hyena_matrix)
""",
    ),
    (
        "13.3",
        "the denominator is held up",
        "unless something holds the denominator up",
        """
def linear_attention(asked, answering, value):
    state = torch.einsum("nd,nv->ndv", answering, value).cumsum(0)
    total = (asked * answering.cumsum(0)).sum(-1, keepdim=True).clamp(min=1.0)
    return torch.einsum("nd,ndv->nv", asked, state) / total

exercises.check_linear_attention(linear_attention)
""",
    ),
    (
        "13.3",
        "asked and answering are exchanged",
        "have changed places",
        """
def linear_attention(asked, answering, value):
    state = torch.einsum("nd,nv->ndv", asked, value).cumsum(0)
    total = (answering * asked.cumsum(0)).sum(-1, keepdim=True)
    return torch.einsum("nd,ndv->nv", answering, state) / total

exercises.check_linear_attention(linear_attention)
""",
    ),
    (
        "13.3",
        "the running sums are multiplied",
        "the sum of all values so far",
        """
def linear_attention(asked, answering, value):
    total = (asked * answering.cumsum(0)).sum(-1, keepdim=True)
    return total * value.cumsum(0) / total

exercises.check_linear_attention(linear_attention)
""",
    ),
]

ALSO_RIGHT = [
    (
        "13.1",
        "through the logarithm of the sums",
        """
def merge_two(one, other):
    maximum = torch.stack((one.maximum, other.maximum)).amax(0)
    scales = [(part.maximum - maximum).exp() for part in (one, other)]
    totals = [scale * part.total for scale, part in zip(scales, (one, other))]
    sums = [torch.einsum("q,qd->qd", s, p.weighted) for s, p in zip(scales, (one, other))]
    return Partial(maximum, sum(totals), sum(sums))

exercises.check_merge(merge_two)
""",
    ),
    (
        "13.2",
        "counting up and down",
        """
def longest_text(room, d):
    n = 0
    step = 1 << 20
    while step:
        while 4 * ((n + step) ** 2 + 3 * (n + step) * d) <= room:
            n += step
        step //= 2
    return [n, room // (4 * (4 * d + 2))]

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
        "as a square",
        """
def causal_linear(asked, answering, value):
    shares = torch.einsum("if,jf->ij", asked, answering).tril()
    return (shares / shares.sum(-1, keepdim=True)) @ value

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.3",
        "token by token",
        """
def causal_linear(asked, answering, value):
    state, total, outputs = 0, 0, []
    for q, k, v in zip(asked, answering, value):
        state, total = state + torch.outer(k, v), total + k
        outputs.append(q @ state / (q @ total))
    return torch.stack(outputs)

exercises.check_linear_attention(causal_linear)
""",
    ),
    (
        "13.4",
        "complex transforms on a larger circle",
        """
def convolve(x, h):
    n = x.size(-1)
    circle = 1 << (2 * n).bit_length()
    return torch.fft.ifft(torch.fft.fft(x, circle) * torch.fft.fft(h, circle)).real[..., :n]

exercises.check_convolve(convolve)
""",
    ),
    (
        "13.5",
        "column by column, from what it does to unit vectors",
        """
def hyena_matrix(x1, x2, h1, h2):
    columns = []
    for unit in torch.eye(len(x1), dtype=x1.dtype):
        columns.append(x2 * fft_convolution(x1 * fft_convolution(unit, h1), h2))
    return torch.stack(columns, dim=1)

exercises.check_hyena_matrix(hyena_matrix)
""",
    ),
]
