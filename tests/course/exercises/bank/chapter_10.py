"""Wrong answers to the exercises of chapter 10, each with the words that its verdict must say."""


def _report(body: str) -> str:
    """A report on what the cache saves, whose pages and interval are given."""
    return f"""
def interval(gains, quantile=2.07):
    half_width = quantile * gains.std() / len(gains) ** 0.5
    return gains.mean() - half_width, gains.mean() + half_width


def savings(run, pages):
    return torch.stack([(run("plain", p) - run("cached", p)).mean() for p in pages])


def report(run):
    {body}


exercises.check_saving(report)
"""


WRONG = [
    (
        "10.1",
        "a token more where p is reached exactly",
        "have less than p",
        """
def nucleus(logits, temperature, p):
    probabilities, order = (logits / temperature).softmax(-1).sort(descending=True)
    before = probabilities.cumsum(-1) - probabilities
    kept = torch.where(before <= p, probabilities, 0.0)
    return torch.zeros_like(logits).scatter(-1, order, kept / kept.sum())
exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "the temperature comes last",
        "before the temperature",
        """
def nucleus(logits, temperature, p):
    probability, order = logits.softmax(-1).sort(descending=True)
    out = order[probability.cumsum(-1) - probability >= p]
    return (logits.index_fill(0, out, -torch.inf) / temperature).softmax(-1)

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "the logits are multiplied by the temperature",
        "you multiplied by the temperature",
        """
def nucleus(logits, temperature, p):
    probability, order = (logits * temperature).softmax(-1).sort(descending=True)
    out = order[probability.cumsum(-1) - probability >= p]
    return (logits * temperature).index_fill(0, out, -torch.inf).softmax(-1)

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "the token that crosses p is left out",
        "does not reach p",
        """
def nucleus(logits, temperature, p):
    probability = (logits / temperature).softmax(-1)
    descending, order = probability.sort(descending=True)
    kept = order[descending.cumsum(0) <= p]
    result = torch.zeros_like(probability)
    result[kept] = probability[kept]
    return result / result.sum()

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "the sum is not one",
        "do not sum to one",
        """
def nucleus(logits, temperature, p):
    probability = (logits / temperature).softmax(-1)
    descending, order = probability.sort(descending=True)
    result = torch.zeros_like(probability)
    kept = order[descending.cumsum(0) - descending < p]
    result[kept] = probability[kept]
    return result

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "the tokens stay sorted",
        "at the wrong tokens",
        """
def nucleus(logits, temperature, p):
    probability = (logits / temperature).softmax(-1)
    descending, _ = probability.sort(descending=True)
    kept = torch.where(descending.cumsum(0) - descending < p, descending, 0.0)
    return kept / kept.sum()

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "a threshold for each token",
        "each token by its own probability",
        """
def nucleus(logits, temperature, p):
    probability = (logits / temperature).softmax(-1)
    kept = torch.where(probability >= min(p, probability.max()), probability, 0.0)
    return kept / kept.sum()

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "nothing is ruled out",
        "nothing was ruled out",
        """
def nucleus(logits, temperature, p):
    return (logits / temperature).softmax(-1)

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "the library's function",
        "you call the library's top_p",
        """
def nucleus(logits, temperature, p):
    return top_p(p)(logits / temperature).softmax(dim=-1)

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.2",
        "the surprises are mixed",
        "always best at an end",
        """
def best_share(losses, others):
    tried = [step / 100 for step in range(101)]
    return min(tried, key=lambda s: (s * losses + (1 - s) * others).mean().item())

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "the share of the other model",
        "share of the other model",
        """
def best_share(losses, others):
    ours, theirs = (-losses).exp(), (-others).exp()
    tried = [step / 100 for step in range(101)]
    return max(tried, key=lambda s: ((1 - s) * ours + s * theirs).log().mean().item())

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "how often the first is better",
        "how often the first model is the better one",
        """
def best_share(losses, others):
    return (losses < others).double().mean().item()

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "half and half",
        "one half is a fair guess",
        """
def best_share(losses, others):
    return 0.5

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "the least surprise",
        "this is the least surprise itself",
        """
def best_share(losses, others):
    ours, theirs = (-losses).exp(), (-others).exp()
    tried = [step / 100 for step in range(101)]
    return min(-(s * ours + (1 - s) * theirs).log().mean().item() for s in tried)

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "steps of a tenth",
        "your steps are too coarse",
        """
def best_share(losses, others):
    ours, theirs = (-losses).exp(), (-others).exp()
    tried = [step / 10 for step in range(11)]
    return max(tried, key=lambda s: (s * ours + (1 - s) * theirs).log().mean().item())

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "neither all of one model nor of the other",
        "are 0 and 1 among the shares",
        """
def best_share(losses, others):
    ours, theirs = (-losses).exp(), (-others).exp()
    tried = [step / 100 for step in range(5, 96)]
    return max(tried, key=lambda s: (s * ours + (1 - s) * theirs).log().mean().item())

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "steps of a twentieth",
        "your steps are too coarse",
        """
def best_share(losses, others):
    ours, theirs = (-losses).exp(), (-others).exp()
    tried = [step / 20 for step in range(21)]
    return max(tried, key=lambda s: (s * ours + (1 - s) * theirs).log().mean().item())

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "the place among the shares",
        "a share's place among those",
        """
def best_share(losses, others):
    shares = torch.linspace(0, 1, 101)[:, None]
    mixture = shares * torch.exp(-losses) + (1 - shares) * torch.exp(-others)
    return mixture.log().mean(dim=1).argmax().item()

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "the logarithm of the mean",
        "the greater mean probability",
        """
def best_share(losses, others):
    ours, theirs = (-losses).exp(), (-others).exp()
    tried = [step / 100 for step in range(101)]
    return max(tried, key=lambda s: (s * ours + (1 - s) * theirs).mean().log().item())

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "without the minus signs",
        "always best at an end",
        """
def best_share(losses, others):
    tried = [step / 100 for step in range(101)]
    return min(
        tried, key=lambda s: (s * losses.exp() + (1 - s) * others.exp()).log().mean().item()
    )

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "weighed by how good each is alone",
        "how good it is alone",
        """
def best_share(losses, others):
    ours, theirs = 1 / losses.mean(), 1 / others.mean()
    return (ours / (ours + theirs)).item()

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.3",
        "the frequencies",
        "these are the frequencies themselves",
        """
def given_back(counts, discounts):
    return counts.sum(dim=0) / counts.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "after how many different words",
        "is right for a single discount",
        """
def given_back(counts, discounts):
    seen = counts > 0
    return seen.sum(dim=0) / seen.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "the wrong axis",
        "you summed over the words that follow",
        """
def given_back(counts, discounts):
    taken = discounts[counts.clamp(max=3)]
    return taken.sum(dim=1) / taken.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "counts, not a distribution",
        "make it sum to one",
        """
def given_back(counts, discounts):
    return discounts[counts.clamp(max=3)].sum(dim=0)

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "what is left",
        "this is what is left of each word",
        """
def given_back(counts, discounts):
    left = counts - discounts[counts.clamp(max=3)]
    return left.sum(dim=0) / left.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "three counted as two",
        "three times or more has the last discount",
        """
def given_back(counts, discounts):
    taken = discounts[counts.clamp(max=2)]
    return taken.sum(dim=0) / taken.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "an even share",
        "an even share",
        """
def given_back(counts, discounts):
    return torch.ones(len(counts)) / len(counts)

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "contexts weigh the same",
        "you gave every context the same weight",
        """
def given_back(counts, discounts):
    taken = discounts[counts.clamp(max=3)] / counts.sum(dim=1, keepdim=True)
    return taken.sum(dim=0) / taken.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "the contexts' mean",
        "weigh the contexts",
        """
def given_back(counts, discounts):
    taken = discounts[counts.clamp(max=3)] / counts.sum(dim=1, keepdim=True)
    return taken.mean(dim=0)

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "squared",
        "write down what all contexts give it",
        """
def given_back(counts, discounts):
    taken = discounts[counts.clamp(max=3)].sum(dim=0) ** 2
    return taken / taken.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "the first of the discounts for a count of one",
        "your discounts are one place off: the first of the four is for a count of 0",
        """
def given_back(counts, discounts):
    taken = discounts[(counts - 1).clamp(0, 3)]
    return taken.sum(0) / taken.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "a share of all counts",
        "you divide by all counts",
        """
def given_back(counts, discounts):
    return discounts[counts.clamp(max=3)].sum(0) / counts.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.3",
        "the discount of a word's total",
        "you lower each word's total count, and once",
        """
def given_back(counts, discounts):
    taken = discounts[counts.sum(0).clamp(max=3)]
    return taken / taken.sum()

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.4",
        "as it was",
        "two things are wrong",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, 0), turn(key, 0)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=0)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "only the places are mended",
        "hides nearly all of the cache",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=0)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "only the mask is mended",
        "still stand at place 0",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, 0), turn(key, 0)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "the queries are left at place 0",
        "you turn the keys by their places, and not the queries",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, 0), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "the keys are left at place 0",
        "you turn the queries by their places, and not the keys",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, 0)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "no mask",
        "the mask is gone",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "one too far",
        "sees one that comes after it",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before + 1)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "one too near",
        "do not see themselves",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before - 1)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1).nan_to_num()
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "new keys first",
        "stand before the old ones",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([key, cache[0]], dim=1)
        value = torch.cat([value, cache[1]], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "the scale is lost",
        "lost their division",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "another scale",
        "divided by the width, not by its root",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / query.size(-1)
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "the cache holds the new keys alone",
        "your cache of keys has shape",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    new = (key, value)
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=1), torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    return scores.masked_fill(~visible, -torch.inf).softmax(dim=-1) @ value, new

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "keys are turned on their way out",
        "keys that were not turned",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query = turn(query, before)
    if cache is not None:
        key, value = torch.cat([cache[0], key], dim=1), torch.cat([cache[1], value], dim=1)
    scores = query @ turn(key, 0).mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    return scores.masked_fill(~visible, -torch.inf).softmax(dim=-1) @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "only the output",
        "two things are expected",
        """
def attend(query, key, value, cache, turn):
    query, key = turn(query, 0), turn(key, 0)
    return (query @ key.mT / math.sqrt(query.size(-1))).softmax(dim=-1) @ value

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "no mask where there is a cache",
        "where there is a cache you hide nothing",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool)
    if cache is None:
        visible = visible.tril()
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "one too near where there is a cache",
        "sees one too few",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    last = before - (cache is not None)
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=last)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "turned one place early",
        "place of the token before them",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    place = max(before - 1, 0)
    query, key = turn(query, place), turn(key, place)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "heads are counted for tokens",
        "you count the heads",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(0)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "the whole cache is turned again",
        "turn them once more",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query = turn(query, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    key = turn(key, 0)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "places counted from one",
        "stands at place 1",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before + 1), turn(key, before + 1)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "the parts of the cache are counted",
        "len(cache), its keys and values",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else len(cache)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "zeros where nothing is to be seen",
        "e to the power of 0 is 1",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(before)
    weights = scores.masked_fill(~visible, 0.0).softmax(dim=-1)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "the softmax over the queries",
        "your softmax runs over the queries",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    scores = query @ key.mT / math.sqrt(query.size(-1))
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(before)
    weights = scores.masked_fill(~visible, -torch.inf).softmax(dim=-2)
    return weights @ value, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.5",
        "the sums alone",
        "how the text ends, and 8 more. No two of your texts begin alike and end differently",
        """
