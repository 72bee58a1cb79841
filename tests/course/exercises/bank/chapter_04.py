"""Wrong answers to the exercises of chapter 4, each with the words that its verdict must say."""


def _multi_query(body: str) -> str:
    return (
        f"def multi_query(x, w_q, w_k, w_v, w_o, n_heads):{body}"
        "exercises.check_multi_query(multi_query)\n"
    )


def _head_matrices(body: str) -> str:
    return (
        f"def head_matrices(w_q, w_k, w_v, w_o, n_heads):{body}"
        "exercises.check_head_matrices(head_matrices)\n"
    )


def _repaired(
    scale: str = "math.sqrt(d_model // n_heads)",
    mask: str = "scores = scores.masked_fill(~causal(length), -math.inf)",
    softmax: str = "torch.softmax(scores, dim=-1)",
    last: str = "x + merge_heads(heads) @ w_o",
) -> str:
    return f"""
def repaired(x, w_q, w_k, w_v, w_o, n_heads):
    batch, length, d_model = x.shape
    query, key, value = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    scores = query @ key.transpose(-2, -1) / {scale}
    {mask}
    heads = {softmax} @ value
    return {last}
exercises.check_repair(repaired)
"""


def _is_honest(body: str) -> str:
    return f"def is_honest(contributions):{body}exercises.check_shares(is_honest)\n"


def _read_mixture(body: str) -> str:
    return (
        f"def read_mixture(mixture, table, weight):{body}"
        "exercises.check_read_mixture(read_mixture)\n"
    )


UNMERGED = "heads.reshape(batch, length, d_model)"


def _report(body: str) -> str:
    return f"def report(run):{body}exercises.check_report(report)\n"


def _from_gains(half_width: str, seeds: str = "range(12)") -> str:
    """A report from the differences of pairs, with some half width."""
    return _report(f"""
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in {seeds}])
    half_width = {half_width}
    return gains.mean() - half_width, gains.mean() + half_width
""")


