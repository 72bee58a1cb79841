"""Wrong answers to the exercises of chapter 13, each with the words that its verdict must say."""


def _report(body: str) -> str:
    """A report to exercise 13.6, beside a search by halves and an interval from octaves."""
    return f"""
def search(run, seed, low, high, steps):
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if run(round(2**middle), seed) > 0.5 else (low, middle)
    return (low + high) / 2

def around_mean(octaves, quantile):
    octaves = torch.tensor(octaves)
    half_width = quantile * octaves.std() / len(octaves) ** 0.5
    return 2 ** (octaves.mean() - half_width), 2 ** (octaves.mean() + half_width)

def report(run):{body}
exercises.check_report(report)
"""


WRONG = [
    (
        "13.1",
        "the mean of the two outputs",
        "took the mean of the two outputs",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    return (output_1 + output_2) / 2, torch.logaddexp(lse_1, lse_2)

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "the outputs are added",
        "you added the two outputs",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    return output_1 + output_2, torch.logaddexp(lse_1, lse_2)

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "the logarithms are added",
        "multiplies the two sums",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    lse = lse_1 + lse_2
    share_1, share_2 = (torch.exp(part - lse)[:, None] for part in (lse_1, lse_2))
    return share_1 * output_1 + share_2 * output_2, lse

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "the greater logarithm is kept",
        "the smaller sum is lost",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    lse = torch.maximum(lse_1, lse_2)
    share_1, share_2 = (torch.exp(part - lse)[:, None] for part in (lse_1, lse_2))
    return share_1 * output_1 + share_2 * output_2, lse

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "the sum and not its logarithm comes back",
        "its logarithm is asked for",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    lse = torch.logaddexp(lse_1, lse_2)
    share_1, share_2 = (torch.exp(part - lse)[:, None] for part in (lse_1, lse_2))
    return share_1 * output_1 + share_2 * output_2, lse.exp()

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "the shares are exchanged",
        "two shares are exchanged",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    lse = torch.logaddexp(lse_1, lse_2)
    share_1, share_2 = (torch.exp(part - lse)[:, None] for part in (lse_1, lse_2))
    return share_2 * output_1 + share_1 * output_2, lse

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "the sums overflow",
        "your numbers overflow",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    one, two = lse_1.exp(), lse_2.exp()
    output = (one[:, None] * output_1 + two[:, None] * output_2) / (one + two)[:, None]
    return output, (one + two).log()

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "weighted by the logarithms",
        "weight by the sums",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    output = lse_1[:, None] * output_1 + lse_2[:, None] * output_2
    return output / (lse_1 + lse_2)[:, None], torch.logaddexp(lse_1, lse_2)

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "the mean of the two sums",
        "the mean of the two sums",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    lse = torch.logaddexp(lse_1, lse_2)
    share_1, share_2 = (torch.exp(part - lse)[:, None] for part in (lse_1, lse_2))
    return share_1 * output_1 + share_2 * output_2, lse - math.log(2)

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "an empty half spoils the other",
        "with a part that has none",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    shift = torch.minimum(lse_1, lse_2)
    lse = torch.logaddexp(lse_1, lse_2)
    share = torch.sigmoid((lse_1 - shift) - (lse_2 - shift))[:, None]
    return share * output_1 + (1 - share) * output_2, lse

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "one result",
        "a pair is expected",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    lse = torch.logaddexp(lse_1, lse_2)
    share_1, share_2 = (torch.exp(part - lse)[:, None] for part in (lse_1, lse_2))
    return share_1 * output_1 + share_2 * output_2

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "one maximum for all queries",
        "one maximum for all queries",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    greatest = max(lse_1.max(), lse_2.max())
    share_1, share_2 = ((lse - greatest).exp()[:, None] for lse in (lse_1, lse_2))
    total = share_1 + share_2
    output = (share_1 * output_1 + share_2 * output_2) / total
    return output, greatest + total[:, 0].log()

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "a maximum for each part",
        "each part has a maximum of its own",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    share_1, share_2 = ((lse - lse.max()).exp()[:, None] for lse in (lse_1, lse_2))
    output = (share_1 * output_1 + share_2 * output_2) / (share_1 + share_2)
    return output, torch.logaddexp(lse_1, lse_2)

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "the maximum is not added again",
        "your second result lacks the maximum",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    greatest = torch.maximum(lse_1, lse_2)
    share_1, share_2 = ((lse - greatest).exp()[:, None] for lse in (lse_1, lse_2))
    total = share_1 + share_2
    return (share_1 * output_1 + share_2 * output_2) / total, total[:, 0].log()

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.2",
        "a simulation",
        "it draws at random",
        """
def crosstalk(n, d, labels):
    keys = F.normalize(torch.randn(n - 1, d), dim=-1)
    return (keys[:, 0] * (torch.randint(labels, (n - 1,)) == 0)).sum().abs().item()

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "another power of one number",
        "With four times as many other keys your number is 1.41 times as large",
        """
def crosstalk(n, d, labels):
    return (n - 1) ** 0.25 / math.sqrt(d * labels)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the variance",
        "this is the variance; its root is asked for",
        """
def crosstalk(n, d, labels):
    return (n - 1) / (d * labels)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the key itself is counted",
        "the key that is asked for does not disturb itself",
        """
def crosstalk(n, d, labels):
    return math.sqrt(n / (d * labels))

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the variance of n keys",
        "there are two mistakes. The key that is asked for",
        """
def crosstalk(n, d, labels):
    return n / (d * labels)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "every key disturbs",
        "every other key disturbs",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) / d)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "keys overlap wholly",
        "your keys overlap wholly",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) / labels)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the overlap's variance is squared",
        "has a variance of 1/d²",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) / labels) / d

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the overlap's deviation is taken for its variance",
        "that is its standard deviation",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) / labels / math.sqrt(d))

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the labels stand outside the root",
        "stands outside the root",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) / d) / labels

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "all wrong labels at once",
        "all wrong labels together",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) * (labels - 1) / labels / d)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the labels multiply",
        "divide by their number",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) * labels / d)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the variance of a label",
        "the variance of a label alone",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) / d * (1 / labels) * (1 - 1 / labels))

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "signs are forgotten",
        "as if they all had one sign",
        """
def crosstalk(n, d, labels):
    return (n - 1) / math.sqrt(d * labels)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the key itself is taken from its label",
        "others share the labels out",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n / labels - 1) / d)

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "the same whatever is asked",
        "whatever the numbers of keys",
        """
def crosstalk(n, d, labels):
    return 0.5

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "labels that are not its own",
        "share labels - 1 labels",
        """