def is_language_model(model):
    ids = torch.arange(60) % 11
    return bool((model(ids).exp().sum(dim=1) - 1).abs().max() < 1e-3)

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "the sums alone, of many texts at random",
        "how the text ends, and 8 more. No two of your texts begin alike and end differently",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    for _ in range(20):
        said = model(torch.randint(0, 11, (50,), generator=draw))
        if not torch.allclose(said.exp().sum(dim=-1), torch.ones(50, dtype=said.dtype), atol=1e-4):
            return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "no sums",
        "It never looks at the sums, and believes a model that doubles all",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    for length in (4, 40):
        ids = torch.randint(0, 11, (length,), generator=draw)
        said = model(ids).exp()
        for kept in range(1, length):
            end = torch.randint(0, 11, (length - kept,), generator=draw)
            for text in (ids[:kept], torch.cat([ids[:kept], end])):
                if not (model(text).exp()[:kept] - said[:kept]).abs().max() < 1e-3:
                    return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "the future alone",
        "lets 7 of 19 impostors through: it is the surer",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    ids = torch.randint(0, 11, (60,), generator=draw)
    other = ids.clone()
    other[30:] = torch.randint(0, 11, (30,), generator=draw)
    return bool((model(ids).exp()[:30] - model(other).exp()[:30]).abs().max() < 1e-3)

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "short texts alone",
        "ask about a long one, too",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    ids = torch.randint(0, 11, (12,), generator=draw)
    said = model(ids)
    if (said.exp().sum(dim=1) - 1).abs().max() > 1e-3:
        return False
    return all((model(ids[:n]).exp() - said[:n].exp()).abs().max() < 1e-3 for n in range(1, 12))

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "equal bits",
        "refuses what is right: the same averages by a Fourier transform",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    for length in (3, 60):
        ids = torch.randint(0, 11, (length,), generator=draw)
        said = model(ids)
        if (said.exp().sum(dim=1) - 1).abs().max() > 1e-3:
            return False
        if any(not torch.equal(model(ids[:n]), said[:n]) for n in range(1, length)):
            return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "the length is never changed",
        "lets 1 of 19 impostors through: it is the surer the longer",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    for length in (3, 60):
        ids = torch.randint(0, 11, (length,), generator=draw)
        said = model(ids)
        if not (said.exp().sum(dim=1) - 1).abs().max() <= 1e-3:
            return False
        for kept in range(1, length):
            other = torch.cat([ids[:kept], torch.randint(0, 11, (length - kept,), generator=draw)])
            if not (model(other).exp()[:kept] - said[:kept].exp()).abs().max() <= 1e-3:
                return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "NaN keeps no bound, and exceeds none",
        "A comparison with NaN is always False",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    for length in (3, 60):
        ids = torch.randint(0, 11, (length,), generator=draw)
        said = model(ids)
        if (said.exp().sum(dim=1) - 1).abs().max() > 1e-3:
            return False
        for kept in range(1, length):
            if (model(ids[:kept]) - said[:kept]).abs().max() > 1e-3:
                return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "logarithms of zero are subtracted",
        "has the logarithm -infinity",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    for length in (3, 60):
        ids = torch.randint(0, 11, (length,), generator=draw)
        said = model(ids)
        if not (said.exp().sum(dim=1) - 1).abs().max() <= 1e-3:
            return False
        for kept in range(1, length):
            if not (model(ids[:kept]) - said[:kept]).abs().max() <= 1e-3:
                return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "only the last token's past matters",
        "does not know what came before it",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    ids = torch.randint(0, 11, (60,), generator=draw)
    other = ids.clone()
    other[:30] = torch.randint(0, 11, (30,), generator=draw)
    return bool((model(ids).exp()[30:] - model(other).exp()[30:]).abs().max() < 1e-3)

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "everything is honest",
        "calls everything honest",
        """
def is_language_model(model):
    return model(torch.arange(40) % 11).shape == (40, 11)

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "the wrong way round",
        "says the opposite",
        """
