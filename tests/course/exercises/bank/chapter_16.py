"""Wrong answers to the exercises of chapter 16, each with the words that its verdict must say."""


def choosing(body):
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
def experts_choose(scores, capacity):
{lines}

exercises.check_experts_choose(experts_choose)
"""


def cache(formula):
    return f"""
def windowed_cache(length, layers, every, window, shared, d_head):
    far = layers // every
    near, seen = layers - far, min(length, window)
    return {formula}

exercises.check_windowed_cache(windowed_cache)
"""


def slots(body):
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
def slots(chosen, n_experts, capacity):
{lines}

exercises.check_slots(slots)
"""


def queue(order, back, result="place.where(place < capacity, -1)"):
    return slots(f"""
sent = F.one_hot({order}, n_experts)
place = ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
place = place.{back}
return {result}
""")


def judging(body):
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
def is_scan(scan):
{lines}

exercises.check_is_scan(is_scan)
"""


def pooling(body):
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
def shared_weight(weight, n_heads, shared):
    group = n_heads // shared
{lines}

exercises.check_shared_weight(shared_weight)
"""


def norming(asked, held="", scale="math.sqrt(width)"):
    held = held or asked.replace("query", "key")
    return f"""
def normed_scores(query, key, query_weight, key_weight):
    width = query.size(-1)
    query, key = {asked}, {held}
    return query @ key.mT / {scale}

exercises.check_normed_scores(normed_scores)
"""


MENDED = "rotate_halves(F.rms_norm(query, (width,), query_weight))"
LATE = "F.rms_norm(rotate_halves(query), (width,), query_weight)"

LOOP = """
def loop(decay, added):
    state, right = torch.zeros_like(added[0]), []
    for kept, new in zip(decay, added):
        state = kept * state + new
        right.append(state)
    return torch.stack(right)
source = torch.Generator().manual_seed(5)
"""