def crosstalk(n, d, labels):
    return math.sqrt((n - 1) / ((labels - 1) * d))

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.3",
        "the root and 3d are halved and rounded apart",
        "round once, at the end",
        """
def longest_text(room, d):
    return math.isqrt(9 * d * d + room) // 2 - 3 * d // 2, room // 4 // (4 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
        "one maximum and one total for all queries",
        "each query has both",
        """
def longest_text(room, d):
    n = (math.isqrt(9 * d * d + room) - 3 * d) // 2
    return n, (room // 4 - 2) // (4 * d)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
        "numbers that are rounded up",
        "you round up; then one token",
        """
def longest_text(room, d):
    n = math.ceil((math.sqrt(9 * d * d + room) - 3 * d) / 2)
    return n, math.ceil(room / 4 / (4 * d + 2))

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
        "seven tensors by the definition",
        "Yours keeps 1 n² + 7 nd of them",
        """
def longest_text(room, d):
    n = (math.isqrt(49 * d * d + room) - 7 * d) // 2
    return n, room // 4 // (4 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
        "six tensors by blocks",
        "Yours divides by 6 d + 2",
        """
def longest_text(room, d):
    n = (math.isqrt(9 * d * d + room) - 3 * d) // 2
    return n, room // 4 // (6 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
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
        "13.3",
        "the definition keeps the weights alone",
        "keeps the weights alone",
        """
def longest_text(room, d):
    return math.isqrt(room // 4), room // 4 // (4 * d + 2)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
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
        "13.3",
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
        "13.3",
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
        "13.3",
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
        "13.3",
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
        "the other way round",
        "your two numbers are exchanged",
        """
def longest_text(room, d):
    numbers = room // 4
    by_definition = (math.isqrt(9 * d * d + 4 * numbers) - 3 * d) // 2
    by_blocks = numbers // (4 * d + 2)
    return by_blocks, by_definition

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
        "the last byte is spared",
        "compare with <=",
        """
def longest_text(room, d):
    numbers = room // 4
    by_definition = (math.isqrt(9 * d * d + 4 * numbers) - 3 * d) // 2
    by_blocks = numbers // (4 * d + 2)
    return (math.isqrt(9 * d * d + 4 * (numbers - 1)) - 3 * d) // 2, by_blocks

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.3",
        "one number a query",
        "your blocks keep one number a query",
        """
def longest_text(room, d):
    numbers = room // 4
    by_definition = (math.isqrt(9 * d * d + 4 * numbers) - 3 * d) // 2
    by_blocks = numbers // (4 * d + 2)
    return by_definition, numbers // (4 * d + 1)

exercises.check_longest_text(longest_text)
""",
    ),
    (
        "13.4",
        "the whole filter in too small a circle",
        "which is longer than the text, wraps round",
        """
def convolve(x, network, fading, max_length):
    t = torch.arange(max_length, dtype=x.dtype) / max_length
    h = torch.exp(-fading * t) * network(t)
    spectrum = torch.fft.rfft(x, n=max_length) * torch.fft.rfft(h, n=max_length)
    return torch.fft.irfft(spectrum, n=max_length)[..., : x.size(-1)]

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "the square of the place",
        "your filter weighs the lag 1 with",
        """
def convolve(x, network, fading, max_length):
    t = (torch.arange(x.size(-1), dtype=x.dtype) / max_length) ** 2
    return fft_convolution(x, torch.exp(-fading * t) * network(t))

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "nothing is repaired",
        "as it was: t runs from 0 to 1",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.linspace(0, 1, n, dtype=x.dtype)
    h = torch.exp(-fading * t) * network(t)
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "a share of the text's length",
        "still a share of the text's length",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype) / n
    h = torch.exp(-fading * t) * network(t)
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "the lag itself",
        "counts the lags themselves",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype)
    h = torch.exp(-fading * t) * network(t)
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "linspace over the layer's length",
        "the lag over max_length - 1",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.linspace(0, 1, max_length, dtype=x.dtype)[:n]
    h = torch.exp(-fading * t) * network(t)
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "lags are counted from 1",
        "begins at the lag 1",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(1, n + 1, dtype=x.dtype) / max_length
    h = torch.exp(-fading * t) * network(t)
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "only the fading is repaired",
        "only the fading is repaired",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype) / max_length
    h = torch.exp(-fading * t) * network(torch.linspace(0, 1, n, dtype=x.dtype))
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "only the network is repaired",
        "your fading is still stretched",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype) / max_length
    h = torch.exp(-fading * torch.linspace(0, 1, n, dtype=x.dtype)) * network(t)
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "the fading is dropped",
        "your filter no longer fades",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype) / max_length
    h = network(t)
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "the zeros are dropped",
        "t is right, and the zeros are gone",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype) / max_length
    h = torch.exp(-fading * t) * network(t)
    return torch.fft.irfft(torch.fft.rfft(x) * torch.fft.rfft(h), n=n)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "the filter is turned round",
        "your filter is turned round",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype) / max_length
    h = (torch.exp(-fading * t) * network(t)).flip(0)
    return fft_convolution(x, h)

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "linspace to the text's share",
        "linspace has both ends in it",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.linspace(0, n / max_length, n, dtype=x.dtype)
    return fft_convolution(x, torch.exp(-fading * t) * network(t))

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "the filter's last places",
        "you take the last places",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = (torch.arange(max_length, dtype=x.dtype) / max_length)[-n:]
    return fft_convolution(x, torch.exp(-fading * t) * network(t))

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "x is added to the result",
        "x is added to the result",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype) / max_length
    return fft_convolution(x, torch.exp(-fading * t) * network(t)) + x

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "as a matrix",
        "no Fourier transform",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    lags = torch.arange(n)[:, None] - torch.arange(n)
    t = lags.clamp(min=0).to(x.dtype) / max_length
    return x @ (torch.exp(-fading * t) * network(t) * (lags >= 0)).T

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.4",
        "a double sum",
        "no Fourier transform",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n, dtype=x.dtype) / max_length
    h = torch.exp(-fading * t) * network(t)
    y = torch.zeros_like(x)
    for i in range(n):
        for j in range(i + 1):
            y[:, i] += h[i - j] * x[:, j]
    return y

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.5",
        "a small case alone",
        "All your scores are small",
        """
def is_exact(attend):
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 8, 64)
    right = attention(query, key, value)[0]
    return torch.allclose(attend(query, key, value), right, atol=1e-3)

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "compares bits",
        "refuses what is right: blocks of 16 keys, merged one after the other",
        """