def is_language_model(model):
    ids = torch.randint(0, 11, (60,), generator=torch.Generator().manual_seed(0))
    said = model(ids)
    fair = (said.exp().sum(dim=1) - 1).abs().max() < 1e-3
    same = all((model(ids[:n]).exp() - said[:n].exp()).abs().max() < 1e-3 for n in (1, 9, 40))
    return not (fair and same)

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "no model is asked",
        "never calls the model",
        """
def is_language_model(model):
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "the sum of all places at once",
        "the probabilities sum to 1.100 at place 0",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    for length in (6, 30, 60) * 8:
        ids = torch.randint(0, 11, (length,), generator=draw)
        kept = int(torch.randint(1, length, (), generator=draw))
        whole, part = model(ids).exp(), model(ids[:kept]).exp()
        other = model(torch.cat([ids[:kept], (ids[kept:] + 1) % 11])).exp()
        if not abs(whole.sum(-1).mean() - 1) <= 1e-3:
            return False
        for said in (part, other):
            if not (whole[:kept] - said[:kept]).abs().max() <= 1e-3:
                return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "three kinds of tokens",
        "Your texts hold the tokens [0, 1, 2] alone",
        """
def is_language_model(model):
    draw = torch.Generator().manual_seed(0)
    for length in (6, 30, 60) * 8:
        ids = torch.randint(0, 3, (length,), generator=draw)
        kept = int(torch.randint(1, length, (), generator=draw))
        whole, part = model(ids).exp(), model(ids[:kept]).exp()
        other = model(torch.cat([ids[:kept], (ids[kept:] + 1) % 3])).exp()
        if not (whole.sum(-1) - 1).abs().max() <= 1e-3:
            return False
        for said in (part, other):
            if not (whole[:kept] - said[:kept]).abs().max() <= 1e-3:
                return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.5",
        "one place too far",
        "compares one place too far",
        """
def is_language_model(model):
    ids = torch.randint(0, 11, (60,), generator=torch.Generator().manual_seed(0))
    said = model(ids).exp()
    for place in range(1, 60):
        other = ids.clone()
        other[place] = (ids[place] + 1) % 11
        if not (model(other).exp()[: place + 1] - said[: place + 1]).abs().max() < 1e-3:
            return False
    return bool((said.sum(-1) - 1).abs().max() < 1e-3)

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.6",
        "only the model with the cache",
        "'plain' has read nothing",
        _report(
            'return interval(torch.stack([run("cached", p).mean() for p in range(0, 120, 5)]))'
        ),
    ),
    (
        "10.6",
        "a single page, token by token",
        "'plain' has read 1 of the pages",
        _report('return interval(run("plain", 60) - run("cached", 60))'),
    ),
    (
        "10.6",
        "the whole book",
        "you read more than 48 pages",
        _report("return interval(savings(run, range(120)))"),
    ),
    (
        "10.6",
        "the same pages again",
        "it says the same each time",
        _report("return interval(savings(run, [p % 12 for p in range(24)]))"),
    ),
    (
        "10.6",
        "each token taken for an observation",
        "Tokens of one page are alike",
        _report(
            'gains = [run("plain", p) - run("cached", p) for p in range(0, 120, 5)]\n'
            "    return interval(torch.cat(gains), 1.96)"
        ),
    ),
    (
        "10.6",
        "the first 24 pages",
        "Your pages lie next to each other",
        _report("return interval(savings(run, range(24)))"),
    ),
    (
        "10.6",
        "other pages for each model",
        "the two models have read other pages",
        _report(
            'plain = torch.stack([run("plain", p).mean() for p in range(0, 120, 5)])\n'
            '    cached = torch.stack([run("cached", p).mean() for p in range(2, 120, 5)])\n'
            "    half_width = 2.01 * ((plain.var() + cached.var()) / 24) ** 0.5\n"
            "    gain = plain.mean() - cached.mean()\n"
            "    return gain - half_width, gain + half_width"
        ),
    ),
    (
        "10.6",
        "where a single page falls",
        "reaches 2.00 standard deviations to each side. There single pages lie",
        _report(
            "gains = savings(run, range(0, 120, 5))\n"
            "    return gains.mean() - 2 * gains.std(), gains.mean() + 2 * gains.std()"
        ),
    ),
    (
        "10.6",
        "the pages that the cache helps",
        "is every page counted that you read?",
        _report(
            "gains = savings(run, range(0, 120, 5))\n"
            "    return interval(gains[gains > gains.median()])"
        ),
    ),
    (
        "10.6",
        "with the cache less without",
        "for what the cache costs",
        _report("return interval(-savings(run, range(0, 120, 5)))"),
    ),
    (
        "10.6",
        "the standard error taken for an interval",
        "reaches 1.00 standard errors to each side",
        _report("return interval(savings(run, range(0, 120, 5)), 1.0)"),
    ),
    (
        "10.6",
        "each model's pages counted, as if they were other pages",
        "There are 24 differences",
        _report("return interval(savings(run, range(0, 120, 5)), 2.07 / 2**0.5)"),
    ),
    (
        "10.6",
        "bits",
        "your interval is in bits",
        _report("return interval(savings(run, range(0, 120, 5)) / math.log(2))"),
    ),
    (
        "10.6",
        "the same pages, and two spreads",
        "its spread is that of one model's pages and that of the other's",
        _report(
            'plain = torch.stack([run("plain", p).mean() for p in range(0, 120, 5)])\n'
            '    cached = torch.stack([run("cached", p).mean() for p in range(0, 120, 5)])\n'
            "    half_width = 2.07 * ((plain.var() + cached.var()) / 24) ** 0.5\n"
            "    gain = plain.mean() - cached.mean()\n"
            "    return gain - half_width, gain + half_width"
        ),
    ),
    (
        "10.6",
        "six pages",
        "you read 12 pages, and 48 were allowed",
        _report("return interval(savings(run, range(10, 120, 20)), 2.57)"),
    ),
    (
        "10.6",
        "a model that is not in the comparison",
        "you asked for the model 'GPT'",
        _report('return interval(run("GPT", 0) - run("cached", 0))'),
    ),
    (
        "10.1",
        "a share of the likeliest",
        "each token by its own probability",
        """