WRONG = [
    (
        "4.1",
        "scale by the width of the model",
        "you divided the scores by √d_model",
        _multi_query("""
    q, k, v = split_heads(x @ w_q, n_heads), (x @ w_k)[:, None], (x @ w_v)[:, None]
    weights = torch.softmax(q @ k.mT / math.sqrt(x.size(-1)), dim=-1)
    return merge_heads(weights @ v) @ w_o
"""),
    ),
    (
        "4.1",
        "no scale",
        "the scores are not scaled",
        _multi_query("""
    q, k, v = split_heads(x @ w_q, n_heads), (x @ w_k)[:, None], (x @ w_v)[:, None]
    return merge_heads(torch.softmax(q @ k.mT, dim=-1) @ v) @ w_o
"""),
    ),
    (
        "4.1",
        "softmax over the queries",
        "softmax runs over the queries",
        _multi_query("""
    q, k, v = split_heads(x @ w_q, n_heads), (x @ w_k)[:, None], (x @ w_v)[:, None]
    return merge_heads(torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=-2) @ v) @ w_o
"""),
    ),
    (
        "4.1",
        "softmax over the heads",
        "softmax runs over the heads",
        _multi_query("""
    q, k, v = split_heads(x @ w_q, n_heads), (x @ w_k)[:, None], (x @ w_v)[:, None]
    return merge_heads(torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=1) @ v) @ w_o
"""),
    ),
    (
        "4.1",
        "output projection forgotten",
        "the result is the concatenation",
        _multi_query("""
    q, k, v = split_heads(x @ w_q, n_heads), (x @ w_k)[:, None], (x @ w_v)[:, None]
    return merge_heads(torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=-1) @ v)
"""),
    ),
    (
        "4.1",
        "queries split by view alone",
        "your queries are split by a view alone",
        _multi_query("""
    batch, n, _ = x.shape
    q = (x @ w_q).view(batch, n_heads, n, -1)
    k, v = (x @ w_k)[:, None], (x @ w_v)[:, None]
    return merge_heads(torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=-1) @ v) @ w_o
"""),
    ),
    (
        "4.1",
        "queries interleaved",
        "takes every third number of its token",
        _multi_query("""
    q = (x @ w_q).unflatten(-1, (-1, n_heads)).permute(0, 3, 1, 2)
    k, v = (x @ w_k)[:, None], (x @ w_v)[:, None]
    return merge_heads(torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=-1) @ v) @ w_o
"""),
    ),
    (
        "4.1",
        "the queries shared as well",
        "every head asks the first head's question",
        _multi_query("""
    k, v = x @ w_k, x @ w_v
    q = (x @ w_q)[..., : k.size(-1)]
    found = torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=-1) @ v
    return torch.cat([found] * n_heads, dim=-1) @ w_o
"""),
    ),
    (
        "4.1",
        "keys averaged in the values' place",
        "you average the keys",
        _multi_query("""
    q, k = split_heads(x @ w_q, n_heads), (x @ w_k)[:, None]
    return merge_heads(torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=-1) @ k) @ w_o
"""),
    ),
    (
        "4.1",
        "heads merged by reshape alone",
        "your merge mixes tokens",
        _multi_query("""
    q, k, v = split_heads(x @ w_q, n_heads), (x @ w_k)[:, None], (x @ w_v)[:, None]
    heads = torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=-1) @ v
    return heads.reshape(x.shape) @ w_o
"""),
    ),
    (
        "4.1",
        "heads averaged",
        "the result has the width of one head",
        _multi_query("""
    q, k, v = split_heads(x @ w_q, n_heads), (x @ w_k)[:, None], (x @ w_v)[:, None]
    return (torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), dim=-1) @ v).mean(1)
"""),
    ),
    (
        "4.2",
        "the comparing matrix transposed",
        "your comparing matrix is transposed",
        _head_matrices("""
    q, k, v = (split_heads(w[None], n_heads)[0] for w in (w_q, w_k, w_v))
    return k @ q.mT, v @ w_o.unflatten(0, (n_heads, -1))
"""),
    ),
    (
        "4.2",
        "the scale put into the matrix",
        "you divided by √d_head",
        _head_matrices("""
    q, k, v = (split_heads(w[None], n_heads)[0] for w in (w_q, w_k, w_v))
    return q @ k.mT / math.sqrt(q.size(-1)), v @ w_o.unflatten(0, (n_heads, -1))
"""),
    ),
    (
        "4.2",
        "the comparing matrix of all heads together",
        "your comparing matrix is the same for all heads",
        _head_matrices("""
    v = split_heads(w_v[None], n_heads)[0]
    compare = (w_q @ w_k.T).expand(n_heads, -1, -1)
    return compare, v @ w_o.unflatten(0, (n_heads, -1))
"""),
    ),
    (
        "4.2",
        "projections cut by rows",
        "you cut W_Q and W_K by rows",
        _head_matrices("""
    q, k = (w.unflatten(0, (n_heads, -1)) for w in (w_q, w_k))
    v = split_heads(w_v[None], n_heads)[0]
    return q.mT @ k, v @ w_o.unflatten(0, (n_heads, -1))
"""),
    ),
    (
        "4.2",
        "columns interleaved",
        "you gave each head every third column",
        _head_matrices("""
    q, k = (torch.stack([w[:, i::n_heads] for i in range(n_heads)]) for w in (w_q, w_k))
    v = split_heads(w_v[None], n_heads)[0]
    return q @ k.mT, v @ w_o.unflatten(0, (n_heads, -1))
"""),
    ),
    (
        "4.2",
        "columns of W_O instead of rows",
        "you took columns of W_O",
        _head_matrices("""
    q, k, v, o = (split_heads(w[None], n_heads)[0] for w in (w_q, w_k, w_v, w_o))
    return q @ k.mT, v @ o.mT
"""),
    ),
    (
        "4.2",
        "the carrying matrix of all heads together",
        "your carrying matrix is W_V W_O whole",
        _head_matrices("""
    q, k = (split_heads(w[None], n_heads)[0] for w in (w_q, w_k))
    return q @ k.mT, (w_v @ w_o).expand(n_heads, -1, -1)
"""),
    ),
    (
        "4.2",
        "the carrying matrix transposed",
        "your carrying matrix is transposed",
        _head_matrices("""
    q, k, v = (split_heads(w[None], n_heads)[0] for w in (w_q, w_k, w_v))
    return q @ k.mT, (v @ w_o.unflatten(0, (n_heads, -1))).mT
"""),
    ),
    (
        "4.2",
        "an average in the place of the sum",
        "you divided by the number of heads",
        _head_matrices("""
    q, k, v = (split_heads(w[None], n_heads)[0] for w in (w_q, w_k, w_v))
    return q @ k.mT, v @ w_o.unflatten(0, (n_heads, -1)) / n_heads
"""),
    ),
    (
        "4.2",
        "every head through the first block of W_O",
        "every head goes through the first block of W_O",
        _head_matrices("""
    q, k, v = (split_heads(w[None], n_heads)[0] for w in (w_q, w_k, w_v))
    return q @ k.mT, v @ w_o[: q.size(-1)]
"""),
    ),
    (
        "4.2",
        "the two exchanged",
        "the two are exchanged",
        _head_matrices("""
    q, k, v = (split_heads(w[None], n_heads)[0] for w in (w_q, w_k, w_v))
    return v @ w_o.unflatten(0, (n_heads, -1)), q @ k.mT
"""),
    ),
    (
        "4.2",
        "one head's matrices alone",
        "what you return first has shape",
        _head_matrices("""
    return w_q @ w_k.T, w_v @ w_o
"""),
    ),
    (
        "4.3",
        "nothing mended",
        "both mistakes are still there",
        _repaired(scale="math.sqrt(d_model)", last=f"x + {UNMERGED} @ w_o"),
    ),
    (
        "4.3",
        "only the scale mended",
        "influence still passes between the wrong tokens",
        _repaired(last=f"x + {UNMERGED} @ w_o"),
    ),
    (
        "4.3",
        "only the merge mended",
        "the weights are still too even",
        _repaired(scale="math.sqrt(d_model)"),
    ),
    (
        "4.3",
        "the scale left out",
        "now the scores are not scaled at all",
        _repaired(scale="1"),
    ),
    (
        "4.3",
        "the root left out",
        "you divide by d_head; its root",
        _repaired(scale="(d_model // n_heads)"),
    ),
    (
        "4.3",
        "the root of the number of heads",
        "you divide by the root of the number of heads",
        _repaired(scale="math.sqrt(n_heads)"),
    ),
    (
        "4.3",
        "the input not added",
        "the input is no longer added",
        _repaired(last="merge_heads(heads) @ w_o"),
    ),
    (
        "4.3",
        "the mask taken out",
        "the mask is gone, and a token",
        _repaired(mask="pass"),
    ),
    (
        "4.3",
        "the mask made strict",
        "the mask now hides each token from itself",
        _repaired(
            mask="scores = scores.masked_fill(~causal(length).tril(-1), -math.inf)",
            softmax="torch.softmax(scores, dim=-1).nan_to_num()",
        ),
    ),
    (
        "4.3",
        "W_O left out",
        "W_O is missing",
        _repaired(last="x + merge_heads(heads)"),
    ),
    (
        "4.3",
        "the heads interleaved by the merge",
        "your merge interleaves the heads",
        _repaired(last="x + heads.permute(0, 2, 3, 1).flatten(2) @ w_o"),
    ),
    (
        "4.3",
        "the softmax turned",
        "you turned the softmax to the queries",
        _repaired(softmax="torch.softmax(scores, dim=-2).nan_to_num()"),
    ),
    (
        "4.3",
        "the output counted twice",
        "something other than the two mistakes has changed",
        _repaired(last="x + 2 * merge_heads(heads) @ w_o"),
    ),
    (
        "4.4",
        "only the sum is tested",
        "lets 10 of 16 impostors through: the output in equal parts",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.randn(15, 15)
    return torch.allclose(contributions(heads, w_o).sum(1), merge_heads(heads) @ w_o, atol=1e-4)
"""),
    ),
    (
        "4.4",
        "shapes alone are tested",
        "It looks at the shape alone",
        _is_honest("""
    return contributions(torch.randn(2, 3, 4, 5), torch.randn(15, 15)).shape == (2, 3, 4, 15)
"""),
    ),
    (
        "4.4",
        "equal bits are asked for",
        "your test refuses what is right",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.randn(15, 15)
    return torch.equal(contributions(heads, w_o), heads @ w_o.unflatten(0, (3, 5)))
"""),
    ),
    (
        "4.4",
        "a single sequence is drawn",
        "lets 1 of 16 impostors through: right for the first sequence",
        _is_honest("""
    heads, w_o = torch.randn(1, 3, 4, 5), torch.randn(15, 15)
    return torch.allclose(contributions(heads, w_o), heads @ w_o.unflatten(0, (3, 5)), atol=1e-4)
"""),
    ),
    (
        "4.4",
        "a single token is drawn",
        "lets 2 of 16 impostors through: right for the last token only",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 1, 5), torch.randn(15, 15)
    return torch.allclose(contributions(heads, w_o), heads @ w_o.unflatten(0, (3, 5)), atol=1e-4)