WRONG = [
    (
        "16.1",
        "tokens choose",
        "your tokens choose experts",
        choosing("""
likely = scores.softmax(dim=1)
best = likely.topk(min(capacity, likely.size(1)), dim=1)
return torch.zeros_like(likely).scatter(1, best.indices, best.values)
"""),
    ),
    (
        "16.1",
        "all are taken",
        "your experts take every token",
        choosing("return scores.softmax(1)"),
    ),
    (
        "16.1",
        "who is chosen, and not how much",
        "you return who is chosen",
        choosing("""
best = scores.softmax(dim=1).topk(capacity, dim=0).indices
return torch.zeros_like(scores).scatter(0, best, 1.0)
"""),
    ),
    (
        "16.1",
        "a softmax over the tokens",
        "your softmax runs over the tokens",
        choosing("""
likely = scores.softmax(dim=0)
best = likely.topk(capacity, dim=0)
return torch.zeros_like(likely).scatter(0, best.indices, best.values)
"""),
    ),
    (
        "16.1",
        "scores in place of probabilities",
        "these are scores",
        choosing("""
best = scores.topk(capacity, dim=0)
return torch.zeros_like(scores).scatter(0, best.indices, best.values)
"""),
    ),
    (
        "16.1",
        "the least likely are taken",
        "least likely for",
        choosing("""
likely = scores.softmax(dim=1)
best = likely.topk(capacity, dim=0, largest=False)
return torch.zeros_like(likely).scatter(0, best.indices, best.values)
"""),
    ),
    (
        "16.1",
        "divided by what a token was given",
        "by the sum of what a token was given",
        choosing("""
likely = scores.softmax(dim=1)
best = likely.topk(capacity, dim=0)
table = torch.zeros_like(likely).scatter(0, best.indices, best.values)
return torch.nan_to_num(table / table.sum(dim=1, keepdim=True))
"""),
    ),
    (
        "16.1",
        "chosen by scores, paid with probabilities",
        "your experts choose by something else",
        choosing("""
best = scores.topk(capacity, dim=0).indices
return torch.zeros_like(scores).scatter(0, best, scores.softmax(dim=1).gather(0, best))
"""),
    ),
    (
        "16.1",
        "chosen by a softmax over the tokens, paid with one over the experts",
        "your experts choose by something else",
        choosing("""
best = scores.softmax(dim=0).topk(capacity, dim=0).indices
return torch.zeros_like(scores).scatter(0, best, scores.softmax(dim=1).gather(0, best))
"""),
    ),
    (
        "16.1",
        "scores of those chosen by probability",
        "these are scores",
        choosing("""
best = scores.softmax(dim=1).topk(capacity, dim=0).indices
return torch.zeros_like(scores).scatter(0, best, scores.gather(0, best))
"""),
    ),
    (
        "16.1",
        "a sigmoid for each expert",
        "your probabilities are sigmoids",
        choosing("""
likely = scores.sigmoid()
best = likely.topk(capacity, dim=0)
return torch.zeros_like(likely).scatter(0, best.indices, best.values)
"""),
    ),
    (
        "16.1",
        "only what exceeds the last that fits",
        "room for one token more",
        choosing("""
likely = scores.softmax(dim=1)
last = likely.topk(capacity, dim=0).values[-1]
return torch.where(likely > last, likely, 0.0)
"""),
    ),
    (
        "16.1",
        "one token too many",
        "take one token too many",
        choosing("""
likely = scores.softmax(dim=1)
rank = likely.argsort(dim=0, descending=True).argsort(dim=0)
return torch.where(rank <= capacity, likely, 0.0)
"""),
    ),
    (
        "16.1",
        "the likeliest pairs of the whole table",
        "the likeliest pairs of the whole table",
        choosing("""
likely = scores.softmax(dim=1).flatten()
best = likely.topk(capacity * scores.size(1))
return torch.zeros_like(likely).scatter(0, best.indices, best.values).view_as(scores)
"""),
    ),
    (
        "16.1",
        "each token is taken once",
        "gone for the next",
        choosing("""
likely = scores.softmax(dim=1)
taken, left = torch.zeros_like(likely), likely.clone()
for expert in range(likely.size(1)):
    best = left[:, expert].topk(capacity).indices
    taken[best, expert] = left[best, expert]
    left[best] = 0.0
return taken
"""),
    ),
    (
        "16.1",
        "experts choose among those who came",
        "among the tokens that have chosen them",
        choosing("""
likely = scores.softmax(dim=1)
came = torch.where(likely == likely.amax(dim=1, keepdim=True), likely, 0.0)
best = came.topk(capacity, dim=0)
return torch.zeros_like(likely).scatter(0, best.indices, best.values)
"""),
    ),
    (
        "16.1",
        "divided by what an expert took",
        "what an expert took",
        choosing("""
likely = scores.softmax(dim=1)
best = likely.topk(capacity, dim=0)
return torch.zeros_like(likely).scatter(0, best.indices, best.values / best.values.sum(dim=0))
"""),
    ),
    (
        "16.1",
        "shared out among the tokens that an expert took",
        "among the tokens that an expert took",
        choosing("""
best = scores.softmax(dim=1).topk(capacity, dim=0).indices
shares = scores.gather(0, best).softmax(dim=0)
return torch.zeros_like(scores).scatter(0, best, shares)
"""),
    ),
    ("16.1", "experts first", "has shape (5, 11)", choosing("return scores.softmax(1).T")),
    (
        "16.1",
        "weights of the tokens' softmax",
        "your weights are a softmax over the tokens",
        choosing("""
chosen = scores.softmax(dim=1).topk(capacity, dim=0).indices
over_tokens = scores.softmax(dim=0)
return torch.zeros_like(scores).scatter(0, chosen, over_tokens.gather(0, chosen))
"""),
    ),
    (
        "16.1",
        "places of a sorting for ranks",
        "not the place of each token",
        choosing("""
likely = scores.softmax(dim=1)
return likely * (likely.argsort(dim=0, descending=True) < capacity)
"""),
    ),
    (
        "16.1",
        "in order of size",
        "in order of size",
        choosing("""
likely = scores.softmax(dim=1)
weights = torch.zeros_like(likely)
weights[:capacity] = likely.topk(capacity, dim=0).values
return weights
"""),
    ),
    (
        "16.1",
        "others' probabilities at the places of the chosen",
        "lays the first tokens' probabilities",
        choosing("""
chance = scores.softmax(1)
chosen = chance.topk(capacity, dim=0).indices
return torch.zeros_like(chance).scatter(0, chosen, chance)
"""),
    ),
    (
        "16.1",
        "whoever comes first",
        "the first tokens that come to them",
        choosing("""
chance = scores.softmax(1)
sent = F.one_hot(chance.argmax(dim=1), scores.size(1))
return chance * sent * (sent.cumsum(dim=0) <= capacity)
"""),
    ),
    (
        "16.1",
        "what one expert takes the next may not",
        "gone for the next",
        choosing("""
likely = scores.softmax(dim=1)
weights = torch.zeros_like(likely)
free = torch.ones(len(scores), dtype=torch.bool)
for expert in range(scores.size(1)):
    tokens = likely[:, expert].masked_fill(~free, -1.0).topk(capacity).indices
    weights[tokens, expert] = likely[tokens, expert]
    free[tokens] = False
return weights
"""),
    ),
    (
        "16.1",
        "a token stays with one of its experts",
        "gone for the next",
        choosing("""
likely = scores.softmax(dim=1)
least = likely.topk(capacity, dim=0).values[-1]
taken = likely.where(likely >= least, 0)
return taken.where(taken == taken.amax(dim=1, keepdim=True), 0)
"""),
    ),
    (
        "16.2",
        "keys alone",
        "are there keys and values",
        cache("2 * shared * d_head * (far * length + near * seen)"),
    ),
    (
        "16.2",
        "numbers and not bytes, of keys alone",
        "of one byte a number",
        cache("shared * d_head * (far * length + near * seen)"),
    ),
    (
        "16.2",
        "four bytes a number",
        "a number of 16 bits takes two bytes",
        cache("8 * shared * d_head * (far * length + near * seen)"),
    ),
    (
        "16.2",
        "no windows",
        "all your layers keep the whole text",
        cache("4 * shared * d_head * layers * length"),
    ),
    (
        "16.2",
        "windows alone",
        "all your layers look through the window",
        cache("4 * shared * d_head * layers * seen"),
    ),
    (
        "16.2",
        "kinds exchanged",
        "you exchanged the two kinds",
        cache("4 * shared * d_head * (near * length + far * seen)"),
    ),
    (
        "16.2",
        "windows always full",
        "your windows are full from the first token on",
        cache("4 * shared * d_head * (far * length + near * window)"),
    ),
    (
        "16.2",
        "counted twice",
        "a second time",
        cache("4 * shared * d_head * (far * length + layers * seen)"),
    ),
    (
        "16.2",
        "every as a number of layers",
        "is no number of layers",
        cache("4 * shared * d_head * (every * length + (layers - every) * seen)"),
    ),
    ("16.2", "one head", "you counted one", cache("4 * d_head * (far * length + near * seen)")),
    ("16.2", "no windows' caches", "left them out", cache("4 * shared * d_head * far * length")),
    (
        "16.2",
        "one group of layers",
        "one group of `every` layers",
        cache("4 * shared * d_head * (length + (every - 1) * seen)"),
    ),
    (
        "16.2",
        "bytes for each token",
        "the right number divided by `length`",
        cache("4 * shared * d_head * (far * length + near * seen) / length"),
    ),
    (
        "16.2",
        "a window of its own",
        "`window` changes nothing",
        cache("4 * shared * d_head * (far * length + near * min(length, 1024))"),
    ),
    ("16.2", "a constant", "whatever the sizes are", cache("2**20")),
    ("16.2", "in words", "returned str", cache("'many'")),
    (
        "16.3",
        "turned away, not moved on",
        "it moves on behind",
        """
def slots(chosen, n_experts, capacity):
    slots = torch.full_like(chosen, -1)
    taken = torch.zeros(n_experts, dtype=torch.long)
    for choice in range(2):
        sent = F.one_hot(chosen[:, choice], n_experts)
        place = ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
        free = (place < capacity) & (place >= taken[chosen[:, choice]])
        slots[:, choice] = place.where(free, -1)
        taken = sent.sum(dim=0)
    return slots


exercises.check_slots(slots)
""",
    ),
    (
        "16.3",
        "slots split in halves",
        "keep the second half",
        """
def slots(chosen, n_experts, capacity):
    slots = torch.full_like(chosen, -1)
    half = capacity // 2
    limits = [(0, half), (half, capacity)]
    for choice, (start, end) in enumerate(limits):
        sent = F.one_hot(chosen[:, choice], n_experts)
        place = start + ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
        slots[:, choice] = place.where(place < end, -1)
    return slots


exercises.check_slots(slots)
""",
    ),
    (
        "16.3",
        "not laid back",
        "lay it back in that order",
        """
def slots(chosen, n_experts, capacity):
    queue = torch.cat([chosen[:, 0], chosen[:, 1]])
    sent = F.one_hot(queue, n_experts)
    place = ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
    place = place.where(place < capacity, -1)
    return place.view(-1, 2)


exercises.check_slots(slots)
""",
    ),
    (
        "16.3",
        "as it was",
        "as it was",
        slots("""
found = torch.full_like(chosen, -1)
for choice in range(2):
    sent = F.one_hot(chosen[:, choice], n_experts)
    place = ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
    found[:, choice] = place.where(place < capacity, -1)
return found
"""),
    ),
    (
        "16.3",
        "both choices at once",
        "both choices of a token at once",
        queue("chosen.flatten()", "view(-1, 2)"),
    ),
    (
        "16.3",
        "second choices first",
        "second choices before first",
        queue("chosen.flip(1).T.flatten()", "view(2, -1).T.flip(1)"),
    ),
    (
        "16.3",
        "the last token first",
        "later tokens before earlier",
        queue("chosen.flip(0).T.flatten()", "view(2, -1).T.flip(0)"),
    ),
    (
        "16.3",
        "behind all tokens",
        "as many places as there are tokens",
        slots("""
found = torch.full_like(chosen, -1)
for choice in range(2):
    sent = F.one_hot(chosen[:, choice], n_experts)
    place = ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1) + choice * len(chosen)
    found[:, choice] = place.where(place < capacity, -1)
return found
"""),
    ),
    (
        "16.3",
        "counted from one",
        "counted from 1",
        queue("chosen.T.flatten()", "view(2, -1).T", "(place + 1).where(place < capacity, -1)"),
    ),
    (
        "16.3",
        "the token itself is counted",
        "count the token itself",
        queue("chosen.T.flatten()", "view(2, -1).T + 1", "place.where(place < capacity, -1)"),
    ),
    (
        "16.3",
        "one too many",
        "one token too many",
        queue("chosen.T.flatten()", "view(2, -1).T", "place.where(place <= capacity, -1)"),
    ),
    (
        "16.3",
        "nobody is sent away",
        "nobody is sent away",
        queue("chosen.T.flatten()", "view(2, -1).T", "place"),
    ),
    (
        "16.3",
        "late ones in the last slot",
        "into the last slot",
        queue("chosen.T.flatten()", "view(2, -1).T", "place.clamp(max=capacity - 1)"),
    ),
    (
        "16.3",
        "late ones in the first slot",
        "joins the first in slot 0",
        queue("chosen.T.flatten()", "view(2, -1).T", "place.where(place < capacity, 0)"),
    ),
    (
        "16.3",
        "behind the first expert's queue",
        "of their token's first expert",
        slots("""
found = torch.full_like(chosen, -1)
before = torch.zeros(n_experts, dtype=torch.long)
for choice in range(2):
    sent = F.one_hot(chosen[:, choice], n_experts)
    place = ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
    place = place + before[chosen[:, 0]]
    found[:, choice] = place.where(place < capacity, -1)
    before = sent.sum(dim=0)
return found
"""),
    ),
    (
        "16.3",
        "asked before it is moved",
        "before you move",
        slots("""
found = torch.full_like(chosen, -1)
before = torch.zeros(n_experts, dtype=torch.long)
for choice in range(2):
    sent = F.one_hot(chosen[:, choice], n_experts)
    place = ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
    room = place < capacity
    found[:, choice] = (place + before[chosen[:, choice]]).where(room, -1)
    before = sent.sum(dim=0)
return found
"""),
    ),
    (
        "16.3",
        "a half for each choice",
        "half of the slots",
        slots("""
found = torch.full_like(chosen, -1)
before = torch.zeros(n_experts, dtype=torch.long)
for choice in range(2):
    sent = F.one_hot(chosen[:, choice], n_experts)
    place = ((sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
    found[:, choice] = place.where(place < capacity // 2, -1)
    before = sent.sum(dim=0)
return found
"""),
    ),
    (
        "16.3",
        "choices first",
        "has shape (2, 11)",
        queue("chosen.T.flatten()", "view(2, -1)"),
    ),
    (
        "16.3",
        "halves",
        "no whole numbers",
        queue("chosen.T.flatten()", "view(2, -1).T", "place / 2"),
    ),
    (
        "16.3",
        "the second choices' experts are those of the first",
        "yours is another table",
        queue("torch.cat((chosen[:, 0], chosen[:, 0]))", "view(2, -1).T"),
    ),
    (
        "16.4",
        "all is forgotten soon",
        "ask with decays near 1 as well",
        judging(
            LOOP
            + """
decay = torch.rand(400, 3, generator=generator, dtype=torch.float64) / 10
added = torch.randn(400, 3, generator=generator, dtype=torch.float64)
return torch.allclose(scan(decay, added).double(), loop(decay, added), atol=1e-3)
"""
        ),
    ),
    ("16.4", "says yes", "never calls", judging("return True")),
    (
        "16.4",
        "a short text",
        "Your longest text has 6 tokens",
        judging(
            LOOP
            + """
decay = torch.rand(6, 3, generator=source)
added = torch.randn(6, 3, generator=source)
return torch.allclose(scan(decay, added), loop(decay, added), atol=1e-4)
"""
        ),
    ),
    (
        "16.4",
        "little fades",
        "Ask for a text that fades away",
        judging(
            LOOP
            + """
decay = 0.99 + 0.01 * torch.rand(300, 3, dtype=torch.float64, generator=source)
added = torch.randn(300, 3, dtype=torch.float64, generator=source)
return torch.allclose(scan(decay, added), loop(decay, added), atol=1e-4)
"""
        ),
    ),
    (
        "16.4",
        "bits have to be equal",
        "that is rounding, and needs some room",
        judging(
            LOOP
            + """
decay = torch.rand(300, 3, dtype=torch.float64, generator=source) ** 4
added = torch.randn(300, 3, dtype=torch.float64, generator=source)
return torch.equal(scan(decay, added), loop(decay, added))
"""
        ),
    ),
    (
        "16.4",
        "one decay for all",
        "all numbers of a state fade alike",
        judging(
            LOOP
            + """
decay = torch.full((900, 3), 0.99, dtype=torch.float64)
added = torch.randn(900, 3, dtype=torch.float64, generator=source)
return torch.allclose(scan(decay, added), loop(decay, added), atol=1e-4)
"""
        ),
    ),
    (
        "16.4",
        "shapes alone",
        "calls everything honest",
        judging("""
added = torch.randn(300, 3)
return scan(torch.rand(300, 3), added).shape == added.shape
"""),
    ),
    (
        "16.4",
        "the opposite",
        "says the opposite",
        judging(
            LOOP
            + """
right = True
for lowest in (0.9, 0.0):
    drawn = torch.rand(300, 3, dtype=torch.float64, generator=source) ** 4
    decay = lowest + (1 - lowest) * drawn
    added = torch.randn(300, 3, dtype=torch.float64, generator=source)
    right = right and torch.allclose(scan(decay, added), loop(decay, added), atol=1e-4)
return not right
"""
        ),
    ),
    (
        "16.4",
        "equal bits, by torch.equal",
        "that is rounding, and needs some room",
        """
def is_scan(scan):
    for length in (1, 5, 50, 500):
        g = torch.Generator().manual_seed(length)
        a, b = torch.rand(length, 3, generator=g), torch.randn(length, 3, generator=g)
        h, states = torch.zeros(3), []
        for x, y in zip(a, b):
            h = x * h + y
            states.append(h)
        if not torch.equal(scan(a, b), torch.stack(states)):
            return False
    return True

exercises.check_is_scan(is_scan)
""",
    ),
    (
        "16.4",
        "the last state of several lengths",
        "for all of its tokens. You asked the first of these where it fails: its state after",
        """
def is_scan(scan):
    for length in (1, 5, 50, 500):
        for power in (0.01, 1.0, 3.0):
            g = torch.Generator().manual_seed(length)
            a, b = torch.rand(length, 3, generator=g) ** power, torch.randn(length, 3, generator=g)
            h = torch.zeros(3)
            for x, y in zip(a, b):
                h = x * h + y
            if not torch.allclose(scan(a, b)[-1].float(), h, atol=1e-3, rtol=1e-3):
                return False
    return True

exercises.check_is_scan(is_scan)
""",
    ),
    (
        "16.4",
        "whether a difference is large",
        "it meets numbers that are not finite, and still says True",
        judging(
            LOOP
            + """
for lowest in (0.999, 0.9, 0.0):
    drawn = torch.rand(300, 3, dtype=torch.float64, generator=source) ** 4
    decay = lowest + (1 - lowest) * drawn
    added = torch.randn(300, 3, dtype=torch.float64, generator=source)
    if (scan(decay, added) - loop(decay, added)).abs().max() > 1e-3:
        return False
return True
"""
        ),
    ),
    (
        "16.4",
        "numbers that NumPy calls far apart",
        "on it gives NaN. A comparison with NaN is always False",
        judging(
            LOOP
            + """
for lowest in (0.999, 0.9, 0.0):
    drawn = torch.rand(300, 3, dtype=torch.float64, generator=source) ** 4
    decay = lowest + (1 - lowest) * drawn
    added = torch.randn(300, 3, dtype=torch.float64, generator=source)
    found, right = scan(decay, added).double().numpy(), loop(decay, added).numpy()
    if (np.abs(found - right) > 1e-3).any():
        return False
return True
"""
        ),
    ),
    (
        "16.4",
        "by the equation between neighbours, and whether that is far off",
        "on it gives NaN. A comparison with NaN is always False",
        """
def is_scan(scan):
    source = torch.Generator().manual_seed(7)
    for power in (0.05, 8.0):
        decay = torch.rand(200, 5, dtype=torch.float64, generator=source) ** power
        added = torch.randn(200, 5, dtype=torch.float64, generator=source)
        states = scan(decay, added)
        before = torch.cat([torch.zeros(1, 5, dtype=torch.float64), states[:-1]])
        if (states - decay * before - added).abs().max() > 1e-3:
            return False
    return True

exercises.check_is_scan(is_scan)
""",
    ),
    (
        "16.4",
        "by the equation between neighbours, and never the first state",
        "a state that begins at one. You asked the first of these where it fails: its state after "
        "token 0",
        judging("""
source = torch.Generator().manual_seed(3)
for power in (0.05, 8.0):
    decay = torch.rand(200, 3, dtype=torch.float64, generator=source) ** power
    added = torch.randn(200, 3, dtype=torch.float64, generator=source)
    states = scan(decay, added)
    if not (states[1:] - decay[1:] * states[:-1] - added[1:]).abs().max() <= 1e-3:
        return False
return True
"""),
    ),
    (
        "16.4",
        "a reference that adds before it fades",
        "it believes what is not: what is added fades",
        """
def is_scan(scan):
    for length in (1, 5, 50, 500):
        g = torch.Generator().manual_seed(length)
        a, b = torch.rand(length, 3, generator=g), torch.randn(length, 3, generator=g)
        h, states = torch.zeros(3), []
        for x, y in zip(a, b):
            h = x * (h + y)
            states.append(h)
        if not torch.allclose(scan(a, b).float(), torch.stack(states), atol=1e-3):
            return False
    return True

exercises.check_is_scan(is_scan)
""",
    ),
    (
        "16.5",
        "dealt out like cards",
        "you deal the heads out like cards",
        pooling("return weight.unflatten(0, (group, shared, -1)).mean(dim=0).flatten(0, 1)"),
    ),
    (
        "16.5",
        "neighbouring rows",
        "you average neighbouring rows of one head",
        pooling("return weight.unflatten(0, (-1, group)).mean(dim=1)"),
    ),
    (
        "16.5",
        "the first head of each group",
        "you keep the first head of each group",
        pooling("return weight.unflatten(0, (shared, group, -1))[:, 0].flatten(0, 1)"),
    ),
    (
        "16.5",
        "the last head of each group",
        "you keep the last head of each group",
        pooling("return weight.unflatten(0, (shared, group, -1))[:, -1].flatten(0, 1)"),
    ),
    (
        "16.5",
        "the first heads of all",
        "you keep the first `shared` heads",
        pooling("return weight.unflatten(0, (n_heads, -1))[:shared].flatten(0, 1)"),
    ),
    (
        "16.5",
        "one mean for all",
        "your shared heads are all the same",
        pooling("return weight.unflatten(0, (n_heads, -1)).mean(dim=0).repeat(shared, 1)"),
    ),
    (
        "16.5",
        "a sum",
        "you add the heads of a group up",
        pooling("return weight.unflatten(0, (shared, group, -1)).sum(dim=1).flatten(0, 1)"),
    ),
    (
        "16.5",
        "over all heads",
        "the number of all heads; a group has fewer",
        pooling("return weight.unflatten(0, (shared, group, -1)).sum(1).flatten(0, 1) / n_heads"),
    ),
    (
        "16.5",
        "over the groups",
        "the number of groups, and not by that of its heads",
        pooling("return weight.unflatten(0, (shared, group, -1)).sum(1).flatten(0, 1) / shared"),
    ),
    (
        "16.5",
        "over the root",
        "the root of their number",
        pooling(
            "return weight.unflatten(0, (shared, group, -1)).sum(1).flatten(0, 1) / group**0.5"
        ),
    ),
    (
        "16.5",
        "as many heads as before",
        "shape (30, 7); (10, 7) is expected",
        pooling("""
means = weight.unflatten(0, (shared, group, -1)).mean(dim=1)
return means.repeat_interleave(group, dim=0).flatten(0, 1)
"""),
    ),
    (
        "16.5",
        "three times the median",
        "yours is another projection",
        pooling(
            "return 3 * weight.unflatten(0, (shared, group, -1)).median(dim=1)[0].flatten(0, 1)"
        ),
    ),
    ("16.6", "as it was", "turned already, as in `broken`", norming(LATE)),
    (
        "16.6",
        "the norm without its weights, then turned, then the weights",
        "turned already, as in `broken`",
        norming("rotate_halves(F.rms_norm(query, (width,))) * query_weight"),
    ),
    (
        "16.6",
        "nothing is turned",
        "nothing is turned any more",
        norming("F.rms_norm(query, (width,), query_weight)"),
    ),
    (
        "16.6",
        "nothing is normalised",
        "nothing is normalised any more",
        norming("rotate_halves(query)"),
    ),
    (
        "16.6",
        "without the weights",
        "learned weights are gone",
        norming("rotate_halves(F.rms_norm(query, (width,)))"),
    ),
    (
        "16.6",
        "turned before and behind",
        "you turn twice",
        norming("rotate_halves(F.rms_norm(rotate_halves(query), (width,), query_weight))"),
    ),
    (
        "16.6",
        "only the queries are mended",
        "the keys are still turned before their norm",
        norming(MENDED, LATE.replace("query", "key")),
    ),
    (
        "16.6",
        "only the keys are mended",
        "the queries are still turned before their norm",
        norming(LATE, MENDED.replace("query", "key")),
    ),
    (
        "16.6",
        "length one",
        "your vectors have length one",
        norming("rotate_halves(F.normalize(query, dim=-1) * query_weight)"),
    ),
    (
        "16.6",
        "the mean is taken away",
        "yours is LayerNorm",
        norming("rotate_halves(F.layer_norm(query, (width,), query_weight))"),
    ),
    (
        "16.6",
        "a token's norm over all heads",
        "each head has its own",
        norming(
            "rotate_halves(query / query.square().mean((0, 2), keepdim=True).sqrt() * query_weight)"
        ),
    ),
    (
        "16.6",
        "the weights exchanged",
        "the queries have the keys' learned weights, and the keys",
        norming(
            "rotate_halves(F.rms_norm(query, (width,), key_weight))",
            "rotate_halves(F.rms_norm(key, (width,), query_weight))",
        ),
    ),
    ("16.6", "not scaled", "no longer divided by the root", norming(MENDED, scale="1")),
    (
        "16.6",
        "weights, no scores",
        "these are weights",
        norming(MENDED, scale="math.sqrt(width)).softmax(-1)").replace(
            "return query", "return (query"
        ),
    ),
    (
        "16.6",
        "nothing is turned, and not scaled",
        "yours are other scores",
        norming("F.rms_norm(query, (width,), query_weight)", scale="1"),
    ),
]