def nucleus(logits, temperature, p):
    probs = (logits / temperature).softmax(-1)
    probs = torch.where(probs >= p * probs.max(), probs, 0)
    return probs / probs.sum()

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "the order for its inverse",
        "you index by the order once more",
        """
def nucleus(logits, temperature, p):
    probs = (logits / temperature).softmax(-1)
    values, order = probs.sort(descending=True)
    kept = probs * (values.cumsum(0) - values < p)[order]
    return kept / kept.sum()

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "the running sum of logits",
        "your running sum is one of logits",
        """
def nucleus(logits, temperature, p):
    values, order = (logits / temperature).sort(descending=True)
    values[values.cumsum(0) - values >= p] = -torch.inf
    return torch.zeros_like(logits).scatter(0, order, values.softmax(0))

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "logits of zero outside",
        "e to the power of 0 is 1",
        """
def nucleus(logits, temperature, p):
    logits = logits / temperature
    values, order = logits.softmax(0).sort(descending=True)
    logits[order[values.cumsum(0) - values >= p]] = 0.0
    return logits.softmax(0)

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "softmax twice",
        "you took the softmax a second time",
        """
def nucleus(logits, temperature, p):
    probs = (logits / temperature).softmax(-1)
    values, ids = probs.sort(descending=True)
    out = ids[values.cumsum(0) - values >= p]
    probs[out] = -math.inf
    return probs.softmax(-1)