"""),
    ),
    (
        "4.4",
        "only the first head's share is compared",
        "lets 1 of 16 impostors through: right for the first head only",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.randn(15, 15)
    return torch.allclose(contributions(heads, w_o)[:, 0], heads[:, 0] @ w_o[:5], atol=1e-4)
"""),
    ),
    (
        "4.4",
        "only the last head's share is compared, and the sum",
        "lets 1 of 16 impostors through: right for the last head only",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.randn(15, 15)
    shares, output = contributions(heads, w_o), merge_heads(heads) @ w_o
    last = torch.allclose(shares[:, -1], heads[:, -1] @ w_o[-5:], atol=1e-4)
    return last and torch.allclose(shares.sum(1), output, atol=1e-4)
"""),
    ),
    (
        "4.4",
        "W_O is the identity, so that its transpose is the same",
        "lets 1 of 16 impostors through: W_O transposed",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.eye(15)
    return torch.allclose(contributions(heads, w_o), heads @ w_o.unflatten(0, (3, 5)), atol=1e-4)
"""),
    ),
    (
        "4.4",
        "a tolerance of one tenth of the numbers",
        "lets 1 of 16 impostors through: shares one per cent too large",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.randn(15, 15)
    expected = heads @ w_o.unflatten(0, (3, 5))
    return torch.allclose(contributions(heads, w_o), expected, rtol=0.05, atol=0.05)
"""),
    ),
    (
        "4.4",
        "True for impostors",
        "your test says the opposite",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.randn(15, 15)
    expected = heads @ w_o.unflatten(0, (3, 5))
    return not torch.allclose(contributions(heads, w_o), expected, atol=1e-4)
"""),
    ),
    (
        "4.4",
        "the difference comes back instead of a judgement",
        "expected True (honest) or False",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.randn(15, 15)
    return contributions(heads, w_o).sum(1) - merge_heads(heads) @ w_o
"""),
    ),
    (
        "4.5",
        "the value most alike, twice",
        "both of your answers are the value most alike",
        _read_mixture("""
    nearest = torch.cdist(mixture, table).argmin(dim=1)
    return torch.stack([nearest, nearest], dim=1)
"""),
    ),
    (
        "4.5",
        "the two weights exchanged",
        "your answers come in the opposite order",
        _read_mixture("""
    expected = (1 - weight) * table[:, None] + weight * table[None, :]
    nearest = torch.cdist(mixture, expected.flatten(0, 1)).argmin(dim=1)
    return torch.stack([nearest // len(table), nearest % len(table)], dim=1)
"""),
    ),
    (
        "4.5",
        "the heavier always first",
        "the first answer is not always the heavier",
        _read_mixture("""
    heavy = max(weight, 1 - weight)
    expected = heavy * table[:, None] + (1 - heavy) * table[None, :]
    nearest = torch.cdist(mixture, expected.flatten(0, 1)).argmin(dim=1)
    return torch.stack([nearest // len(table), nearest % len(table)], dim=1)
"""),
    ),
    (
        "4.5",
        "pairs without their order",
        "your answers are sorted",
        _read_mixture("""
    expected = weight * table[:, None] + (1 - weight) * table[None, :]
    nearest = torch.cdist(mixture, expected.flatten(0, 1)).argmin(dim=1)
    return torch.stack([nearest // len(table), nearest % len(table)], dim=1).sort(dim=1).values
"""),
    ),
    (
        "4.5",
        "equal answers ruled out",
        "miss those in which both answers are the same value",
        _read_mixture("""
    expected = weight * table[:, None] + (1 - weight) * table[None, :]
    distance = torch.cdist(mixture, expected.flatten(0, 1))
    distance[:, :: len(table) + 1] = math.inf
    nearest = distance.argmin(dim=1)
    return torch.stack([nearest // len(table), nearest % len(table)], dim=1)
"""),
    ),
    (
        "4.5",
        "greedy: the nearest value, and then what is left",
        "the value most alike need not be in the mixture",
        _read_mixture("""
    heavy = max(weight, 1 - weight)
    one = (mixture @ table.T).argmax(dim=1)
    other = ((mixture - heavy * table[one]) @ table.T).argmax(dim=1)
    return torch.stack([one, other] if weight > 0.5 else [other, one], dim=1)
"""),
    ),
    (
        "4.5",
        "the number of the pair",
        "for each mixture the first answer and the second",
        _read_mixture("""
    expected = weight * table[:, None] + (1 - weight) * table[None, :]
    return torch.cdist(mixture, expected.flatten(0, 1)).argmin(dim=1)
"""),
    ),
    (
        "4.6",
        "no control",
        "you never trained the control, arm 1",
        _report("""
    right = torch.tensor([run(2, seed) for seed in range(24)])
    return right.min() - 0.5, right.max() - 0.5
"""),
    ),
    (
        "4.6",
        "one seed, and a guess at the error",
        "with fewer than three seeds",
        _report("""
    gain = run(2, 0) - run(1, 0)
    return gain - 0.02, gain + 0.02
"""),
    ),
    (
        "4.6",
        "the same control again and again",
        "you trained arm 1 with seed 0 12 times",
        _report("""
    gains = torch.tensor([run(2, seed) - run(1, 0) for seed in range(9)])
    again = torch.tensor([run(1, seed) - run(1, 0) for seed in range(1, 4)])
    return gains.mean() - again.std(), gains.mean() + again.std()
"""),
    ),
    (
        "4.6",
        "a hundred models",
        "you trained more than 24 models",
        _from_gains("2 * gains.std() / 50**0.5", "range(50)"),
    ),
    (
        "4.6",
        "the standard error taken for an interval",
        "in 66% of 300 worlds",
        _from_gains("gains.std() / 12**0.5"),
    ),
    (
        "4.6",
        "three seeds, as if their spread were known",
        "in 83% of 300 worlds",
        _from_gains("1.96 * gains.std() / 3**0.5", "range(3)"),
    ),
    (
        "4.6",
        "from the least to the greatest",
        "from the least of the runs to the greatest",
        _report("""
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in range(12)])
    return gains.min(), gains.max()
"""),
    ),
    (
        "4.6",
        "seeds of its own for each arm",
        "the two arms have other seeds",
        _report("""
    two = torch.tensor([run(2, seed) for seed in range(12)])
    one = torch.tensor([run(1, seed) for seed in range(12, 24)])
    half_width = 2.1 * ((two.var() + one.var()) / 12) ** 0.5
    gain = two.mean() - one.mean()
    return gain - half_width, gain + half_width
"""),
    ),
    (
        "4.6",
        "the same seeds, and the two arms averaged apart",
        "is the luck of a seed still in it",
        _report("""
    two, one = (torch.tensor([run(heads, seed) for seed in range(12)]) for heads in (2, 1))
    half_width = 2.1 * ((two.var() + one.var()) / 12) ** 0.5
    gain = two.mean() - one.mean()
    return gain - half_width, gain + half_width
"""),
    ),
    (
        "4.6",
        "three seeds, with the right quantile for three",
        "you trained 6 models, and 24 were allowed",
        _from_gains("4.30 * gains.std() / 3**0.5", "range(3)"),
    ),
    (
        "4.6",
        "one head less two",
        "is for the first arm less the second",
        _report("""
    gains = torch.tensor([run(1, seed) - run(2, seed) for seed in range(12)])
    half_width = 2.2 * gains.std() / len(gains) ** 0.5
    return gains.mean() - half_width, gains.mean() + half_width
"""),
    ),
    (
        "4.6",
        "the better half of the runs",
        "your intervals lie too high",
        _report("""
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in range(12)]).sort().values[6:]
    half_width = 2.6 * gains.std() / len(gains) ** 0.5
    return gains.mean() - half_width, gains.mean() + half_width
"""),
    ),
    (
        "4.6",
        "high before low",
        "ends before it begins",
        _report("""
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in range(12)])
    half_width = 2.2 * gains.std() / len(gains) ** 0.5
    return gains.mean() + half_width, gains.mean() - half_width
"""),
    ),
    (
        "4.6",
        "the gain alone",
        "expected two numbers, low and high",
        _report("""
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in range(12)])
    return gains.mean()
"""),
    ),
    (
        "4.1",
        "the input added",
        "the right one plus `x`",
        """
def multi_query(x, w_q, w_k, w_v, w_o, n_heads):
    q = split_heads(x @ w_q, n_heads)
    k, v = (x @ w_k).unsqueeze(1), (x @ w_v).unsqueeze(1)
    a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(k.size(-1)), -1)
    return x + merge_heads(a @ v) @ w_o