ALSO_RIGHT = [
    (
        "16.1",
        "by a threshold in a loop over the experts",
        choosing("""
likely = torch.exp(scores - scores.logsumexp(dim=1, keepdim=True))
columns = []
for column in likely.unbind(1):
    least = column.sort(descending=True).values[capacity - 1]
    columns.append(torch.where(column >= least, column, 0))
return torch.stack(columns, dim=1)
"""),
    ),
    (
        "16.2",
        "layer by layer",
        """
def windowed_cache(length, layers, every, window, shared, d_head):
    tokens = sum(length if layer % every == 0 else min(length, window) for layer in range(layers))
    return 2 * tokens * shared * d_head * 2

exercises.check_windowed_cache(windowed_cache)
""",
    ),
    (
        "16.2",
        "a number of NumPy's",
        cache("np.int64(4 * shared * d_head * (far * length + near * seen))"),
    ),
    (
        "16.3",
        "with a counter for each expert",
        """
def slots(chosen, n_experts, capacity):
    taken, found = [0] * n_experts, []
    for expert in chosen.T.flatten().tolist():
        found.append(taken[expert] if taken[expert] < capacity else -1)
        taken[expert] += 1
    return torch.tensor(found).view(2, -1).T

exercises.check_slots(slots)
""",
    ),
    (
        "16.3",
        "second choices behind the first ones of their expert",
        slots("""
found, queued = torch.full_like(chosen, -1), torch.zeros(n_experts, dtype=torch.long)
for choice in range(2):
    sent = F.one_hot(chosen[:, choice], n_experts)
    place = ((queued + sent.cumsum(dim=0) - sent) * sent).sum(dim=1)
    found[:, choice] = place.where(place < capacity, -1)
    queued = queued + sent.sum(dim=0)
return found
"""),
    ),
    (
        "16.4",
        "by the equation between neighbours",
        """
def is_scan(scan):
    source = torch.Generator().manual_seed(7)
    for power in (0.05, 8.0):
        decay = torch.rand(200, 5, dtype=torch.float64, generator=source) ** power
        added = torch.randn(200, 5, dtype=torch.float64, generator=source)
        states = scan(decay, added)
        before = torch.cat([torch.zeros(1, 5, dtype=torch.float64), states[:-1]])
        if not (states - decay * before - added).abs().max() <= 1e-3:
            return False
    return True

exercises.check_is_scan(is_scan)
""",
    ),
    (
        "16.5",
        "group by group",
        pooling("""
d_head, found = weight.size(0) // n_heads, []
for number in range(shared):
    heads = weight[number * group * d_head : (number + 1) * group * d_head].split(d_head)
    found.append(sum(heads) / group)
return torch.cat(found)
"""),
    ),
    (
        "16.5",
        "by a matrix that averages",
        pooling("""
means = torch.eye(shared, dtype=weight.dtype).repeat_interleave(group, dim=1) / group
heads = weight.unflatten(0, (n_heads, -1))
return torch.einsum("sh,hdm->sdm", means, heads).flatten(0, 1)
"""),
    ),
    ("16.6", "norm, then turn", norming(MENDED)),
    (
        "16.6",
        "by the formula",
        norming(
            "rotate_halves(query_weight * query / query.square().mean(-1, keepdim=True).sqrt())"
        ),
    ),
    (
        "16.6",
        "by lengths, and the scores by einsum",
        """
def normed_scores(query, key, query_weight, key_weight):
    width = query.size(-1)
    scaled = [
        x * w / x.norm(dim=-1, keepdim=True) * width**0.5
        for x, w in ((query, query_weight), (key, key_weight))
    ]
    query, key = (rotate_halves(x) for x in scaled)
    return torch.einsum("hqd,hkd->hqk", query, key) / width**0.5

exercises.check_normed_scores(normed_scores)
""",
    ),
]
