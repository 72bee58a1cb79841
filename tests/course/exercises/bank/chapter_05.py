"""Wrong answers to the exercises of chapter 5, each with the words that its verdict must say."""

WRONG = [
    (
        "5.1",
        "the documents before one's own are seen too",
        "sees the whole past",
        """
def packed_mask(document):
    return masks.causal(document.size(1)) & (document >= 0)[:, None, :]

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "the causal mask is forgotten",
        "its future included",
        """
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    return same & (document >= 0)[:, None, :]

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "padding is taken for a document",
        "you took padding for a document",
        """
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    return same.tril()

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "the mask is transposed",
        "your mask is transposed",
        """
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    return same.triu() & (document >= 0)[:, None, :]

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "the diagonal is left out",
        "do not see themselves",
        """
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    return same.tril(-1) & (document >= 0)[:, None, :]

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "the masks are joined with |",
        "joined the masks with |",
        """
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    return (masks.causal(document.size(1)) | same) & (document >= 0)[:, None, :]

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "documents are compared by size",
        "a name and no size",
        """
def packed_mask(document):
    up_to = document[:, :, None] >= document[:, None, :]
    return masks.causal(document.size(1)) & up_to & (document >= 0)[:, None, :]

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "True means hidden",
        "your True means hidden",
        """
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    return ~(same.tril() & (document >= 0)[:, None, :])

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "zeros and ones in place of a boolean mask",
        "your mask holds numbers",
        """
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    return (same.tril() & (document >= 0)[:, None, :]).float()

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "one mask for the whole batch",
        "your mask has shape (7, 7)",
        """
def packed_mask(document):
    first = document[0]
    return (first[:, None] == first).tril() & (first >= 0)

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "a document is taken to be two tokens long",
        "an earlier word of its own document",
        """
def packed_mask(document):
    same = document[:, :, None] == document[:, None, :]
    return same.tril().triu(-1) & (document >= 0)[:, None, :]

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.2",
        "the sign is turned",
        "your sign is wrong",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return a[:, None] * (y - visible[:, None] * values)

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "hidden keys contribute their values",
        "for visible keys alone",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return a[:, None] * (values - y)

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "hidden scores move nothing",
        "your hidden scores move nothing",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return (a * visible)[:, None] * (values - y)

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "only the denominator is differentiated",
        "forget the numerator",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return -a[:, None] * y

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "only the key's own weight moves",
        "moved only the key's own weight",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    return (visible * a * (1 - a))[:, None] * values

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "the denominator is held fixed",
        "held the denominator fixed",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    return (visible * a)[:, None] * values

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "the weight is left out",
        "missing as a factor",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return visible[:, None] * values - y

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "the output of the honest mask is subtracted",
        "your y is the output of a mask",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = scores[visible].softmax(0) @ values[visible]
    return a[:, None] * (visible[:, None] * values - y)

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "one minus the weight stands there as well",
        "a factor 1 - a_j too many",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return (a * (1 - a))[:, None] * (visible[:, None] * values - y)

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "keys lie along columns",
        "lies on its side",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return (a[:, None] * (visible[:, None] * values - y)).T

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "the hidden part is twice too large",
        "stands in yours -2 times",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return a[:, None] * (visible[:, None] * values - (2 - visible.double())[:, None] * y)

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.3",
        "hidden by -1e4 and emptied afterwards",
        "no longer low enough",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return (scores + added).masked_fill(hidden, -1e4).softmax(-1) * ~hidden

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "a row without keys gives not-a-number",
        "gives not-a-number: softmax divides 0 by 0",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return (scores + added).masked_fill(hidden, -math.inf).softmax(-1)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "a fill of -1e9 averages everything",
        "shares its weight among the hidden keys",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return (scores + added).masked_fill(hidden, -1e9).softmax(-1)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "hidden after the softmax, without a new sum",
        "your weights do not sum to one",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return (scores + added.masked_fill(hidden, 0.0)).softmax(-1) * ~hidden

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "hidden after the softmax, with a new sum",
        "a hidden score of 200",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    weights = (scores + added.masked_fill(hidden, 0.0)).softmax(-1) * ~hidden
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-9)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "the code as it was given",
        "the gradient of the scores is not-a-number",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return (scores + added).softmax(-1).nan_to_num()

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "the scores are filled, and the sum with the preferences is not",
        "the gradient of the preferences is not-a-number",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return (scores.masked_fill(hidden, 0.0) + added).softmax(-1).masked_fill(hidden, 0.0)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "the preferences are not learned",
        "no gradient reaches the preferences",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    summed = (scores + added.detach()).masked_fill(hidden, -math.inf)
    return summed.softmax(-1).masked_fill(hidden, 0.0)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "the additive mask is read as yes or no",
        "lost the preferences",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return scores.masked_fill(hidden, -math.inf).softmax(-1).masked_fill(hidden, 0.0)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "the exponential overflows",
        "scores of 500 overflow",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    shares = (scores + added).exp().masked_fill(hidden, 0.0)
    return shares / shares.sum(-1, keepdim=True).clamp(min=1e-30)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "zeros where the mask forbids",
        "you put zeros where the mask forbids",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return (scores + added).masked_fill(hidden, 0.0).softmax(-1)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "the forbidden keys are kept",
        "hid the allowed ones",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    return scores.masked_fill(~hidden, -math.inf).softmax(-1).nan_to_num()

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "the softmax runs over the queries",
        "your softmax runs over the queries",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    summed = (scores + added).masked_fill(hidden, -math.inf)
    return summed.softmax(-2).masked_fill(hidden, 0.0)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.3",
        "the scores are scaled on the way",
        "your weights differ from softmax",
        """
def masked_softmax(scores, added):
    hidden = added == -math.inf
    summed = (scores / 2 + added).masked_fill(hidden, -math.inf)
    return summed.softmax(-1).masked_fill(hidden, 0.0)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "only shapes are compared",
        "calls everything honest",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    return model(x).shape == x.shape

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the answer is turned round",
        "says the opposite",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    before = model(x)
    for t in range(1, 12):
        changed = x.clone()
        changed[:, t:] = torch.randn(2, 12 - t, 5)
        if not torch.allclose(model(changed)[:, :t], before[:, :t], atol=1e-5):
            return True
    return False

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the past is changed in place of the future",
        "causal attention; a causal window",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    changed = x.clone()
    changed[:, 0] = torch.randn(2, 5)
    return torch.allclose(model(x)[:, 1:], model(changed)[:, 1:], atol=1e-5)

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the changed token's own output is compared too",
        "calls nothing honest",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    changed = x.clone()
    changed[:, -1] = torch.randn(2, 5)
    return torch.allclose(model(x), model(changed), atol=1e-5)

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "only the last token is changed",
        "only from token 12 on",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    changed = x.clone()
    changed[:, -1] = torch.randn(2, 5)
    return torch.allclose(model(x)[:, :-1], model(changed)[:, :-1], atol=1e-5)

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "only the first output is compared",
        "future only from token 2 on",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    changed = x.clone()
    changed[:, 1:] = torch.randn(2, 11, 5)
    return torch.allclose(model(x)[:, 0], model(changed)[:, 0], atol=1e-5)

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the tolerance is as wide as a leak",
        "What it is given shows the leak",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    before = model(x)
    for t in range(1, 12):
        changed = x.clone()
        changed[:, t:] = torch.randn(2, 12 - t, 5)
        if not torch.allclose(model(changed)[:, :t], before[:, :t], atol=0.05):
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "every bit has to be equal",
        "by FFT, which rounds",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    before = model(x)
    for t in range(1, 12):
        changed = x.clone()
        changed[:, t:] = torch.randn(2, 12 - t, 5)
        if not torch.equal(model(changed)[:, :t], before[:, :t]):
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the future is poisoned with NaN",
        "a weight of zero times NaN",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    for t in range(1, 12):
        changed = x.clone()
        changed[:, t:] = float("nan")
        if model(changed)[:, :t].isnan().any():
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the same number is added to a whole token",
        "behind a LayerNorm",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5, dtype=torch.float64)
    before = model(x)
    for t in range(1, 12):
        changed = x.clone()
        changed[:, t:] += 1.0
        if not torch.allclose(model(changed)[:, :t], before[:, :t], atol=1e-8):
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "NaN is taken for no change",
        "outputs that are all NaN",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    before = model(x)
    for t in range(1, 12):
        changed = x.clone()
        changed[:, t:] = torch.randn(2, 12 - t, 5)
        if (model(changed)[:, :t] - before[:, :t]).abs().max() > 1e-5:
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "one feature of the future is changed",
        "a leak of the last feature alone",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    before = model(x)
    for t in range(1, 12):
        changed = x.clone()
        changed[:, t:, 0] = torch.randn(2, 12 - t)
        if not torch.allclose(model(changed)[:, :t], before[:, :t], atol=1e-5):
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the difference is returned and not a verdict",
        "expected True (honest)",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5)
    changed = x.clone()
    changed[:, 6:] = torch.randn(2, 6, 5)
    return float((model(changed) - model(x))[:, :6].abs().max())

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the model is asked about texts of another length",
        "they read (batch, 12, 5)",
        """
def is_causal(model):
    x = torch.randn(2, 9, 5)
    changed = x.clone()
    changed[:, 4:] = torch.randn(2, 5, 5)
    return torch.allclose(model(x)[:, :4], model(changed)[:, :4], atol=1e-5)

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.1",
        "document 0 for padding",
        "took document 0 for padding",
        """
