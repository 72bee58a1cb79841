"""Wrong answers to the exercises of chapter 15, each with the words that its verdict must say."""

WRONG = [
    (
        "15.1",
        "a divisor of one at least",
        "sum to less than one no longer sum to one",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores) * mask
    return kept / kept.sum(-1, keepdim=True).clamp(min=1.0)
exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "the mask comes after the division",
        "you mask after dividing",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores)
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-9) * mask

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "the mask is forgotten",
        "the mask is not used",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores)
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-9)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "the mask is read the other way",
        "your mask is inverted",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores).masked_fill(mask, 0.0)
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-9)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "the sum runs over the queries",
        "shares over the queries",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores) * mask
    return kept / kept.sum(-2, keepdim=True).clamp(min=1e-9)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "the length of a row divides",
        "as F.normalize does",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores) * mask
    return F.normalize(kept, dim=-1)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "large sums are made one",
        "clamp(max=1) makes",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores) * mask
    return kept / kept.sum(dim=-1, keepdim=True).clamp(max=1.0)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "a softplus in place of the ReLU",
        "a ReLU leaves zero there",
        """
def normalized_relu(scores, mask):
    kept = F.softplus(scores) * mask
    return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-12)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "the number of keys divides",
        "you divide by the number of allowed keys",
        """
def normalized_relu(scores, mask):
    return F.relu(scores) * mask / mask.sum(-1, keepdim=True).clamp(min=1)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "softmax out of habit",
        "your weights are those of softmax",
        """
def normalized_relu(scores, mask):
    return scores.masked_fill(~mask, float("-inf")).softmax(-1)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "the ReLU is forgotten",
        "apply the ReLU before you divide",
        """
def normalized_relu(scores, mask):
    kept = scores * mask
    return kept / kept.sum(-1, keepdim=True)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "nothing is divided",
        "are not divided by anything",
        """
def normalized_relu(scores, mask):
    return F.relu(scores) * mask

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "an empty row is zero over zero",
        "comes out as NaN",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores) * mask
    return kept / kept.sum(-1, keepdim=True)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "an empty row is repaired too late",
        "their gradients are NaN",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores) * mask
    return (kept / kept.sum(-1, keepdim=True)).nan_to_num()

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "a number added to every sum",
        "to the sum that you divide by",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores) * mask
    return kept / (kept.sum(dim=-1, keepdim=True) + 0.01)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "a detached sum",
        "must not be detached",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores) * mask
    total = kept.detach().sum(dim=-1, keepdim=True)
    return kept / total.masked_fill(total == 0, 1.0)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.2",
        "the rest in falling order",
        "is the same text",
        """
def blind_twin(text):
    return torch.cat([text[:-1].sort(descending=True).values, text[-1:]])
exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.2",
        "the rest in order",
        "is the same text",
        """
def blind_twin(text):
    return torch.cat([text[:-1].sort().values, text[-1:]])
exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.2",
        "the rest backwards",
        "is the same text",
        """
def blind_twin(text):
    return torch.cat([text[:-1].flip(0), text[-1:]])
exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.2",
        "the text itself",
        "is the same text",
        """
def blind_twin(text):
    return text.clone()

exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.2",
        "the first two change places, though they may be equal",
        "is the same text",
        """
def blind_twin(text):
    twin = text.clone()
    twin[[0, 1]] = text[[1, 0]]
    return twin

exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.2",
        "the whole text is reversed",
        "ends in another token",
        """
def blind_twin(text):
    return text.flip(0)

exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.2",
        "a token is exchanged for another",
        "has other tokens than the text",
        """
def blind_twin(text):
    twin = text.clone()
    twin[0] = (twin[0] + 1) % 10
    return twin

exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.2",
        "views change places",
        "one token overwrites another",
        """
def blind_twin(text):
    twin = text.clone()
    other = (text[:-1] != text[0]).nonzero()[0, 0]
    twin[0], twin[other] = twin[other], twin[0]
    return twin

exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.2",
        "the text is written twice",
        "one of the same length is asked for",
        """
def blind_twin(text):
    return torch.cat([text, text])

exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.1",
        "the code as it was given",
        "this is the code that you were given",
        """
def normalized_relu(scores, mask):
    kept = F.relu(scores)
    total = kept.sum(dim=-1, keepdim=True)
    return kept / total.clamp(min=1.0) * mask
exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.3",
        "the two angles' cosines and sines",
        "are the cosines and sines of the two angles",
        """
def query_for_two(a, b):
    return torch.stack([a.cos(), a.sin(), b.cos(), b.sin()])

exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "a difference beside the doubled angle",
        "first two of your numbers point where they should",
        """
def query_for_two(a, b):
    return torch.stack([a.cos() + b.cos(), a.sin() + b.sin(), a.cos() - b.cos(), a.sin() - b.sin()])

exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "the sum of the two places",
        "the numbers of the doubled angle are missing",
        """
def query_for_two(a, b):
    return torch.stack([a.cos() + b.cos(), a.sin() + b.sin(), 0 * a, 0 * a])
exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "the doubled angle is added",
        "has the wrong sign",
        """
def query_for_two(a, b):
    return torch.stack([a.cos() + b.cos(), a.sin() + b.sin(), (a + b).cos() / 2, (a + b).sin() / 2])
exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "the function itself, not its negative",
        "lowest at the two places",
        """
def query_for_two(a, b):
    return -torch.stack(
        [a.cos() + b.cos(), a.sin() + b.sin(), -(a + b).cos() / 2, -(a + b).sin() / 2]
    )
exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "the half is forgotten",
        "weighs twice what it should",
        """
def query_for_two(a, b):
    return torch.stack([a.cos() + b.cos(), a.sin() + b.sin(), -(a + b).cos(), -(a + b).sin()])
exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "the difference for the sum",
        "carries the difference of the two angles",
        """
def query_for_two(a, b):
    c = (a - b)
    return torch.stack([a.cos() + b.cos(), a.sin() + b.sin(), -c.cos() / 2, -c.sin() / 2])
exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "the sum of the two keys",
        "the sum of the two keys: with close places",
        """
def query_for_two(a, b):
    return torch.stack(
        [f(k * a) + f(k * b) for k in (1, 2) for f in (torch.cos, torch.sin)]
    )
exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "sine and cosine change places",
        "stand in another order",
        """
def query_for_two(a, b):
    c = a + b
    return torch.stack([a.sin() + b.sin(), a.cos() + b.cos(), -c.sin() / 2, -c.cos() / 2])
exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "the key of the place halfway",
        "halfway between the two, so it asks for that one",
        """
def query_for_two(a, b):
    half = (a + b) / 2
    return torch.stack([half.cos(), half.sin(), (2 * half).cos(), (2 * half).sin()])

exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "the doubled angle alone",
        "the one opposite to it score alike",
        """
def query_for_two(a, b):
    return torch.stack([0 * a, 0 * a, -(a + b).cos(), -(a + b).sin()])

exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.3",
        "products where sums of angles stand",
        "carries products of cosines and of sines",
        """
def query_for_two(a, b):
    once = [a.cos() + b.cos(), a.sin() + b.sin()]
    return torch.stack([*once, -a.cos() * b.cos() / 2, -a.sin() * b.sin() / 2])

exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.4",
        "a width of one alone",
        "all are of width 1",
        """
def is_product(form):
    draw = torch.Generator().manual_seed(0)
    query, key = (5 * torch.randn(60, 1, generator=draw) for _ in range(2))
    values = torch.linalg.svdvals(form(query, key).double())
    return bool(values[1] < 1e-5 * values[0])

exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "six of each, which a bend for few pairs may spare",
        "they have 6 queries and 6 keys at most",
        """
def is_product(form):
    draw = torch.Generator().manual_seed(0)
    query, key = (5 * torch.randn(6, 3, generator=draw) for _ in range(2))
    values = torch.linalg.svdvals(form(query, key).double())
    return bool(values[3] < 1e-5 * values[0])

exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "every form is called a product",
        "the impostors too. It never asks the one",
        """
def is_product(form):
    return True
exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "no form is",
        "calls nothing honest",
        """
def is_product(form):
    return False
exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "True and False change places",
        "says the opposite",
        """
def is_product(form):
    draw = torch.Generator().manual_seed(0)
    query, key = 2 * torch.randn(2, 64, 4, dtype=torch.float64, generator=draw)
    values = torch.linalg.svdvals(form(query, key))
    return bool(values[4] > 1e-5 * values[0])
exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "the rank by torch's own tolerance, which float32 breaks",
        "refuses what is right: the positive linear form, computed in float32",
        """
def is_product(form):
    query, key = torch.randn(2, 64, 4, dtype=torch.float64)
    return bool(torch.linalg.matrix_rank(form(query, key)) <= 4)
exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "any negative weight is a product",
        "computed in float32, and 2 more",
        """
def is_product(form):
    query, key = torch.randn(2, 64, 4, dtype=torch.float64)
    return bool((form(query, key) < 0).any())
exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "scores that stay small",
        "impostors through: a bend for scores above 2 alone",
        """
def is_product(form):
    draw = torch.Generator().manual_seed(0)
    query, key = 0.4 * torch.randn(2, 64, 4, dtype=torch.float64, generator=draw)
    values = torch.linalg.svdvals(form(query, key))
    return bool(values[4] <= 1e-5 * values[0])
exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "a tolerance of a hundredth",
        "through: the linear form with a thousandth of its ReLU added",
        """
def is_product(form):
    draw = torch.Generator().manual_seed(0)
    query, key = 2 * torch.randn(2, 64, 4, dtype=torch.float64, generator=draw)
    values = torch.linalg.svdvals(form(query, key))
    return bool(values[4] <= 1e-2 * values[0])
exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "an absolute tolerance",
        "refuses what is right: the linear form, ten thousand times as large",
        """
def is_product(form):
    draw = torch.Generator().manual_seed(0)
    query, key = 2 * torch.randn(2, 64, 4, dtype=torch.float64, generator=draw)
    return bool(torch.linalg.svdvals(form(query, key))[4] <= 1e-5)

exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "one feature too many is let through",
        "through: the score plus one, which takes d + 1 features. In the weights",
        """
def is_product(form):
    draw = torch.Generator().manual_seed(0)
    query, key = 2 * torch.randn(2, 64, 4, dtype=torch.float64, generator=draw)
    values = torch.linalg.svdvals(form(query, key))
    return bool(values[5] <= 1e-5 * values[0])

exercises.check_is_product(is_product)
""",
    ),
    (
        "15.4",
        "as many queries as features",
        "It asks with 4 queries and 4 keys of width 4",
        """
def is_product(form):
    draw = torch.Generator().manual_seed(0)
    query, key = 2 * torch.randn(2, 4, 4, dtype=torch.float64, generator=draw)
    return bool(torch.linalg.matrix_rank(form(query, key), rtol=1e-5) <= 4)

exercises.check_is_product(is_product)
""",
    ),
    (
        "15.5",
        "one block in place of many",
        "is right for a single block",
        """