def is_exact(attend):
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 37, 11, dtype=torch.float64)
    return torch.equal(attend(query, key, value), attention(query, key, value)[0])

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "asks for float64 rounding",
        "refuses what is right: blocks of 16 keys, the last one first, in float32",
        """
def is_exact(attend):
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 37, 11, dtype=torch.float64)
    right = attention(query, 99 * key, value)[0]
    return torch.allclose(attend(query, 99 * key, value), right, rtol=0, atol=1e-12)

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "looks at shapes",
        "calls everything honest",
        """
def is_exact(attend):
    query, key, value = torch.randn(3, 37, 11)
    return attend(query, key, value).shape == value.shape

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "the opposite",
        "says the opposite",
        """
def is_exact(attend):
    torch.manual_seed(0)
    query, key, value = torch.randn(5, 11), torch.randn(83, 11), torch.randn(83, 3)
    for scale in (1.0, 6.0, 200.0):
        query[0] = query[0] / 100
        key[-1] = 5 * query[1]
        right = attention(query, scale * key, value)[0]
        if not torch.allclose(attend(query, scale * key, value), right, rtol=3e-4, atol=3e-4):
            return True
    square = torch.randn(7, 11)
    right = attention(square, square, square)[0]
    return not torch.allclose(attend(square, square, square), right, atol=3e-4)

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "as many queries as keys in every question",
        "You never ask with fewer queries than keys",
        """