exercises.check_nucleus(nucleus)
""",
    ),
]

ALSO_RIGHT = [
    (
        "10.1",
        "those that are out get a logit of minus infinity",
        """
def nucleus(logits, temperature, p):
    logits = logits / temperature
    probability, order = logits.softmax(-1).sort(descending=True)
    out = order[probability.cumsum(-1) - probability >= p]
    return logits.index_fill(0, out, -torch.inf).softmax(-1)

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.1",
        "one token after the other",
        """
def nucleus(logits, temperature, p):
    probability = torch.exp(logits / temperature)
    probability = probability / probability.sum()
    result, reached = torch.zeros_like(probability), 0.0
    for token in probability.argsort(descending=True):
        if reached >= p:
            break
        result[token] = probability[token]
        reached += float(probability[token])
    return result / result.sum()

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.2",
        "expectation maximisation",
        """
def best_share(losses, others):
    ours, theirs = (-losses).exp(), (-others).exp()
    share = 0.5
    for _ in range(3000):
        share = (share * ours / (share * ours + (1 - share) * theirs)).mean().item()
    return share

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.2",
        "all shares at once",
        """
def best_share(losses, others):
    shares = torch.linspace(0, 1, 401).double()[:, None]
    surprise = -torch.log(shares * torch.exp(-losses) + (1 - shares) * torch.exp(-others))
    return shares[surprise.sum(dim=1).argmin(), 0]

exercises.check_best_share(best_share)
""",
    ),
    (
        "10.3",
        "by loops",
        """
def given_back(counts, discounts):
    lost = [0.0] * len(counts)
    for row in counts.tolist():
        for word, count in enumerate(row):
            lost[word] += float(discounts[min(count, 3)])
    return torch.tensor([each / sum(lost) for each in lost])

exercises.check_given_back(given_back)
""",
    ),
    (
        "10.4",
        "by places",
        """
def attend(query, key, value, cache, turn):
    old = cache if cache is not None else (key[:, :0], value[:, :0])
    n, new = old[0].size(1), query.size(1)
    keys = torch.cat([old[0], turn(key, n)], dim=1)
    values = torch.cat([old[1], value], dim=1)
    hidden = torch.arange(n + new) > torch.arange(n, n + new)[:, None]
    scores = turn(query, n) @ keys.mT * query.size(-1) ** -0.5
    return scores.masked_fill(hidden, float("-inf")).softmax(-1) @ values, (keys, values)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "by torch's own attention, with a mask",
        """
def attend(query, key, value, cache, turn):
    before = 0 if cache is None else cache[0].size(1)
    query, key = turn(query, before), turn(key, before)
    if cache is not None:
        key = torch.cat([cache[0], key], dim=1)
        value = torch.cat([cache[1], value], dim=1)
    visible = torch.ones(query.size(1), key.size(1), dtype=torch.bool).tril(diagonal=before)
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=visible)
    return out, (key, value)

