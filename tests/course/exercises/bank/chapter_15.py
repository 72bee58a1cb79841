"""Wrong answers to the exercises of chapter 15, each with the words that its verdict must say."""

WRONG = [
    (
        "15.1",
        "a divisor of one at least",
        "no longer sum to one",
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
        "the number of keys divides",
        "you divide by the number of keys",
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
        "the text is written twice",
        "with another length",
        """
def blind_twin(text):
    return torch.cat([text, text])

exercises.check_blind_twin(blind_twin)
""",
    ),
    (
        "15.3",
        "the parts are numbered anew once one is cut",
        "each cut alone comes out right",
        """
def operate(x, parts, no_part, no_skip):
    left = [part for i, part in enumerate(parts) if i != no_part]
    for i, part in enumerate(left):
        x = part(x) if i == no_skip else x + part(x)
    return x
exercises.check_operate(operate)
""",
    ),
    (
        "15.3",
        "part and skip are mixed up",
        "cut the skip around it",
        """
def operate(x, parts, no_part, no_skip):
    for i, part in enumerate(parts):
        if i == no_part:
            x = part(x)
        elif i != no_skip:
            x = x + part(x)
    return x

exercises.check_operate(operate)
""",
    ),
    (
        "15.3",
        "a skip is cut by cutting the part",
        "cut the part beside it",
        """
def operate(x, parts, no_part, no_skip):
    for i, part in enumerate(parts):
        if i != no_part and i != no_skip:
            x = x + part(x)
    return x

exercises.check_operate(operate)
""",
    ),
    (
        "15.3",
        "the skip is never cut",
        "nothing has changed",
        """
def operate(x, parts, no_part, no_skip):
    for i, part in enumerate(parts):
        if i != no_part:
            x = x + part(x)
    return x

exercises.check_operate(operate)
""",
    ),
    (
        "15.3",
        "a cut part leaves nothing",
        "your stream ends",
        """
def operate(x, parts, no_part, no_skip):
    for i, part in enumerate(parts):
        if i == no_part:
            x = torch.zeros_like(x)
        elif i == no_skip:
            x = part(x)
        else:
            x = x + part(x)
    return x

exercises.check_operate(operate)
""",
    ),
    (
        "15.3",
        "no skips at all",
        "you still have no skips",
        """
def operate(x, parts, no_part, no_skip):
    for i, part in enumerate(parts):
        if i != no_part:
            x = part(x)
    return x

exercises.check_operate(operate)
""",
    ),
    (
        "15.3",
        "all parts read the input",
        "each reads what the parts before it left",
        """
def operate(x, parts, no_part, no_skip):
    return x + sum(part(x) for i, part in enumerate(parts) if i != no_part)

exercises.check_operate(operate)
""",
    ),
    (
        "15.3",
        "all later parts are cut too",
        "cut that one alone",
        """
def operate(x, parts, no_part, no_skip):
    for i, part in enumerate(parts):
        if no_part is not None and i >= no_part:
            break
        x = part(x) if i == no_skip else x + part(x)
    return x

exercises.check_operate(operate)
""",
    ),
    (
        "15.3",
        "None is taken for 0",
        "None is not 0",
        """
def operate(x, parts, no_part, no_skip):
    for i, part in enumerate(parts):
        if i == (no_part or 0):
            continue
        x = part(x) if i == no_skip else x + part(x)
    return x

exercises.check_operate(operate)
""",
    ),
    (
        "15.4",
        "the output projection is forgotten",
        "you left the output projection out",
        """
def count(batch, n, d):
    return 3 * batch * n * d**2 + 2 * batch * n**2 * d

exercises.check_count(count)
""",
    ),
    (
        "15.4",
        "weights with values are forgotten",
        "one product of n by n",
        """
def count(batch, n, d):
    return 4 * batch * n * d**2 + batch * n**2 * d

exercises.check_count(count)
""",
    ),
    (
        "15.4",
        "additions are counted too",
        "additions are not asked for",
        """
def count(batch, n, d):
    return 2 * (4 * batch * n * d**2 + 2 * batch * n**2 * d)

exercises.check_count(count)
""",
    ),
    (
        "15.4",
        "backward is counted too",
        "you counted backward too",
        """
def count(batch, n, d):
    return 3 * (4 * batch * n * d**2 + 2 * batch * n**2 * d)

exercises.check_count(count)
""",
    ),
    (
        "15.4",
        "the batch is forgotten",
        "you counted one sentence",
        """
def count(batch, n, d):
    return 4 * n * d**2 + 2 * n**2 * d

exercises.check_count(count)
""",
    ),
    (
        "15.4",
        "a score is one multiplication",
        "it is a product of two vectors",
        """
def count(batch, n, d):
    return 4 * batch * n * d**2 + 2 * batch * n**2

exercises.check_count(count)
""",
    ),
    (
        "15.4",
        "projections alone",
        "where do the tokens meet",
        """
def count(batch, n, d):
    return 4 * batch * n * d**2

exercises.check_count(count)
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
        "the change is kept in a variable",
        """
def operate(x, parts, no_part, no_skip):
    stream = x
    for place in range(len(parts)):
        if place == no_part:
            continue
        change = parts[place](stream)
        stream = change if place == no_skip else change + stream
    return stream

exercises.check_operate(operate)
""",
    ),
    (
        "15.4",
        "counted matrix by matrix",
        """
def count(batch, n, d):
    projection = batch * n * d * d
    meeting = batch * n * d * n
    return sum([projection] * 4) + meeting + meeting

exercises.check_count(count)
""",
    ),
]