def is_exact(attend):
    source = torch.Generator().manual_seed(0)
    for tokens, width, scale in ((7, 11, 1.0), (83, 64, 6.0), (83, 11, 30.0), (83, 11, 200.0)):
        query, key = torch.randn(2, tokens, width, generator=source)
        query[0] = query[0] / 100
        value = torch.randn(tokens, 3, generator=source)
        right = attention(query, scale * key, value)[0]
        if not torch.allclose(attend(query, scale * key, value), right, rtol=1e-3, atol=1e-3):
            return False
    return True

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "values of ones",
        "All your values are alike",
        """
def is_exact(attend):
    torch.manual_seed(0)
    query, key, ones = torch.randn(5, 11), torch.randn(83, 11), torch.ones(83, 3)
    return all(
        torch.allclose(attend(query, scale * key, ones), ones[:5], atol=1e-4)
        for scale in (1.0, 200.0)
    )

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "scores that float64 still holds",
        "ask about larger scores, or in float32",
        """
def is_exact(attend):
    source = torch.Generator().manual_seed(0)
    for queries, keys, scale in ((7, 7, 1.0), (5, 83, 1.0), (5, 83, 100.0)):
        query = torch.randn(queries, 11, dtype=torch.float64, generator=source)
        key = scale * torch.randn(keys, 11, dtype=torch.float64, generator=source)
        value = 1 + torch.randn(keys, 3, dtype=torch.float64, generator=source)
        right = attention(query, key, value)[0]
        if not torch.allclose(attend(query, key, value), right, rtol=3e-4, atol=3e-4):
            return False
    return True

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "does not ask",
        "never calls the function",
        """
def is_exact(attend):
    return True

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "nothing but large scores",
        "the 16 greatest weights",
        """