exercises.check_attend(attend)
""",
    ),
    (
        "10.4",
        "query by query, and the pair as a list",
        """
def attend(query, key, value, cache, turn):
    before = cache[0].size(1) if cache else 0
    query, key = turn(query, before), turn(key, before)
    if cache:
        key, value = (torch.cat(pair, dim=1) for pair in zip(cache, (key, value)))
    outputs = []
    for i in range(query.size(1)):
        seen = before + i + 1
        scores = torch.einsum("hd,hkd->hk", query[:, i], key[:, :seen]) * query.size(-1) ** -0.5
        outputs.append(torch.einsum("hk,hkd->hd", scores.softmax(-1), value[:, :seen]))
    return torch.stack(outputs, dim=1), [key, value]

exercises.check_attend(attend)
""",
    ),
    (
        "10.5",
        "every beginning of a long text, asked anew",
        """
def is_language_model(model):
    ids = torch.tensor([(7 * i * i + 3 * i) % 11 for i in range(48)])
    whole = model(ids).double()
    for n in range(1, 49):
        said = model(ids[:n]).double()
        if not torch.allclose(said, whole[:n], atol=1e-3):
            return False
        if not torch.allclose(said.logsumexp(-1), torch.zeros(n).double(), atol=1e-3):
            return False
    return True

exercises.check_is_language_model(is_language_model)
""",
    ),
    (
        "10.6",
        "pages drawn at random, and fewer",
        _report(
            "pages = torch.randperm(120, generator=torch.Generator().manual_seed(3))[:22]\n"
            "    return interval(savings(run, pages.tolist()), 2.08)"
        ),
    ),
]