def packed_mask(document):
    n = document.size(1)
    same = document[:, :, None] == document[:, None, :]
    return same & (document > 0)[:, None] & masks.causal(n)

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.1",
        "the documents of one row are taken for all",
        "the documents of the first row for all",
        """
def packed_mask(document):
    n = document.shape[1]
    d = document[0]
    same = d[:, None] == d[None, :]
    ok = same & torch.ones(n, n).tril().bool() & (d != -1)[None, :]
    return ok.expand(len(document), n, n)

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.2",
        "the output of an early mask is differentiated",
        "you differentiated the output of a mask before",
        """
def late_slope(scores, values, visible):
    a = scores.masked_fill(~visible, -math.inf).softmax(0)
    y = a @ values
    return a[:, None] * (values - y)

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "two parts are wrong: hidden and visible keys are exchanged",
        "there are two mistakes. You took the hidden keys",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    kept = values.masked_fill(visible[:, None], 0.0)
    y = a @ kept
    return a[:, None] * (kept - y)

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.2",
        "the weight multiplies one of the two terms",
        "the weight a_j multiplies it as well",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    y = (a * visible) @ values
    return a[:, None] * visible[:, None] * values - y

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.4",
        "the future is made twice as large",
        "which forgets a factor of a whole token",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5, dtype=torch.float64)
    base = model(x)
    for t in range(1, 12):
        y = x.clone()
        y[:, t:] *= 2
        if not torch.allclose(model(y)[:, :t], base[:, :t], rtol=0, atol=1e-9):
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "every second token alone is changed",
        "only from token 3, 5, 7, 9, 11 on",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5, dtype=torch.float64)
    y = model(x)
    for t in range(2, 12, 2):
        z = x.clone(); z[:, t:] = torch.randn(2, 12 - t, 5, dtype=torch.float64)
        if not torch.allclose(model(z)[:, :t], y[:, :t], atol=1e-9, rtol=0): return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the future is put in another order",
        "only puts the tokens of the future in another order",
        """
def is_causal(model):
    x = torch.randn(2, 12, 5, dtype=torch.float64)
    y = model(x)
    for t in range(1, 11):
        z = torch.cat([x[:, :t], x[:, t:].flip(1)], 1)
        if not torch.allclose(model(z)[:, :t], y[:, :t], atol=1e-9, rtol=0): return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "by the derivatives of each number",
        "this leak has none: it jumps",
        """