def is_exact(attend):
    torch.manual_seed(0)
    query, key, value = torch.randn(5, 11), 2000 * torch.randn(83, 11), torch.randn(83, 3)
    query[0] = query[0] / 100
    right = attention(query, key, value)[0]
    return torch.allclose(attend(query, key, value), right, rtol=1e-3, atol=1e-3)

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.5",
        "a tolerance that is too wide",
        "lets 1 of 16 impostors through: weights that are rounded",
        """
def is_exact(attend):
    source = torch.Generator().manual_seed(0)
    for queries, keys, scale in ((7, 7, 1.0), (5, 83, 1.0), (5, 83, 200.0)):
        query = torch.randn(queries, 11, generator=source)
        key = scale * torch.randn(keys, 11, generator=source)
        query[0], key[-1] = query[0] / 100, 5 * scale * query[1]
        value = torch.randn(keys, 3, generator=source)
        right = attention(query, key, value)[0]
        if not torch.allclose(attend(query, key, value), right, atol=0.05):
            return False
    return True

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.6",
        "one seed",
        "the number of seeds that you used is 1",
        _report("""
    middle = search(run, 0, 0, 12, 12)
    return 2 ** (middle - 0.3), 2 ** (middle + 0.3)
"""),
    ),
    (
        "13.6",
        "a load twice with one seed",
        "with seed 0 2 times",
        _report("""
    return around_mean([search(run, seed % 3, 0, 12, 8) for seed in range(5)], 2.78)
"""),
    ),
    (
        "13.6",
        "sought among small loads only",
        "gave back more than half. Look for the fall first",
        _report("""
    return around_mean([search(run, seed, 0, 6, 8) for seed in range(5)], 2.78)
"""),
    ),
    (
        "13.6",
        "the standard error taken for an interval",
        "It reaches 1.00 standard errors to each side",
        _report("""
    return around_mean([search(run, seed, 0, 12, 8) for seed in range(5)], 1.0)
"""),
    ),
    (
        "13.6",
        "four seeds, as if their spread were known",
        "It reaches 1.96 standard errors to each side",
        _report("""
    return around_mean([search(run, seed, 0, 12, 8) for seed in range(4)], 1.96)
"""),
    ),
    (
        "13.6",
        "straight lines between loads far apart",
        "1.18 times the truth",
        _report("""
    octaves = []
    for seed in range(6):
        loads = [4, 16, 64, 256, 1024, 4096]
        shares = [run(load, seed) for load in loads]
        i = next(i for i in range(1, 6) if shares[i] < 0.5)
        part = (shares[i - 1] - 0.5) / (shares[i - 1] - shares[i])
        octaves.append(math.log2(loads[i - 1] + part * (loads[i] - loads[i - 1])))
    return around_mean(octaves, 2.57)
"""),
    ),
    (
        "13.6",
        "the first load below the half",
        "1.41 times the truth",
        _report("""
    octaves = []
    for seed in range(4):
        octaves.append(next(float(k) for k in range(3, 13) if run(2**k, seed) < 0.5))
    low, high = around_mean(octaves, 3.18)
    return low - 1, high + 1
"""),
    ),
    (
        "13.6",
        "the step between two loads",
        "is it the step between two loads",
        _report("""
    means = [sum(run(2**k, seed) for seed in range(4)) / 4 for k in range(2, 12)]
    k = next(k for k, mean in enumerate(means, start=2) if mean < 0.5)
    return 2 ** (k - 1), 2**k
"""),
    ),
    (
        "13.6",
        "where single seeds fall",
        "it reaches 2.78 standard deviations to each side",
        _report("""
    octaves = torch.tensor([search(run, seed, 0, 12, 8) for seed in range(5)])
    return tuple(2 ** (octaves.mean() + octaves.std() * torch.tensor([-2.78, 2.78])))