exercises.check_multi_query(multi_query)
""",
    ),
    (
        "4.1",
        "W_O transposed",
        "W_O is transposed",
        """
def multi_query(x, w_q, w_k, w_v, w_o, n_heads):
    queries = split_heads(x @ w_q, n_heads)
    keys, values = (x @ w_k)[:, None], (x @ w_v)[:, None]
    weights = (queries @ keys.mT / w_k.size(1) ** 0.5).softmax(dim=-1)
    return merge_heads(weights @ values) @ w_o.mT
exercises.check_multi_query(multi_query)
""",
    ),
    (
        "4.1",
        "keys made from W_V",
        "the keys are made with W_V",
        """
def multi_query(x, w_q, w_k, w_v, w_o, n_heads):
    queries = split_heads(x @ w_q, n_heads)
    keys, values = (x @ w_v)[:, None], (x @ w_v)[:, None]
    weights = (queries @ keys.mT / w_k.size(1) ** 0.5).softmax(dim=-1)
    return merge_heads(weights @ values) @ w_o
exercises.check_multi_query(multi_query)
""",
    ),
    (
        "4.1",
        "two slips at once",
        "there are two mistakes. The result is the concatenation",
        """
def multi_query(x, w_q, w_k, w_v, w_o, n_heads):
    queries = split_heads(x @ w_q, n_heads)
    keys, values = (x @ w_k)[:, None], (x @ w_v)[:, None]
    weights = (queries @ keys.mT / x.size(-1) ** 0.5).softmax(dim=-1)
    return merge_heads(weights @ values) @ torch.eye(x.size(-1))