def is_causal(model):
    x = torch.randn(1, 12, 5, dtype=torch.float64)
    slopes = torch.autograd.functional.jacobian(model, x)[0, :, :, 0].norm(dim=(1, 3))
    return bool(slopes.triu(1).max() < 1e-9)

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "by the derivative of the sum of each output",
        "one gains what another loses, and the sum stays",
        """
def is_causal(model):
    x = torch.randn(4, 12, 5, dtype=torch.float64, requires_grad=True)
    out = model(x)
    for i in range(11):
        (grad,) = torch.autograd.grad(out[:, i].sum(), x, retain_graph=True)
        if not grad[:, i + 1 :].abs().max() <= 1e-9:
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the sums of the outputs are compared",
        "not the sum (or the mean) of an output's numbers",
        """
def is_causal(model):
    x = torch.randn(4, 12, 5, dtype=torch.float64)
    for t in range(1, 12):
        other = torch.cat([x[:, :t], torch.randn(4, 12 - t, 5, dtype=torch.float64)], dim=1)
        moved = (model(other) - model(x))[:, :t].mean(-1)
        if not moved.abs().max() < 1e-9:
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "the future is moved by very little",
        "by very little, and a leak may jump",
        """
def is_causal(model):
    x = torch.randn(1, 12, 5, dtype=torch.float64).sign() * 2
    x = x + torch.rand(1, 12, 5, dtype=torch.float64)
    for t in range(1, 12):
        other = x.clone()
        other[:, t:] += 1e-3 * torch.randn(1, 12 - t, 5, dtype=torch.float64)
        if not (model(other) - model(x))[:, :t].abs().max() < 1e-12:
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "a second name is taken for a copy",
        "`changed = x` is a second name and no copy",
        """