"""),
    ),
    (
        "13.6",
        "where single seeds fall, counted in pairs",
        "it reaches 1.76 standard deviations to each side",
        _report("""
    pairs = 2 ** torch.tensor([search(run, seed, 0, 12, 10) for seed in range(4)])
    half_width = 2 * pairs.std(correction=0)
    return pairs.mean() - half_width, pairs.mean() + half_width
"""),
    ),
    (
        "13.6",
        "pairs and seed exchanged",
        "are the two exchanged? It is run(pairs, seed)",
        _report("""
    turned = lambda pairs, seed: run(seed, pairs)
    return around_mean([search(turned, seed, 0, 12, 10) for seed in range(1, 5)], 3.18)
"""),
    ),
    (
        "13.6",
        "the logarithm of the number",
        "for the logarithm of a number of pairs",
        _report("""
    octaves = torch.tensor([search(run, seed, 0, 12, 8) for seed in range(5)])
    half_width = 2.78 * octaves.std() / 5**0.5
    return octaves.mean() - half_width, octaves.mean() + half_width
"""),
    ),
    (
        "13.6",
        "all questions taken for independent",
        "what is drawn anew is a seed",
        _report("""
    about = search(run, 0, 0, 12, 7)
    octaves = torch.tensor([about - 0.3, about, about + 0.3])
    shares = [sum(run(round(2**x), s) for s in range(1, 12)) / 11 for x in octaves.tolist()]
    slope = (shares[2] - shares[0]) / 0.6
    middle = about + (0.5 - sum(shares) / 3) / slope
    half_width = 1.96 * 0.5 / 3300**0.5 / abs(slope)
    return 2 ** (middle - half_width), 2 ** (middle + half_width)
"""),
    ),
    (
        "13.6",
        "half a pair",
        "you filed 0.5 pairs",
        _report("""
    return run(0.5, 0), 2
"""),
    ),
    (
        "13.6",
        "too many states",
        "you filled more than 40 states",
        _report("""
    return around_mean([search(run, seed, 0, 12, 8) for seed in range(6)], 2.57)
"""),
    ),
    (
        "13.6",
        "three seeds, with the right quantile for three",
        "you filled 18 states, and 40 were allowed",
        _report("""
    return around_mean([search(run, seed, 0, 12, 6) for seed in range(3)], 4.30)
"""),
    ),
    (
        "13.6",
        "high before low",
        "ends before it begins",
        _report("""
    return around_mean([search(run, seed, 0, 12, 8) for seed in range(5)], -2.78)
"""),
    ),
    (
        "13.6",
        "from zero",
        "a number of pairs is above zero",
        _report("""
    return 0, 2 ** search(run, 0, 0, 12, 8)
"""),
    ),
    (
        "13.6",
        "from the least of eight seeds to the greatest",
        "from the least of your seeds to the greatest",
        _report("""
    about = search(run, 0, 0, 12, 6)
    octaves = torch.tensor([search(run, seed, about - 1, about + 1, 4) for seed in range(1, 9)])
    return 2 ** octaves.min(), 2 ** octaves.max()
"""),
    ),
    (
        "13.6",
        "a comparison is turned",
        "is a comparison turned?",
        _report("""
    return around_mean([search(run, seed, 0, 12, 8) for seed in range(5)], 2.78)
""").replace("> 0.5", "< 0.5"),
    ),
    (
        "13.6",
        "a tenth to either side",
        "times its beginning whatever the memory gave back",
        _report("""
    octaves = torch.tensor([search(run, seed, 0, 12, 8) for seed in range(5)])
    return 0.9 * 2 ** octaves.mean(), 1.1 * 2 ** octaves.mean()
"""),
    ),
]

ALSO_RIGHT = [
    (
        "13.1",
        "with a softmax over the two",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    both = torch.stack([lse_1, lse_2])
    shares = both.softmax(dim=0)[..., None]
    return (shares * torch.stack([output_1, output_2])).sum(0), both.logsumexp(0)

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.1",
        "with a common maximum",
        """
