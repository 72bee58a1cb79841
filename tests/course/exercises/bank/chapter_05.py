"""Wrong answers to the exercises of chapter 5, each with the words that its verdict must say."""

WRONG = [
    (
        "5.1",
        "the mask is transposed",
        "your mask is transposed",
        """
def causal(length):
    return torch.ones(length, length, dtype=torch.bool).triu()

exercises.check_causal(causal)
""",
    ),
    (
        "5.1",
        "True means hidden",
        "your True means hidden",
        """
def causal(length):
    return torch.ones(length, length, dtype=torch.bool).triu(1)

exercises.check_causal(causal)
""",
    ),
    (
        "5.1",
        "the diagonal is left out",
        "may not look at itself",
        """
def causal(length):
    places = torch.arange(length)
    return places[:, None] > places

exercises.check_causal(causal)
""",
    ),
    (
        "5.1",
        "one token of the future is included",
        "one diagonal too wide",
        """
def causal(length):
    return torch.ones(length, length, dtype=torch.bool).tril(1)

exercises.check_causal(causal)
""",
    ),
    (
        "5.1",
        "zeros and ones in place of a boolean mask",
        "your mask holds numbers",
        """
def causal(length):
    return torch.ones(length, length).tril()

exercises.check_causal(causal)
""",
    ),
    (
        "5.2",
        "the window is one too wide",
        "one too many",
        """
def sliding_window(length, window):
    return masks.causal(length).triu(-window)

exercises.check_sliding_window(sliding_window)
""",
    ),
    (
        "5.2",
        "the window is one too narrow",
        "one too few",
        """
def sliding_window(length, window):
    return masks.causal(length).triu(2 - window)

exercises.check_sliding_window(sliding_window)
""",
    ),
    (
        "5.2",
        "the token itself is left out",
        "itself is not among them",
        """
def sliding_window(length, window):
    return masks.causal(length).tril(-1).triu(-window)

exercises.check_sliding_window(sliding_window)
""",
    ),
    (
        "5.2",
        "the window opens to both sides",
        "opens to both sides",
        """
def sliding_window(length, window):
    places = torch.arange(length)
    return (places[:, None] - places).abs() < window

exercises.check_sliding_window(sliding_window)
""",
    ),
    (
        "5.2",
        "the window opens to the future",
        "opens to the future",
        """
def sliding_window(length, window):
    ahead = torch.arange(length) - torch.arange(length)[:, None]
    return (ahead >= 0) & (ahead < window)

exercises.check_sliding_window(sliding_window)
""",
    ),
    (
        "5.3",
        "the masks are joined with |",
        "joined the masks with |",
        """
def decoder_mask(is_word):
    return masks.causal(is_word.size(1)) | is_word[:, None, :]

exercises.check_decoder_mask(decoder_mask)
""",
    ),
    (
        "5.3",
        "the padding is inverted",
        "your padding is inverted",
        """
def decoder_mask(is_word):
    return masks.causal(is_word.size(1)) & ~is_word[:, None, :]

exercises.check_decoder_mask(decoder_mask)
""",
    ),
    (
        "5.3",
        "the padding is on the query axis",
        "your padding runs over the queries",
        """
def decoder_mask(is_word):
    return masks.causal(is_word.size(1)) & is_word[:, :, None]

exercises.check_decoder_mask(decoder_mask)
""",
    ),
    (
        "5.3",
        "the rows of padding are closed too",
        "also closed the rows of padding",
        """
def decoder_mask(is_word):
    return masks.causal(is_word.size(1)) & is_word[:, None, :] & is_word[:, :, None]

exercises.check_decoder_mask(decoder_mask)
""",
    ),
    (
        "5.3",
        "the causal mask is forgotten",
        "but the future is not",
        """
def decoder_mask(is_word):
    return is_word[:, None, :].expand(-1, is_word.size(1), -1)

exercises.check_decoder_mask(decoder_mask)
""",
    ),
    (
        "5.4",
        "hidden by -1e4 and emptied afterwards",
        "no longer low enough",
        """
def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e4).softmax(-1) * mask
exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "hidden by -100.0 and emptied afterwards",
        "no longer low enough",
        """
def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -100.0).softmax(-1) * mask
exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "a row without keys gives not-a-number",
        "gives not-a-number: softmax divides 0 by 0",
        """
def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, float("-inf")).softmax(-1)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "a fill of -1e9 averages everything",
        "an equal share of every key",
        """
def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, -1e9).softmax(-1)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "the mask comes after the softmax, without a new sum",
        "your weights do not sum to one",
        """
def masked_softmax(scores, mask):
    return scores.softmax(-1) * mask

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "the mask comes after the softmax, with a new sum",
        "a hidden score of 200",
        """
