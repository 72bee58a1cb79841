"""Wrong answers to the exercises of chapter 7, each with the words that its verdict must say."""

WRONG = [
    (
        "7.1",
        "an epsilon of one's own",
        "you left epsilon out",
        """
def layer_norm(x, weight, bias, epsilon):
    mean = x.mean(-1, keepdim=True)
    variance = x.var(-1, correction=0, keepdim=True)
    return (x - mean) / torch.sqrt(variance + 1e-5) * weight + bias
exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "the variance divides by one fewer",
        "divides by one fewer than the width",
        """
def layer_norm(x, weight, bias, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt(x.var(-1, keepdim=True) + epsilon) * weight + bias

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "epsilon is added to the standard deviation",
        "your epsilon stands outside the root",
        """
def layer_norm(x, weight, bias, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    return centred / (x.std(-1, correction=0, keepdim=True) + epsilon) * weight + bias

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "epsilon is left out",
        "you left epsilon out",
        """
def layer_norm(x, weight, bias, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    return centred / x.std(-1, correction=0, keepdim=True) * weight + bias

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "epsilon is always the default",
        "does it use the epsilon",
        """
def layer_norm(x, weight, bias, epsilon):
    return F.layer_norm(x, x.shape[-1:], weight, bias, max(epsilon, 1e-3))

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "the root is forgotten",
        "you divided by the variance",
        """
def layer_norm(x, weight, bias, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + epsilon) * weight + bias

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "the axis is that of the tokens",
        "you normalised over the tokens of a sequence",
        """
def layer_norm(x, weight, bias, epsilon):
    centred = x - x.mean(-2, keepdim=True)
    variance = centred.square().mean(-2, keepdim=True)
    return centred / torch.sqrt(variance + epsilon) * weight + bias

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "the axis is that of the batch",
        "as batch normalisation does",
        """
def layer_norm(x, weight, bias, epsilon):
    centred = x - x.mean(0)
    return centred / torch.sqrt(x.var(0, correction=0) + epsilon) * weight + bias

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "one mean for everything",
        "one mean and one variance for several tokens",
        """
def layer_norm(x, weight, bias, epsilon):
    centred = x - x.mean()
    return centred / torch.sqrt(centred.square().mean() + epsilon) * weight + bias

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "scale and shift are left out",
        "left out the learned scale and shift",
        """
def layer_norm(x, weight, bias, epsilon):
    centred = x - x.mean(-1, keepdim=True)
    return centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + epsilon)

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.1",
        "the mean stays",
        "that is RMSNorm",
        """
def layer_norm(x, weight, bias, epsilon):
    return x / torch.sqrt(x.square().mean(-1, keepdim=True) + epsilon) * weight + bias

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.2",
        "post-norm",
        "that is post-norm, the block of 2017",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    x = norm_1(x + attention(x))
    return norm_2(x + feed_forward(x))

exercises.check_pre_norm_block(block)
""",
    ),
    (
        "7.2",
        "no skips",
        "no skip-connections at all",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    return feed_forward(norm_2(attention(norm_1(x))))

exercises.check_pre_norm_block(block)
""",
    ),
    (
        "7.2",
        "no skip around attention",
        "the skip around attention is missing",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    x = attention(norm_1(x))
    return x + feed_forward(norm_2(x))

exercises.check_pre_norm_block(block)
""",
    ),
    (
        "7.2",
        "no skip around the feed-forward network",
        "the skip around the feed-forward network is missing",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    return feed_forward(norm_2(x + attention(norm_1(x))))

exercises.check_pre_norm_block(block)
""",
    ),
    (
        "7.2",
        "the skip carries the normalised token",
        "to the normalised stream",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    x = norm_1(x)
    x = x + attention(x)
    x = norm_2(x)
    return x + feed_forward(x)

exercises.check_pre_norm_block(block)
""",
    ),
    (
        "7.2",
        "the feed-forward network reads the block's input",
        "as if it stood beside attention",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    return x + attention(norm_1(x)) + feed_forward(norm_2(x))

exercises.check_pre_norm_block(block)
""",
    ),
    (
        "7.2",
        "the second skip carries the block's input",
        "your second skip carries the block's input",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    attended = x + attention(norm_1(x))
    return x + feed_forward(norm_2(attended))

exercises.check_pre_norm_block(block)
""",
    ),
    (
        "7.2",
        "one norm serves twice",
        "you used the first norm twice",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    x = x + attention(norm_1(x))
    return x + feed_forward(norm_1(x))

exercises.check_pre_norm_block(block)
""",
    ),
    (
        "7.2",
        "the caller's tensor is changed",
        "changes `x` in place",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    x += attention(norm_1(x))
    x += feed_forward(norm_2(x))
    return x

exercises.check_pre_norm_block(block)
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
]

ALSO_RIGHT = [
    (
        "7.1",
        "a loop over tokens, in float32",
        """
def layer_norm(x, weight, bias, epsilon):
    tokens = []
    for token in x.float().flatten(0, -2):
        z = (token - token.mean()) * torch.rsqrt(token.var(unbiased=False) + epsilon)
        tokens.append(weight.float() * z + bias.float())
    return torch.stack(tokens).view(x.shape)

exercises.check_layer_norm(layer_norm)
""",
    ),
    (
        "7.2",
        "in one expression, with a name for the middle",
        """
def block(x, norm_1, attention, norm_2, feed_forward):
    Z = attention(norm_1(x))
    R = feed_forward(norm_2(x + Z))
    return (x + Z) + R

exercises.check_pre_norm_block(block)
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
]
