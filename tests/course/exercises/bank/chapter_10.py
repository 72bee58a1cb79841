"""Wrong answers to the exercises of chapter 10, each with the words that its verdict must say."""

WRONG = [
    (
        "10.1",
        "only the first occurrence is merged",
        "only one occurrence was merged",
        """
def merge(parts, pair):
    for place in range(len(parts) - 1):
        if (parts[place], parts[place + 1]) == pair:
            return parts[:place] + ["".join(pair)] + parts[place + 2:]
    return parts

exercises.check_merge(merge)
""",
    ),
    (
        "10.1",
        "the second half of the pair is not skipped",
        "says letters twice",
        """
def merge(parts, pair):
    merged = []
    for place, part in enumerate(parts):
        found = tuple(parts[place : place + 2]) == pair
        merged.append("".join(pair) if found else part)
    return merged

exercises.check_merge(merge)
""",
    ),
    (
        "10.1",
        "what was merged is merged again",
        "what had just been merged",
        """
def merge(parts, pair):
    merged = []
    for part in parts:
        if merged and merged[-1].endswith(pair[0]) and part == pair[1]:
            merged[-1] += part
        else:
            merged.append(part)
    return merged

exercises.check_merge(merge)
""",
    ),
    (
        "10.1",
        "the pair is merged from the right",
        "in this order",
        """
def merge(parts, pair):
    merged, place = [], len(parts) - 1
    while place >= 0:
        found = place > 0 and (parts[place - 1], parts[place]) == pair
        merged.insert(0, "".join(pair) if found else parts[place])
        place -= 2 if found else 1
    return merged

exercises.check_merge(merge)
""",
    ),
    (
        "10.1",
        "a list is compared with a tuple",
        "nothing was merged",
        """
def merge(parts, pair):
    merged, place = [], 0
    while place < len(parts):
        found = parts[place : place + 2] == pair
        merged.append("".join(pair) if found else parts[place])
        place += 2 if found else 1
    return merged

exercises.check_merge(merge)
""",
    ),
    (
        "10.1",
        "the last token is never reached",
        "your merge loses letters",
        """
def merge(parts, pair):
    merged, place = [], 0
    while place < len(parts) - 1:
        found = tuple(parts[place : place + 2]) == pair
        merged.append("".join(pair) if found else parts[place])
        place += 2 if found else 1
    return merged

exercises.check_merge(merge)
""",
    ),
    (
        "10.1",
        "letters are replaced, across the borders of tokens",
        "whole tokens are compared",
        """
def merge(parts, pair):
    if not parts:
        return []
    return "|".join(parts).replace("|".join(pair), "".join(pair)).split("|")

exercises.check_merge(merge)
""",
    ),
    (
        "10.2",
        "bits per token",
        "bits per *token*",
        """
def bits(losses, text):
    return losses.mean() / math.log(2)

exercises.check_bits(bits)
""",
    ),
    (
        "10.2",
        "nats per character",
        "nats per character: one nat",
        """
def bits(losses, text):
    return losses.sum() / len(text)

exercises.check_bits(bits)
""",
    ),
    (
        "10.2",
        "multiplied in place of divided",
        "you multiplied by log(2)",
        """
def bits(losses, text):
    return losses.sum() * math.log(2) / len(text)

exercises.check_bits(bits)
""",
    ),
    (
        "10.2",
        "the perplexity",
        "this is the perplexity",
        """
def bits(losses, text):
    return losses.mean().exp()

exercises.check_bits(bits)
""",
    ),
    (
        "10.2",
        "nats per token",
        "the loss in nats a token",
        """
def bits(losses, text):
    return losses.mean()

exercises.check_bits(bits)
""",
    ),
    (
        "10.2",
        "words in place of characters",
        "you divided by the words",
        """
def bits(losses, text):
    return losses.sum() / math.log(2) / len(text.split())

exercises.check_bits(bits)
""",
    ),
    (
        "10.2",
        "bytes are taken for characters",
        "you divided by the bytes",
        """
def bits(losses, text):
    return losses.sum() / math.log(2) / len(text.encode())

exercises.check_bits(bits)
""",
    ),
    (
        "10.3",
        "no smoothing",
        "nothing is kept for the unseen",
        """
def witten_bell(after, shorter):
    return after / after.sum()

exercises.check_witten_bell(witten_bell)
""",
    ),
    (
        "10.3",
        "one is added to every count",
        "(Laplace)",
        """
def witten_bell(after, shorter):
    return (after + 1) / (after.sum() + len(after))

exercises.check_witten_bell(witten_bell)
""",
    ),
    (
        "10.3",
        "what is kept is spread evenly",
        "spread evenly",
        """
def witten_bell(after, shorter):
    distinct = (after > 0).sum()
    return (after + distinct / len(after)) / (after.sum() + distinct)

exercises.check_witten_bell(witten_bell)
""",
    ),
    (
        "10.3",
        "all tokens are counted, not the different ones",
        "you kept half",
        """
def witten_bell(after, shorter):
    total = after.sum()
    return (after + total * shorter) / (total + total)

exercises.check_witten_bell(witten_bell)
""",
    ),
    (
        "10.3",
        "the denominator lacks what is kept",
        "sum to more than one",
        """
def witten_bell(after, shorter):
    return (after + (after > 0).sum() * shorter) / after.sum()

exercises.check_witten_bell(witten_bell)
""",
    ),
    (
        "10.3",
        "a context never seen",
        "you divide 0 by 0",
        """
def witten_bell(after, shorter):
    distinct = (after > 0).sum()
    return (after + distinct * shorter) / (after.sum() + distinct)

exercises.check_witten_bell(witten_bell)
""",
    ),
    (
        "10.3",
        "back-off in place of interpolation",
        "this is back-off",
        """
def witten_bell(after, shorter):
    distinct, total = (after > 0).sum(), after.sum()
    if total == 0:
        return shorter
    return torch.where(after > 0, after, distinct * shorter) / (total + distinct)

exercises.check_witten_bell(witten_bell)
""",
    ),
    (
        "10.4",
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
        "10.4",
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
        "10.4",
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
        "10.4",
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
        "10.4",
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
        "10.4",
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
        "10.4",
        "a threshold for each token",
        "tokens that have p each",
        """
def nucleus(logits, temperature, p):
    probability = (logits / temperature).softmax(-1)
    kept = torch.where(probability >= min(p, probability.max()), probability, 0.0)
    return kept / kept.sum()

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.4",
        "nothing is ruled out",
        "nothing was ruled out",
        """
def nucleus(logits, temperature, p):
    return (logits / temperature).softmax(-1)

exercises.check_nucleus(nucleus)
""",
    ),
    (
        "10.4",
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
        "the logarithm of the losses",
        "they are logarithms already",
        """
def bits(losses, text):
    return torch.log2(losses.sum()).item() / len(text)

exercises.check_bits(bits)
""",
    ),
    (
        "10.2",
        "whole characters per token",
        "// has no place here",
        """
def bits(losses, text):
    return losses.mean().item() / math.log(2) / (len(text) // len(losses))

exercises.check_bits(bits)
""",
    ),
]

ALSO_RIGHT = [
    (
        "10.1",
        "a loop that looks back",
        """
def merge(parts, pair):
    merged, fresh = [], False
    for part in parts:
        if merged and not fresh and (merged[-1], part) == pair:
            merged[-1] += part
            fresh = True
        else:
            merged.append(part)
            fresh = False
    return merged

exercises.check_merge(merge)
""",
    ),
    (
        "10.2",
        "by the base of the logarithm, token by token",
        """
def bits(losses, text):
    return sum(math.log2(math.e) * loss for loss in losses.tolist()) / len(text)

exercises.check_bits(bits)
""",
    ),
    (
        "10.3",
        "a loop over the tokens",
        """
def witten_bell(after, shorter):
    counts = after.tolist()
    total, distinct = sum(counts), sum(1 for count in counts if count)
    if not total:
        return shorter
    kept = distinct / (total + distinct)
    return torch.tensor(
        [(1 - kept) * c / total + kept * float(s) for c, s in zip(counts, shorter)]
    ).double()

exercises.check_witten_bell(witten_bell)
""",
    ),
    (
        "10.4",
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
        "10.4",
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
]