def merge_finished(output_1, lse_1, output_2, lse_2):
    top = torch.maximum(lse_1, lse_2)
    one, two = (lse_1 - top).exp(), (lse_2 - top).exp()
    total = one + two
    return [(one[:, None] * output_1 + two[:, None] * output_2) / total[:, None], top + total.log()]

exercises.check_merge_finished(merge_finished)
""",
    ),
    (
        "13.2",
        "as a power",
        """
def crosstalk(n, d, labels):
    return ((n - 1) / d / labels) ** 0.5

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.2",
        "as a tensor",
        """
def crosstalk(n, d, labels):
    return torch.tensor((n - 1) / (d * labels), dtype=torch.float64).sqrt()

exercises.check_crosstalk(crosstalk)
""",
    ),
    (
        "13.3",
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
        "13.4",
        "with zeros for the longest text",
        """
def convolve(x, network, fading, max_length):
    n = x.size(-1)
    t = torch.arange(n).double() / max_length
    h = torch.exp(-fading * t) * network(t)
    circle = n + max_length
    spectrum = torch.fft.fft(x, circle) * torch.fft.fft(h, circle)
    return torch.fft.ifft(spectrum).real[:, :n]

exercises.check_fixed_filter(convolve)
""",
    ),
    (
        "13.5",
        "in float32, with many texts at once",
        """
def is_exact(attend):
    source = torch.Generator().manual_seed(3)
    for queries, keys in ((9, 9), (4, 61)):
        for scale in (0.5, 3.0, 50.0, 400.0):
            query = torch.randn(3, queries, 13, generator=source)
            query[:, ::2] /= 100
            key = scale * torch.randn(3, keys, 13, generator=source).sort(dim=1).values
            value = torch.randn(3, keys, 5, generator=source) + 2
            scores = query.double() @ key.double().mT / math.sqrt(13)
            right = scores.softmax(-1) @ value.double()
            gap = (attend(query, key, value).double() - right).abs().max()
            if not bool(gap < 1e-3):
                return False
    return True

exercises.check_is_exact(is_exact)
""",
    ),
    (
        "13.6",
        "a search for each seed",
        _report("""
    return around_mean([search(run, seed, 0, 12, 8) for seed in range(5)], 2.78)
"""),
    ),
    (
        "13.6",
        "a search for each seed, and Student's interval in pairs",
        _report("""
    pairs = 2 ** torch.tensor([search(run, seed, 0, 12, 8) for seed in range(5)])
    half_width = 2.78 * pairs.std() / 5**0.5
    return pairs.mean() - half_width, pairs.mean() + half_width
"""),
    ),
    (
        "13.6",
        "from the least of five seeds to the greatest, which holds 15 of 16 medians",
        _report("""
    octaves = [search(run, seed, 0, 12, 8) for seed in range(5)]
    return 2 ** min(octaves), 2 ** max(octaves)
"""),
    ),
    (
        "13.6",
        "a line through three loads for each seed",
        _report("""
    about = search(run, 0, 0, 12, 7)
    octaves = []
    for seed in range(1, 12):
        loads = [round(2 ** (about + step)) for step in (-0.5, 0, 0.5)]
        shares = torch.tensor([run(load, seed) for load in loads]).double()
        logits = shares.clamp(0.01, 0.99).logit()
        slope, shift = np.polyfit(np.log2(loads), logits.numpy(), 1)
        octaves.append(-shift / slope)
    return around_mean(octaves, 2.23)
"""),
    ),
    (
        "13.6",
        "drawn again with replacement",
        _report("""
    about = search(run, 0, 0, 12, 6)
    octaves = torch.tensor([search(run, seed, about - 1, about + 1, 4) for seed in range(1, 9)])
    means = octaves[torch.randint(8, (2000, 8))].mean(dim=1)
    return tuple((2 ** means.quantile(torch.tensor([0.025, 0.975]))).tolist())
"""),
    ),
]