def is_causal(model):
    for j in range(1, 12):
        x = torch.randn(4, 12, 5, dtype=torch.float64)
        changed = x
        changed[:, j:] = torch.randn(4, 12 - j, 5, dtype=torch.float64)
        if not torch.allclose(model(x)[:, :j], model(changed)[:, :j], rtol=0, atol=1e-9):
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "a second name is taken for a copy, of one text all along",
        "`changed = x` is a second name and no copy",
        """
def is_causal(model):
    x = torch.randn(1, 12, 5, dtype=torch.float64)
    for j in range(1, 12):
        changed = x
        changed[:, j:] = torch.randn(1, 12 - j, 5, dtype=torch.float64)
        if not torch.allclose(model(x)[:, :j], model(changed)[:, :j], atol=1e-9):
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
]

ALSO_RIGHT = [
    (
        "5.1",
        "a loop over pairs of places",
        """
def packed_mask(document):
    batch, length = document.shape
    mask = torch.zeros(batch, length, length, dtype=torch.bool)
    for row in range(batch):
        for query in range(length):
            for key in range(query + 1):
                mask[row, query, key] = document[row, query] == document[row, key] != -1
    return mask

exercises.check_packed_mask(packed_mask)
""",
    ),
    (
        "5.2",
        "by the derivative of softmax, written out",
        """
def late_slope(scores, values, visible):
    a = scores.softmax(0)
    weights_by_scores = torch.diag(a) - torch.outer(a, a)
    return weights_by_scores[:, visible] @ values[visible]

exercises.check_late_slope(late_slope)
""",
    ),
    (
        "5.3",
        "by hand, with the greatest visible score subtracted",
        """
def masked_softmax(scores, added):
    visible = added > -math.inf
    summed = scores + torch.where(visible, added, 0.0)
    greatest = summed.masked_fill(~visible, -1e30).amax(-1, keepdim=True).detach()
    shares = torch.exp((summed - greatest).masked_fill(~visible, -math.inf))
    total = shares.sum(-1, keepdim=True)
    return shares / total.masked_fill(total == 0, 1.0)

exercises.check_masked_softmax(masked_softmax)
""",
    ),
    (
        "5.4",
        "by derivatives, and by a changed input where there are none",
        """
def is_causal(model):
    x = torch.randn(1, 12, 5, dtype=torch.float64)
    slopes = torch.autograd.functional.jacobian(model, x)[0, :, :, 0].norm(dim=(1, 3))
    if not slopes.triu(1).max() < 1e-9:
        return False
    for t in range(1, 12):
        other = torch.cat([x[:, :t], torch.randn(1, 12 - t, 5, dtype=torch.float64)], dim=1)
        if not torch.allclose(model(other)[:, :t], model(x)[:, :t], rtol=0, atol=1e-9):
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
    (
        "5.4",
        "one token changed at a time",
        """
def is_causal(model):
    x = torch.randn(1, 12, 5)
    for late in range(1, 12):
        other = x.clone()
        other[:, late] = torch.randn(5)
        gap = (model(other) - model(x))[:, :late].abs().max()
        if not gap < 1e-5:
            return False
    return True

exercises.check_is_causal(is_causal)
""",
    ),
]