def masked_softmax(scores, mask):
    weights = scores.softmax(-1) * mask
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "the value is repaired and the gradient is not",
        "their gradient is not-a-number",
        """
def masked_softmax(scores, mask):
    return (scores + masks.to_additive(mask)).softmax(-1).nan_to_num()

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "the exponential overflows",
        "scores of 500 overflow",
        """
def masked_softmax(scores, mask):
    shares = scores.exp().masked_fill(~mask, 0.0)
    return shares / shares.sum(-1, keepdim=True).clamp(min=1e-30)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "scores are multiplied by the mask",
        "you multiplied scores by the mask",
        """
def masked_softmax(scores, mask):
    return (scores * mask).softmax(-1)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.5",
        "only shapes are compared",
        "Shapes tell nothing",
        """
def leaks(model, x):
    return model(x).shape != x.shape

exercises.check_leaks(leaks)
""",
    ),
    (
        "5.5",
        "the past is changed in place of the future",
        "you accuse an honest causal model",
        """
def leaks(model, x):
    changed = x.clone()
    changed[:, 0] += 1.0
    return not torch.equal(model(x)[:, 1:], model(changed)[:, 1:])

exercises.check_leaks(leaks)
""",
    ),
    (
        "5.5",
        "the changed token's own output is compared too",
        "own output out of the comparison",
        """
def leaks(model, x):
    changed = x.clone()
    changed[:, -1] += 1.0
    return not torch.equal(model(x), model(changed))

exercises.check_leaks(leaks)
""",
    ),
    (
        "5.5",
        "only the last token is changed",
        "Change each later token",
        """
def leaks(model, x):
    changed = x.clone()
    changed[:, -1] += 1.0
    return not torch.equal(model(x)[:, :-1], model(changed)[:, :-1])

exercises.check_leaks(leaks)
""",
    ),
    (
        "5.5",
        "only the first output is compared",
        "also the one right before it",
        """
def leaks(model, x):
    before = model(x)
    changed = x.clone()
    changed[:, 1:] += 1.0
    return not torch.equal(before[:, 0], model(changed)[:, 0])

exercises.check_leaks(leaks)
""",
    ),
    (
        "5.5",
        "the tolerance is as wide as a leak",
        "a leak of any size",
        """
def leaks(model, x):
    before = model(x)
    for place in range(1, x.size(1)):
        changed = x.clone()
        changed[:, place] += 1.0
        if (model(changed)[:, :place] - before[:, :place]).abs().max() > 0.1:
            return True
    return False

exercises.check_leaks(leaks)
""",
    ),
    (
        "5.5",
        "the caller's tensor is changed",
        "changes `x` in place",
        """
def leaks(model, x):
    before = model(x)
    for place in range(1, x.size(1)):
        x[:, place] += 1.0
        if not torch.equal(model(x)[:, :place], before[:, :place]):
            return True
    return False

exercises.check_leaks(leaks)
""",
    ),
]

ALSO_RIGHT = [
    (
        "5.1",
        "a comparison of places",
        """
def causal(length):
    return torch.tensor([[key <= query for key in range(length)] for query in range(length)])

exercises.check_causal(causal)
""",
    ),
    (
        "5.2",
        "from the general mask of subsets",
        """
def sliding_window(length, window):
    subsets = [range(max(0, i - window + 1), i + 1) for i in range(length)]
    return masks.subset(subsets, length)

exercises.check_sliding_window(sliding_window)
""",
    ),
    (
        "5.3",
        "a loop over the batch",
        """
def decoder_mask(is_word):
    each = []
    for words in is_word:
        mask = masks.causal(len(words))
        mask[:, ~words] = False
        each.append(mask)
    return torch.stack(each)

exercises.check_decoder_mask(decoder_mask)
""",
    ),
    (
        "5.4",
        "by hand, with the greatest visible score subtracted",
        """
def masked_softmax(scores, mask):
    hidden = scores.masked_fill(~mask, float("-inf"))
    greatest = hidden.amax(-1, keepdim=True).detach()
    shares = torch.exp(hidden - greatest.masked_fill(greatest.isinf(), 0.0))
    total = shares.sum(-1, keepdim=True)
    return shares / total.masked_fill(total == 0, 1.0)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.5",
        "by derivatives, in place of a changed input",
        """
def leaks(model, x):
    jacobian = torch.autograd.functional.jacobian(lambda x: model(x).sum((0, 2)), x)
    size = jacobian.abs().sum((1, 3))
    return bool((size.triu(1) > 1e-9).any())

exercises.check_leaks(leaks)
""",
    ),
]