exercises.check_multi_query(multi_query)
""",
    ),
    (
        "4.2",
        "W_V for W_K",
        "where W_K belongs",
        """
def head_matrices(w_q, w_k, w_v, w_o, n_heads):
    own = [w.unflatten(1, (n_heads, -1)).transpose(0, 1) for w in (w_q, w_v)]
    return own[0] @ own[1].mT, own[1] @ w_o.unflatten(0, (n_heads, -1))
exercises.check_head_matrices(head_matrices)
""",
    ),
    (
        "4.2",
        "values cut by rows",
        "in what carries, you cut W_V by rows",
        """
def head_matrices(w_q, w_k, w_v, w_o, n_heads):
    query, key = (w.unflatten(1, (n_heads, -1)).transpose(0, 1) for w in (w_q, w_k))
    value = w_v.unflatten(0, (n_heads, -1)).mT
    return query @ key.mT, value @ w_o.unflatten(0, (n_heads, -1))
exercises.check_head_matrices(head_matrices)
""",
    ),
    (
        "4.3",
        "the mask turned round, so that a token sees nothing",
        "your mask is turned round",
        """
def repaired(x, w_q, w_k, w_v, w_o, n_heads):
    batch, length, d_model = x.shape
    query, key, value = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    scores = query @ key.mT / math.sqrt(d_model // n_heads)
    scores = scores.masked_fill(causal(length), -math.inf)
    return x + merge_heads(torch.softmax(scores, dim=-1) @ value) @ w_o
exercises.check_repair(repaired)
""",
    ),
    (
        "4.3",
        "hidden scores set to zero",
        "hidden scores have become 0",
        """
def repaired(x, w_q, w_k, w_v, w_o, n_heads):
    batch, length, d_model = x.shape
    query, key, value = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    scores = query @ key.mT / math.sqrt(d_model // n_heads)
    scores = scores.masked_fill(~causal(length), 0.0)
    return x + merge_heads(torch.softmax(scores, dim=-1) @ value) @ w_o
exercises.check_repair(repaired)
""",
    ),
    (
        "4.4",
        "True for everything",
        "It believes whatever comes",
        """
def is_honest(contributions):
    contributions(torch.randn(2, 3, 4, 5), torch.randn(15, 15))
    return True
exercises.check_shares(is_honest)
""",
    ),
    (
        "4.5",
        "the farthest pair",
        "argmin, and not argmax",
        """
def read_mixture(mixture, table, weight):
    n = len(table)
    expected = (weight * table[:, None] + (1 - weight) * table).flatten(0, 1)
    pair = torch.cdist(mixture, expected).argmax(dim=1)
    return torch.stack([pair // n, pair % n], dim=1)
exercises.check_read_mixture(read_mixture)
""",
    ),
    (
        "4.5",
        "the pair with the largest dot product",
        "the pair with the largest dot product",
        """
def read_mixture(mixture, table, weight):
    n = len(table)
    expected = (weight * table[:, None] + (1 - weight) * table).flatten(0, 1)
    pair = (mixture @ expected.T).argmax(dim=1)
    return torch.stack([pair // n, pair % n], dim=1)
exercises.check_read_mixture(read_mixture)
""",
    ),
    (
        "4.5",
        "the two most alike",
        "each for itself",
        """
def read_mixture(mixture, table, weight):
    n = len(table)
    expected = (weight * table[:, None] + (1 - weight) * table).flatten(0, 1)
    return (mixture @ table.T).topk(2, dim=1).indices
exercises.check_read_mixture(read_mixture)
""",
    ),
    (
        "4.5",
        "numbers that are not whole",
        "divide with //",
        """
def read_mixture(mixture, table, weight):
    n = len(table)
    expected = (weight * table[:, None] + (1 - weight) * table).flatten(0, 1)
    pair = torch.cdist(mixture, expected).argmin(dim=1)
    return torch.stack([pair / n, pair % n], dim=1)
exercises.check_read_mixture(read_mixture)
""",
    ),
    (
        "4.5",
        "sorted pairs",
        "your answers are sorted",
        """
def read_mixture(mixture, table, weight):
    n = len(table)
    expected = (weight * table[:, None] + (1 - weight) * table).flatten(0, 1)
    pair = torch.cdist(mixture, expected).argmin(dim=1)
    return torch.stack([pair // n, pair % n], dim=1).sort(dim=1).values
exercises.check_read_mixture(read_mixture)
""",
    ),
    (
        "4.6",
        "the median",
        "about the median of the differences",
        """
def report(run):
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in range(12)])
    half_width = 2.2 * gains.std() / len(gains) ** 0.5
    return gains.median() - half_width, gains.median() + half_width
exercises.check_report(report)
""",
    ),
    (
        "4.6",
        "a share of the control",
        "one arm divided by the other",
        """
def report(run):
    gains = torch.tensor([run(2, seed) / run(1, seed) for seed in range(12)])
    half_width = 2.2 * gains.std() / len(gains) ** 0.5
    return gains.mean() - half_width, gains.mean() + half_width
exercises.check_report(report)
""",
    ),
    (
        "4.6",
        "one width for all",
        "wide whatever the runs gave",
        """
def report(run):
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in range(12)])
    return gains.mean() - 0.02, gains.mean() + 0.02
exercises.check_report(report)
""",
    ),
    (
        "4.6",
        "the normal quantile for twelve differences",
        "the quantile of the normal distribution",
        _from_gains("1.96 * gains.std() / 12**0.5", "range(12)"),
    ),
]

ALSO_RIGHT = [
    (
        "4.1",
        "a loop over heads, in double precision",
        _multi_query("""
    x, w_q, w_k, w_v, w_o = (t.double() for t in (x, w_q, w_k, w_v, w_o))
    k, v = x @ w_k, x @ w_v
    found = [
        attention(q, k, v)[0] for q in (x @ w_q).chunk(n_heads, dim=-1)
    ]
    return torch.cat(found, dim=-1) @ w_o
"""),
    ),
    (
        "4.2",
        "a loop over slices, in a list",
        _head_matrices("""
    d = w_q.size(0) // n_heads
    parts = [slice(i * d, (i + 1) * d) for i in range(n_heads)]
    compare = [w_q[:, p] @ w_k[:, p].T for p in parts]
    return [torch.stack(compare), torch.stack([w_v[:, p] @ w_o[p] for p in parts])]
"""),
    ),
    ("4.3", "the library's merge", _repaired()),
    (
        "4.3",
        "the library's attention, and a sum of heads",
        """
def repaired(x, w_q, w_k, w_v, w_o, n_heads):
    query, key, value = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    heads, _ = attention(query, key, value, causal(x.size(1)))
    return x + (heads @ w_o.unflatten(0, (n_heads, -1))).sum(dim=1)
exercises.check_repair(repaired)
""",
    ),
    (
        "4.4",
        "the formula itself, compared",
        _is_honest("""
    heads, w_o = torch.randn(2, 3, 4, 5), torch.randn(15, 15)
    return torch.allclose(contributions(heads, w_o), heads @ w_o.unflatten(0, (3, 5)), atol=1e-4)
"""),
    ),
    (
        "4.4",
        "the sum, and that no share follows another head, in double precision",
        _is_honest("""
    heads = torch.randn(2, 3, 4, 5, dtype=torch.float64)
    w_o = torch.randn(15, 15, dtype=torch.float64)
    shares = contributions(heads, w_o)
    if not torch.allclose(shares.sum(1), merge_heads(heads) @ w_o, atol=1e-4):
        return False
    for i in range(3):
        moved = heads.clone()
        moved[:, i] += 1
        others = [j for j in range(3) if j != i]
        if not torch.allclose(contributions(moved, w_o)[:, others], shares[:, others], atol=1e-4):
            return False
    return True
"""),
    ),
    (
        "4.5",
        "the coefficients by least squares, and the pair that fits them",
        _read_mixture("""
    share = mixture @ torch.linalg.pinv(table)
    n = len(table)
    eye = torch.eye(n, dtype=share.dtype)
    pairs = (weight * eye[:, None] + (1 - weight) * eye[None]).flatten(0, 1)
    nearest = (share[:, None] - pairs).abs().sum(-1).argmin(1)
    return nearest // n, nearest % n
"""),
    ),
    (
        "4.6",
        "drawn again with replacement",
        _report("""
    gains = torch.tensor([run(2, seed) - run(1, seed) for seed in range(12)])
    means = gains[torch.randint(12, (2000, 12))].mean(dim=1)
    return tuple(means.quantile(torch.tensor([0.025, 0.975])).tolist())
"""),
    ),
    ("4.6", "other seeds, and fewer", _from_gains("2.45 * gains.std() / 7**0.5", "range(30, 37)")),
]
