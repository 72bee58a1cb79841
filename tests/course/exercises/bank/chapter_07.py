"""Wrong answers to the exercises of chapter 7, each with the words that its verdict must say."""

RATES = "(0.001, 0.003, 0.01, 0.03, 0.1)"


def _race(choose: str, judge: str) -> str:
    """A report that chooses rates somehow, and then judges somehow."""
    return f"""
def interval(gains):
    gains = torch.tensor(gains)
    half_width = 2.14 * gains.std() / len(gains) ** 0.5
    return gains.mean() - half_width, gains.mean() + half_width


def report(run):
    rates = {RATES}
    {choose}
    {judge}


exercises.check_report(report)
"""


EACH_ITS_BEST = (
    "post, pre = (min(rates, key=lambda r: sum(run(norm, r, s) for s in range(3)))"
    ' for norm in ("post", "pre"))'
)
FRESH = 'return interval([run("post", post, s) - run("pre", pre, s) for s in range(3, 18)])'


WRONG = [
    (
        "7.1",
        "only loud tokens are asked about",
        "Your tokens are all loud",
        """
def is_layer_norm(norm):
    torch.manual_seed(0)
    x = 3 * torch.randn(2, 5, 16) + 1
    return torch.allclose(norm(x), F.layer_norm(x, (16,), eps=1e-5), atol=1e-4)

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "bits are compared",
        "refuses what is right: a layer norm",
        """
def is_layer_norm(norm):
    torch.manual_seed(0)
    x = 3 * torch.randn(2, 5, 16) + 1
    x[:, 1] *= 0.001
    return torch.equal(norm(x), F.layer_norm(x, (16,), eps=1e-5))

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "mean and spread of one token are asked for, and no more",
        "a mean and a spread of all tokens so far",
        """
def is_layer_norm(norm):
    torch.manual_seed(0)
    x = 0.01 * torch.randn(1, 1, 16)
    return torch.allclose(norm(x), F.layer_norm(x, (16,), eps=1e-5), atol=1e-4)

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "the tolerance is too wide",
        "a variance that divides by one fewer than the width",
        """
def is_layer_norm(norm):
    torch.manual_seed(0)
    x = torch.randn(3, 5, 16) + 2
    x[:, :2] *= 0.01
    return torch.allclose(norm(x), F.layer_norm(x, (16,), eps=1e-5), atol=0.9)

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "tokens of small numbers, none of them far out",
        "lets nothing exceed three",
        """
def is_layer_norm(norm):
    torch.manual_seed(0)
    x = 0.003 * torch.rand(3, 5, 16) + 2
    return torch.allclose(norm(x), F.layer_norm(x, (16,), eps=1e-5), atol=1e-3)

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "says the opposite",
        "says the opposite",
        """
def is_layer_norm(norm):
    torch.manual_seed(0)
    x = torch.randn(3, 6, 24) + 2
    x = x * torch.tensor([1.0, 10.0, 0.1, 0.01, 0.001, 0.0])[:, None]
    x[0, 0, 0] = 30.0
    return not torch.allclose(norm(x), F.layer_norm(x, (24,), eps=1e-5), rtol=1e-3, atol=1e-3)

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "another epsilon is expected",
        "torch's layer norm; a layer norm written out",
        """
def is_layer_norm(norm):
    torch.manual_seed(0)
    x = 0.001 * torch.randn(3, 6, 24) + 2
    return torch.allclose(norm(x), F.layer_norm(x, (24,), eps=1e-12), atol=1e-3)

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "everything is honest",
        "calls everything honest",
        """
def is_layer_norm(norm):
    x = torch.randn(2, 5, 16)
    return norm(x).shape == x.shape

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "no norm is called",
        "never calls the function",
        """
def is_layer_norm(norm):
    return norm is not None

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "a vector is asked about",
        "something else than a tensor (batch, length, width)",
        """
def is_layer_norm(norm):
    x = torch.randn(16)
    return torch.allclose(norm(x), F.layer_norm(x, (16,)))

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.1",
        "no truth value comes back",
        "expected True (honest) or False",
        """
def is_layer_norm(norm):
    x = torch.randn(2, 5, 16)
    return norm(x) - F.layer_norm(x, (16,))

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.2",
        "it is as it was",
        "this is `broken` as it was",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        read = norm_1(x)
        x = x + attend(read)
        x = x + think(norm_2(read))
    return x

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "only the last norm is repaired",
        "still reads what the first norm made of the block's input",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        read = norm_1(x)
        x = x + attend(read)
        x = x + think(norm_2(read))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the finding is added to what was read",
        "added to the normalised x",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        read = norm_1(x)
        found = attend(read)
        x = x + found + think(norm_2(read + found))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the norms are put on the stream",
        "both norms stand on the stream",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = norm_1(x)
        x = x + attend(x)
        x = norm_2(x)
        x = x + think(x)
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the last norm is missing",
        "your blocks are right, and the last norm is missing",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_1(x))
        x = x + think(norm_2(x))
    return x

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the last norm stands in the loop",
        "your last norm stands behind every block",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_1(x))
        x = last_norm(x + think(norm_2(x)))
    return x

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the first norm is put on the stream",
        "the first norm stands on the stream",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = norm_1(x)
        x = x + attend(x)
        x = x + think(norm_2(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the second norm is put on the stream",
        "the second norm stands on the stream",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = norm_2(x + attend(norm_1(x)))
        x = x + think(x)
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "post-norm",
        "that is post-norm, the block of 2017",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = norm_1(x + attend(x))
        x = norm_2(x + think(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "no skips",
        "no skip-connections at all",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = attend(norm_1(x))
        x = think(norm_2(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "no skip around attention",
        "the skip around attention is missing",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = attend(norm_1(x))
        x = x + think(norm_2(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "no skip around the feed-forward network",
        "the skip around the feed-forward network is missing",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = think(norm_2(x + attend(norm_1(x))))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the feed-forward network reads the block's input",
        "as if it stood beside attention",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_1(x)) + think(norm_2(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the second skip carries the block's input",
        "your second skip carries the block's input",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        attended = x + attend(norm_1(x))
        x = x + think(norm_2(attended))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "one norm serves twice",
        "you used the first norm twice",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_1(x))
        x = x + think(norm_1(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the second norm is lost",
        "your second norm is missing",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_1(x))
        x = x + think(x)
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "all norms are taken away",
        "you took the norms away",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(x)
        x = x + think(x)
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the norms stand on the changes",
        "they normalise the change",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + norm_1(attend(x))
        x = x + norm_2(think(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the parts change places",
        "the parts are in the wrong order",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + think(norm_2(x))
        x = x + attend(norm_1(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the return stands in the loop",
        "you return after the first block",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_1(x))
        x = x + think(norm_2(x))
        return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the caller's tensor is changed",
        "changes `x` in place",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x += attend(norm_1(x))
        x += think(norm_2(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.3",
        "the words are taken for the first ones",
        "do not take the first ones",
        """
def distinctness_of_words(x, is_word):
    shares = []
    for sequence, number in zip(x, is_word.sum(1)):
        words = sequence[:number]
        shares.append((words - words.mean(0)).norm() / words.norm())
    return torch.stack(shares)
exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "the padding is left in",
        "as if it were words",
        """
def distinctness_of_words(x, is_word):
    own = x - x.mean(1, keepdim=True)
    return own.flatten(1).norm(dim=1) / x.flatten(1).norm(dim=1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "the mean divides by the padded length",
        "divide by its number of words",
        """
def distinctness_of_words(x, is_word):
    x = x * is_word[:, :, None]
    own = (x - x.mean(1, keepdim=True)) * is_word[:, :, None]
    return own.flatten(1).norm(dim=1) / x.flatten(1).norm(dim=1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "the padding becomes words of zeros",
        "took the zeros for words",
        """
def distinctness_of_words(x, is_word):
    x = x * is_word[:, :, None]
    own = x - x.mean(1, keepdim=True)
    return own.flatten(1).norm(dim=1) / x.flatten(1).norm(dim=1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "the padding comes back with the mean",
        "your padding came back",
        """
def distinctness_of_words(x, is_word):
    words = is_word[:, :, None]
    x = x * words
    own = x - x.sum(1, keepdim=True) / words.sum(1, keepdim=True)
    return own.flatten(1).norm(dim=1) / x.flatten(1).norm(dim=1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "one number for the batch",
        "one number for the whole batch",
        """
def distinctness_of_words(x, is_word):
    words = is_word[:, :, None]
    x = x * words
    own = (x - x.sum(1, keepdim=True) / words.sum(1, keepdim=True)) * words
    return own.norm() / x.norm()

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "the mean runs over the width",
        "you took the mean over the width",
        """
def distinctness_of_words(x, is_word):
    words = is_word[:, :, None]
    own = (x - x.mean(-1, keepdim=True)) * words
    return own.flatten(1).norm(dim=1) / (x * words).flatten(1).norm(dim=1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "not divided by the whole",
        "you did not divide by the size of the whole",
        """
def distinctness_of_words(x, is_word):
    words = is_word[:, :, None]
    x = x * words
    own = (x - x.sum(1, keepdim=True) / words.sum(1, keepdim=True)) * words
    return own.flatten(1).norm(dim=1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.4",
        "a matrix product for the scale",
        "weight @ scale adds them up",
        """
def fold(scale, shift, weight, bias):
    return weight @ scale, weight @ shift + bias

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the rows are scaled",
        "you scaled the rows",
        """
def fold(scale, shift, weight, bias):
    return weight * scale[:, None], bias + weight @ shift

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the bias is forgotten",
        "your bias is unchanged",
        """
def fold(scale, shift, weight, bias):
    return weight * scale, bias

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the shift is scaled too",
        "through the weight that is already scaled",
        """
def fold(scale, shift, weight, bias):
    weight = weight * scale
    return weight, bias + weight @ shift

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the shift is added as it is",
        "you added the shift as it is",
        """
def fold(scale, shift, weight, bias):
    return weight * scale, bias + shift

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the layer's own bias is lost",
        "your bias has lost the layer's own",
        """
def fold(scale, shift, weight, bias):
    return weight * scale, weight @ shift

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the weight is transposed for the bias",
        "you multiplied with the transposed weight",
        """
def fold(scale, shift, weight, bias):
    return weight * scale, bias + shift @ weight

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the weight is not scaled",
        "your weight is unchanged",
        """
def fold(scale, shift, weight, bias):
    return weight, bias + weight @ shift

exercises.check_fold(fold)
""",
    ),
    (
        "7.5",
        "mean and spread are held fixed",
        "you held mean and spread fixed",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return g / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "the spread is held fixed",
        "the spread is held fixed: it depends",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "the mean is held fixed",
        "the mean is held fixed: it depends",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - z * (z * g).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "the factor is missing",
        "the factor one over the spread is missing",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return g - g.mean(-1, keepdim=True) - z * (z * g).mean(-1, keepdim=True)

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "the variance divides in place of its root",
        "you divide by the spread twice",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(-1, keepdim=True) - z * (z * g).mean(-1, keepdim=True)) / s**2

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "the wrong sign of the spread's term",
        "the sign of the spread's term",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(-1, keepdim=True) + z * (z * g).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "the wrong sign of the mean's term",
        "the sign of the mean's term",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g + g.mean(-1, keepdim=True) - z * (z * g).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "a factor of two",
        "a factor of two is left over",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(-1, keepdim=True) - 2 * z * (z * g).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "a factor of one half",
        "a factor of one half is left over",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(-1, keepdim=True) - z * (z * g).mean(-1, keepdim=True) / 2) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "a sum for the mean in the spread's term",
        "the spread's term sums where",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(-1, keepdim=True) - z * (z * g).sum(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "a sum in the mean's term",
        "the mean's term sums where",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.sum(-1, keepdim=True) - z * (z * g).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "deviations where z-scores belong",
        "it lacks one over the variance",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(-1, keepdim=True) - centred * (centred * g).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "one deviation is left",
        "the deviation once where z is to stand",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(-1, keepdim=True) - z * (centred * g).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "the axis is that of the tokens",
        "you averaged over the tokens",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    return (g - g.mean(1, keepdim=True) - z * (z * g).mean(1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "epsilon is left out",
        "epsilon is left out",
        """
def norm_backward(x, gradient, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    s = torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)
    z, g = centred / s, gradient
    s = x.std(-1, correction=0, keepdim=True)
    z = centred / s
    return (g - g.mean(-1, keepdim=True) - z * (z * g).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "autograd does it",
        "torch.autograd is not to do it",
        """
def norm_backward(x, gradient, epsilon):
    x = x.clone().requires_grad_()
    z = F.layer_norm(x, x.shape[-1:], eps=epsilon)
    return torch.autograd.grad(z, x, gradient)[0]

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "backward does it",
        "torch's backward is not to do it",
        """
def norm_backward(x, gradient, epsilon):
    x = x.clone().requires_grad_()
    (F.layer_norm(x, x.shape[-1:], eps=epsilon) * gradient).sum().backward()
    return x.grad

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.6",
        "one rate for both",
        "you tried 'post' at 1 of 5 rates",
        _race(
            "post = pre = 0.01",
            'return interval([run("post", post, s) - run("pre", pre, s) for s in range(15)])',
        ),
    ),
    (
        "7.6",
        "only the arm that is hoped for is tuned",
        "you tried 'post' at 2 of 5 rates",
        _race(
            'post = 0.01\n    run("post", 0.1, 0)\n'
            '    pre = min(rates, key=lambda r: sum(run("pre", r, s) for s in range(3)))',
            FRESH,
        ),
    ),
    (
        "7.6",
        "the rate that suits both together",
        "you judge both arms at the same rate",
        _race(
            "post = pre = min(rates, key=lambda r: sum(run(norm, r, s) for s in range(3)"
            ' for norm in ("post", "pre")))',
            FRESH,
        ),
    ),
    (
        "7.6",
        "judged by the runs that chose",
        "too low, by 0.013 on average. Was a rate judged by the runs that chose it",
        _race(
            'loss = {(n, r): [run(n, r, s) for s in range(6)] for n in ("post", "pre")'
            " for r in rates}\n"
            '    post, pre = (min(rates, key=lambda r: sum(loss[n, r])) for n in ("post", "pre"))',
            'pairs = zip(loss["post", post], loss["pre", pre])\n'
            "    return interval([a - b for a, b in pairs])",
        ),
    ),
    (
        "7.6",
        "the best run of all against the best run of all",
        "too low, by 0.029 on average",
        _race(
            "post, pre = (min(run(n, r, s) for r in rates for s in range(6))"
            ' for n in ("post", "pre"))',
            "return post - pre - 0.02, post - pre + 0.02",
        ),
    ),
    (
        "7.6",
        "seeds of its own for each arm",
        "a seed is easy or hard for both arms",
        _race(
            EACH_ITS_BEST,
            'a = torch.tensor([run("post", post, s) for s in range(3, 18)])\n'
            '    b = torch.tensor([run("pre", pre, s) for s in range(18, 33)])\n'
            "    half_width = 2.05 * ((a.var() + b.var()) / 15) ** 0.5\n"
            "    return a.mean() - b.mean() - half_width, a.mean() - b.mean() + half_width",
        ),
    ),
    (
        "7.6",
        "pre-norm's loss less post-norm's",
        "for the first arm less the second",
        _race(
            EACH_ITS_BEST,
            'return interval([run("pre", pre, s) - run("post", post, s) for s in range(3, 18)])',
        ),
    ),
    (
        "7.6",
        "the standard error taken for an interval",
        "reaches 1.00 standard errors",
        _race(
            EACH_ITS_BEST,
            'g = torch.tensor([run("post", post, s) - run("pre", pre, s) for s in range(3, 18)])\n'
            "    return g.mean() - g.std() / 15**0.5, g.mean() + g.std() / 15**0.5",
        ),
    ),
    (
        "7.6",
        "ten seeds for every rate",
        "you trained more than 60 models",
        _race(
            EACH_ITS_BEST.replace("range(3)", "range(10)"),
            FRESH,
        ),
    ),
    (
        "7.6",
        "a rate that is not in the race",
        "you asked for 'post' at rate 0.02",
        _race("post = pre = 0.02", FRESH),
    ),
    (
        "7.2",
        "the norms are exchanged",
        "norm_2 of block 1 is called where it is the turn",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_2(x))
        x = x + think(norm_1(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "the stream is added once more",
        "you return something else than what the last norm gave",
        """
def stack(x, blocks, last_norm):
    start = x
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_1(x))
        x = x + think(norm_2(x))
    return start + last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.3",
        "one mean word for the batch",
        "your mean word is that of the whole batch",
        """
def distinctness_of_words(x, is_word):
    words = is_word[:, :, None]
    x = x * words
    mean = x.sum((0, 1), keepdim=True) / words.sum()
    own = (x - mean) * words
    return own.flatten(1).norm(dim=1) / x.flatten(1).norm(dim=1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "a share for each word",
        "you took a share for each word",
        """
def distinctness_of_words(x, is_word):
    words = is_word[:, :, None]
    x = x * words
    mean = x.sum(1, keepdim=True) / words.sum(1, keepdim=True)
    own = (x - mean) * words
    ratio = own.norm(dim=-1) / x.norm(dim=-1).clamp(min=1e-9)
    return ratio.sum(1) / is_word.sum(1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.3",
        "what is shared",
        "you measured the mean word",
        """
def distinctness_of_words(x, is_word):
    words = is_word[:, :, None]
    x = x * words
    mean = x.sum(1, keepdim=True) / words.sum(1, keepdim=True)
    return (mean * words).flatten(1).norm(dim=1) / x.flatten(1).norm(dim=1)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.4",
        "the shift is divided by the scale",
        "you divided the shift by the scale",
        """
def fold(scale, shift, weight, bias):
    return weight * scale, bias + weight @ (shift / scale)

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the shift is taken away",
        "you took the shift away",
        """
def fold(scale, shift, weight, bias):
    return weight * scale, bias - weight @ shift

exercises.check_fold(fold)
""",
    ),
    (
        "7.4",
        "the shift goes into the weight",
        "you added the shift to the weight",
        """
def fold(scale, shift, weight, bias):
    return weight * scale + shift, bias

exercises.check_fold(fold)
""",
    ),
    (
        "7.5",
        "both terms sum",
        "there are two mistakes. The mean",
        """
def norm_backward(x, gradient, epsilon):
    s = (x.var(-1, correction=0, keepdim=True) + epsilon).sqrt()
    z = (x - x.mean(-1, keepdim=True)) / s
    along = z * (z * gradient).sum(-1, keepdim=True)
    return (gradient - gradient.sum(-1, keepdim=True) - along) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "epsilon is added to the root",
        "you added epsilon to the root",
        """
def norm_backward(x, gradient, epsilon):
    s = x.std(-1, correction=0, keepdim=True) + epsilon
    z = (x - x.mean(-1, keepdim=True)) / s
    along = z * (z * gradient).mean(-1, keepdim=True)
    return (gradient - gradient.mean(-1, keepdim=True) - along) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.5",
        "z is lost",
        "lacks z as a factor in front",
        """
def norm_backward(x, gradient, epsilon):
    s = (x.var(-1, correction=0, keepdim=True) + epsilon).sqrt()
    z = (x - x.mean(-1, keepdim=True)) / s
    return (gradient - gradient.mean(-1, keepdim=True) - (z * gradient).mean(-1, keepdim=True)) / s

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.6",
        "the greatest loss chooses",
        "far from its best one in most races",
        _race(EACH_ITS_BEST.replace("min(", "max("), FRESH),
    ),
    (
        "7.6",
        "one seed over and over",
        "15 times over: the same seed gives the same number",
        _race(EACH_ITS_BEST, FRESH.replace(", s)", ", 5)")),
    ),
    (
        "7.6",
        "a share of the loss",
        "for a share of the loss",
        _race(
            EACH_ITS_BEST, FRESH.replace(", s) -", ", s) / ").replace(", s) for", ", s) - 1 for")
        ),
    ),
    (
        "7.2",
        "the stream is doubled",
        "reads 2 times x and 2 times what attend",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        x = x + attend(norm_1(x))
        x = x + x + think(norm_2(x))
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
]

ALSO_RIGHT = [
    (
        "7.1",
        "numbers without torch's layer norm, in float64",
        """
def is_layer_norm(norm):
    draw = torch.Generator().manual_seed(1)
    for spread in (30.0, 1.0, 0.05, 0.003, 0.0005):
        x = torch.randn(4, 5, 40, generator=draw, dtype=torch.float64) * spread + 0.5
        x[..., 0] += 20 * spread
        variance = x.var(-1, correction=0, keepdim=True)
        right = (x - x.mean(-1, keepdim=True)) / (variance + 1e-5).sqrt()
        if (norm(x) - right).abs().max() > 1e-3:
            return False
    constant = norm(torch.full((1, 2, 40), 2.0))
    return bool(constant.isfinite().all())

exercises.check_is_layer_norm(is_layer_norm)
""",
    ),
    (
        "7.2",
        "with names for Z and R",
        """
def stack(x, blocks, last_norm):
    for norm_1, attend, norm_2, think in blocks:
        Z = attend(norm_1(x))
        R = think(norm_2(x + Z))
        x = (x + Z) + R
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.2",
        "with a function for a part",
        """
def stack(x, blocks, last_norm):
    def part(stream, norm, change):
        return stream + change(norm(stream))
    for norm_1, attend, norm_2, think in blocks:
        x = part(part(x, norm_1, attend), norm_2, think)
    return last_norm(x)

exercises.check_pre_norm_stack(stack)
""",
    ),
    (
        "7.3",
        "one sequence at a time",
        """
def distinctness_of_words(x, is_word):
    shares = []
    for tokens, words in zip(x, is_word):
        chosen = tokens[words]
        shares.append(torch.linalg.norm(chosen - chosen.mean(0)) / torch.linalg.norm(chosen))
    return torch.stack(shares)

exercises.check_distinctness(distinctness_of_words)
""",
    ),
    (
        "7.4",
        "with a diagonal matrix and einsum",
        """
def fold(scale, shift, weight, bias):
    return weight @ torch.diag(scale), torch.einsum("oi,i->o", weight, shift) + bias

exercises.check_fold(fold)
""",
    ),
    (
        "7.5",
        "by the matrix of derivatives",
        """
def norm_backward(x, gradient, epsilon):
    width = x.size(-1)
    mu = x.mean(-1, keepdim=True)
    s = (x.var(-1, correction=0, keepdim=True) + epsilon).sqrt()
    z = (x - mu) / s
    projection = torch.eye(width, dtype=x.dtype) - 1 / width
    slopes = (projection - z[..., :, None] * z[..., None, :] / width) / s[..., None]
    return torch.einsum("...i,...ij->...j", gradient, slopes)

exercises.check_norm_backward(norm_backward)
""",
    ),
    (
        "7.6",
        "another way to search, and other seeds",
        _race(
            'tried = {(n, r): max(run(n, r, s) for s in (40, 41)) for n in ("post", "pre")'
            " for r in rates}\n"
            '    post, pre = (min(rates, key=lambda r: tried[n, r]) for n in ("post", "pre"))',
            FRESH.replace("range(3, 18)", "range(20, 40)"),
        ),
    ),
]