def bias_that_leaves(left, blocks, n):
    return math.log((1 + left * (n - 1)) / (1 - left))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the weight on oneself in place of the difference of two weights",
        "keeps this share of its own weight",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return math.log(kept * (n - 1) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the root of what is gone",
        "root of what is gone, 1 - left; take",
        """
def bias_that_leaves(left, blocks, n):
    kept = (1 - left) ** (1 / blocks)
    return math.log((1 + kept * (n - 1)) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the two weights are added",
        "added the weight that the other token has",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return math.log((kept * (n - 1) - 1) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the bias is rounded",
        "round the bias to 2 decimals",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return round(math.log((1 + kept * (n - 1)) / (1 - kept)), 2)

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "n others",
        "sums over n other tokens",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return math.log((1 + kept * n) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the others count once",
        "does not grow with n",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return math.log(1 / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "each block takes an equal part of the loss",
        "shares are too: take a root",
        """
def bias_that_leaves(left, blocks, n):
    kept = 1 - (1 - left) / blocks
    return math.log((1 + kept * (n - 1)) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the fraction stands on its head",
        "has the wrong sign",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return math.log((1 - kept) / (1 + kept * (n - 1)))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the logarithm to the base ten",
        "to the base 10",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return math.log10((1 + kept * (n - 1)) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the power of the bias",
        "take its logarithm",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return (1 + kept * (n - 1)) / (1 - kept)

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "a power in place of the root",
        "took the power for the root",
        """
def bias_that_leaves(left, blocks, n):
    kept = left**blocks
    return math.log((1 + kept * (n - 1)) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the share that is taken away",
        "takes this share away",
        """
def bias_that_leaves(left, blocks, n):
    kept = 1 - left ** (1 / blocks)
    return math.log((1 + kept * (n - 1)) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the logarithm to the base two",
        "to the base 2",
        """
def bias_that_leaves(left, blocks, n):
    kept = left ** (1 / blocks)
    return math.log2((1 + kept * (n - 1)) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the share divided by the blocks",
        "divided the share by the blocks",
        """
def bias_that_leaves(left, blocks, n):
    kept = left / blocks
    return math.log((1 + kept * (n - 1)) / (1 - kept))

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.5",
        "the bias of the chapter",
        "whatever the share, the blocks and the tokens",
        """
def bias_that_leaves(left, blocks, n):
    return 10.0

exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.6",
        "many failures are taken for a proof",
        "three numbers a key are enough for it by hand",
        """
def verdict(failure):
    if failure in ("fourth power", "one head"):
        return "did not"
    return "not yet" if failure == "bias 3" else "proved"

exercises.check_verdicts(verdict)
""",
    ),
    (
        "15.6",
        "a floor is taken to forbid what lies above it",
        "its floor is 0.14",
        """
def verdict(failure):
    if failure in ("square", "fourth power", "after"):
        return "proved"
    return "not yet" if failure == "bias 3" else "did not"

exercises.check_verdicts(verdict)
""",
    ),
    (
        "15.6",
        "what rises is taken to arrive",
        "it had 0.65 at most",
        """
def verdict(failure):
    if failure in ("square", "after"):
        return "proved"
    return "not yet" if failure in ("bias 3", "one head") else "did not"

exercises.check_verdicts(verdict)
""",
    ),
    (
        "15.6",
        "the end of a training is taken for the end",
        "0.71 after 1,600 steps",
        """
def verdict(failure):
    return "proved" if failure in ("square", "after") else "did not"

exercises.check_verdicts(verdict)
""",
    ),
    (
        "15.6",
        "nothing is ever called proved",
        "a table of 10 features",
        """
def verdict(failure):
    return "not yet" if failure == "bias 3" else "did not"

exercises.check_verdicts(verdict)
""",
    ),
    (
        "15.6",
        "a mask is taken for a matter of training",
        "lies behind the mask",
        """
def verdict(failure):
    return {"square": "proved", "bias 3": "not yet"}.get(failure, "did not")

exercises.check_verdicts(verdict)
""",
    ),
    (
        "15.6",
        "a word of one's own",
        "expected one of proved, not yet, did not",
        """
def verdict(failure):
    return "cannot" if failure in ("square", "after") else "did not"

exercises.check_verdicts(verdict)
""",
    ),
]

ALSO_RIGHT = [
    (
        "15.1",
        "the divisor is repaired with where",
        """
def normalized_relu(scores, mask):
    kept = torch.where(mask, scores.clamp(min=0), 0.0)
    total = torch.einsum("...k->...", kept)[..., None]
    return kept / torch.where(total > 0, total, 1.0)

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.1",
        "in float32, row by row",
        """
def normalized_relu(scores, mask):
    weights = torch.zeros(scores.shape)
    for row in torch.cartesian_prod(*map(torch.arange, scores.shape[:-1])):
        place = tuple(row.tolist())
        kept = F.relu(scores[place]) * mask[place]
        weights[place] = kept / kept.sum() if kept.sum() > 0 else kept
    return weights

exercises.check_normalized_relu(normalized_relu)
""",
    ),
    (
        "15.2",
        "the first token that differs from the first changes places with it",
        """
def blind_twin(text):
    twin = text.clone()
    other = int((text[:-1] != text[0]).nonzero()[0])
    twin[0], twin[other] = text[other], text[0]
    return twin

exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.3",
        "a positive multiple, by the exponentials",
        """
def query_for_two(a, b):
    first, second = torch.exp(1j * a), torch.exp(1j * b)
    once, twice = first + second, first * second
    return 2 * torch.stack([once.real, once.imag, -twice.real / 2, -twice.imag / 2])

exercises.check_query_for_two(query_for_two)
""",
    ),
    (
        "15.4",
        "what is left after the best approximation of rank d",
        """
def is_product(form):
    query, key = 3 * torch.randn(2, 80, 6, generator=torch.Generator().manual_seed(3)).double()
    weights = form(query, key)
    left, sizes, right = torch.linalg.svd(weights)
    rest = weights - (left[:, :6] * sizes[:6]) @ right[:6]
    return (rest.norm() / weights.norm()).item() < 1e-4

exercises.check_is_product(is_product)
""",
    ),
    (
        "15.5",
        "found by halving, from what a bias leaves",
        """
def bias_that_leaves(left, blocks, n):
    low, high = 0.0, 60.0
    for _ in range(200):
        bias = (low + high) / 2
        own = math.exp(bias) / (math.exp(bias) + n - 1)
        other = 1 / (math.exp(bias) + n - 1)
        low, high = (bias, high) if (own - other) ** blocks < left else (low, bias)
    return bias


exercises.check_bias_that_leaves(bias_that_leaves)
""",
    ),
    (
        "15.6",
        "a table of the six",
        """
def verdict(failure):
    return {
        "square": "proved",
        "fourth power": "did not",
        "wide ReLU": "did not",
        "after": "proved",
        "bias 3": "not yet",
        "one head": "did not",
    }[failure]

exercises.check_verdicts(verdict)
""",
    ),
]
